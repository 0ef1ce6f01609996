//! What is no input: each is refused with an error of a kind, and nothing is lost and nothing half done.
//! MX-VAL-15, MX-WAIT-5, 6, 8, MX-DEF-7, MX-FAIL-3; `profiles` has the texts that are no profile.

mod profiles;

use hookproof_model::reading::Readings;
use hookproof_model::run::RunError;
use hookproof_model::script::Script;
use hookproof_model::script::matrices::Observation;
use serde_json::{Value, json};

use crate::support::*;

const MIB: usize = 1 << 20;
const ALLOW: &str = r#"{"decision":"allow"}"#;

/// Profiles `p` and `q`; threads `t` and `s` that hold a wait each, `idle` that holds none, and `gone`,
/// whose wait went with it.
fn begins() -> Vec<Value> {
    let hooks = [
        hook("u", "before_tool_call", "url", json!({})),
        hook("c", "before_tool_call", "client", json!({ "onFailure": "fail_open" })),
    ];
    let at = || event("before_tool_call", "payments.x", &json!({ "a": 1 }));
    vec![
        create("p", &text(hooks)),
        create("q", "{}"),
        open("t", "p"),
        open("s", "q"),
        open("idle", "p"),
        open("gone", "p"),
        fire("f", "t", &at(), &json!({})),
        fire("g", "s", &at(), &json!({})),
        fire("lost", "gone", &at(), &json!({})),
        json!({ "cancel_thread": { "thread": "gone" } }),
    ]
}

/// A look at all that there is.
fn looks() -> Vec<Value> {
    [vec![get("p"), get("q"), get("new"), waiting()], ["t", "s", "idle", "gone", "new"].map(trail).into()]
        .concat()
}

/// What these steps come to, each of which leaves everything as it is; and afterwards the waits still go on.
fn refused(readings: &Readings, bad: &[Value]) -> Vec<Observation> {
    let mut came = vec![];
    // Few enough that each has room for its look.
    for bad in bad.chunks(80) {
        let mut steps = [begins(), looks()].concat();
        for step in bad {
            steps.push(step.clone());
            steps.extend(looks());
        }
        steps.extend([
            resolve("t", "f/c", ALLOW),
            resolve("s", "g/default-approve-payments", ALLOW),
            waiting(),
        ]);
        let mut seen = observed(readings, steps);
        let [on, also, none] =
            [seen.remove(seen.len() - 3), seen.remove(seen.len() - 2), seen.pop().unwrap()];
        for (on, firing) in [(on, "f"), (also, "g")] {
            assert_eq!(on.resumed.iter().map(|resumed| &*resumed.firing).collect::<Vec<_>>(), [firing]);
            assert_eq!(
                outcome_json(on.resumed[0].fired.outcome.as_ref().unwrap()),
                went_on(&json!({ "a": 1 }))
            );
        }
        assert!(none.threads.unwrap().is_empty());
        let (from, each) = (begins().len(), looks().len());
        let before = &seen[from..from + each];
        assert_eq!(before[3].threads.as_ref().unwrap().len(), 2);
        assert_eq!([4, 5, 6, 7].map(|of| before[of].audit.as_ref().unwrap().len()), [1, 0, 0, 1]);
        for (step, seen) in bad.iter().zip(seen[from + each..].chunks(each + 1)) {
            assert_eq!(&seen[1..], before, "{} changed something", start(step));
            came.push(seen[0].clone());
        }
    }
    came
}

fn start(step: &Value) -> String {
    step.to_string().chars().take(200).collect()
}

