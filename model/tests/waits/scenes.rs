//! Stories of waits, told by hand: the platform observes what stands here, and so does the plain
//! formulation.

use hookproof_model::kernel::Spec;
use hookproof_model::matrices::Platform;
use hookproof_model::plain;
use hookproof_model::reading::MatricesReadings;
use hookproof_model::reading::matrices::ParkedChain;
use hookproof_model::script::matrices::{Observation, Script};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};

/// What both formulations observe, a step a line.
fn observed(readings: &MatricesReadings, steps: Value) -> Vec<Value> {
    let script: Script = serde_json::from_value(json!({ "steps": steps })).expect("it is a script");
    let mut platform = Platform::new(&Spec, *readings, None).expect("the convention's defaults are hooks");
    let of_model: Vec<_> = script.steps.iter().map(|step| platform.step(step)).collect();
    let of_plain = plain::matrices::run(&script, readings).expect("the convention's defaults are hooks");
    assert_eq!(of_plain, of_model, "plain, platform");
    let text = |observation: &Observation| serde_json::to_value(observation).expect("it is data");
    of_model.iter().map(text).collect()
}

/// A profile `p` with these hooks, and the threads `t` and `u` under it.
fn opened(hooks: Value, steps: &[Value]) -> Value {
    let text = json!({ "configuration": { "hooks": hooks } }).to_string();
    let mut all = vec![
        json!({ "create_profile": { "profile": "p", "text": text } }),
        json!({ "open_thread": { "thread": "t", "profile": "p" } }),
        json!({ "open_thread": { "thread": "u", "profile": "p" } }),
    ];
    all.extend_from_slice(steps);
    all.into()
}

fn hook(id: &str, kind: &str, patience: u64, policy: &str) -> Value {
    let mut processor = json!({ "kind": kind });
    match kind {
        "url" => processor["url"] = json!("https://hooks.example/in"),
        "agent" => processor["agent"] = json!("reviewer"),
        _ => {}
    }
    json!({ "id": id, "point": "before_input", "processor": processor,
            "asyncTimeoutMs": patience, "onFailure": policy })
}

fn fire(firing: &str, thread: &str) -> Value {
    json!({ "fire": { "firing": firing, "thread": thread, "event": { "before_input": { "text": "hello" } } } })
}

fn advance(by: u64) -> Value {
    json!({ "advance": { "by_ms": by } })
}

fn resolve(thread: &str, wait: &str, result: &Value) -> Value {
    json!({ "resolve": { "thread": thread, "wait": wait, "body": result.to_string() } })
}

fn waiting() -> Value {
    json!({ "waiting_threads": {} })
}

fn audit(thread: &str) -> Value {
    json!({ "audit": { "thread": thread } })
}

fn wait(firing: &str, hook: &str) -> Value {
    json!({ "wait": format!("{firing}/{hook}"), "hook": hook })
}

fn resumed(firing: &str, ended: u64, outcome: Value) -> Value {
    json!({ "firing": firing, "fired": { "ended_ms": ended, "outcome": outcome } })
}

fn went_on(value: &str) -> Value {
    json!({ "went_on": { "value": value } })
}

/// MX-WAIT-4: each expires at its own deadline, the earliest first, however far the clock is put at once.
#[test]
fn one_advance_lets_many_waits_expire_in_the_order_of_their_deadlines() {
    let steps =
        [fire("a", "t"), advance(1), fire("b", "u"), advance(1), fire("c", "t"), advance(1_000), waiting()];
    let seen = observed(
        &MatricesReadings::default(),
        opened(json!([hook("ask", "client", 10, "fail_closed")]), &steps),
    );
    let denied = |firing| resumed(firing, 10, json!({ "denied": {} }));
    assert_eq!(seen[8], json!({ "resumed": [denied("a"), denied("b"), denied("c")] }));
    assert_eq!(seen[9], json!({ "threads": {} }));
}

