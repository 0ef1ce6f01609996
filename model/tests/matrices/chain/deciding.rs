//! Chains of 1 to 16 hooks with the decider in each place, or nowhere: HK-DECIDE-1 to 3, MX-FOLD-1 to 6,
//! MX-WIRE-1, MX-AUD-1 to 4, 7, 8. The processors take turns, so that every chain of three and more
//! delivers, runs an agent, and parks.

use serde_json::{Value, json};

use crate::support::*;

const KINDS: [&str; 3] = ["url", "agent", "client"];

/// A chain of `length` whose `place`th hook decides; behind the last, nobody does.
#[derive(Debug, Clone, Copy)]
struct Chain {
    length: usize,
    place: usize,
    decision: &'static str,
    allow_rewrites: bool,
}

impl Chain {
    fn kind(self, hook: usize) -> &'static str {
        KINDS[(hook + self.length) % 3]
    }

    /// What a hook answers, and after what time. Those behind the decider would all deny at once.
    fn answer(self, point: &str, hook: usize) -> (u64, Value) {
        let rewrite = rewrite_of(point);
        let mut result = json!({ "decision": "defer", "reason": format!("because {hook}") });
        if hook > self.place {
            result["decision"] = "deny".into();
            return (0, result);
        }
        if hook == self.place {
            result["decision"] = self.decision.into();
        }
        if hook == self.place || hook.is_multiple_of(2) {
            result[rewrite] = other(point, hook);
        }
        (if self.kind(hook) == "client" { 0 } else { hook as u64 + 1 }, result)
    }

    /// How many hooks are evaluated.
    fn evaluated(self) -> usize {
        self.length.min(self.place + 1)
    }

    /// Whether a hook's rewrite enters the value.
    fn rewrites(self, hook: usize) -> bool {
        let decides = hook == self.place;
        if decides { self.decision == "allow" && self.allow_rewrites } else { hook.is_multiple_of(2) }
    }

    /// The value before a hook's turn.
    fn before(self, point: &str, hook: usize) -> Value {
        let last = (0..hook).rev().find(|hook| self.rewrites(*hook));
        last.map_or_else(|| usual(point), |last| other(point, last))
    }
}

/// What is observed of such a chain at this point, and what is said of it.
fn tell(point: &str, chain: Chain) {
    let id = |hook: usize| format!("h{hook}");
    let hooks: Vec<_> = (0..chain.length).map(|n| hook(&id(n), point, chain.kind(n), json!({}))).collect();
    let mut answers = json!({});
    let mut resolves = vec![];
    for n in 0..chain.length {
        let (after, result) = chain.answer(point, n);
        if chain.kind(n) == "client" {
            resolves.extend(
                (n < chain.evaluated()).then(|| resolve("t", &format!("f/{}", id(n)), &result.to_string())),
            );
        } else {
            answers[id(n)] = json!({ "after_ms": after, "result": result });
        }
    }
    let begins = vec![
        create("p", &text(hooks)),
        open("t", "p"),
        fire("f", "t", &event(point, "x", &usual(point)), &answers),
    ];
    let steps = [begins, resolves, vec![trail("t"), waiting()]].concat();
    let reading = if chain.allow_rewrites { "apply" } else { "ignore" };
    let seen = observed(&readings(&[("MX-FOLD-4", reading)]), steps);
    let context = format!("{chain:?} at {point}");
    let errors: Vec<_> = seen.iter().filter_map(|step| step.error).collect();
    assert!(errors.is_empty(), "{context}: {errors:?}");

    let fired = whole("f", &seen);
    let denies = chain.decision == "deny" && chain.place < chain.length;
    let outcome = if denies { stopped(point) } else { went_on(&chain.before(point, chain.evaluated())) };
    assert_eq!(outcome_json(fired.outcome.as_ref().unwrap()), outcome, "{context}");
    let mut now = 0;
    let mut calls = fired.calls.iter();
    let audit = seen[seen.len() - 2].audit.as_ref().unwrap();
    assert_eq!(audit.len(), chain.evaluated(), "{context}");
    for (n, entry) in audit.iter().enumerate() {
        let (after, result) = chain.answer(point, n);
        let mut delivery = None;
        if chain.kind(n) != "client" {
            let call = calls.next().unwrap();
            delivery = call.payload["deliveryId"].as_str();
            let member = member_of(point);
            let mut payload =
                json!({ "hookId": id(n), "point": point, "threadId": "t", "deliveryId": delivery });
            payload[member] = chain.before(point, n);
            if point.ends_with("_tool_call") {
                payload["tool"] = "x".into();
            }
            assert_eq!((&call.hook, call.at_ms.0, &call.payload), (&id(n), now, &payload), "{context}");
        }
        now += after;
        let expected = json!({
            "hookId": id(n), "index": n, "point": point, "processor": chain.kind(n), "latencyMs": after,
            "decision": result["decision"], "reason": result["reason"], "deliveryId": delivery,
            "rewrote": chain.rewrites(n).then_some(true)
        });
        let expected =
            expected.as_object().unwrap().clone().into_iter().filter(|(_, value)| !value.is_null());
        assert_eq!(serde_json::to_value(entry).unwrap(), expected.collect::<Value>(), "{context}");
    }
    assert!(calls.next().is_none(), "{context}");
    assert_eq!(fired.ended_ms.unwrap().0, now, "{context}");
    let mut deliveries: Vec<_> = audit.iter().filter_map(|entry| entry.delivery_id.as_ref()).collect();
    deliveries.dedup();
    assert_eq!(deliveries.len(), fired.calls.len(), "{context}");
    assert!(seen[seen.len() - 1].threads.as_ref().unwrap().is_empty(), "{context}");
}

