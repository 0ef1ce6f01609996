//! MX-AUD-1 to 8 as a law: the entries of a firing alone tell who was evaluated, who decided, what became of
//! the work, who rewrote it and how long it took.
//!
//! Of drawn profiles and answers, three tellings are held to each other: what the entries say, read back
//! without looking at anything else; what was observed of the firing; and a walk along the chain by hand.

mod drawn;

use hookproof_model::script::matrices::{AuditEntry, Fired, Observation};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseResult;
use serde_json::json;

use self::drawn::{Answer, Drawn, Turn, answer, hook_drawn, result, walk};
use crate::harness::{Sometimes, holds};
use crate::support::*;

/// What entries say of a firing. One that says `failed` needs the policy beside it.
#[derive(Debug, PartialEq)]
struct Story {
    evaluated: Vec<String>,
    decider: Option<String>,
    outcome: &'static str,
    rewriters: Vec<String>,
    took: u64,
}

fn read_back(entries: &[AuditEntry], policy: impl Fn(&str) -> &'static str) -> Story {
    let ended: Vec<_> = entries.iter().filter(|entry| entry.decision != "parked").collect();
    let decision = |entry: &AuditEntry| match entry.decision.as_str() {
        "failed" if policy(&entry.hook_id) == "fail_closed" => "deny".to_owned(),
        "failed" => "defer".to_owned(),
        decision => decision.to_owned(),
    };
    let names = |which: &dyn Fn(&AuditEntry) -> bool| {
        ended.iter().filter(|entry| which(entry)).map(|entry| entry.hook_id.clone()).collect()
    };
    let last = ended.last().filter(|entry| decision(entry) != "defer");
    let outcome = match last {
        Some(entry) if decision(entry) == "deny" && entry.point.starts_with("before") => "denied",
        Some(entry) if decision(entry) == "deny" => "withheld",
        _ => "went_on",
    };
    Story {
        evaluated: names(&|_| true),
        decider: last.map(|entry| entry.hook_id.clone()),
        outcome,
        rewriters: names(&|entry| entry.rewrote == Some(true)),
        took: ended.iter().map(|entry| entry.latency_ms.0).sum(),
    }
}

type Chosen = Vec<(&'static str, &'static str)>;

fn chosen() -> impl Strategy<Value = Chosen> {
    select(all_readings(&[
        ("MX-AUD-2b", &["absent", "false"]),
        ("MX-AUD-4", &["zero-based", "one-based"]),
        ("MX-AUD-5", &["effective", "failed"]),
        ("MX-AUD-6", &["at-end", "at-park-and-end"]),
        ("MX-AUD-8", &["url-and-agent", "url-only"]),
        ("MX-FOLD-4", &["apply", "ignore"]),
    ]))
}

