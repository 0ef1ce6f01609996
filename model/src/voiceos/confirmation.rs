//! Confirmations: whether a call asks first, what its card shows, and what comes of it. VO-CONF-1, 3 to 7.

use serde_json::{Map, Value};

use crate::reading::VoiceosReadings;
use crate::reading::voiceos::{AskingOff, NobodyThere};
use crate::script::voiceos::{Outcome, Policy, User};

/// What bears on whether a call asks first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demand {
    /// Whether a hook blocked the call.
    pub blocked: bool,
    /// What the user wants of the tool.
    pub policy: Policy,
    /// Whether the user locked it.
    pub locked: bool,
    /// Whether the owner's hook asked for a confirmation, in time.
    pub hook: bool,
    /// Whether it answered in time, whatever it said: that takes no confirmation away (VO-CONF-2).
    pub answered: bool,
}

/// Whether a card is due before the tool runs: a join over what policy, lock and hook ask for. Only the
/// user's own *never* can be read as standing above a hook (VO-CONF-4), and nothing stands above a lock.
/// A call that will not run asks nothing (VO-CONF-5).
#[must_use]
pub fn asks(readings: &VoiceosReadings, demand: Demand) -> bool {
    let Demand { blocked, policy, locked, hook, answered: _ } = demand;
    let hook_counts = policy != Policy::Never || readings.asking_off == AskingOff::Add;
    !blocked && (locked || policy == Policy::Ask || hook && hook_counts)
}

/// VO-CONF-6: the arguments that a card shows, for a call whose arguments hooks may have rewritten.
#[must_use]
pub fn shows(_called: &Map<String, Value>, rewritten: &Map<String, Value>) -> Map<String, Value> {
    rewritten.clone()
}

/// VO-CONF-6, VO-CONF-7a, VO-CONF-8: what comes of a call that asked and showed these arguments.
#[must_use]
pub fn decided(readings: &VoiceosReadings, user: &User, shown: Map<String, Value>) -> Outcome {
    match user {
        User::Approve => Outcome::Executed { args: shown },
        User::Edit(edited) => Outcome::Executed { args: edited.clone() },
        User::Decline => Outcome::Declined {},
        User::Absent => match readings.nobody_there {
            NobodyThere::DoesNotRun => Outcome::NotRun {},
            NobodyThere::Parks => Outcome::Parked {},
        },
    }
}
