//! The model and the plain formulation say the same of every script among the vectors, under the default
//! readings and under each of them flipped, and of those scripts that once told the two apart.
//!
//! Drawn scripts are held to the same in the conformance suite, which knows how to draw them.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use hookproof_model::kernel::json::normalize;
use hookproof_model::reading::Readings;
use hookproof_model::script::{Script, Steps, Transcript, repeat};
use hookproof_model::{Dialect, plain, run};
use pretty_assertions::StrComparison;
use serde_json::{Value, json};

/// Every script among the vectors, by the name of its file.
fn scripts() -> Vec<(String, Script)> {
    let mut scripts = vec![];
    for folder in ["anchors", "corpus"] {
        let folder = format!("{}/../vectors/{folder}", env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let mut file: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            repeat::expand(&mut file).unwrap();
            let script: Script = serde_json::from_value(file["script"].clone()).unwrap();
            scripts.push((path.file_stem().unwrap().to_string_lossy().into_owned(), script));
        }
    }
    scripts.sort_by(|(left, _), (right, _)| left.cmp(right));
    scripts
}

/// Steps as JSON that can be compared. No clause orders the faults of a document.
fn comparable(transcript: &Transcript) -> Value {
    fn levelled(value: &mut Value) {
        match value {
            Value::Object(members) => {
                if let Some(Value::Array(faults)) = members.get_mut("faults") {
                    faults.sort_by_key(ToString::to_string);
                }
                members.values_mut().for_each(levelled);
            }
            Value::Array(items) => items.iter_mut().for_each(levelled),
            _ => {}
        }
    }
    let mut steps = transcript.steps().into();
    normalize(&mut steps);
    levelled(&mut steps);
    steps
}

/// Where the two tell a script apart.
fn difference(script: &Script, readings: &Readings) -> Option<String> {
    let plain = match script {
        Script::Voiceos(script) => {
            Transcript::Voiceos(Steps { steps: plain::voiceos::run(script, &readings.voiceos) })
        }
        Script::Matrices(script) => {
            let steps = plain::matrices::run(script, &readings.matrices).unwrap();
            Transcript::Matrices(Steps { steps })
        }
    };
    let (plain, model) = (comparable(&plain), comparable(&run(script, readings).unwrap()));
    let text = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    (plain != model).then(|| StrComparison::new(&text(&plain), &text(&model)).to_string())
}

/// The default readings and every single flip of them, by name.
fn all_readings(dialect: Dialect) -> Vec<(String, Readings)> {
    let default = Readings::default();
    let flipped = default.flips(dialect).map(|flip| (flip.to_string(), default.flipped(flip)));
    [("default".to_owned(), default)].into_iter().chain(flipped).collect()
}

#[test]
fn both_formulations_say_the_same_of_every_vector() {
    let readings = Dialect::ALL.map(|dialect| (dialect, all_readings(dialect)));
    let mut compared = 0;
    let mut differences = vec![];
    for (name, script) in scripts() {
        for (_, all) in readings.iter().filter(|(dialect, _)| *dialect == script.dialect()) {
            for (reading, readings) in all {
                compared += 1;
                if let Some(difference) = difference(&script, readings) {
                    differences.push(format!("{name} under {reading}, plain < > model\n{difference}"));
                }
            }
        }
    }
    assert!(compared > 40_000, "only {compared} scripts and readings");
    let shown = differences.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(differences.is_empty(), "{} of {compared} differ:\n{shown}", differences.len());
}

