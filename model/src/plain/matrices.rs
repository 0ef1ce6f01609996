//! A whole Matrices script said a second time: from the clauses alone, as naively as it can be said.
//!
//! The platform keeps lists: profiles, threads, firings, waits. A firing is [told](super::fire) from its
//! beginning whenever somebody wants to know what happens next, with everything that is known by then
//! (`matrices/firing.rs`); the platform's one clock goes from one happening to the next
//! (`matrices/clock.rs`). The conventions of scripts stand in `vectors/README.md`.

mod address;
mod answer;
mod audit;
mod clock;
mod defaults;
mod document;
mod firing;
mod hook;
mod matching;
mod profile;
mod waits;

use std::collections::BTreeMap;

use crate::kernel::Millis;
use crate::reading::MatricesReadings;
use crate::reading::matrices::UnmentionedHooks;
use crate::script::matrices::{
    AuditEntry, FaultSeen, Fire, Fired, Meanwhile, Observation, PlatformError, ProfileText, Resumed, Script,
    Step,
};
use defaults::Profile;
use firing::Firing;
use hook::MatricesHook;
use waits::Parked;

/// Carries a script out on a fresh platform: one observation a step.
///
/// # Errors
/// The script's catalogue of defaults is faulty.
pub fn run(script: &Script, readings: &MatricesReadings) -> Result<Vec<Observation>, Vec<FaultSeen>> {
    let mut platform = Platform {
        readings: *readings,
        catalogue: defaults::catalogue(script.catalogue.as_deref(), readings)?,
        profiles: vec![],
        threads: vec![],
        firings: vec![],
        waits: vec![],
        now: Millis::ZERO,
        deliveries: 0,
        nesting: 0,
        records: vec![],
    };
    Ok(script.steps.iter().map(|step| platform.step(step)).collect())
}

/// A platform.
struct Platform<'s> {
    readings: MatricesReadings,
    /// The default hooks.
    catalogue: Vec<MatricesHook>,
    profiles: Vec<Profile>,
    threads: Vec<Thread<'s>>,
    /// In the order in which they began.
    firings: Vec<Firing<'s>>,
    /// In the order in which the work was parked.
    waits: Vec<Parked>,
    now: Millis,
    /// How many HookInputs were delivered.
    deliveries: usize,
    /// How many runs of agent processors the step that is carried out is in.
    nesting: usize,
    /// Of the steps that are being carried out, the innermost last.
    records: Vec<Record<'s>>,
}

/// A thread.
struct Thread<'s> {
    label: &'s str,
    profile: &'s str,
    cancelled: bool,
    audit: Vec<AuditEntry>,
}

/// What is observed while a step is carried out.
#[derive(Default)]
struct Record<'s> {
    /// The firing that the step began.
    firing: Option<usize>,
    fired: Fired,
    resumed: Vec<Resumed>,
    /// The control steps that have not been carried out yet, the earliest first.
    ahead: Vec<&'s Meanwhile>,
    /// In the order in which they were carried out.
    meanwhile: Vec<Observation>,
}

/// What a step comes to, but for what is recorded on the way.
type Carried = Result<Observation, PlatformError>;

impl<'s> Platform<'s> {
    fn step(&mut self, step: &'s Step) -> Observation {
        self.records.push(Record::default());
        let carried = self.carried_out(step);
        let record = self.records.pop().unwrap_or_default();
        // What is refused changes nothing.
        let refused = |error| Observation { error: Some(error), ..Observation::default() };
        Observation {
            fired: record.firing.map(|_| record.fired),
            resumed: record.resumed,
            meanwhile: record.meanwhile,
            ..carried.unwrap_or_else(refused)
        }
    }

    fn carried_out(&mut self, step: &'s Step) -> Carried {
        match step {
            Step::CreateProfile(text) => self.create_profile(text),
            Step::UpdateProfile(text) => self.update_profile(text),
            Step::GetProfile(of) => Ok(listed(self.profile(&of.profile)?)),
            Step::AddDefault(add) => {
                let readings = self.readings;
                defaults::introduce(&add.hook, &mut self.catalogue, &mut self.profiles, &readings)?;
                Ok(Observation { accepted: Some(true), ..Observation::default() })
            }
            Step::OpenThread(open) => self.open_thread(&open.thread, &open.profile),
            Step::CancelThread(of) => self.cancel_thread(&of.thread),
            Step::Advance(advance) => {
                self.settle(self.now.plus(advance.by_ms));
                Ok(Observation::default())
            }
            Step::WaitingThreads(_) => Ok(self.waiting_threads()),
            Step::Resolve(resolve) => self.resolve(resolve),
            Step::Audit(of) => {
                let audit = self.thread(&of.thread)?.audit.clone();
                Ok(Observation { audit: Some(audit), ..Observation::default() })
            }
            Step::Fire(fire) => self.fire(fire),
        }
    }