#[test]
fn an_answer_to_no_wait_and_no_answer_to_a_wait_are_errors_of_their_kinds() {
    let garbage = [
        "",
        " ",
        "allow",
        "null",
        "[]",
        "{}",
        "1",
        "\u{feff}{\"decision\":\"allow\"}",
        "{\"decision\":\"allow\"}{}",
        "{\"decision\":\"deny\",\"decision\":\"allow\"}",
        "{\"decision\":\"approve\"}",
        "{\"decision\":null}",
        "{\"decision\":\"allow\",\"updatedText\":\"x\"}",
        "{\"decision\":\"defer\",\"updatedInput\":[]}",
        "{\"decision\":\"allow\",\"reason\":1}",
    ];
    let long = [
        format!("{ALLOW}{}", " ".repeat(MIB + 1 - ALLOW.len())),
        "x".repeat(MIB),
        "[".repeat(MIB),
        "x".repeat(2 * MIB),
    ];
    let bodies: Vec<_> = garbage.into_iter().map(str::to_owned).chain(long).collect();
    let mut bad: Vec<_> = bodies.iter().map(|body| (resolve("t", "f/c", body), "not_a_result")).collect();
    // Which wait it is comes first, whatever the body says.
    for body in [ALLOW, "", "garbage"] {
        bad.extend([
            (resolve("nobody", "f/c", body), "unknown_thread"),
            (resolve("", "", body), "unknown_thread"),
            (resolve("t", "f/u", body), "unknown_wait"),
            (resolve("t", "f", body), "unknown_wait"),
            (resolve("t", "", body), "unknown_wait"),
            (resolve("t", "c", body), "unknown_wait"),
            (resolve("t", "f/c/", body), "unknown_wait"),
            (resolve("t", "F/c", body), "unknown_wait"),
            (resolve("t", "g/default-approve-payments", body), "unknown_wait"),
            (resolve("s", "f/c", body), "unknown_wait"),
            (resolve("idle", "f/c", body), "unknown_wait"),
            (resolve("gone", "f/c", body), "unknown_wait"),
            (resolve("gone", "lost/c", body), "cancelled"),
        ]);
    }
    let (steps, kinds): (Vec<_>, Vec<_>) = bad.into_iter().unzip();
    for conflict in [false, true] {
        let readings = readings(&[("MX-WAIT-5", if conflict { "one-conflict" } else { "distinct" })]);
        for ((step, kind), seen) in steps.iter().zip(&kinds).zip(refused(&readings, &steps)) {
            let one = conflict && ["unknown_wait", "cancelled"].contains(kind);
            let kind = if one { "conflict" } else { kind };
            assert_eq!(serde_json::to_value(&seen).unwrap(), json!({ "error": kind }), "{}", start(step));
        }
    }
}

/// An answer of one mebibyte is one; a byte less than what was refused above.
#[test]
fn the_longest_answer_to_a_wait_is_taken() {
    let body = format!("{ALLOW}{}", " ".repeat(MIB - ALLOW.len()));
    let seen = observed(&readings(&[]), [begins(), vec![resolve("t", "f/c", &body)]].concat());
    assert_eq!((seen[10].error, seen[10].resumed.len()), (None, 1));
}

/// MX-WAIT-6, read as failure: then what is no answer ends the wait, by the policy.
#[test]
fn where_a_bad_answer_is_a_failure_it_is_one() {
    for (body, failure) in [("", "unparsable"), ("{}", "wrong_shape"), ("x", "unparsable")] {
        let steps = [
            begins(),
            vec![resolve("t", "f/c", body), trail("t"), resolve("s", "g/default-approve-payments", body)],
        ]
        .concat();
        let seen = observed(&readings(&[("MX-WAIT-6", "failure")]), steps);
        assert_eq!(short(&seen[11].audit.as_ref().unwrap()[1]), ("c", "defer", Some(failure.into())));
        assert_eq!(
            outcome_json(seen[12].resumed[0].fired.outcome.as_ref().unwrap()),
            json!({ "denied": {} })
        );
    }
}

