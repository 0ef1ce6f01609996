//! A tool call between its two hooks: what the tool runs with, whether postToolUse fires, and what the model
//! reads. VO-EVT-3, VO-EVT-4, VO-CONF-7, VO-FOLD-17a.

use serde_json::{Map, Value};

use crate::reading::VoiceosReadings;
use crate::reading::voiceos::FailedTool;
use crate::script::voiceos::{Outcome, ToolStatus};

/// VO-EVT-3, VO-CONF-7a: a tool runs with what came of its preToolUse firing, or not at all.
#[must_use]
pub fn runs_with(_called: &Map<String, Value>, outcome: Option<&Outcome>) -> Option<Map<String, Value>> {
    match outcome {
        Some(Outcome::Executed { args }) => Some(args.clone()),
        _ => None,
    }
}

/// VO-FOLD-17a, VO-CONF-7b: postToolUse fires for a tool that ran, and for no other.
#[must_use]
pub fn is_followed_up(readings: &VoiceosReadings, ran: Option<ToolStatus>) -> bool {
    match ran {
        None => false,
        Some(ToolStatus::Done) => true,
        Some(ToolStatus::Failed) => readings.failed_tool == FailedTool::Fires,
    }
}

/// VO-EVT-4: the model reads what came of the postToolUse firing.
#[must_use]
pub fn reads(result: Value, outcome: Option<Outcome>) -> Value {
    match outcome {
        Some(Outcome::WentOn { value, .. }) => value,
        _ => result,
    }
}