/// Of waits with different patience, the one that was parked last may be the first to expire.
#[test]
fn a_wait_that_was_parked_later_may_expire_earlier() {
    let mut short = hook("short", "client", 2, "fail_open");
    short["point"] = json!("after_output");
    let later =
        json!({ "fire": { "firing": "b", "thread": "t", "event": { "after_output": { "text": "bye" } } } });
    let steps = [fire("a", "t"), advance(1), later, advance(20)];
    let hooks = json!([hook("long", "client", 10, "fail_closed"), short]);
    let seen = observed(&MatricesReadings::default(), opened(hooks, &steps));
    let expected = [resumed("b", 2, went_on("bye")), resumed("a", 10, json!({ "denied": {} }))];
    assert_eq!(seen[6], json!({ "resumed": expected }));
}

/// MX-DL-3, MX-WAIT-7: at their common deadline all still hold; one is resolved then, the others expire
/// behind it, in the order in which they fired.
#[test]
fn several_waits_at_one_deadline_hold_until_the_clock_has_passed_it() {
    let steps = [
        fire("a", "t"),
        fire("b", "u"),
        fire("c", "t"),
        advance(10),
        waiting(),
        resolve("u", "b/ask", &json!({ "decision": "allow" })),
        advance(1),
        resolve("t", "a/ask", &json!({ "decision": "allow" })),
        waiting(),
    ];
    let seen = observed(
        &MatricesReadings::default(),
        opened(json!([hook("ask", "client", 10, "fail_closed")]), &steps),
    );
    assert_eq!(seen[6], json!({}));
    let held = json!({ "t": [wait("a", "ask"), wait("c", "ask")], "u": [wait("b", "ask")] });
    assert_eq!(seen[7], json!({ "threads": held }));
    assert_eq!(seen[8], json!({ "resumed": [resumed("b", 10, went_on("hello"))] }));
    let denied = |firing| resumed(firing, 10, json!({ "denied": {} }));
    assert_eq!(seen[9], json!({ "resumed": [denied("a"), denied("c")] }));
    assert_eq!(seen[10], json!({ "error": "expired" }));
    assert_eq!(seen[11], json!({ "threads": {} }));
}

/// MX-WAIT-3a, HK-REWRITE-1, MX-AUD-6: each of three is waited for in its turn, under its own wait.
#[test]
fn three_client_hooks_in_a_row_are_resolved_one_after_the_other() {
    let rewrites = |text: &str| json!({ "decision": "defer", "updatedText": text });
    let steps = [
        fire("f", "t"),
        advance(3),
        resolve("t", "f/two", &rewrites("not yet")),
        resolve("t", "f/one", &rewrites("first")),
        waiting(),
        advance(5),
        resolve("t", "f/two", &json!({ "decision": "defer", "reason": "fine" })),
        resolve("t", "f/one", &rewrites("again")),
        resolve("t", "f/three", &json!({ "decision": "allow", "updatedText": "third" })),
        audit("t"),
    ];
    let hooks: Vec<_> = ["one", "two", "three"].map(|id| hook(id, "client", 10, "fail_closed")).into();
    let seen = observed(&MatricesReadings::default(), opened(hooks.into(), &steps));
    let parks = |hook| json!({ "resumed": [{ "firing": "f", "fired": { "parked": wait("f", hook) } }] });
    assert_eq!(seen[3], json!({ "fired": { "parked": wait("f", "one") } }));
    assert_eq!(seen[5], json!({ "error": "unknown_wait" }));
    assert_eq!(seen[6], parks("two"));
    assert_eq!(seen[7], json!({ "threads": { "t": [wait("f", "two")] } }));
    assert_eq!(seen[9], parks("three"));
    assert_eq!(seen[10], json!({ "error": "already_resolved" }));
    assert_eq!(seen[11], json!({ "resumed": [resumed("f", 8, went_on("third"))] }));
    let entry = |hook: &str, index: u32, decision: &str, latency: u64| {
        json!({ "hookId": hook, "index": index, "point": "before_input", "processor": "client",
                "decision": decision, "latencyMs": latency })
    };
    let mut expected =
        [entry("one", 0, "defer", 3), entry("two", 1, "defer", 5), entry("three", 2, "allow", 0)];
    expected[0]["rewrote"] = json!(true);
    expected[1]["reason"] = json!("fine");
    expected[2]["rewrote"] = json!(true);
    assert_eq!(seen[12], json!({ "audit": expected }));
}