    /// A step carried out while a firing runs: it neither fires, advances nor resolves anything.
    fn control(&mut self, step: &'s Step) -> Observation {
        if matches!(step, Step::Fire(_) | Step::Advance(_) | Step::Resolve(_)) {
            return Observation { error: Some(PlatformError::NotAControlStep), ..Observation::default() };
        }
        self.step(step)
    }

    fn create_profile(&mut self, given: &'s ProfileText) -> Carried {
        if self.profile(&given.profile).is_ok() {
            return Err(PlatformError::LabelTaken);
        }
        match profile::read(&given.text, &self.catalogue, &self.readings) {
            Ok(hooks) => {
                let profile = Profile::with(&given.profile, hooks, &self.catalogue);
                let observed = Observation { accepted: Some(true), ..listed(&profile) };
                self.profiles.push(profile);
                Ok(observed)
            }
            // MX-VAL-15.
            Err(faults) => Ok(rejected(faults)),
        }
    }

    /// MX-DEF-5: an update changes what it mentions.
    fn update_profile(&mut self, given: &ProfileText) -> Carried {
        self.profile(&given.profile)?;
        let hooks = match profile::read(&given.text, &self.catalogue, &self.readings) {
            Ok(hooks) => hooks,
            // MX-VAL-15.
            Err(faults) => return Ok(rejected(faults)),
        };
        let keeps = hooks.is_none() && self.readings.unmentioned_hooks == UnmentionedHooks::Keep;
        if let Some(profile) = self.profiles.iter_mut().find(|profile| profile.label == given.profile)
            && !keeps
        {
            *profile = Profile::with(&given.profile, hooks, &self.catalogue);
        }
        Ok(Observation { accepted: Some(true), ..listed(self.profile(&given.profile)?) })
    }

    fn open_thread(&mut self, label: &'s str, profile: &'s str) -> Carried {
        if self.thread(label).is_ok() {
            return Err(PlatformError::LabelTaken);
        }
        self.profile(profile)?;
        self.threads.push(Thread { label, profile, cancelled: false, audit: vec![] });
        Ok(Observation::default())
    }

    /// Something happens, and the step is over when nothing is on its way any more.
    fn fire(&mut self, fire: &'s Fire) -> Carried {
        let thread = self.thread(&fire.thread)?;
        if thread.cancelled {
            return Err(PlatformError::ThreadCancelled);
        }
        if self.firings.iter().any(|firing| firing.fire.firing == fire.firing) {
            return Err(PlatformError::LabelTaken);
        }
        let nested = self.nesting > 0;
        let list = &self.profile(thread.profile)?.hooks;
        self.firings.push(Firing {
            fire,
            nested,
            chain: firing::selected(list, &fire.event, nested, &self.readings),
            began: self.now,
            stands_still: None,
            happened: 0,
            asked: BTreeMap::default(),
            deliveries: BTreeMap::default(),
            resolutions: BTreeMap::default(),
            parked_on: None,
            ended: false,
        });
        if let Some(record) = self.records.last_mut() {
            record.firing = Some(self.firings.len() - 1);
            record.ahead = fire.meanwhile.iter().collect();
            record.ahead.sort_by_key(|meanwhile| meanwhile.at_ms);
        }
        self.settle(self.now);
        Ok(Observation::default())
    }

    fn profile(&self, label: &str) -> Result<&Profile, PlatformError> {
        self.profiles.iter().find(|profile| profile.label == label).ok_or(PlatformError::UnknownProfile)
    }

    fn thread(&self, label: &str) -> Result<&Thread<'s>, PlatformError> {
        self.threads.iter().find(|thread| thread.label == label).ok_or(PlatformError::UnknownThread)
    }

    /// Where to record what happens in a firing: with the step that began it or set it going again, while
    /// that one is being carried out, and else with the innermost one, which sets it going now.
    fn record(&mut self, firing: usize) -> Option<&mut Fired> {
        let label = &self.firings.get(firing)?.fire.firing;
        let began = self.records.iter().rposition(|record| record.firing == Some(firing));
        if let Some(place) = began {
            return self.records.get_mut(place).map(|record| &mut record.fired);
        }
        let shows = |record: &Record<'_>| record.resumed.iter().any(|resumed| resumed.firing == *label);
        let place = self.records.iter().position(shows).or(self.records.len().checked_sub(1))?;
        let resumed = &mut self.records.get_mut(place)?.resumed;
        if resumed.iter().all(|resumed| resumed.firing != *label) {
            resumed.push(Resumed { firing: label.clone(), fired: Fired::default() });
        }
        resumed.iter_mut().find(|resumed| resumed.firing == *label).map(|resumed| &mut resumed.fired)
    }
}

/// The hooks that a profile has now.
fn listed(profile: &Profile) -> Observation {
    let hooks = profile.hooks.iter().map(|entry| entry.hook.seen()).collect();
    Observation { hooks: Some(hooks), ..Observation::default() }
}

/// A profile that was not taken.
fn rejected(faults: Vec<FaultSeen>) -> Observation {
    Observation { accepted: Some(false), faults, ..Observation::default() }
}
