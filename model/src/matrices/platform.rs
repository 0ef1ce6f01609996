//! A Matrices platform: profiles, threads, and the steps that change them. MX-VAL-15, MX-DEF,
//! MX-WAIT-1, 2, 10, MX-AUD.

use std::collections::BTreeMap;

use serde_json::Value;

use super::audit;
use super::defaults::{self, Installed};
use super::profile::{self, ProfileHook};
use super::rules::Rules;
use super::run::Run;
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
        })
    }

    /// Carries out one step.
    pub fn step(&mut self, step: &Step) -> Observation {
        let observed = match step {
            Step::Fire(fire) => self.fire(fire),
            Step::Advance(advance) => {
                self.advance(advance.by_ms);
                Ok(Observation::default())
            }
            Step::Resolve(resolve) => self.resolve(resolve),
            control => self.control(control),
        };
        let mut observation = observed.unwrap_or_else(refused);
        observation.resumed = self.take_resumed(|_| true);
        observation
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
        for run in self.runs.iter_mut().filter(|run| run.thread == label) {
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
        Ok(Observation::default())
    }

    /// The hooks that a thread's profile has now.
    pub(super) fn hooks_of(&self, thread: &str) -> Vec<ProfileHook> {
        let profile = self.threads.get(thread).and_then(|thread| self.profiles.get(&thread.profile));
        profile
            .map(|profile| profile.hooks.iter().map(|(hook, _)| hook.clone()).collect())
            .unwrap_or_default()
    }

    /// What has been observed of earlier firings since the last step.
    pub(super) fn take_resumed(&mut self, shown: impl Fn(usize) -> bool) -> Vec<Resumed> {
        let runs = self.runs.iter_mut().enumerate().filter(|(index, _)| shown(*index));
        let mut went_on: Vec<_> =
            runs.filter(|(_, run)| run.went_on.is_some() && !run.stands_still()).collect();
        went_on.sort_by_key(|(_, run)| run.went_on);
        went_on
            .into_iter()
            .map(|(_, run)| {
                run.went_on = None;
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
