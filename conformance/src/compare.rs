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
        // Numbers are compared by value, so 5.0 is a time as well as 5 (HK-EQ-1).
        let mut normal = json!({ "steps": [observed] });
        json::normalize(&mut normal);
        match Transcript::read(dialect, &normal) {
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

/// Takes out what is not compared, and puts in order what has none.
fn hide(value: &mut Value, mask: Mask) {
    match value {
        Value::Object(members) => {
            members.retain(|name, member| match name.as_str() {
                "at_ms" | "ended_ms" | "latencyMs" => !mask.times,
                "faults" => !mask.fault_pointers,
                // A list that is empty and one that is absent say the same.
                "hooks" | "tools" | "audit" => member.as_array().is_none_or(|items| !items.is_empty()),
                "threads" => member.as_object().is_none_or(|threads| !threads.is_empty()),
                _ => true,
            });
            // No clause says in which order faults are told.
            if let Some(Value::Array(faults)) = members.get_mut("faults") {
                faults.sort_by_cached_key(ToString::to_string);
            }
            for (name, member) in members.iter_mut() {
                if name != "payload" && !ids::OPAQUE.contains(&name.as_str()) {
                    hide(member, mask);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide(item, mask)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use hookproof_model::script::{Steps, matrices, voiceos};
    use pretty_assertions::assert_eq;

    use super::*;

    fn expected() -> Transcript {
        let steps = json!([
            { "accepted": true, "hooks": [], "callout": false },
            { "calls": [{ "hook": "h", "tool": "t", "payload": { "at_ms": 1, "n": 1 }, "at_ms": 3 }], "ended_ms": 5 },
        ]);
        Transcript::Voiceos(Steps {
            steps: serde_json::from_value::<Vec<voiceos::Observation>>(steps).unwrap(),
        })
    }

    #[test]
    fn absent_and_empty_say_the_same_and_numbers_are_compared_by_value() {
        let answer = json!({ "steps": [
            { "accepted": true, "callout": false, "cards": [] },
            { "calls": [{ "hook": "h", "tool": "t", "payload": { "at_ms": 1.0, "n": 1.0 }, "at_ms": 3 }], "ended_ms": 5 },
        ] });
        assert_eq!(compare(&expected(), &answer, Mask::default()), Ok(()));
    }

    #[test]
    fn times_are_hidden_for_a_real_clock_but_not_what_hooks_were_sent() {
        let answer = |sent: u64| {
            json!({ "steps": [
                { "accepted": true, "callout": false },
                { "calls": [{ "hook": "h", "tool": "t", "payload": { "at_ms": sent, "n": 1 }, "at_ms": 99 }] },
            ] })
        };
        let mask = Mask::new(Clock::Real, true);
        assert_eq!(compare(&expected(), &answer(1), mask), Ok(()));
        assert_eq!(compare(&expected(), &answer(2), mask).unwrap_err().step, 1);
        assert_eq!(compare(&expected(), &answer(1), Mask::default()).unwrap_err().step, 1);
    }

    #[test]
    fn the_first_step_that_differs_is_named_even_if_a_later_one_cannot_be_read() {
        let unreadable = json!({ "steps": [{ "accepted": false }, { "colour": "blue" }] });
        assert_eq!(compare(&expected(), &unreadable, Mask::default()).unwrap_err().step, 0);
        let second = json!({ "steps": [{ "accepted": true, "callout": false }, { "colour": "blue" }] });
        let difference = compare(&expected(), &second, Mask::default()).unwrap_err();
        assert_eq!(difference.step, 1);
        assert!(difference.unreadable.unwrap().contains("colour"));
    }

    #[test]
    fn what_is_no_transcript_differs_at_the_first_step() {
        for answer in [json!({}), json!(null), json!({ "steps": 7 }), json!({ "steps": [] })] {
            assert_eq!(compare(&expected(), &answer, Mask::default()).unwrap_err().step, 0);
        }
        let nothing = Transcript::Matrices(Steps { steps: Vec::<matrices::Observation>::new() });
        assert_eq!(compare(&nothing, &json!({ "steps": [{}] }), Mask::default()).unwrap_err().step, 0);
    }
}