#[test]
fn a_step_about_what_is_not_there_or_is_there_already_is_an_error_of_its_kind() {
    let of_thread = |step: &str, thread: &str| {
        let mut of = json!({});
        of[step] = json!({ "thread": thread });
        of
    };
    let at = |firing: &str, thread: &str| {
        fire(firing, thread, &event("before_tool_call", "payments.x", &json!({})), &json!({}))
    };
    let bad = [
        (create("p", "{}"), "label_taken"),
        (create("q", "garbage"), "label_taken"),
        (update("nobody", "{}"), "unknown_profile"),
        (update("nobody", "garbage"), "unknown_profile"),
        (update("P", "{}"), "unknown_profile"),
        (update("", "{}"), "unknown_profile"),
        (get("nobody"), "unknown_profile"),
        (open("t", "p"), "label_taken"),
        (open("t", "q"), "label_taken"),
        (open("gone", "p"), "label_taken"),
        (open("new", "nobody"), "unknown_profile"),
        (open("new", "t"), "unknown_profile"),
        (of_thread("cancel_thread", "nobody"), "unknown_thread"),
        (of_thread("cancel_thread", "p"), "unknown_thread"),
        (of_thread("cancel_thread", "gone"), "thread_cancelled"),
        (of_thread("audit", "nobody"), "unknown_thread"),
        (at("h", "nobody"), "unknown_thread"),
        (at("h", ""), "unknown_thread"),
        (at("h", "gone"), "thread_cancelled"),
        (at("f", "t"), "label_taken"),
        (at("f", "s"), "label_taken"),
        (at("lost", "t"), "label_taken"),
    ];
    let (steps, kinds): (Vec<_>, Vec<_>) = bad.into_iter().unzip();
    for ((step, kind), seen) in steps.iter().zip(kinds).zip(refused(&readings(&[]), &steps)) {
        assert_eq!(serde_json::to_value(&seen).unwrap(), json!({ "error": kind }), "{}", start(step));
    }
}

#[test]
fn what_is_no_default_is_refused_and_reaches_nobody() {
    let known = "default-approve-email";
    let bad = [
        json!(null),
        json!(true),
        json!(1),
        json!("hook"),
        json!([]),
        json!([hook("new", "before_input", "client", json!({}))]),
        json!({}),
        json!({ "id": "new" }),
        json!({ "id": "new", "point": "before_input" }),
        hook("", "before_input", "client", json!({})),
        hook("new", "before", "client", json!({})),
        hook("new", "before_input", "client", json!({ "processor": { "kind": "webhook" } })),
        hook(
            "new",
            "before_input",
            "client",
            json!({ "processor": { "kind": "url", "url": "http://x.example" } }),
        ),
        hook("new", "before_input", "client", json!({ "match": { "tools": ["a"] } })),
        hook("new", "before_tool_call", "client", json!({ "match": { "tools": ["*a"] } })),
        hook("new", "before_input", "client", json!({ "onFailure": "open" })),
        hook("new", "before_input", "client", json!({ "asyncTimeoutMs": 86_400_001 })),
        hook(known, "before_tool_call", "client", json!({})),
        hook(known, "before_tool_call", "client", json!({ "match": { "tools": ["email.*"] } })),
    ];
    let steps: Vec<_> = bad.iter().map(add_default).collect();
    for (step, seen) in steps.iter().zip(refused(&readings(&[]), &steps)) {
        assert_eq!(
            serde_json::to_value(&seen).unwrap(),
            json!({ "error": "bad_default" }),
            "{}",
            start(step)
        );
    }
}

/// Bytes that a script writes in something that is no base64 are no answer, and no empty one either.
#[test]
fn bytes_that_are_no_base64_are_no_answer() {
    for bytes in [
        "!!",
        "%%%",
        "ey J",
        "eyJ\n",
        " ",
        "é",
        "-_-_",
        "AA=A",
        "=AAA",
        "{\"decision\":\"allow\"}",
        "e30\u{0}",
    ] {
        for reading in ["no-answer", "defer"] {
            for policy in ["fail_closed", "fail_open"] {
                let hooks = [
                    hook("u", "before_input", "url", json!({ "onFailure": policy })),
                    hook("v", "before_input", "url", json!({})),
                ];
                let answers = json!({ "u": { "bytes_b64": bytes } });
                let steps = vec![
                    create("p", &text(hooks)),
                    open("t", "p"),
                    fire("f", "t", &event("before_input", "", &json!("x")), &answers),
                    trail("t"),
                ];
                let seen = observed(&readings(&[("MX-WIRE-4", reading)]), steps);
                let open = policy == "fail_open";
                let entry = ("u", if open { "defer" } else { "deny" }, Some("unparsable".to_owned()));
                assert_eq!(short(&seen[3].audit.as_ref().unwrap()[0]), entry, "`{bytes}` under {reading}");
                assert_eq!(seen[2].fired.as_ref().unwrap().calls.len(), 1 + usize::from(open));
            }
        }
    }
}

