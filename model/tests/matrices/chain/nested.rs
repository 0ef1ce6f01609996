//! An agent processor's own run: MX-PROC-2a, 2b, two deep and across parked work.

use serde_json::{Value, json};

use crate::support::*;

const NESTED: (&str, &[&str]) = ("MX-PROC-2b", &["skipped", "failure", "no-hooks"]);

/// At each point an agent hook between two url hooks.
fn at_every_point() -> Vec<Value> {
    let at = |(point, ..): (&str, &str, &str)| {
        [("u", "url"), ("g", "agent"), ("v", "url")]
            .map(|(id, kind)| hook(&format!("{id} {point}"), point, kind, json!({})))
    };
    POINTS.into_iter().flat_map(at).collect()
}

/// The hooks that were delivered something, in order.
fn called(fired: &hookproof_model::script::matrices::Fired) -> Vec<&str> {
    fired.calls.iter().map(|call| call.hook.as_str()).collect()
}

/// Whatever happens in an agent's own run, at whichever point: agent hooks are passed over, fail, or nobody
/// is asked at all; and what would happen in *their* runs does not.
#[test]
fn an_agents_own_run_asks_no_agent() {
    for (outer, ..) in POINTS {
        for (inner, ..) in POINTS {
            for chosen in all_readings(&[NESTED]) {
                let outer_agent = format!("g {outer}");
                let (u, g, v) = (format!("u {inner}"), format!("g {inner}"), format!("v {inner}"));
                let deepest = fire("deepest", "t", &event(inner, "x", &usual(inner)), &json!({}));
                let within = json!({
                    g.clone(): { "after_ms": 70, "agent_run": [deepest] },
                    u.clone(): { "after_ms": 50, "result": { "decision": "defer" } }
                });
                let nested = fire("inner", "s", &event(inner, "x", &usual(inner)), &within);
                let answers =
                    json!({ outer_agent.clone(): { "after_ms": 5, "agent_run": [nested, advance(20_000)] } });
                let steps = vec![
                    create("p", &text(at_every_point())),
                    open("t", "p"),
                    open("s", "p"),
                    fire("outer", "t", &event(outer, "x", &usual(outer)), &answers),
                    trail("t"),
                    trail("s"),
                    fire("deepest", "t", &event(outer, "x", &usual(outer)), &json!({})),
                ];
                let seen = observed(&readings(&chosen), steps);
                let context = format!("{inner} within {outer} under {chosen:?}");

                // The outer firing stands still meanwhile, and nothing of it is nested.
                let fired = seen[3].fired.as_ref().unwrap();
                assert_eq!(called(fired), ["u", "g", "v"].map(|id| format!("{id} {outer}")), "{context}");
                assert_eq!(fired.ended_ms.unwrap().0, 5, "{context}");
                assert_eq!(
                    outcome_json(fired.outcome.as_ref().unwrap()),
                    went_on(&usual(outer)),
                    "{context}"
                );
                assert_eq!(seen[4].audit.as_ref().unwrap().len(), 3, "{context}");

                let [run] = fired.agent_runs.as_slice() else { panic!("{context}: {:?}", fired.agent_runs) };
                assert_eq!((&run.hook, run.steps.len()), (&outer_agent, 2), "{context}");
                let inner_fired = run.steps[0].fired.as_ref().unwrap();
                let (calls, outcome, audit): (Vec<&str>, _, Vec<_>) = match chosen[0].1 {
                    "skipped" => (
                        vec![&u, &v],
                        went_on(&usual(inner)),
                        vec![(&*u, "defer", None), (&*v, "defer", None)],
                    ),
                    "failure" => (
                        vec![&u],
                        stopped(inner),
                        vec![(&*u, "defer", None), (&*g, "deny", Some("refused".to_owned()))],
                    ),
                    _ => (vec![], went_on(&usual(inner)), vec![]),
                };
                assert_eq!(called(inner_fired), calls, "{context}");
                assert_eq!(outcome_json(inner_fired.outcome.as_ref().unwrap()), outcome, "{context}");
                assert!(inner_fired.agent_runs.is_empty(), "{context}");
                assert_eq!(inner_fired.ended_ms.unwrap().0, 50 * calls.len().min(1) as u64, "{context}");
                let of_s = seen[5].audit.as_ref().unwrap();
                assert_eq!(of_s.iter().map(short).collect::<Vec<_>>(), audit, "{context}");
                // The deepest never happened: its label is free.
                assert_eq!(seen[6].error, None, "{context}");
            }
        }
    }
}

