//! The model and `plain/voiceos.rs` say the same of every VoiceOS script among the vectors, under the
//! default readings and under each of them flipped.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test fails by panicking")]

use hookproof_model::kernel::{Failure, json::normalize};
use hookproof_model::reading::Readings;
use hookproof_model::script::voiceos::Observation;
use hookproof_model::script::{Script, Steps, Transcript, repeat};
use hookproof_model::{Dialect, plain, run};
use pretty_assertions::StrComparison;
use serde_json::{Value, json};

/// Every VoiceOS script among the vectors, by the name of its file.
fn scripts() -> Vec<(String, Script)> {
    let mut scripts = vec![];
    for folder in ["anchors", "corpus"] {
        let folder = format!("{}/../vectors/{folder}", env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let mut file: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            repeat::expand(&mut file).unwrap();
            let script: Script = serde_json::from_value(file["script"].clone()).unwrap();
            if script.dialect() == Dialect::Voiceos {
                scripts.push((path.file_stem().unwrap().to_string_lossy().into_owned(), script));
            }
        }
    }
    scripts.sort_by(|(left, _), (right, _)| left.cmp(right));
    scripts
}

/// Makes alike what is known to be told differently.
type Alike = fn(&mut Observation);

/// What the two are known to tell differently, by the reading under which they do: what is made alike
/// of both before they are compared.
const KNOWN: [(&str, Alike); 2] = [
    // Empty text under *failure*: plain says that it is no JSON, the model that it is no HookResult.
    ("VO-WIRE-5=failure", |observation| {
        let failures = observation.logged.iter_mut().filter_map(|entry| entry.failure.as_mut());
        failures.filter(|it| **it == Failure::Unparsable).for_each(|it| *it = Failure::WrongShape);
    }),
    // A member given twice: plain points at the member, the model at the whole manifest.
    ("VO-MAN-12=reject", |observation| {
        let twice = observation.faults.iter_mut().filter(|fault| fault.clause == "VO-MAN-12");
        twice.for_each(|fault| fault.pointer.clear());
    }),
];

/// A transcript as JSON that can be compared. No clause orders the faults of a manifest.
fn comparable(transcript: Transcript, alike: Alike) -> Value {
    fn levelled(observation: &mut Observation, alike: Alike) {
        alike(observation);
        observation.faults.sort();
        observation.meanwhile.iter_mut().for_each(|within| levelled(within, alike));
    }
    let Transcript::Voiceos(Steps { mut steps }) = transcript else { panic!("another dialect's") };
    steps.iter_mut().for_each(|observation| levelled(observation, alike));
    let mut value = serde_json::to_value(steps).unwrap();
    normalize(&mut value);
    value
}

/// Where the two tell a script apart.
fn difference(script: &Script, readings: &Readings, alike: Alike) -> Option<String> {
    let Script::Voiceos(steps) = script else { panic!("another dialect's") };
    let model = comparable(run(script, readings).unwrap(), alike);
    let plain = Steps { steps: plain::voiceos::run(steps, &readings.voiceos) };
    let plain = comparable(Transcript::Voiceos(plain), alike);
    let text = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    (plain != model).then(|| StrComparison::new(&text(&plain), &text(&model)).to_string())
}

/// The default readings and every single flip of them, by name.
fn all_readings() -> Vec<(String, Readings)> {
    let default = Readings::default();
    let flipped = default.flips(Dialect::Voiceos).map(|flip| (flip.to_string(), default.flipped(flip)));
    [("default".to_owned(), default)].into_iter().chain(flipped).collect()
}

#[test]
fn both_formulations_say_the_same_of_every_script() {
    let all_readings = all_readings();
    let mut compared = 0;
    let mut differences = vec![];
    for (name, script) in scripts() {
        for (reading, readings) in &all_readings {
            compared += 1;
            let known = KNOWN.iter().find(|(known, _)| known == reading);
            let alike = known.map_or((|_| ()) as Alike, |(_, alike)| *alike);
            if let Some(difference) = difference(&script, readings, alike) {
                differences.push(format!("{name} under {reading}, plain < > model\n{difference}"));
            }
        }
    }
    assert!(compared > 19_000, "only {compared} scripts and readings");
    let shown = differences.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(differences.is_empty(), "{} of {compared} differ:\n{shown}", differences.len());
}

