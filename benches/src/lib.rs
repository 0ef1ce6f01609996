//! What the benches measure: chains of hooks driven through the model, and the floor beside them, a
//! loop over the same replies that keeps the same record.

use hookproof_model::kernel::{
    Decision, FailurePolicy, Firing, Guard, Hook, Input, Millis, Output, Reply, Spec, Terms,
};
use hookproof_model::matrices::profile::DEFAULT_DEADLINE;
use hookproof_model::reading::MatricesReadings;
use serde_json::{Value, json};

/// The terms of a Matrices firing by the default readings.
#[must_use]
pub fn terms() -> Terms {
    hookproof_model::matrices::terms(&MatricesReadings::default())
}

/// A chain of so many hooks without conditions.
#[must_use]
pub fn chain(length: usize) -> Vec<Hook> {
    let hook = |place| Hook {
        name: format!("hook-{place}"),
        guard: Guard::default(),
        policy: FailurePolicy::FailClosed,
        deadline: DEFAULT_DEADLINE,
        patience: DEFAULT_DEADLINE,
    };
    (0..length).map(hook).collect()
}

/// A tool input that comes to about so many bytes of JSON.
#[must_use]
pub fn payload(bytes: usize) -> Value {
    json!({ "note": "x".repeat(bytes) })
}

/// Drives a firing through the model; every hook replies at once with `reply`.
#[must_use]
pub fn dispatch(mut firing: Firing, reply: impl Fn(usize) -> Reply) -> Firing {
    loop {
        match firing.poll(&Spec) {
            Output::Done(_) => return firing,
            Output::Ask { slot, at, .. } => {
                let reply = reply(slot);
                firing.handle(&Spec, Input::Answered { slot, at, reply });
            }
            Output::WaitUntil(until) => {
                firing.handle(&Spec, Input::Elapsed { at: until.unwrap_or(Millis::MAX) });
            }
        }
    }
}

/// What the floor keeps of a hook that it asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Its place.
    pub slot: usize,
    /// What it decided, or what its failure came to.
    pub decision: Decision,
    /// Whether it rewrote the value.
    pub rewrote: bool,
}

/// The floor: the same chain and replies in a plain loop with the same failure policy and record.
#[must_use]
pub fn floor(hooks: &[Hook], value: &Value, reply: impl Fn(usize) -> Reply) -> (Vec<Asked>, Option<Value>) {
    let (mut record, mut rewritten) = (Vec::with_capacity(hooks.len()), None);
    for (slot, hook) in hooks.iter().enumerate() {
        let seen = rewritten.as_ref().unwrap_or(value);
        std::hint::black_box(seen);
        let (decision, rewrite) = match reply(slot) {
            Reply::Answered(answer) => (answer.decision, answer.rewrite),
            Reply::Failed(_) | Reply::Pending if hook.policy == FailurePolicy::FailOpen => {
                (Decision::Defer, None)
            }
            Reply::Failed(_) | Reply::Pending => (Decision::Deny, None),
        };
        record.push(Asked { slot, decision, rewrote: rewrite.is_some() });
        rewritten = rewrite.or(rewritten);
        if decision != Decision::Defer {
            break;
        }
    }
    (record, rewritten)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_floor_and_the_model_ask_the_same_hooks() {
        for length in [1, 4, 16] {
            let value = payload(256);
            let firing = Firing::new(terms(), chain(length), Value::Null, "input", value.clone());
            let done = dispatch(firing, |_| Reply::defer());
            let (record, rewritten) = floor(&chain(length), &value, |_| Reply::defer());
            assert_eq!(done.visits().len(), record.len());
            assert_eq!(rewritten, None);
        }
    }
}