/// MX-WAIT-12: the wait of the next begins when the one before it has expired, at that one's deadline.
#[test]
fn three_client_hooks_in_a_row_expire_one_after_the_other_in_one_advance() {
    let hooks: Vec<_> = ["one", "two", "three"].map(|id| hook(id, "client", 10, "fail_open")).into();
    let steps = [fire("f", "t"), advance(30), waiting(), advance(1), audit("t")];
    let seen = observed(&MatricesReadings::default(), opened(hooks.into(), &steps));
    assert_eq!(seen[4], json!({ "resumed": [{ "firing": "f", "fired": { "parked": wait("f", "three") } }] }));
    assert_eq!(seen[5], json!({ "threads": { "t": [wait("f", "three")] } }));
    assert_eq!(seen[6], json!({ "resumed": [resumed("f", 30, went_on("hello"))] }));
    let entries = seen[7]["audit"].as_array().expect("there are entries");
    assert_eq!(entries.len(), 3);
    assert!(entries.iter().all(|entry| entry["failure"] == "expired" && entry["latencyMs"] == 10));
}

fn live() -> MatricesReadings {
    MatricesReadings { parked_chain: ParkedChain::Live, ..MatricesReadings::default() }
}

fn updated(hooks: Value) -> Value {
    let text = json!({ "configuration": { "hooks": hooks } }).to_string();
    json!({ "update_profile": { "profile": "p", "text": text } })
}

/// MX-WAIT-9: as they were when it fired, or, read as live, as they stand behind the one waited for.
#[test]
fn a_parked_chain_goes_on_with_the_hooks_of_its_profile_as_it_was_or_read_as_live_as_it_is() {
    let ask = || hook("ask", "client", 10, "fail_closed");
    let before = json!([ask(), hook("old", "url", 10, "fail_closed")]);
    let new = hook("new", "client", 5, "fail_open");
    let after = json!([hook("ahead", "url", 10, "fail_closed"), ask(), new]);
    let steps = [
        fire("f", "t"),
        updated(after),
        resolve("t", "f/ask", &json!({ "decision": "defer" })),
        advance(6),
        audit("t"),
    ];
    let script = opened(before, &steps);
    let seen = observed(&live(), script.clone());
    assert_eq!(seen[5], json!({ "resumed": [{ "firing": "f", "fired": { "parked": wait("f", "new") } }] }));
    assert_eq!(seen[6], json!({ "resumed": [resumed("f", 5, went_on("hello"))] }));
    let places = |seen: &Value| -> Vec<(Value, Value)> {
        let entries = seen["audit"].as_array().expect("there are entries");
        entries.iter().map(|entry| (entry["hookId"].clone(), entry["index"].clone())).collect()
    };
    assert_eq!(places(&seen[7]), [(json!("ask"), json!(0)), (json!("new"), json!(2))]);

    let seen = observed(&MatricesReadings::default(), script);
    assert_eq!(seen[5]["resumed"][0]["fired"]["outcome"], went_on("hello"));
    assert_eq!(places(&seen[7]), [(json!("ask"), json!(0)), (json!("old"), json!(1))]);
}

/// MX-WAIT-9, live: an expiry sets a chain going like a resolution does, and a list that is empty now
/// leaves nobody to ask.
#[test]
fn read_as_live_a_chain_whose_wait_expires_goes_on_with_what_is_left_of_its_profile() {
    let hooks = json!([hook("ask", "client", 10, "fail_open"), hook("deny", "client", 10, "fail_closed")]);
    let steps = [fire("f", "t"), updated(json!([])), advance(50)];
    let seen = observed(&live(), opened(hooks, &steps));
    assert_eq!(seen[5], json!({ "resumed": [resumed("f", 10, went_on("hello"))] }));
}