/// A hook of an agent's own run that fails open is no less kept from its agent.
#[test]
fn a_nested_agent_hook_that_fails_goes_on_where_it_fails_open() {
    let hooks = [
        hook("g", "before_input", "agent", json!({})),
        hook("h", "after_output", "agent", json!({ "onFailure": "fail_open" })),
        hook("u", "after_output", "url", json!({})),
    ];
    let nested = fire(
        "inner",
        "t",
        &event("after_output", "", &json!("x")),
        &json!({ "h": { "result": { "decision": "deny" } } }),
    );
    let steps = vec![
        create("p", &text(hooks)),
        open("t", "p"),
        fire(
            "outer",
            "t",
            &event("before_input", "", &json!("x")),
            &json!({ "g": { "agent_run": [nested] } }),
        ),
        trail("t"),
    ];
    let seen = observed(&readings(&[("MX-PROC-2b", "failure")]), steps);
    let audit: Vec<_> = seen[3].audit.as_ref().unwrap().iter().map(short).collect();
    assert_eq!(audit, [("h", "defer", Some("refused".into())), ("u", "defer", None), ("g", "defer", None)]);
    assert_eq!(seen[3].audit.as_ref().unwrap()[0].delivery_id, None);
}

/// A url processor has no run of its own.
#[test]
fn on_a_url_hook_a_run_is_a_plain_defer() {
    let hooks = ["url", "client"].map(|kind| hook(kind, "before_input", kind, json!({})));
    let runs = json!({ "agent_run": [open("s", "p")] });
    let steps = vec![
        create("p", &text(hooks)),
        open("t", "p"),
        fire("f", "t", &event("before_input", "", &json!("x")), &json!({ "url": runs, "client": runs })),
        trail("t"),
        open("s", "p"),
    ];
    let seen = observed(&readings(&[]), steps);
    let fired = seen[2].fired.as_ref().unwrap();
    assert!(fired.agent_runs.is_empty() && fired.parked.is_some());
    assert_eq!(
        seen[3].audit.as_ref().unwrap().iter().map(short).collect::<Vec<_>>(),
        [("url", "defer", None)]
    );
    assert_eq!(seen[4].error, None);
}

