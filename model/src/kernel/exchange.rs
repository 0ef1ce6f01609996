//! What goes into a firing and what comes out of it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Decision, Failure, FailurePolicy, Guard, Millis, Reply};
use crate::script::present::present;

/// A hook as it was selected for a firing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hook {
    /// Its name: the integration, or the hook's id.
    pub name: String,
    /// Its conditions.
    pub guard: Guard,
    /// What its failure does to the work.
    pub policy: FailurePolicy,
    /// How long it may take to answer, where no budget is shared.
    pub deadline: Millis,
    /// How long it may keep the work parked.
    pub patience: Millis,
}

/// What to do next.
#[derive(Debug, PartialEq)]
pub enum Output<'a> {
    /// Ask a hook, now.
    Ask {
        /// Its place in the chain.
        slot: usize,
        /// The hook.
        hook: &'a Hook,
        /// The value that it is handed.
        sees: &'a Value,
        /// The moment of asking.
        at: Millis,
        /// The last moment at which it may have answered.
        until: Millis,
    },
    /// Wait for an answer, until this moment at the longest if there is one.
    WaitUntil(Option<Millis>),
    /// The firing is over.
    Done(&'a Outcome),
}

/// What happened. Moments count from the beginning of the firing and never go back.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A hook answered, failed or parked. A parked one answers once more.
    Answered {
        /// Which.
        slot: usize,
        /// When.
        at: Millis,
        /// What it did.
        reply: Reply,
    },
    /// A moment is over: whatever was to arrive at it has arrived.
    Elapsed {
        /// Which; [`Millis::MAX`] if nothing will ever happen any more.
        at: Millis,
    },
    /// Consent for a hook was withdrawn.
    Silenced {
        /// Which.
        slot: usize,
        /// When.
        at: Millis,
    },
    /// Consent for a hook was given again.
    Restored {
        /// Which.
        slot: usize,
        /// When.
        at: Millis,
    },
    /// The work was called off.
    Cancelled {
        /// When.
        at: Millis,
    },
}

/// What a firing came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// What was decided; a defer lets the work go on with the value.
    pub decision: Decision,
    /// The slot whose decision it is.
    pub winner: Option<usize>,
    /// The composed value; `None` where nothing was rewritten.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// Whether a hook asked for a confirmation.
    pub confirm: bool,
    /// What hooks told the model, in chain order.
    pub contexts: Vec<String>,
    /// What the winner lets the user read.
    pub response_text: Option<String>,
    /// The card that the winner lets the user see.
    pub view: Option<Value>,
    /// When.
    pub at: Millis,
    /// Whether the shared budget was exhausted.
    pub exhausted: bool,
    /// Whether the work was called off.
    pub cancelled: bool,
}

/// A hook whose turn came: what log and audit are made of. In chain order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Visit {
    /// Its place in the chain.
    pub slot: usize,
    /// When it was asked; `None` where its conditions already failed.
    pub asked: Option<Millis>,
    /// When it answered or failed.
    pub at: Millis,
    /// What it decided, or what its failure came to.
    pub decision: Decision,
    /// How it failed.
    pub failure: Option<Failure>,
    /// Whether its rewrite entered the composed value.
    pub rewrote: bool,
    /// The reason it gave.
    pub reason: Option<String>,
}
