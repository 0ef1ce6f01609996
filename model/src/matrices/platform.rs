//! A Matrices platform: profiles, threads, and the steps that change them. MX-VAL-15, MX-DEF,
//! MX-WAIT-1, 2, 10, MX-AUD.

use std::collections::BTreeMap;

use serde_json::Value;

use super::audit;
use super::defaults::{self, Installed};
use super::profile::{self, ProfileHook};
use super::rules::Rules;
use super::run::{Run, ShownBy};
use super::wait::{self, WaitState};
use crate::kernel::{FailurePolicy, Millis};
use crate::reading::MatricesReadings;
use crate::reading::matrices::CancelAudit;
use crate::script::matrices::{AuditEntry, FaultSeen, HookSeen, Observation, PlatformError, Resumed, Step};

/// A platform on which a script runs.
pub struct Platform<'r, R: Rules + ?Sized> {
    pub(super) rules: &'r R,
    pub(super) readings: MatricesReadings,
    catalogue: Vec<ProfileHook>,
    profiles: BTreeMap<String, Installed>,
    pub(super) threads: BTreeMap<String, Thread>,
    pub(super) runs: Vec<Run>,
    pub(super) now: Millis,
    pub(super) deliveries: u64,
    /// Whether an agent processor's own run is under way (MX-PROC-2).
    pub(super) within_agent: bool,
    /// How many steps are being carried out, each within the one before.
    depth: usize,
    /// How often a firing was set going.
    set_going: u64,
}

/// A thread.
#[derive(Debug, Clone)]
pub(super) struct Thread {
    profile: String,
    pub(super) cancelled: bool,
    pub(super) audit: Vec<AuditEntry>,
}

impl<'r, R: Rules + ?Sized> Platform<'r, R> {
    /// A fresh platform with the catalogue of the convention, or this one.
    ///
    /// # Errors
    /// A default of the catalogue is no hook.
    pub fn new(
        rules: &'r R,
        readings: MatricesReadings,
        catalogue: Option<&[Value]>,
    ) -> Result<Self, Vec<crate::Fault>> {
        let catalogue = match catalogue {
            None => defaults::convention(),
            Some(hooks) => profile::parse_catalogue(&readings, hooks)?,
        };
        Ok(Self {
            rules,
            readings,
            catalogue,
            profiles: BTreeMap::new(),
            threads: BTreeMap::new(),
            runs: Vec::new(),
            now: Millis::ZERO,
            deliveries: 0,
            within_agent: false,
            depth: 0,
            set_going: 0,
        })
    }

    /// Carries out one step.
    pub fn step(&mut self, step: &Step) -> Observation {
        self.shows(|platform| platform.any(step))
    }

    /// Carries out a control step while something fires.
    pub(super) fn meanwhile(&mut self, step: &Step) -> Observation {
        self.shows(|platform| platform.control(step))
    }

    /// What is observed of a step, with the earlier firings that it set going.
    fn shows(
        &mut self,
        carry_out: impl FnOnce(&mut Self) -> Result<Observation, PlatformError>,
    ) -> Observation {
        self.depth += 1;
        let mut observation = carry_out(self).unwrap_or_else(refused);
        observation.resumed = self.take_resumed();
        self.depth -= 1;
        observation
    }

    fn any(&mut self, step: &Step) -> Result<Observation, PlatformError> {
        match step {
            Step::Fire(fire) => self.fire(fire),
            Step::Advance(advance) => {
                self.advance(advance.by_ms);
                Ok(Observation::default())
            }
            Step::Resolve(resolve) => self.resolve(resolve),
            control => self.control(control),
        }
    }

