//! Deadlines of calls and of parked work: MX-DL-1, MX-DL-3, MX-PROC-1, MX-PROC-3, MX-WAIT-4, MX-WAIT-12.

use hookproof_model::kernel::Millis;
use serde_json::{Value, json};

use crate::support::*;

const BOUNDARY: (&str, &[&str]) = ("MX-DL-3", &["in-time", "late"]);

/// A call around its own deadline, in a chain where another took time before it.
#[test]
fn an_answer_counts_until_its_own_deadline() {
    let mut told = 0;
    for ((point, ..), kind) in POINTS.into_iter().flat_map(|point| ["url", "agent"].map(|kind| (point, kind)))
    {
        for chosen in all_readings(&[BOUNDARY]) {
            for own in [None, Some(1), Some(250), Some(10_000), Some(86_400_000)] {
                let until = own.unwrap_or(10_000);
                let declared = own.map_or(json!({}), |own| json!({ "timeoutMs": own }));
                let hooks = [hook("slow", point, "url", json!({})), hook("h", point, kind, declared)];
                for after in [until - 1, until, until + 1, until * 2] {
                    let answers = json!({
                        "slow": { "after_ms": 9_999, "result": { "decision": "defer" } },
                        "h": { "after_ms": after, "result": { "decision": "allow" } }
                    });
                    let steps = vec![
                        create("p", &text(hooks.clone())),
                        open("t", "p"),
                        fire("f", "t", &event(point, "x", &usual(point)), &answers),
                        trail("t"),
                    ];
                    let seen = observed(&readings(&chosen), steps);
                    let in_time = after < until || after == until && chosen[0].1 == "in-time";
                    let (outcome, entry, latency) = if in_time {
                        (went_on(&usual(point)), ("h", "allow", None), after)
                    } else {
                        (stopped(point), ("h", "deny", Some("timeout".to_owned())), until)
                    };
                    let context = format!("{after} of {until} ms at {point} under {chosen:?}");
                    let fired = seen[2].fired.as_ref().unwrap();
                    assert_eq!(outcome_json(fired.outcome.as_ref().unwrap()), outcome, "{context}");
                    assert_eq!(fired.ended_ms, Some(Millis(9_999 + latency)), "{context}");
                    let last = &seen[3].audit.as_ref().unwrap()[1];
                    assert_eq!((short(last), last.latency_ms), (entry, Millis(latency)), "{context}");
                    told += 1;
                }
            }
        }
    }
    assert_eq!(told, 4 * 2 * 2 * 5 * 4);
}