/// An agent's own run: the agent hook is asked at `t`, and these are the steps that it runs.
fn agent_runs(steps: &[Value], behind: &[Value]) -> Vec<Value> {
    let hooks = json!([hook("agent", "agent", 10, "fail_closed"), hook("ask", "client", 10, "fail_closed")]);
    let mut outer = fire("outer", "t");
    outer["fire"]["answers"] = json!({ "agent": { "after_ms": 2, "agent_run": steps } });
    let steps: Vec<_> = [outer].into_iter().chain(behind.iter().cloned()).collect();
    observed(&MatricesReadings::default(), opened(hooks, &steps))
}

/// MX-PROC-2b, MX-WAIT-2: client hooks are evaluated within an agent's own run, and the wait outlives it.
#[test]
fn a_wait_that_begins_within_an_agents_own_run_holds_once_that_is_over() {
    let allow = json!({ "decision": "allow" });
    let seen = agent_runs(
        &[fire("inner", "u"), waiting()],
        &[waiting(), resolve("u", "inner/ask", &allow), advance(9), waiting(), audit("u")],
    );
    let run = &seen[3]["fired"]["agent_runs"][0]["steps"];
    assert_eq!(run[0], json!({ "fired": { "parked": wait("inner", "ask") } }));
    assert_eq!(run[1], json!({ "threads": { "u": [wait("inner", "ask")] } }));
    assert_eq!(seen[3]["fired"]["parked"], wait("outer", "ask"));
    let both = json!({ "t": [wait("outer", "ask")], "u": [wait("inner", "ask")] });
    assert_eq!(seen[4], json!({ "threads": both }));
    // The outer firing took 2 ms for its agent, and so the inner wait is as old.
    assert_eq!(seen[5], json!({ "resumed": [resumed("inner", 2, went_on("hello"))] }));
    assert_eq!(seen[6], json!({}));
    assert_eq!(seen[7], json!({ "threads": { "t": [wait("outer", "ask")] } }));
    let entries = seen[8]["audit"].as_array().expect("there are entries");
    assert_eq!(entries.len(), 1, "agent hooks write none within an agent's own run");
    assert_eq!((&entries[0]["hookId"], &entries[0]["latencyMs"]), (&json!("ask"), &json!(2)));
}

/// A wait that begins and expires within an agent's own run takes none of the outer firing's time.
#[test]
fn a_wait_that_expires_within_an_agents_own_run_takes_no_time_of_the_firing_around_it() {
    let seen =
        agent_runs(&[fire("inner", "u"), advance(11), waiting()], &[advance(10), waiting(), advance(1)]);
    let run = &seen[3]["fired"]["agent_runs"][0]["steps"];
    assert_eq!(run[1], json!({ "resumed": [resumed("inner", 10, json!({ "denied": {} }))] }));
    assert_eq!(run[2], json!({ "threads": {} }));
    assert_eq!(seen[4], json!({}));
    assert_eq!(seen[5], json!({ "threads": { "t": [wait("outer", "ask")] } }));
    // 2 ms for the agent, and 10 for the wait.
    assert_eq!(seen[6], json!({ "resumed": [resumed("outer", 12, json!({ "denied": {} }))] }));
}

/// An earlier wait can be resolved by what an agent runs, and shows there.
#[test]
fn a_wait_that_began_before_is_resolved_within_an_agents_own_run() {
    let hooks = json!([hook("agent", "agent", 10, "fail_closed"), hook("ask", "client", 10, "fail_closed")]);
    let run = [resolve("u", "early/ask", &json!({ "decision": "deny" })), waiting()];
    let mut outer = fire("outer", "t");
    outer["fire"]["answers"] = json!({ "agent": { "agent_run": run } });
    let seen = observed(&MatricesReadings::default(), opened(hooks, &[fire("early", "u"), outer]));
    let steps = &seen[4]["fired"]["agent_runs"][0]["steps"];
    assert_eq!(steps[0], json!({ "resumed": [resumed("early", 0, json!({ "denied": {} }))] }));
    assert_eq!(steps[1], json!({ "threads": {} }));
    assert_eq!(seen[4]["resumed"], Value::Null, "it has been shown already");
}
