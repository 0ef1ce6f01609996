//! What comes back from a hook, decoded by its dialect's wire.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Decision, Failure};
use crate::script::present::present;

/// What a hook that was asked did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// It answered.
    Answered(Box<Answer>),
    /// It failed.
    Failed(Failure),
    /// It parked the work; the answer follows later, to the same slot.
    Pending,
}

/// A hook's answer in the kernel's words. What a dialect does not have stays at its default.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Answer {
    /// What it decides.
    pub decision: Decision,
    /// What the value shall become.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub rewrite: Option<Value>,
    /// Whether it asks for a confirmation.
    pub confirm: bool,
    /// What it tells the model beside the value.
    pub context: Option<String>,
    /// What the user is shown if it wins.
    pub response_text: Option<String>,
    /// The card the user is shown if it wins.
    pub view: Option<Value>,
    /// Why, for the log.
    pub reason: Option<String>,
}

impl Reply {
    /// An answer that defers and gives nothing else.
    #[must_use]
    pub fn defer() -> Self {
        Self::Answered(Box::default())
    }
}
