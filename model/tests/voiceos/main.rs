//! Whole scripts of the VoiceOS dialect against sums and tables.
//!
//! What is expected is worked out here, from the clauses alone: budgets by adding up milliseconds,
//! confirmations by a table of all that bears on them, hostile texts by a list of what each of them is. No
//! rule of the model is called, so that a rule that is wrong cannot agree with itself; and every script is
//! put to the plain formulation, too, wherever that can take it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod budgets;
mod confirmation;
mod hostile;

use hookproof_model::kernel::{Failure, Millis};
use hookproof_model::reading::Readings;
use hookproof_model::script::voiceos::{
    Answer, Call, Event, Fire, Install, LogEntry, Observation, Says, Script as Steps, Step, User,
};
use hookproof_model::script::{Script, Transcript};
use hookproof_model::{Dialect, plain, run};
use serde_json::{Value, json};

/// A manifest with one tool, `send`.
fn manifest(id: &str, hooks: &Value) -> Value {
    json!({
        "schemaVersion": 1, "id": id, "version": "1.0.0", "name": "Name", "summary": "Summary.",
        "publisher": { "id": "publisher", "name": "Publisher" }, "runtime": { "kind": "hosted" },
        "permissions": [{ "kind": "transcript", "scope": "all" }], "tools": [{ "name": "send" }],
        "hooks": hooks
    })
}

fn install(manifest: String) -> Step {
    Step::Install(Install { manifest, offers: None, tools: [].into() })
}

fn fire(event: Event, answers: impl IntoIterator<Item = (String, Answer)>) -> Step {
    let answers = answers.into_iter().collect();
    Step::Fire(Fire { event, answers, user: User::Approve, meanwhile: vec![] })
}

/// A step or an event, as scripts write it.
fn read<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn answer(after_ms: u64, says: Says) -> Answer {
    Answer { after_ms: Millis(after_ms), says }
}

/// What the payloads of every call are made of (VO-WIRE-2).
fn payload(event: &str, members: Value) -> Value {
    let mut payload = json!({ "hookApiVersion": 1, "event": event });
    let own: serde_json::Map<_, _> = read(members);
    payload.as_object_mut().unwrap().extend(own);
    payload
}

fn call(hook: &str, tool: &str, payload: Value, at_ms: u64) -> Call {
    Call { hook: hook.to_owned(), tool: tool.to_owned(), payload, at_ms: Millis(at_ms) }
}

fn failed(hook: &str, failure: Failure) -> LogEntry {
    LogEntry { hook: hook.to_owned(), failure: Some(failure), reason: None }
}

/// The default readings but for these.
fn readings(others: &[(&str, &str)]) -> Readings {
    let mut readings = Readings::default();
    for (clause, alternative) in others {
        readings.set(Dialect::Voiceos, clause, alternative).unwrap();
    }
    readings
}

fn script(steps: Vec<Step>) -> Script {
    Script::Voiceos(Steps { steps })
}

/// What the model observes, one observation a step.
fn observed_by_the_model(script: &Script, readings: &Readings) -> Vec<Observation> {
    match run(script, readings) {
        Ok(Transcript::Voiceos(transcript)) => transcript.steps,
        other => unreachable!("a script of this dialect runs: {other:?}"),
    }
}

/// What both formulations observe. No clause orders the faults of a manifest.
fn observed(script: &Script, readings: &Readings) -> Vec<Observation> {
    let Script::Voiceos(steps) = script else { unreachable!("a script of this dialect") };
    let mut plain = plain::voiceos::run(steps, &readings.voiceos);
    let mut model = observed_by_the_model(script, readings);
    for observation in plain.iter_mut().chain(&mut model) {
        observation.faults.sort();
    }
    for (step, (plain, model)) in plain.iter().zip(&model).enumerate() {
        assert!(plain == model, "step {step}: plain {plain:?}\nmodel {model:?}");
    }
    assert_eq!(plain.len(), model.len());
    model
}