/// How work is parked: by whom, with what answer, and after what time.
fn parkings() -> [(&'static str, Value, u64); 5] {
    [
        ("client", json!(null), 0),
        ("url", json!({ "pending": true }), 3),
        ("url", json!({ "status": 202 }), 3),
        ("agent", json!({ "pending": true }), 3),
        ("agent", json!({ "status": 202 }), 3),
    ]
}

/// The steps of a chain of three, the second of which parks the work for at most 1000 ms; and then these.
fn parked(point: &str, kind: &str, policy: &str, says: &Value, then: Vec<Value>) -> Vec<Value> {
    let mut answers = json!({ "first": { "after_ms": 2, "result": { "decision": "defer" } } });
    if !says.is_null() {
        answers["second"] = says.clone();
        answers["second"]["after_ms"] = 3.into();
    }
    let hooks = [
        hook("first", point, "url", json!({})),
        hook("second", point, kind, json!({ "onFailure": policy, "asyncTimeoutMs": 1000 })),
        hook("third", point, "url", json!({})),
    ];
    let steps = vec![
        create("p", &text(hooks)),
        open("t", "p"),
        fire("f", "t", &event(point, "x", &usual(point)), &answers),
        waiting(),
    ];
    [steps, then, vec![trail("t"), waiting()]].concat()
}

/// Unresolved, it expires, closed or open: not before its last moment, and by reading at it or behind it.
#[test]
fn parked_work_expires_and_leaves_the_rest_to_the_policy() {
    let open: [(&str, &[&str]); 2] = [BOUNDARY, ("MX-WAIT-12", &["parked", "asked"])];
    for (point, policy) in policies() {
        for ((kind, says, after), chosen) in parkings()
            .into_iter()
            .flat_map(|parking| all_readings(&open).into_iter().map(move |chosen| (parking.clone(), chosen)))
        {
            let late = chosen[0].1 == "late";
            let waits = if chosen[1].1 == "asked" { 1000 } else { after + 1000 };
            // The thread's clock stands where the work was parked.
            let left = waits - after;
            let steps = parked(
                point,
                kind,
                policy,
                &says,
                vec![advance(left - 1), waiting(), advance(1), waiting(), advance(1)],
            );
            let seen = observed(&readings(&chosen), steps);
            let context = format!("{kind} {says} at {point} under {policy}, {chosen:?}");
            let parked = seen[2].fired.as_ref().unwrap().parked.as_ref().unwrap();
            assert_eq!((parked.wait.as_str(), parked.hook.as_str()), ("f/second", "second"), "{context}");
            let calls = seen[2].fired.as_ref().unwrap().calls.len();
            assert_eq!(calls, if kind == "client" { 1 } else { 2 }, "{context}");
            let holds = |place: usize| seen[place].threads.as_ref().unwrap().contains_key("t");
            assert_eq!([holds(3), holds(5), holds(7), holds(10)], [true, true, !late, false], "{context}");
            assert_eq!(seen[if late { 6 } else { 8 }].resumed.len(), 1, "{context}");
            let fired = whole("f", &seen);
            let goes_on = policy == "fail_open";
            let outcome = if goes_on { went_on(&usual(point)) } else { stopped(point) };
            assert_eq!(outcome_json(fired.outcome.as_ref().unwrap()), outcome, "{context}");
            assert_eq!(fired.ended_ms, Some(Millis(2 + waits)), "{context}");
            let decision = if goes_on { "defer" } else { "deny" };
            let mut entries =
                vec![("first", "defer", None), ("second", decision, Some("expired".to_owned()))];
            if goes_on {
                entries.push(("third", "defer", None));
            }
            let audit = seen[9].audit.as_ref().unwrap();
            assert_eq!(audit.iter().map(short).collect::<Vec<_>>(), entries, "{context}");
            assert_eq!(audit[1].latency_ms, Millis(waits), "{context}");
        }
    }
}

/// Where nobody may answer later, 202 is a status like another; a client parks the work all the same.
#[test]
fn where_nothing_is_accepted_202_is_a_failure() {
    for (point, policy) in policies() {
        for (kind, says, _) in parkings() {
            let seen =
                observed(&readings(&[("MX-PROC-3", "failure")]), parked(point, kind, policy, &says, vec![]));
            let fired = seen[2].fired.as_ref().unwrap();
            assert_eq!(fired.parked.is_some(), kind == "client");
            if kind == "client" {
                continue;
            }
            let goes_on = policy == "fail_open";
            let decision = if goes_on { "defer" } else { "deny" };
            assert_eq!(
                short(&seen[4].audit.as_ref().unwrap()[1]),
                ("second", decision, Some("status".into()))
            );
            assert_eq!((fired.ended_ms, fired.calls.len()), (Some(Millis(5)), if goes_on { 3 } else { 2 }));
        }
    }
}

/// Resolved at its last moment, the answer is that of the body, whatever the policy is.
#[test]
fn parked_work_goes_on_with_what_it_is_resolved_with() {
    for (point, policy) in policies() {
        for (kind, says, after) in parkings() {
            for (decision, third) in [("defer", true), ("allow", false), ("deny", false)] {
                let body = json!({ "decision": decision, "reason": "as asked" }).to_string();
                let steps = parked(
                    point,
                    kind,
                    policy,
                    &says,
                    vec![advance(1000), resolve("t", "f/second", &body), resolve("t", "f/second", &body)],
                );
                let seen = observed(&readings(&[]), steps);
                let context = format!("{kind} {says} {decision} at {point}");
                assert_eq!(seen[5].error, None, "{context}");
                assert_eq!(serde_json::to_value(seen[6].error).unwrap(), "already_resolved", "{context}");
                let fired = whole("f", &seen);
                let outcome = if decision == "deny" { stopped(point) } else { went_on(&usual(point)) };
                assert_eq!(outcome_json(fired.outcome.as_ref().unwrap()), outcome, "{context}");
                assert_eq!(fired.ended_ms, Some(Millis(2 + after + 1000)), "{context}");
                assert_eq!(fired.calls.iter().any(|call| call.hook == "third"), third, "{context}");
                let entry = &seen[7].audit.as_ref().unwrap()[1];
                assert_eq!(
                    (short(entry), entry.reason.as_deref()),
                    (("second", decision, None), Some("as asked")),
                    "{context}"
                );
                assert_eq!(entry.delivery_id.is_some(), kind != "client", "{context}");
            }
        }
    }
}
