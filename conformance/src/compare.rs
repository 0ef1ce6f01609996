//! Comparing what a candidate observed with what the model expects, step by step.

use hookproof_model::Dialect;
use hookproof_model::kernel::json;
use hookproof_model::script::{Transcript, ids};
use serde_json::{Value, json};

use crate::about::Clock;

/// What is not compared, because the candidate cannot know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mask {
    /// Times, where the candidate runs on a clock on the wall.
    pub times: bool,
    /// Where in a document a fault is and which clause it breaks (VO-MAN-T, MX-VAL-T).
    pub fault_pointers: bool,
}

impl Mask {
    /// The mask for a candidate on this clock.
    #[must_use]
    pub const fn new(clock: Clock, fault_pointers: bool) -> Self {
        Self { times: matches!(clock, Clock::Real), fault_pointers: !fault_pointers }
    }
}

/// The first step at which a transcript differs from what was expected.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Which step, from zero.
    pub step: usize,
    /// What the model expects of it; `null` if there is no such step.
    pub expected: Value,
    /// What the candidate observed; `null` if it observed nothing.
    pub observed: Value,
    /// Why the observation cannot be read, if it cannot.
    pub unreadable: Option<String>,
}

/// Compares a candidate's answer with the expected transcript.
///
/// # Errors
/// They differ: the first step that does.
pub fn compare(expected: &Transcript, answer: &Value, mask: Mask) -> Result<(), Difference> {
    let dialect = match expected {
        Transcript::Voiceos(_) => Dialect::Voiceos,
        Transcript::Matrices(_) => Dialect::Matrices,
    };
    let expected = canonical(&expected.steps(), mask);
    let Some(steps) = answer.get("steps").and_then(Value::as_array) else {
        let observed = answer.clone();
        let unreadable = Some("a transcript is an object with a list of `steps`".to_owned());
        let first = expected.first().cloned().unwrap_or_default();
        return Err(Difference { step: 0, expected: first, observed, unreadable });
    };
    let mut read = Vec::new();
    for (step, observed) in steps.iter().enumerate() {
        match Transcript::read(dialect, &json!({ "steps": [observed] })) {
            Ok(transcript) => read.extend(transcript.steps()),
            Err(error) => {
                // Steps before this one may differ already, and that is what comes first.
                first_difference(&expected, &canonical(&read, mask), step)?;
                let expected = expected.get(step).cloned().unwrap_or_default();
                let unreadable = Some(error.to_string());
                return Err(Difference { step, expected, observed: observed.clone(), unreadable });
            }
        }
    }
    let steps = expected.len().max(read.len());
    first_difference(&expected, &canonical(&read, mask), steps)
}

fn first_difference(expected: &[Value], observed: &[Value], steps: usize) -> Result<(), Difference> {
    for step in 0..steps {
        let (expected, observed) = (expected.get(step), observed.get(step));
        if expected != observed {
            return Err(Difference {
                step,
                expected: expected.cloned().unwrap_or_default(),
                observed: observed.cloned().unwrap_or_default(),
                unreadable: None,
            });
        }
    }
    Ok(())
}

/// Steps in the one form in which they are compared: ids renumbered, numbers by value (HK-EQ-1).
fn canonical(steps: &[Value], mask: Mask) -> Vec<Value> {
    let mut steps = Value::Array(steps.to_vec());
    json::normalize(&mut steps);
    ids::renumber(&mut steps);
    hide(&mut steps, mask);
    match steps {
        Value::Array(steps) => steps,
        _ => Vec::new(),
    }
}

/// Takes out what is not compared. What hooks were sent and what came out is theirs, whatever its
/// members are called.
fn hide(value: &mut Value, mask: Mask) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| match name.as_str() {
                "at_ms" | "ended_ms" | "latencyMs" => !mask.times,
                "faults" => !mask.fault_pointers,
                _ => true,
            });
            for (name, member) in members.iter_mut() {
                if !matches!(name.as_str(), "payload" | "value" | "args" | "result" | "model_sees") {
                    hide(member, mask);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide(item, mask)),
        _ => {}
    }
}