/// VoiceOS scripts that once told the two apart, and the reading under which they did: manifests, the
/// events that an install offers, and the steps behind the installs.
fn voiceos_once_told_apart() -> Vec<(&'static str, &'static str, Script)> {
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

/// Matrices scripts that once told the two apart, and the reading under which they did.
fn matrices_once_told_apart() -> Vec<(&'static str, &'static str, Script)> {
    let hook = |id: &str, kind: &str, tool: &str, more: Value| {
        let mut hook = json!({
            "id": id, "point": "before_tool_call", "match": { "tools": [tool] },
            "processor": { "kind": kind, "url": "https://hooks.example/in", "agent": "reviewer" }
        });
        hook.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        hook
    };
    let begins = |hooks: Value| {
        let text = json!({ "configuration": { "hooks": hooks } }).to_string();
        let thread = json!({ "open_thread": { "thread": "t", "profile": "p" } });
        vec![json!({ "create_profile": { "profile": "p", "text": text } }), thread]
    };
    let fire = |firing: &str, tool: &str, answers: Value, meanwhile: Value| {
        let event = json!({ "before_tool_call": { "tool": tool, "input": {} } });
        json!({ "fire": { "firing": firing, "thread": "t", "event": event, "answers": answers,
                          "meanwhile": meanwhile } })
    };
    let runs = |after: u64, steps: Value| json!({ "g": { "after_ms": after, "agent_run": steps } });
    let resolve =
        |wait: &str| json!({ "resolve": { "thread": "t", "wait": wait, "body": r#"{"decision":"allow"}"# } });
    let audit = || json!({ "audit": { "thread": "t" } });
    let none = || json!([]);
    let client = |id: &str, tool: &str, more: Value| hook(id, "client", tool, more);
    let cases = [
        (
            "a wait behind an agent's own run that took longer than the wait may",
            "default",
            [
                begins(json!([
                    hook("g", "agent", "x", json!({})),
                    client("c", "x", json!({ "asyncTimeoutMs": 50 }))
                ])),
                vec![
                    fire("o", "x", runs(5, json!([{ "advance": { "by_ms": 100 } }])), none()),
                    json!({ "waiting_threads": {} }),
                    resolve("o/c"),
                    audit(),
                ],
            ]
            .concat(),
        ),
        (
            "a thread that is cancelled within an agent's own run",
            "default",
            [
                begins(json!([hook("g", "agent", "x", json!({}))])),
                vec![fire(
                    "o",
                    "x",
                    runs(3, json!([{ "advance": { "by_ms": 4 } }, { "cancel_thread": { "thread": "t" } }])),
                    none(),
                )],
            ]
            .concat(),
        ),
        (
            "the audit trail as an agent's own run reads it",
            "default",
            [
                begins(json!([
                    hook("u", "url", "x", json!({})),
                    hook("g", "agent", "x", json!({})),
                    hook("v", "url", "in", json!({}))
                ])),
                vec![
                    fire("o", "x", runs(0, json!([audit(), fire("i", "in", json!({}), none())])), none()),
                    audit(),
                ],
            ]
            .concat(),
        ),
        (
            "a wait whose last moment is that of a control step and of an answer",
            "MX-DL-3=late",
            [
                begins(json!([
                    client("c", "park", json!({ "asyncTimeoutMs": 5, "onFailure": "fail_open" })),
                    hook("u", "url", "x", json!({}))
                ])),
                vec![
                    fire("w", "park", json!({}), none()),
                    fire(
                        "o",
                        "x",
                        json!({ "u": { "after_ms": 5, "result": { "decision": "defer" } } }),
                        json!([{ "at_ms": 5, "step": audit() }]),
                    ),
                    audit(),
                ],
            ]
            .concat(),
        ),
        (
            "an earlier firing that a control step cancels",
            "default",
            [
                begins(json!([client("c", "park", json!({}))])),
                vec![
                    fire("w", "park", json!({}), none()),
                    fire(
                        "o",
                        "x",
                        json!({}),
                        json!([{ "at_ms": 0, "step": { "cancel_thread": { "thread": "t" } } }]),
                    ),
                ],
            ]
            .concat(),
        ),
        (
            "bytes that are no base64",
            "MX-WIRE-4=defer",
            [
                begins(json!([hook("u", "url", "x", json!({}))])),
                vec![fire("o", "x", json!({ "u": { "bytes_b64": "!!" } }), none())],
            ]
            .concat(),
        ),
        (
            "faults of a processor and of conditions, by their members",
            "default",
            begins(json!([
                { "id": "a", "point": "before_input", "processor": {} },
                { "id": "b", "point": "before_input", "processor": { "kind": "url", "url": 1 } },
                { "id": "c", "point": "before_input", "processor": { "kind": "agent", "agent": 1 } },
                client("d", "x", json!({ "match": { "where": [{ "path": 1, "operator": "like", "value": 1 }] } })),
                client("e", "x", json!({ "match": { "where": [{ "path": "tool", "operator": 2, "value": 1 }] } }))
            ])),
        ),
    ];
    let script =
        |steps: Vec<Value>| serde_json::from_value(json!({ "matrices": { "steps": steps } })).unwrap();
    cases.map(|(title, reading, steps)| (title, reading, script(steps))).into()
}

#[test]
fn what_once_told_the_two_apart_does_no_longer() {
    for (title, reading, script) in [voiceos_once_told_apart(), matrices_once_told_apart()].concat() {
        let all = all_readings(script.dialect());
        let (_, readings) = all.iter().find(|(name, _)| name == reading).unwrap();
        if let Some(difference) = difference(&script, readings) {
            unreachable!("{title}, plain < > model\n{difference}");
        }
    }
}

/// MX-VAL-1: the catalogue is what a profile is created with, so it has as many hooks as that may have.
#[test]
fn neither_takes_a_seventeenth_default() {
    let default = |place: usize| json!({ "id": format!("default-{place}"), "point": "before_tool_call", "processor": { "kind": "client" } });
    let of = |catalogue: usize| -> Script {
        let catalogue: Vec<_> = (0..catalogue).map(default).collect();
        let steps = json!([{ "add_default": { "hook": default(99) } },
                           { "create_profile": { "profile": "p", "text": "{}" } }]);
        serde_json::from_value(json!({ "matrices": { "catalogue": catalogue, "steps": steps } })).unwrap()
    };
    assert_eq!(difference(&of(16), &Readings::default()), None);
    let created = run(&of(16), &Readings::default()).unwrap().steps();
    assert_eq!(
        (&created[0]["error"], created[1]["hooks"].as_array().unwrap().len()),
        (&json!("bad_default"), 16)
    );
    let Script::Matrices(seventeen) = of(17) else { unreachable!("it is a Matrices script") };
    assert!(run(&of(17), &Readings::default()).is_err());
    assert!(plain::matrices::run(&seventeen, &Readings::default().matrices).is_err());
}