#[test]
fn the_first_that_does_not_defer_decides_wherever_it_stands() {
    let mut told = 0;
    for (point, ..) in POINTS {
        for length in 1..=16 {
            for place in 0..=length {
                for (decision, allow_rewrites) in
                    [("allow", true), ("allow", false), ("deny", true), ("deny", false)]
                {
                    tell(point, Chain { length, place, decision, allow_rewrites });
                    told += 1;
                }
            }
        }
    }
    assert_eq!(told, 4 * 152 * 4);
}

/// The decider's place is that in the profile's list, whoever else stands between: hooks of other points
/// and other tools neither run nor count, but they keep their places.
#[test]
fn hooks_between_keep_their_places_and_leave_no_trace() {
    for (point, ..) in POINTS {
        let elsewhere = if point == "before_input" { "after_output" } else { "before_input" };
        let hooks: Vec<_> = (0..16)
            .map(|n| hook(&format!("h{n}"), if n % 3 == 1 { point } else { elsewhere }, "url", json!({})))
            .collect();
        for decider in [1, 4, 7, 10, 13] {
            let answers = json!({ format!("h{decider}"): { "result": { "decision": "deny" } } });
            for (base, first) in [("zero-based", 0), ("one-based", 1)] {
                let steps = vec![
                    create("p", &text(hooks.clone())),
                    open("t", "p"),
                    fire("f", "t", &event(point, "x", &usual(point)), &answers),
                    trail("t"),
                ];
                let seen = observed(&readings(&[("MX-AUD-4", base)]), steps);
                let indices: Vec<_> =
                    seen[3].audit.as_ref().unwrap().iter().map(|entry| entry.index).collect();
                let expected: Vec<_> = (1..=decider).step_by(3).map(|n| n + first).collect();
                assert_eq!(indices, expected, "{decider} at {point}");
            }
        }
    }
}

/// MX-PROC-1: nothing is delivered to a client; what a script says of its answer is passed over.
#[test]
fn a_client_is_delivered_nothing() {
    for (point, ..) in POINTS {
        for says in [
            json!({ "result": { "decision": "deny" } }),
            json!({ "never": true }),
            json!({ "status": 204 }),
            json!({ "refused": true }),
        ] {
            let steps = vec![
                create("p", &text([hook("c", point, "client", json!({}))])),
                open("t", "p"),
                fire("f", "t", &event(point, "x", &usual(point)), &json!({ "c": says })),
                trail("t"),
                resolve("t", "f/c", r#"{"decision":"allow"}"#),
            ];
            let seen = observed(&readings(&[]), steps);
            let fired = seen[2].fired.as_ref().unwrap();
            assert_eq!((fired.calls.len(), fired.parked.is_some(), fired.ended_ms), (0, true, None));
            assert_eq!(seen[3].audit.as_ref().unwrap().len(), 0);
            assert_eq!(outcome_json(whole("f", &seen).outcome.as_ref().unwrap()), went_on(&usual(point)));
        }
    }
}
