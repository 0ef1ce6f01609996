//! What is no answer, at every point, to every processor, under both policies: what becomes of the work,
//! whether the next hook is asked, and what the audit says. MX-FAIL-1 to 4, MX-WIRE-3, 4, MX-FOLD-1.

use hookproof_model::kernel::Millis;
use serde_json::{Value, json};

use crate::support::*;

/// Something that is no answer: what the processor does, how that is called, and the reading under which it
/// is a plain defer all the same.
struct NoAnswer {
    says: Value,
    failure: &'static str,
    pardoned: Option<(&'static str, &'static str)>,
}

const MIB: usize = 1 << 20;

/// A body that allows, made this long with blanks, which JSON allows behind a document.
fn allow_of(bytes: usize) -> String {
    let body = r#"{"decision":"allow"}"#;
    format!("{body}{}", " ".repeat(bytes - body.len()))
}

fn no_answers(point: &str) -> Vec<NoAnswer> {
    let no = |says: Value, failure| NoAnswer { says, failure, pardoned: None };
    let empty = Some(("MX-WIRE-4", "defer"));
    let undecided = Some(("MX-WIRE-3", "defer"));
    let mut all = vec![
        no(json!({ "never": true }), "timeout"),
        no(json!({ "refused": true }), "refused"),
        no(json!({ "reset": true }), "disconnect"),
        NoAnswer {
            says: json!({ "redirect": "https://elsewhere.example/in" }),
            failure: "redirect",
            pardoned: Some(("MX-FAIL-4", "followed")),
        },
        NoAnswer { says: json!({ "body": "" }), failure: "unparsable", pardoned: empty },
        NoAnswer { says: json!({ "bytes_b64": "" }), failure: "unparsable", pardoned: empty },
        NoAnswer { says: json!({ "result": {} }), failure: "wrong_shape", pardoned: undecided },
        NoAnswer {
            says: json!({ "body": r#"{"reason":"x","extra":[]}"# }),
            failure: "wrong_shape",
            pardoned: undecided,
        },
    ];
    let statuses = [
        ("unparsable", empty, &[200, 201, 203, 204, 205, 206, 299][..]),
        ("redirect", None, &[301, 302, 303, 307, 308]),
        ("status", None, &[100, 199, 300, 304, 400, 401, 404, 409, 418, 429, 500, 502, 503, 599, 999]),
    ];
    for (failure, pardoned, statuses) in statuses {
        all.extend(statuses.iter().map(|status| NoAnswer {
            says: json!({ "status": status }),
            failure,
            pardoned,
        }));
    }
    let unparsable = [
        " ",
        "no JSON",
        "allow",
        "{decision: \"allow\"}",
        "{'decision':'allow'}",
        "{\"decision\":\"allow\"",
        "{\"decision\":\"allow\",}",
        "\u{feff}{\"decision\":\"allow\"}",
        "HTTP/1.1 200 OK\n\n{\"decision\":\"allow\"}",
        ")]}'\n{\"decision\":\"allow\"}",
        "data: {\"decision\":\"allow\"}\n\n",
        "{\"decision\":\"allow\"}{\"decision\":\"allow\"}",
        "{\"decision\":\"allow\"}\n{\"decision\":\"allow\"}",
        "{\"decision\":\"allow\"} ok",
        "{\"decision\":\"allow\"}\u{0}",
        "{\"decision\":\"deny\",\"decision\":\"allow\"}",
        "{\"decision\":\"allow\",\"decision\":\"allow\"}",
        "{\"decision\":\"allow\",\"reason\":\"a\",\"reason\":\"b\"}",
        "{\"decision\":\"allow\",\"\\u0064ecision\":\"deny\"}",
        "{\"decision\":\"allow\",\"more\":{\"a\":1,\"a\":2}}",
        "{\"decision\":\"allow\",\"reason\":\"\\ud800\"}",
        "{\"decision\":\"allow\",\"reason\":\"\t\"}",
        "{\"decision\":\"allow\",\"n\":NaN}",
        "{\"decision\":\"allow\",\"n\":01}",
        "// so\n{\"decision\":\"allow\"}",
    ];
    all.extend(unparsable.iter().map(|body| no(json!({ "body": body }), "unparsable")));
    // UTF-8 that is cut, UTF-16, and a byte order mark, as bytes.
    all.extend(
        ["/w==", "eyJkZWNpc2lvbiI6ImFsbG93w30=", "//57AH0A", "77u/eyJkZWNpc2lvbiI6ImFsbG93In0="]
            .map(|bytes| no(json!({ "bytes_b64": bytes }), "unparsable")),
    );
    let shapeless = [
        json!([]),
        json!(null),
        json!(true),
        json!(1),
        json!("allow"),
        json!([{ "decision": "allow" }]),
        json!({ "decision": "approve" }),
        json!({ "decision": "Allow" }),
        json!({ "decision": " allow" }),
        json!({ "decision": "" }),
        json!({ "decision": "ask" }),
        json!({ "decision": null }),
        json!({ "decision": true }),
        json!({ "decision": 1 }),
        json!({ "decision": ["allow"] }),
        json!({ "decision": { "allow": {} } }),
        json!({ "decision": "allow", "reason": 1 }),
        json!({ "decision": "defer", "reason": null }),
        json!({ "decision": "defer", "reason": ["x"] }),
    ];
    all.extend(shapeless.map(|result| no(json!({ "result": result }), "wrong_shape")));
    if point != "after_tool_call" {
        let rewrite = rewrite_of(point);
        for wrong in [
            json!(1),
            json!([]),
            json!(true),
            if point == "before_tool_call" { json!("{}") } else { json!({}) },
        ] {
            all.push(no(json!({ "result": { "decision": "allow", rewrite: wrong } }), "wrong_shape"));
        }
    }
    all
}

/// Which bodies are too large is counted in bytes, whatever they say.
fn too_large() -> [Value; 3] {
    [
        json!({ "body": allow_of(MIB + 1) }),
        json!({ "body": "x".repeat(MIB + 1) }),
        json!({ "result": { "decision": "deny", "reason": "é".repeat(MIB / 2) } }),
    ]
}

/// What comes of a chain of three, the second of which answers this after 3 ms.
fn tell(
    readings: &[(&str, &str)],
    (point, kind, policy): (&str, &str, &str),
    says: &Value,
    expected: &Expected<'_>,
) {
    let mut answers =
        json!({ "first": { "after_ms": 2, "result": { "decision": "defer" } }, "second": says });
    answers["first"]["result"][rewrite_of(point)] = other(point, 1);
    answers["second"]["after_ms"] = 3.into();
    let hooks = [
        hook("first", point, "url", json!({})),
        hook("second", point, kind, json!({ "onFailure": policy })),
        hook("third", point, "url", json!({})),
    ];
    let steps = vec![
        create("p", &text(hooks)),
        open("t", "p"),
        fire("f", "t", &event(point, "x", &usual(point)), &answers),
        trail("t"),
        waiting(),
    ];
    let seen = observed(&crate::support::readings(readings), steps);
    let shown = says.to_string().chars().take(200).collect::<String>();
    let context = format!("{shown} of {kind} at {point} under {policy}, {readings:?}");
    let fired = seen[2].fired.as_ref().unwrap();
    let goes_on = match expected {
        Expected::Allowed => false,
        Expected::Deferred => true,
        Expected::Failed(..) => policy == "fail_open",
    };
    let allowed = *expected == Expected::Allowed;
    let latency = match expected {
        Expected::Failed(_, latency) => *latency,
        _ => 3,
    };
    let value = other(point, 1);
    let outcome = if goes_on || allowed { went_on(&value) } else { stopped(point) };
    assert_eq!(outcome_json(fired.outcome.as_ref().unwrap()), outcome, "{context}");
    assert_eq!(fired.ended_ms, Some(Millis(2 + latency)), "{context}");
    let asked: Vec<_> = fired.calls.iter().map(|call| (call.hook.as_str(), call.at_ms.0)).collect();
    let (decision, failure) = match expected {
        Expected::Allowed => ("allow", None),
        Expected::Deferred => ("defer", None),
        Expected::Failed(failure, _) if goes_on => ("defer", Some((*failure).to_owned())),
        Expected::Failed(failure, _) => ("deny", Some((*failure).to_owned())),
    };
    let mut entries = vec![("first", "defer", None), ("second", decision, failure)];
    let mut calls = vec![("first", 0), ("second", 2)];
    if goes_on {
        entries.push(("third", "defer", None));
        calls.push(("third", 2 + latency));
    }
    assert_eq!(asked, calls, "{context}");
    let audit = seen[3].audit.as_ref().unwrap();
    assert_eq!(audit.iter().map(short).collect::<Vec<_>>(), entries, "{context}");
    for (place, (entry, call)) in audit.iter().zip(&fired.calls).enumerate() {
        assert_eq!(entry.index as usize, place, "{context}");
        assert_eq!(entry.delivery_id.as_deref(), call.payload["deliveryId"].as_str(), "{context}");
        assert_eq!(entry.rewrote, (place == 0).then_some(true), "{context}");
    }
    assert_eq!(audit[1].latency_ms, Millis(latency), "{context}");
    assert!(seen[4].threads.as_ref().unwrap().is_empty(), "{context}");
}

#[derive(Debug, PartialEq, Eq)]
enum Expected<'a> {
    Allowed,
    Deferred,
    /// How it is called, and after what time.
    Failed(&'a str, u64),
}

/// Each point, processor and policy.
fn places() -> Vec<(&'static str, &'static str, &'static str)> {
    let mut places = vec![];
    for (point, ..) in POINTS {
        for kind in ["url", "agent"] {
            places.extend(["fail_closed", "fail_open"].map(|policy| (point, kind, policy)));
        }
    }
    places
}

#[test]
fn what_is_no_answer_leaves_the_work_to_the_policy() {
    let mut told = 0;
    for place in places() {
        for no in no_answers(place.0) {
            let latency = if no.failure == "timeout" { 10_000 } else { 3 };
            tell(&[], place, &no.says, &Expected::Failed(no.failure, latency));
            if let Some(pardoned) = no.pardoned {
                tell(&[pardoned], place, &no.says, &Expected::Deferred);
            }
            told += 1;
        }
    }
    assert!(told > 1_300, "only {told}");
}

/// No reading but its own pardons what is no answer.
#[test]
fn nothing_else_pardons_what_is_no_answer() {
    let pardons = [
        ("MX-WIRE-3", "defer"),
        ("MX-WIRE-4", "defer"),
        ("MX-FAIL-4", "followed"),
        ("MX-FOLD-8", "ignore-misfit"),
        ("HK-REWRITE-3", "null-as-absent"),
    ];
    for place in places().into_iter().filter(|(point, kind, _)| *kind == "url" && *point != "after_output") {
        for no in no_answers(place.0) {
            let others: Vec<_> =
                pardons.iter().filter(|pardon| no.pardoned != Some(**pardon)).copied().collect();
            let latency = if no.failure == "timeout" { 10_000 } else { 3 };
            tell(&others, place, &no.says, &Expected::Failed(no.failure, latency));
        }
    }
}

#[test]
fn a_body_may_have_a_mebibyte_and_no_byte_more() {
    for place in places() {
        for says in too_large() {
            tell(&[], place, &says, &Expected::Failed("too_large", 3));
        }
        tell(&[], place, &json!({ "body": allow_of(MIB) }), &Expected::Allowed);
    }
}

/// The other way round: what a HookResult may look like, so that none of the above fails for being odd.
#[test]
fn odd_answers_are_answers() {
    let odd = [
        r#" { "decision" : "allow" } "#,
        "\r\n\t{\"decision\":\"allow\"}\n",
        r#"{"\u0064ecision":"\u0061llow"}"#,
        r#"{"decision":"allow","reason":""}"#,
        r#"{"Decision":"deny","decision":"allow","version":2,"more":{"decision":"deny"}}"#,
        r#"{"decision":"allow","updated_text":"x","updatedtext":1,"UpdatedInput":{}}"#,
    ];
    for place in places() {
        for body in odd {
            tell(&[], place, &json!({ "body": body }), &Expected::Allowed);
        }
        tell(&[], place, &json!({ "bytes_b64": "eyJkZWNpc2lvbiI6ImFsbG93In0=" }), &Expected::Allowed);
        tell(&[], place, &json!({ "body": r#"{"decision":"defer"}"# }), &Expected::Deferred);
        tell(
            &[("MX-FAIL-4", "followed")],
            place,
            &json!({ "body": r#"{"decision":"allow"}"# }),
            &Expected::Allowed,
        );
    }
}

/// MX-FOLD-5: a deny stands whatever else is in the answer, and is no failure.
#[test]
fn a_deny_stands_whatever_else_is_in_the_answer() {
    let besides = [
        json!({}),
        json!({ "reason": "no" }),
        json!({ "reason": 1 }),
        json!({ "reason": null }),
        json!({ "updatedText": 1 }),
        json!({ "updatedInput": [] }),
        json!({ "updatedText": "x", "updatedInput": {}, "updatedOutput": null }),
        json!({ "unknown": { "decision": "allow" } }),
    ];
    for (point, kind, policy) in places() {
        for besides in &besides {
            let mut result = besides.clone();
            result["decision"] = "deny".into();
            let steps = vec![
                create(
                    "p",
                    &text([
                        hook("h", point, kind, json!({ "onFailure": policy })),
                        hook("next", point, kind, json!({})),
                    ]),
                ),
                open("t", "p"),
                fire("f", "t", &event(point, "x", &usual(point)), &json!({ "h": { "result": result } })),
                trail("t"),
            ];
            let seen = observed(&readings(&[]), steps);
            let fired = seen[2].fired.as_ref().unwrap();
            assert_eq!(outcome_json(fired.outcome.as_ref().unwrap()), stopped(point), "{result} at {point}");
            let audit = seen[3].audit.as_ref().unwrap();
            assert_eq!(
                audit.iter().map(short).collect::<Vec<_>>(),
                [("h", "deny", None)],
                "{result} at {point}"
            );
            assert_eq!(audit[0].reason.as_deref(), besides["reason"].as_str(), "{result} at {point}");
            assert_eq!(audit[0].rewrote, None, "{result} at {point}");
        }
    }
}

/// MX-AUD-5, MX-FOLD-9b: what a failure is recorded as, and what stands in the place of what it withholds.
#[test]
fn a_failure_is_recorded_and_withholds_as_it_is_read() {
    for (point, kind, policy) in places() {
        for (place, stands) in
            [("error", json!("error")), ("null", json!("null")), ("absent", json!("absent"))]
        {
            let steps = vec![
                create("p", &text([hook("h", point, kind, json!({ "onFailure": policy }))])),
                open("t", "p"),
                fire("f", "t", &event(point, "x", &usual(point)), &json!({ "h": { "refused": true } })),
                trail("t"),
            ];
            let seen = observed(&readings(&[("MX-FOLD-9b", place), ("MX-AUD-5", "failed")]), steps);
            let outcome = match (policy, point.starts_with("before")) {
                ("fail_open", _) => went_on(&usual(point)),
                (_, true) => json!({ "denied": {} }),
                (_, false) => json!({ "withheld": { "place": stands } }),
            };
            assert_eq!(outcome_json(seen[2].fired.as_ref().unwrap().outcome.as_ref().unwrap()), outcome);
            let audit = seen[3].audit.as_ref().unwrap();
            assert_eq!(
                audit.iter().map(short).collect::<Vec<_>>(),
                [("h", "failed", Some("refused".into()))]
            );
        }
    }
}