/// What parks within a run is within that run for good: the agent hook behind it is not asked either when
/// the run itself resolves the wait, or when somebody does after it.
#[test]
fn work_that_parks_within_a_run_stays_within_it() {
    for (point, ..) in POINTS {
        let outer = if point == "before_input" { "after_output" } else { "before_input" };
        let hooks = [
            hook("g", outer, "agent", json!({})),
            hook("c", point, "client", json!({})),
            hook("h", point, "agent", json!({})),
            hook("u", point, "url", json!({})),
        ];
        for within in [true, false] {
            let answer = resolve("t", "inner/c", r#"{"decision":"defer"}"#);
            let mut run = vec![fire(
                "inner",
                "t",
                &event(point, "x", &usual(point)),
                &json!({ "h": { "result": { "decision": "deny" } } }),
            )];
            run.extend(within.then(|| answer.clone()));
            let mut steps = vec![
                create("p", &text(hooks.clone())),
                open("t", "p"),
                fire("outer", "t", &event(outer, "x", &usual(outer)), &json!({ "g": { "agent_run": run } })),
            ];
            steps.extend((!within).then_some(answer));
            steps.push(trail("t"));
            let seen = observed(&readings(&[]), steps);
            let mut expected = vec![("c", "defer", None), ("u", "defer", None)];
            expected.insert(if within { 2 } else { 0 }, ("g", "defer", None));
            let audit = seen.last().unwrap().audit.as_ref().unwrap();
            assert_eq!(audit.iter().map(short).collect::<Vec<_>>(), expected, "{point}, within {within}");
        }
    }
}

/// Two runs within each other. A chain that was parked outside any run goes on with the hooks that it had
/// when it fired (MX-WAIT-9), an agent among them, whoever resolves the wait: here another agent's run. Both
/// firings stand still meanwhile, and within the second run agents are passed over as within the first.
#[test]
fn a_run_within_a_run_asks_no_agent_either() {
    let hooks = [
        hook("g", "before_input", "agent", json!({})),
        hook("c", "before_tool_call", "client", json!({})),
        hook("h", "before_tool_call", "agent", json!({})),
        hook("i", "after_output", "agent", json!({})),
        hook("u", "after_output", "url", json!({})),
    ];
    let deny = json!({ "result": { "decision": "deny" } });
    let deepest = fire(
        "deepest",
        "t",
        &event("after_output", "", &json!("x")),
        &json!({ "i": deny, "u": { "after_ms": 9, "result": { "decision": "deny" } } }),
    );
    let first = fire(
        "first",
        "t",
        &event("before_tool_call", "x", &json!({})),
        &json!({ "h": { "after_ms": 2, "agent_run": [deepest] } }),
    );
    let run = json!([resolve("t", "first/c", r#"{"decision":"defer"}"#)]);
    let second = fire(
        "second",
        "t",
        &event("before_input", "", &json!("x")),
        &json!({ "g": { "after_ms": 3, "agent_run": run } }),
    );
    let seen =
        observed(&readings(&[]), vec![create("p", &text(hooks)), open("t", "p"), first, second, trail("t")]);
    let second = seen[3].fired.as_ref().unwrap();
    assert_eq!((second.ended_ms.unwrap().0, second.agent_runs.len()), (3, 1));
    let [resumed] = second.agent_runs[0].steps[0].resumed.as_slice() else { panic!("{second:?}") };
    assert_eq!((&*resumed.firing, resumed.fired.ended_ms.unwrap().0), ("first", 2));
    let deepest = resumed.fired.agent_runs[0].steps[0].fired.as_ref().unwrap();
    assert_eq!((called(deepest), deepest.ended_ms.unwrap().0), (vec!["u"], 9));
    assert_eq!(outcome_json(deepest.outcome.as_ref().unwrap()), stopped("after_output"));
    let audit: Vec<_> = seen[4].audit.as_ref().unwrap().iter().map(short).collect();
    assert_eq!(
        audit,
        [("c", "defer", None), ("u", "deny", None), ("h", "defer", None), ("g", "defer", None)]
    );
}

/// What passes while an agent runs is none of the time of the firing that it answers: neither its deadline
/// nor the patience of the client behind it is used up by it.
#[test]
fn a_firing_stands_still_while_its_agent_runs() {
    for (point, ..) in POINTS {
        let hooks = [
            hook("g", point, "agent", json!({ "timeoutMs": 5 })),
            hook("c", point, "client", json!({ "asyncTimeoutMs": 1000 })),
        ];
        let answers = json!({ "g": { "after_ms": 5, "agent_run": [advance(20_000), advance(7)] } });
        let steps = vec![
            create("p", &text(hooks)),
            open("t", "p"),
            fire("f", "t", &event(point, "x", &usual(point)), &answers),
            advance(1000),
            waiting(),
            advance(1),
            trail("t"),
        ];
        let seen = observed(&readings(&[]), steps);
        assert!(seen[4].threads.as_ref().unwrap().contains_key("t"), "{point}");
        assert_eq!(whole("f", &seen).ended_ms.unwrap().0, 1005, "{point}");
        let audit: Vec<_> =
            seen[6].audit.as_ref().unwrap().iter().map(|entry| (short(entry), entry.latency_ms.0)).collect();
        assert_eq!(
            audit,
            [(("g", "defer", None), 5), (("c", "deny", Some("expired".into())), 1000)],
            "{point}"
        );
    }
}