#[test]
fn what_is_known_to_differ_does() {
    let (scripts, all_readings) = (scripts(), all_readings());
    for (known, _) in KNOWN {
        let (_, readings) = all_readings.iter().find(|(reading, _)| reading == known).unwrap();
        let differs = scripts.iter().any(|(_, script)| difference(script, readings, |_| ()).is_some());
        assert!(differs, "under {known} the two have come to say the same");
    }
}

/// Scripts outside the vectors of which the two are known to tell differently, and the reading under
/// which they do: manifests, the events that an install offers, and the steps behind the installs.
fn told_differently() -> Vec<(&'static str, &'static str, Script)> {
    let with = |members: Value| {
        let mut manifest = json!({
            "schemaVersion": 1, "id": "a.b", "version": "1.0.0", "name": "n", "summary": "s",
            "publisher": { "id": "p", "name": "P" }, "runtime": { "kind": "hosted" },
            "permissions": [{ "kind": "transcript", "scope": "all" }], "tools": [{ "name": "t" }],
            "hooks": { "transcript": {} }
        });
        manifest.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        json!({ "install": { "manifest": manifest.to_string() } })
    };
    let said = |answers: Value, meanwhile: Value| {
        let event = json!({ "transcript": { "transcript": "said", "source": "text" } });
        json!({ "fire": { "event": event, "answers": answers, "meanwhile": meanwhile } })
    };
    let off = |id: &str| json!({ "set_transcript_access": { "integration": id, "on": false } });
    let mut unoffered = with(json!({}));
    unoffered["install"]["offers"] = json!([]);
    let receipt = json!({ "turnComplete": { "transcript": "t", "responseText": "r", "tools": [] } });
    let uninstall = json!({ "at_ms": 5, "step": { "uninstall": { "integration": "a.b" } } });
    let late =
        json!({ "a.b": { "never": true }, "c.d": { "after_ms": 10, "result": { "updatedText": "n" } } });
    let cases = [
        (
            "a step while turnComplete is sent",
            "default",
            json!([
                with(json!({ "hooks": { "turnComplete": {} } })),
                { "fire": { "event": receipt, "meanwhile": [uninstall] } },
                { "agent_tools": {} }
            ]),
        ),
        (
            "consent withdrawn when the answer has arrived and waits for those before it",
            "VO-ORDER-2=concurrent",
            json!([
                with(json!({})),
                with(json!({ "id": "c.d" })),
                said(late, json!([{ "at_ms": 300, "step": off("c.d") }]))
            ]),
        ),
        (
            "consent withdrawn from a hook that its server does not offer",
            "default",
            json!([unoffered, said(json!({}), json!([{ "at_ms": 0, "step": off("a.b") }]))]),
        ),
        (
            "no permission, and no hook but one of an unknown event",
            "VO-MAN-7a=ignore",
            json!([with(json!({ "hooks": { "beforeSend": {} }, "permissions": [] }))]),
        ),
        (
            "an unknown member of a publisher",
            "VO-MAN-10=reject",
            json!([with(json!({ "publisher": { "id": "p", "name": "P", "z": 1 } }))]),
        ),
        (
            "a scope on a hook that is no tool tap",
            "VO-MAN-10=reject",
            json!([with(json!({ "hooks": { "transcript": { "scope": "own" } } }))]),
        ),
        (
            "a reserved name that is malformed, too",
            "default",
            json!([with(json!({ "tools": [{ "name": "voiceos_hook_X" }] }))]),
        ),
        (
            "where an unknown kind of permission is",
            "default",
            json!([with(json!({ "permissions": [{ "kind": "what" }], "hooks": {} }))]),
        ),
        (
            "where an app is that is no text",
            "default",
            json!([with(json!({ "hooks": { "transcript": { "apps": [1] } } }))]),
        ),
    ];
    let script = |steps: Value| serde_json::from_value(json!({ "voiceos": { "steps": steps } })).unwrap();
    cases.map(|(title, reading, steps)| (title, reading, script(steps))).into()
}

#[test]
fn what_is_known_to_differ_outside_the_vectors_does() {
    let all_readings = all_readings();
    for (title, known, script) in told_differently() {
        let (_, readings) = all_readings.iter().find(|(reading, _)| reading == known).unwrap();
        assert!(
            difference(&script, readings, |_| ()).is_some(),
            "of {title} the two have come to say the same"
        );
    }
}
