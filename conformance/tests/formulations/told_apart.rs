//! Scripts that once told the two formulations apart, and do no longer.

use hookproof_model::reading::Readings;
use hookproof_model::script::Script;
use hookproof_model::{plain, run};
use serde_json::{Value, json};

use super::{all_readings, difference};

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
    // A locked tool, and its call while the integration is installed again (and the new one unlocked).
    let own = with(json!({ "hooks": { "preToolUse": { "scope": "own" } } }));
    let lock = |locked: bool| json!({ "set_lock": { "integration": "a.b", "tool": "t", "locked": locked } });
    let call = |meanwhile: Value| {
        let event = json!({ "preToolUse": { "integration": "a.b", "toolName": "t", "args": {} } });
        json!({ "fire": { "event": event, "answers": { "a.b": { "after_ms": 10, "result": {} } },
                          "user": "decline", "meanwhile": meanwhile } })
    };
    let cases = [
        (
            "a lock, and a reinstall during the call",
            "default",
            json!([
                own.clone(),
                lock(true),
                call(json!([uninstall.clone(), { "at_ms": 6, "step": own.clone() },
                            { "at_ms": 7, "step": lock(false) }])),
                call(json!([{ "at_ms": 3, "step": lock(true) }]))
            ]),
        ),
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
    let after = |hook: &str, ms: u64| json!({ hook: { "after_ms": ms, "result": { "decision": "defer" } } });
    let cancel = |at: u64| json!({ "at_ms": at, "step": { "cancel_thread": { "thread": "t" } } });
    let waiting = |at: u64| json!({ "at_ms": at, "step": { "waiting_threads": {} } });
    let audit = || json!({ "audit": { "thread": "t" } });
    let none = || json!([]);
    let client = |id: &str, tool: &str, more: Value| hook(id, "client", tool, more);
    let one = |value: Value| json!([{ "path": "input.n", "operator": "eq", "value": value }]);
    let cases = [
        (
            "a default whose number is written with a point",
            "MX-DEF-10=reject",
            [
                vec![json!({ "add_default": { "hook": client("d", "x", json!({ "match": { "where": one(json!(1)) } })) } })],
                begins(json!([client("d", "x", json!({ "match": { "where": one(json!(1.0)) } }))])),
                vec![json!({ "add_default": { "hook": client("e", "x", json!({})) } }),
                     json!({ "get_profile": { "profile": "p" } })],
            ]
            .concat(),
        ),
        (
            "what is left over of control steps while another firing is on its way",
            "default",
            [
                begins(json!([
                    client("c", "park", json!({ "asyncTimeoutMs": 50, "onFailure": "fail_open" })),
                    hook("u", "url", "park", json!({})),
                    client("d", "park", json!({})),
                    hook("v", "url", "x", json!({}))
                ])),
                vec![
                    fire("f", "park", after("u", 100), none()),
                    fire("o", "x", after("v", 60), json!([waiting(70), cancel(200)])),
                ],
            ]
            .concat(),
        ),
        (
            "a control step behind an agent's own run that took time",
            "default",
            [
                begins(json!([hook("g", "agent", "x", json!({}))])),
                vec![
                    fire("o", "x", runs(4, json!([{ "advance": { "by_ms": 50 } }])), json!([cancel(5)])),
                    json!({ "open_thread": { "thread": "s", "profile": "p" } }),
                ],
            ]
            .concat(),
        ),
        (
            "another firing on its way during an agent's own run",
            "default",
            [
                begins(json!([
                    client("c", "park", json!({ "asyncTimeoutMs": 5, "onFailure": "fail_open" })),
                    hook("u", "url", "park", json!({})),
                    hook("v", "url", "x", json!({})),
                    hook("g", "agent", "x", json!({}))
                ])),
                vec![
                    fire("f", "park", after("u", 12), none()),
                    fire(
                        "o",
                        "x",
                        json!({ "v": { "after_ms": 10, "result": { "decision": "defer" } },
                                "g": { "agent_run": [{ "audit": { "thread": "nobody" } },
                                                     { "advance": { "by_ms": 20 } }] } }),
                        json!([waiting(11)]),
                    ),
                ],
            ]
            .concat(),
        ),
        (
            "a firing that goes on, parks again and is cancelled by a control step",
            "default",
            [
                begins(json!([
                    client("c", "park", json!({ "asyncTimeoutMs": 5, "onFailure": "fail_open" })),
                    client("d", "park", json!({})),
                    hook("v", "url", "x", json!({}))
                ])),
                vec![
                    fire("f", "park", json!({}), none()),
                    fire("o", "x", after("v", 20), json!([cancel(10)])),
                ],
            ]
            .concat(),
        ),
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
            "base64 without its padding",
            "default",
            [
                begins(json!([hook("u", "url", "x", json!({}))])),
                vec![fire("o", "x", json!({ "u": { "bytes_b64": "eyJkZWNpc2lvbiI6ImFsbG93In0" } }), none())],
            ]
            .concat(),
        ),
        (
            "an empty body that resolves a wait",
            "MX-WIRE-4=defer",
            [
                begins(json!([client("c", "x", json!({}))])),
                vec![
                    fire("o", "x", json!({}), none()),
                    json!({ "resolve": { "thread": "t", "wait": "o/c", "body": "" } }),
                ],
            ]
            .concat(),
        ),
        (
            "an approval with more blanks behind it than a body may have",
            "MX-WAIT-3b=approve-or-deny",
            [
                begins(json!([client("c", "x", json!({}))])),
                vec![
                    fire("o", "x", json!({}), none()),
                    json!({ "resolve": { "thread": "t", "wait": "o/c",
                                         "body": format!("{{\"decision\":\"approve\"}}{}", " ".repeat(1 << 20)) } }),
                ],
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
        assert_eq!(difference(&script, readings), None, "{title}");
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
    assert!(run(&of(17), &Readings::default()).is_err());
    assert!(plain::run(&of(17), &Readings::default()).is_err());
}