    /// Carries out a step that neither fires, resolves nor lets time pass.
    pub(super) fn control(&mut self, step: &Step) -> Result<Observation, PlatformError> {
        match step {
            Step::CreateProfile(profile) => {
                if self.profiles.contains_key(&profile.profile) {
                    return Err(PlatformError::LabelTaken);
                }
                let given = self.rules.profile(&self.readings, &self.catalogue, &profile.text);
                let installed = given.map(|given| self.rules.install(&self.readings, &self.catalogue, given));
                Ok(self.took(&profile.profile, installed))
            }
            Step::UpdateProfile(profile) => {
                let before = self.profiles.get(&profile.profile).ok_or(PlatformError::UnknownProfile)?;
                let given = self.rules.profile(&self.readings, &self.catalogue, &profile.text);
                let installed =
                    given.map(|given| self.rules.update(&self.readings, &self.catalogue, before, given));
                Ok(self.took(&profile.profile, installed))
            }
            Step::GetProfile(of) => {
                let installed = self.profiles.get(&of.profile).ok_or(PlatformError::UnknownProfile)?;
                Ok(Observation { hooks: Some(seen(installed)), ..Observation::default() })
            }
            Step::AddDefault(add) => self.add_default(&add.hook),
            Step::OpenThread(open) => {
                if self.threads.contains_key(&open.thread) {
                    return Err(PlatformError::LabelTaken);
                }
                if !self.profiles.contains_key(&open.profile) {
                    return Err(PlatformError::UnknownProfile);
                }
                let thread = Thread { profile: open.profile.clone(), cancelled: false, audit: Vec::new() };
                self.threads.insert(open.thread.clone(), thread);
                Ok(Observation::default())
            }
            Step::CancelThread(of) => self.cancel(&of.thread),
            Step::WaitingThreads(_) => {
                let mut waits = BTreeMap::<&str, Vec<_>>::new();
                for run in &self.runs {
                    waits.entry(&run.thread).or_default().extend(run.waits());
                }
                let pending =
                    waits.into_iter().map(|(thread, waits)| (thread.to_owned(), self.rules.pending(waits)));
                let threads = pending.filter(|(_, waits)| !waits.is_empty()).collect();
                Ok(Observation { threads: Some(threads), ..Observation::default() })
            }
            Step::Audit(of) => {
                let thread = self.threads.get(&of.thread).ok_or(PlatformError::UnknownThread)?;
                Ok(Observation { audit: Some(thread.audit.clone()), ..Observation::default() })
            }
            Step::Fire(_) | Step::Advance(_) | Step::Resolve(_) => Err(PlatformError::NotAControlStep),
        }
    }

    /// MX-VAL-15: a profile that is not taken changes nothing.
    fn took(&mut self, label: &str, installed: Result<Installed, Vec<crate::Fault>>) -> Observation {
        match installed {
            Ok(installed) => {
                let hooks = Some(seen(&installed));
                self.profiles.insert(label.to_owned(), installed);
                Observation { accepted: Some(true), hooks, ..Observation::default() }
            }
            Err(faults) => {
                if let Some(before) = self.profiles.get_mut(label) {
                    *before = self.rules.rejected(before);
                }
                let seen = |fault: crate::Fault| FaultSeen {
                    pointer: fault.pointer,
                    clause: fault.clause.to_owned(),
                };
                let faults = faults.into_iter().map(seen).collect();
                Observation { accepted: Some(false), faults, ..Observation::default() }
            }
        }
    }

    /// MX-DEF-6 to 8: a default that is introduced later.
    fn add_default(&mut self, hook: &Value) -> Result<Observation, PlatformError> {
        let default = profile::parse_hook(&self.readings, hook).map_err(|_| PlatformError::BadDefault)?;
        let taken = self.catalogue.iter().find(|known| known.id == default.id);
        if taken.is_some_and(|known| *known != default) {
            return Err(PlatformError::BadDefault);
        }
        // MX-VAL-1: the catalogue is what a profile is created with.
        if taken.is_none() && self.catalogue.len() >= profile::MAX_HOOKS {
            return Err(PlatformError::BadDefault);
        }
        let fits = |profile| defaults::fits(&self.readings, &self.catalogue, profile, &default);
        if !self.profiles.values().all(fits) {
            return Err(PlatformError::BadDefault);
        }
        for profile in self.profiles.values_mut() {
            self.rules.reach(&self.readings, &self.catalogue, profile, &default);
        }
        if taken.is_none() {
            self.catalogue.push(default);
        }
        Ok(Observation { accepted: Some(true), ..Observation::default() })
    }

    /// MX-WAIT-10a: a cancelled thread's waits are dropped, and its work does not happen.
    fn cancel(&mut self, label: &str) -> Result<Observation, PlatformError> {
        let thread = self.threads.get_mut(label).ok_or(PlatformError::UnknownThread)?;
        if thread.cancelled {
            return Err(PlatformError::ThreadCancelled);
        }
        thread.cancelled = true;
        if !self.rules.calls_off() {
            return Ok(Observation::default());
        }
        for index in 0..self.runs.len() {
            self.cancel_run(index, label);
        }
        Ok(Observation::default())
    }

