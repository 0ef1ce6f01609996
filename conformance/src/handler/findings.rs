//! What an examination has found so far. It outlives the examination, which may be cut off by its time limit.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Serialize;

use super::check::Check;

/// The most findings that are kept of one check; more are counted.
const MAX_FINDINGS: usize = 20;

/// One way in which a check was broken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The hook, the point or the part that broke it.
    pub place: String,
    /// What it was sent when it first did.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub on: String,
    /// What was found and what was expected.
    pub message: String,
    /// What it costs: what a host makes of it.
    pub cost: String,
    /// How many times it was met.
    pub times: usize,
}

/// One way in which an answer differs from what it should be, before it is known whose.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Flaw {
    pub(crate) check: &'static Check,
    pub(crate) message: String,
    pub(crate) cost: String,
}

/// What a check came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "status")]
pub enum Status {
    /// It holds.
    Passed,
    /// It does not.
    Broken {
        /// In which ways.
        findings: Vec<Finding>,
        /// How many more there were.
        left_out: usize,
    },
    /// It says nothing of this target.
    NotApplicable {
        /// Why.
        reason: String,
    },
    /// It could not be carried out.
    NotReached {
        /// Why.
        reason: String,
    },
}

/// A check with what it came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// The check.
    #[serde(flatten)]
    pub check: &'static Check,
    /// What it came to.
    #[serde(flatten)]
    pub status: Status,
    /// What was seen and is no fault.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Gathers what is found.
#[derive(Default)]
pub(crate) struct Findings(Mutex<State>);

#[derive(Default)]
struct State {
    entries: BTreeMap<&'static str, Entry>,
    stopped: Option<String>,
}

#[derive(Default)]
struct Entry {
    judged: bool,
    broken: Vec<Finding>,
    left_out: usize,
    not_applicable: Option<String>,
    not_reached: Option<String>,
    notes: Vec<String>,
}

impl Findings {
    /// The check was carried out; it holds unless it is found broken.
    pub(crate) fn judged(&self, check: &'static Check) {
        self.entry(check, |entry| entry.judged = true);
    }

    /// The check was found broken. `cost` says what a host makes of it.
    pub(crate) fn broken(
        &self,
        check: &'static Check,
        place: impl Into<String>,
        message: impl Into<String>,
        cost: impl Into<String>,
    ) {
        self.broken_on(check, place, "", message, cost);
    }

    /// The check was found broken on this payload.
    pub(crate) fn broken_on(
        &self,
        check: &'static Check,
        place: impl Into<String>,
        on: &str,
        message: impl Into<String>,
        cost: impl Into<String>,
    ) {
        let (place, message) = (place.into(), message.into());
        self.entry(check, |entry| {
            let known = |known: &&mut Finding| known.place == place && known.message == message;
            if let Some(known) = entry.broken.iter_mut().find(known) {
                known.times += 1;
            } else if entry.broken.len() < MAX_FINDINGS {
                let on = on.to_owned();
                entry.broken.push(Finding { place, on, message, cost: cost.into(), times: 1 });
            } else {
                entry.left_out += 1;
            }
        });
    }

    /// Something was seen that is no fault.
    pub(crate) fn note(&self, check: &'static Check, note: impl Into<String>) {
        self.entry(check, |entry| {
            let note = note.into();
            if entry.notes.len() < MAX_FINDINGS && !entry.notes.contains(&note) {
                entry.notes.push(note);
            }
        });
    }

    /// The check says nothing of this target, and why.
    pub(crate) fn not_applicable(&self, check: &'static Check, reason: impl Into<String>) {
        self.entry(check, |entry| {
            entry.not_applicable.get_or_insert_with(|| reason.into());
        });
    }

    /// The check cannot be carried out, and why.
    pub(crate) fn not_reached(&self, check: &'static Check, reason: impl Into<String>) {
        self.entry(check, |entry| {
            entry.not_reached.get_or_insert_with(|| reason.into());
        });
    }

    /// Nothing further can be carried out, and why.
    pub(crate) fn stop(&self, reason: impl Into<String>) {
        self.state().stopped.get_or_insert_with(|| reason.into());
    }

    /// Whether nothing further can be carried out.
    pub(crate) fn is_stopped(&self) -> bool {
        self.state().stopped.is_some()
    }

    /// What each of these checks came to.
    pub(crate) fn results(&self, checks: &[&'static Check]) -> Vec<Checked> {
        let mut state = self.state();
        let stopped = state.stopped.clone().unwrap_or_else(|| "there was no occasion for it".to_owned());
        checks
            .iter()
            .map(|check| {
                let entry = state.entries.remove(check.id).unwrap_or_default();
                let Entry { judged, broken, left_out, not_applicable, not_reached, notes } = entry;
                let status = match (broken.is_empty(), not_reached, judged, not_applicable) {
                    (false, ..) => Status::Broken { findings: broken, left_out },
                    (_, Some(reason), ..) => Status::NotReached { reason },
                    (_, _, true, _) => Status::Passed,
                    (_, _, _, Some(reason)) => Status::NotApplicable { reason },
                    _ => Status::NotReached { reason: stopped.clone() },
                };
                Checked { check, status, notes }
            })
            .collect()
    }

    fn entry(&self, check: &'static Check, change: impl FnOnce(&mut Entry)) {
        change(self.state().entries.entry(check.id).or_default());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