/// Holds the entries of one firing to the walk, and to what was observed.
fn tell(
    point: &str,
    chosen: &Chosen,
    hooks: &[Drawn],
    turns: &[Turn],
    entries: &[AuditEntry],
    fired: &Fired,
) -> TestCaseResult {
    let reads = |clause, alternative| chosen.contains(&(clause, alternative));
    let id = |place: usize| format!("h{place}");
    let policy = |id: &str| hooks[id[1..].parse::<usize>().unwrap()].policy;
    let story = read_back(entries, policy);

    // The walk.
    let names = |which: &dyn Fn(&Turn) -> bool| {
        turns.iter().filter(|turn| which(turn)).map(|turn| id(turn.place)).collect::<Vec<_>>()
    };
    prop_assert_eq!(&story.evaluated, &names(&|_| true));
    prop_assert_eq!(&story.rewriters, &names(&|turn| turn.rewrote));
    prop_assert_eq!(
        story.decider.iter().cloned().collect::<Vec<_>>(),
        names(&|turn| turn.decision != "defer")
    );
    let parked: Vec<_> = entries
        .iter()
        .filter(|entry| entry.decision == "parked")
        .map(|entry| entry.hook_id.clone())
        .collect();
    prop_assert_eq!(parked, names(&|turn| turn.parked && reads("MX-AUD-6", "at-park-and-end")));
    for (turn, entry) in turns.iter().zip(entries.iter().filter(|entry| entry.decision != "parked")) {
        let failed = turn.failure.is_some() && reads("MX-AUD-5", "failed");
        let decision = if failed { "failed" } else { turn.decision };
        prop_assert_eq!(short(entry), (&*id(turn.place), decision, turn.failure.map(str::to_owned)));
        let expected = turn.reason.then(|| format!("reason {}", turn.place));
        prop_assert_eq!(&entry.reason, &expected);
        prop_assert_eq!(entry.latency_ms.0, turn.latency);
        prop_assert_eq!(entry.index as usize, turn.place + usize::from(reads("MX-AUD-4", "one-based")));
        let unsaid = !turn.rewrote && reads("MX-AUD-2b", "absent");
        prop_assert_eq!(entry.rewrote, (!unsaid).then_some(turn.rewrote));
        prop_assert_eq!(&*entry.processor, hooks[turn.place].kind);
    }

    // What was observed.
    let outcome = outcome_json(fired.outcome.as_ref().unwrap());
    prop_assert!(outcome.get(story.outcome).is_some(), "{} for {}", story.outcome, outcome);
    if story.outcome == "went_on" {
        let last = story.rewriters.last().map(|id| id[1..].parse().unwrap());
        prop_assert_eq!(outcome, went_on(&last.map_or_else(|| usual(point), |last| other(point, last))));
    }
    prop_assert_eq!(fired.ended_ms.unwrap().0, story.took);
    let delivered = |kind: &str| kind == "url" || kind == "agent" && reads("MX-AUD-8", "url-and-agent");
    let calls = fired
        .calls
        .iter()
        .map(|call| (call.hook.clone(), call.payload["deliveryId"].as_str().unwrap().to_owned()));
    let calls: Vec<_> =
        calls.filter(|(id, _)| delivered(hooks[id[1..].parse::<usize>().unwrap()].kind)).collect();
    let of_entries = entries.iter().filter(|entry| entry.decision != "parked");
    let of_entries: Vec<_> =
        of_entries.filter_map(|entry| Some((entry.hook_id.clone(), entry.delivery_id.clone()?))).collect();
    prop_assert_eq!(calls, of_entries);
    Ok(())
}

fn note(saw: &mut Sometimes, turns: &[Turn], hooks: &[Drawn]) {
    let any = |which: &dyn Fn(&Turn) -> bool| turns.iter().any(which);
    saw.saw("all defer", turns.len() > 2 && !any(&|turn| turn.decision != "defer"));
    saw.saw("somebody is passed over", turns.last().is_some_and(|last| last.place >= turns.len()));
    saw.saw("one behind the decider", any(&|turn| turn.decision != "defer" && turn.place + 1 < hooks.len()));
    saw.saw("a denier rewrote before", any(&|turn| turn.rewrote) && any(&|turn| turn.decision == "deny"));
    saw.saw("two waits", turns.iter().filter(|turn| turn.parked).count() > 1);
    saw.saw(
        "a wait after one that ran out",
        turns.windows(2).any(|two| two[0].failure == Some("expired") && two[1].parked),
    );
    saw.saw("a condition holds", any(&|turn| hooks[turn.place].on_rewritten));
    saw.saw("an agent fails", any(&|turn| turn.failure.is_some() && hooks[turn.place].kind == "agent"));
}