/// Meanwhile nothing fires, passes or is answered; the firing goes its way.
#[test]
fn what_is_no_control_step_is_refused_meanwhile() {
    let at = |step: &Value| json!({ "at_ms": 1, "step": step });
    let bad = [
        fire("h", "t", &event("before_input", "", &json!("x")), &json!({})),
        advance(1),
        resolve("t", "f/c", ALLOW),
        create("p", "{}"),
        update("nobody", "{}"),
        create("other", "garbage"),
    ];
    let mut fires = fire(
        "slow",
        "idle",
        &event("before_tool_call", "x", &json!({})),
        &json!({ "u": { "after_ms": 5, "result": { "decision": "allow" } } }),
    );
    fires["fire"]["meanwhile"] = bad.iter().map(at).collect();
    let seen = observed(&readings(&[]), [begins(), looks(), vec![fires], looks()].concat());
    let (from, each) = (begins().len(), looks().len());
    let fired = &seen[from + each];
    let errors: Vec<_> =
        fired.meanwhile.iter().map(|seen| serde_json::to_value(seen.error).unwrap()).collect();
    let no = "not_a_control_step";
    assert_eq!(
        errors,
        [json!(no), json!(no), json!(no), json!("label_taken"), json!("unknown_profile"), Value::Null]
    );
    assert_eq!(fired.meanwhile[5].accepted, Some(false));
    assert_eq!(fired.fired.as_ref().unwrap().ended_ms.unwrap().0, 5);
    let (before, after) = (&seen[from..from + each], &seen[from + each + 1..]);
    // But for the trail of the thread that fired.
    let but = |seen: &[Observation]| [seen[..6].to_vec(), seen[7..].to_vec()].concat();
    assert_eq!(but(before), but(after));
}

/// A script that cannot be run is refused as a whole.
#[test]
fn what_is_no_script_is_not_run() {
    let script = |value: Value| serde_json::from_value::<Script>(json!({ "matrices": value }));
    let answer = |answer: Value| {
        let event = event("before_input", "", &json!("x"));
        script(json!({ "steps": [fire("f", "t", &event, &json!({ "u": answer }))] }))
    };
    for bad in [
        json!({}),
        json!(null),
        json!({ "after_ms": 1 }),
        json!({ "never": false }),
        json!({ "never": true, "reset": true }),
        json!({ "status": -1 }),
        json!({ "status": 65_536 }),
        json!({ "after_ms": -1, "never": true }),
        json!({ "says": 1 }),
    ] {
        assert!(answer(bad.clone()).is_err(), "{bad}");
    }
    for bad in [
        json!({}),
        json!({ "steps": null }),
        json!({ "steps": [{}] }),
        json!({ "steps": [{ "fly": {} }] }),
        json!({ "steps": [{ "advance": { "by_ms": -1 } }] }),
        json!({ "steps": [], "more": 1 }),
    ] {
        assert!(script(bad.clone()).is_err(), "{bad}");
    }
    let long = script(json!({ "steps": vec![waiting(); 1001] })).unwrap();
    assert_eq!(hookproof_model::run(&long, &Readings::default()).unwrap_err(), RunError::TooManySteps(1001));
    for bad in [
        json!([1]),
        json!([{}]),
        json!([hook("d", "nowhere", "client", json!({}))]),
        json!(vec![hook("d", "before_input", "client", json!({})); 2]),
    ] {
        let script = script(json!({ "catalogue": bad, "steps": [] })).unwrap();
        let RunError::Catalogue(faults) = hookproof_model::run(&script, &Readings::default()).unwrap_err()
        else {
            panic!("{bad}")
        };
        assert!(faults.iter().all(|fault| fault.clause.starts_with("MX-")), "{bad}");
    }
}