    fn cancel_run(&mut self, index: usize, label: &str) {
        let goes = |run: &Run| run.thread == label && run.firing.outcome().is_none();
        if !self.runs.get(index).is_some_and(goes) {
            return;
        }
        self.show(index);
        let (Some(run), Some(thread)) = (self.runs.get_mut(index), self.threads.get_mut(label)) else {
            return;
        };
        let pending = run.waits.iter().filter(|(_, state)| **state == WaitState::Pending);
        let waits = pending.map(|(slot, _)| (*slot, self.readings.cancel_audit));
        let in_flight = run.firing.in_flight().map(|slot| (slot, self.readings.cancelled_in_flight));
        for (slot, said) in waits.chain(in_flight) {
            if let (CancelAudit::Deny, Some(of)) = (said, run.evaluated(slot)) {
                let waited = run.moment(self.now).since(run.asked(slot));
                thread.audit.push(audit::blank(&self.readings, run.point, of, "deny", waited));
            }
        }
        run.cancel(self.rules, self.now);
    }

    /// The hooks that a thread's profile has now.
    pub(super) fn hooks_of(&self, thread: &str) -> Vec<ProfileHook> {
        let profile = self.threads.get(thread).and_then(|thread| self.profiles.get(&thread.profile));
        profile
            .map(|profile| profile.hooks.iter().map(|(hook, _)| hook.clone()).collect())
            .unwrap_or_default()
    }

    /// A firing is set going: the innermost step under way shows it, unless one shows it already.
    pub(super) fn show(&mut self, index: usize) {
        let by = ShownBy { depth: self.depth, order: self.set_going };
        self.set_going += 1;
        if let Some(run) = self.runs.get_mut(index) {
            run.shown_by.get_or_insert(by);
        }
    }

    /// Whether the innermost step under way shows a firing.
    pub(super) fn is_innermost(&self, run: &Run) -> bool {
        run.shown_by.is_some_and(|by| by.depth == self.depth)
    }

    /// What has been observed of the firings that the step shows, but for the one that it fired.
    fn take_resumed(&mut self) -> Vec<Resumed> {
        let depth = self.depth;
        let shown = |run: &&mut Run| run.shown_by.is_some_and(|by| by.depth == depth);
        let mut set_going: Vec<_> = self.runs.iter_mut().filter(shown).collect();
        set_going.sort_by_key(|run| run.shown_by);
        set_going
            .into_iter()
            .map(|run| {
                run.shown_by = None;
                Resumed { firing: run.label.clone(), fired: run.take_fired(self.rules, &self.readings) }
            })
            .collect()
    }

    /// The wait of this name, as the run and its slot.
    pub(super) fn find_wait(&self, thread: &str, name: &str) -> Result<(usize, usize), PlatformError> {
        if !self.threads.contains_key(thread) {
            return Err(PlatformError::UnknownThread);
        }
        let of_thread = self.runs.iter().enumerate().filter(|(_, run)| self.rules.is_of(&run.thread, thread));
        let waits = of_thread.flat_map(|(index, run)| run.waits.iter().map(move |wait| (index, run, wait)));
        // Where ids repeat (MX-VAL-12b, accept), the name is that of the wait that still holds.
        waits
            .filter(|(_, run, (slot, _))| run.wait_name(**slot).as_deref() == Some(name))
            .max_by_key(|(.., (_, state))| **state == WaitState::Pending)
            .map(|(index, _, (slot, _))| (index, *slot))
            .ok_or_else(|| wait::conflict(&self.readings, PlatformError::UnknownWait))
    }
}

/// The hooks of a profile as an observation shows them.
fn seen(installed: &Installed) -> Vec<HookSeen> {
    let policy = |policy| match policy {
        FailurePolicy::FailClosed => "fail_closed",
        FailurePolicy::FailOpen => "fail_open",
    };
    installed
        .hooks
        .iter()
        .map(|(hook, _)| HookSeen {
            id: hook.id.clone(),
            point: hook.point.name().to_owned(),
            processor: hook.processor.kind().to_owned(),
            on_failure: policy(hook.policy).to_owned(),
            async_timeout_ms: hook.async_timeout,
        })
        .collect()
}

/// What is observed of a step that the platform refused.
pub(super) fn refused(error: PlatformError) -> Observation {
    Observation { error: Some(error), ..Observation::default() }
}