#[test]
fn the_audit_trail_alone_tells_what_happened() {
    let sometimes = &[
        "all defer",
        "somebody is passed over",
        "one behind the decider",
        "a denier rewrote before",
        "two waits",
        "a wait after one that ran out",
        "a condition holds",
        "an agent fails",
    ];
    let point = select(POINTS.map(|(point, ..)| point).to_vec());
    let firings = vec(vec(answer(), 16), 1..4);
    holds(
        &(chosen(), point, vec(hook_drawn(), 0..=8), firings),
        sometimes,
        |(chosen, point, hooks, firings), saw| {
            let elsewhere = if point == "after_output" { "before_input" } else { "after_output" };
            let listed = |(n, drawn): (usize, &Drawn)| {
                let mut matching = json!({});
                if point.ends_with("_tool_call")
                    && drawn.here
                    && let Some(tool) = drawn.tool
                {
                    matching["tools"] = json!([tool]);
                }
                if drawn.on_rewritten {
                    let member = member_of(point);
                    matching["where"] = json!([{ "path": member, "operator": "neq", "value": usual(point) }]);
                }
                let more = json!({ "onFailure": drawn.policy, "asyncTimeoutMs": 1000, "match": matching });
                hook(&format!("h{n}"), if drawn.here { point } else { elsewhere }, drawn.kind, more)
            };
            let profile = text(hooks.iter().enumerate().map(listed).collect::<Vec<_>>());
            let mut steps = vec![create("p", &profile)];
            let mut told = vec![];
            for (n, answers) in firings.iter().enumerate() {
                let firing = format!("f{n}");
                let (turns, then) =
                    walk(point, &hooks, answers, chosen.contains(&("MX-FOLD-4", "ignore")), &firing);
                let says = answers.iter().enumerate().map(|(place, (after, answer))| {
                    let mut does = match answer {
                        Answer::Says(says) => json!({ "result": result(point, place, says) }),
                        Answer::Fails(does, _) => does.clone(),
                        Answer::Never => json!({ "never": true }),
                        Answer::Parks(..) => json!({ "pending": true }),
                    };
                    does["after_ms"] = (*after).into();
                    (format!("h{place}"), does)
                });
                let begins = steps.len();
                // A thread of its own, named like the firing.
                steps.extend([
                    open(&firing, "p"),
                    fire(&firing, &firing, &event(point, "x", &usual(point)), &says.collect()),
                ]);
                steps.extend(then);
                steps.push(trail(&firing));
                told.push((firing, begins..steps.len(), turns));
            }
            let seen: Vec<Observation> = observed(&readings(&chosen), steps);
            for (firing, steps, turns) in told {
                let seen = &seen[steps];
                prop_assert_eq!(seen.iter().find_map(|step| step.error), None);
                let entries = seen.last().unwrap().audit.as_ref().unwrap();
                tell(point, &chosen, &hooks, &turns, entries, &whole(&firing, seen))?;
                note(saw, &turns, &hooks);
            }
            Ok(())
        },
    );
}

/// MX-AUD-6, MX-WAIT-10b: a wait that a cancel dropped has decided nothing, unless that is read as a deny.
#[test]
fn a_cancelled_wait_is_recorded_as_it_is_read() {
    for (cancelled, parked) in
        [("none", "at-end"), ("deny", "at-end"), ("none", "at-park-and-end"), ("deny", "at-park-and-end")]
    {
        let hooks =
            [hook("u", "before_input", "url", json!({})), hook("c", "before_input", "client", json!({}))];
        let cancel = json!({ "cancel_thread": { "thread": "t" } });
        let steps = vec![
            create("p", &text(hooks)),
            open("t", "p"),
            fire("f", "t", &event("before_input", "", &json!("x")), &json!({})),
            advance(7),
            cancel,
            trail("t"),
        ];
        let seen = observed(&readings(&[("MX-WAIT-10b", cancelled), ("MX-AUD-6", parked)]), steps);
        let entries: Vec<_> = seen[5]
            .audit
            .as_ref()
            .unwrap()
            .iter()
            .map(|entry| (entry.hook_id.as_str(), entry.decision.as_str(), entry.latency_ms.0))
            .collect();
        let mut expected = vec![("u", "defer", 0)];
        expected.extend((parked == "at-park-and-end").then_some(("c", "parked", 0)));
        expected.extend((cancelled == "deny").then_some(("c", "deny", 7)));
        assert_eq!(entries, expected);
    }
}
