//! Budgets: VO-DL-1 to 9, VO-FAIL-2, VO-ORDER-2.
//!
//! One culprit in every place of chains of up to twelve, around the budget to the millisecond, beside others
//! that take no time, share it with the culprit, or use it up without it. All firings of a chain are put into
//! one script, so that a budget that reached from one into the next would show.

mod sums;

use hookproof_model::kernel::{Failure, Millis};
use hookproof_model::reading::Readings;
use hookproof_model::script::voiceos::{HostError, Observation, Outcome, Says, Step};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use crate::{
    answer, call, failed, fire, install, manifest, observed, observed_by_the_model, payload, read, readings,
    script,
};
use sums::Awaited::{self, Dictation, PostToolUse, PreToolUse, Transcript};
use sums::{APP, Case, Does, Others, Read, Sum, id};

const MOST: usize = 12;

/// So many integrations that hear everything, and the app that dictation needs.
fn installed(count: usize) -> Vec<Step> {
    let hooks =
        json!({ "transcript": {}, "dictation": { "apps": [APP] }, "preToolUse": {}, "postToolUse": {} });
    let installs = (0..count).map(|place| install(manifest(&id(place), &hooks).to_string()));
    installs.chain([read(json!({ "frontmost": { "app": { "bundleId": APP } } }))]).collect()
}

/// Each place has 45 cases, and chains of up to twelve have 78 places. Those of up to five, which have 15, are
/// run under every combination of readings; the longest under each reading by itself; those between under
/// the two dispatches.
#[rstest]
#[case(Transcript)]
#[case(Dictation)]
#[case(PreToolUse)]
#[case(PostToolUse)]
fn a_budget_is_shared_to_the_millisecond(#[case] event: Awaited) {
    let (mut compared, mut exhausted, mut at_zero) = (0, 0, 0);
    for count in 1..=MOST {
        let cases = Case::all(event, count);
        let begin = installed(count);
        let script = script(begin.iter().cloned().chain(cases.iter().map(|case| case.step())).collect());
        let is_run = |read: &Read| match count {
            0..=5 => true,
            MOST => read.others_than_default() <= 1,
            _ => read.others_than_default() == u32::from(read.concurrent),
        };
        for read in Read::all().filter(is_run) {
            // The plain formulation takes its time over a long chain.
            let observe = if count <= 4 { observed } else { observed_by_the_model };
            let observed = observe(&script, &read.readings());
            assert_eq!(observed.len(), begin.len() + cases.len());
            for (case, seen) in cases.iter().zip(observed.iter().skip(begin.len())) {
                let sum = if read.concurrent { Sum::concurrent } else { Sum::sequential }(*case, read);
                assert!(sum.observation(event) == *seen, "{case:?} {read:?}\n{sum:?}\n{seen:?}");
                compared += 1;
                exhausted += u32::from(sum.exhausted);
                at_zero += u32::from(sum.calls.iter().any(|(_, at, _)| *at == event.budget()));
            }
        }
    }
    assert_eq!(compared, (15 * 16 + 12 * 5 + (78 - 15 - 12) * 2) * 45);
    let has_chain = matches!(event, Transcript | Dictation);
    assert!(exhausted > compared / if has_chain { 4 } else { 8 }, "{exhausted} of {compared}");
    assert_eq!(at_zero > 0, has_chain, "{at_zero} with no time left");
}

/// With nobody there, nothing is waited for; and a tool without an owner is no tool.
#[test]
fn without_integrations_a_firing_is_over_at_once() {
    for read in Read::all() {
        let events = [Transcript, Dictation, PreToolUse, PostToolUse];
        let steps = installed(0).into_iter().chain(events.map(|event| fire(event.event(0), [])));
        let observed = observed(&script(steps.collect()), &read.readings());
        let error = Some(HostError::UnknownIntegration);
        let refused = Observation { error, ..Observation::default() };
        let nothing = Sum::default();
        let expected =
            [nothing.observation(Transcript), nothing.observation(Dictation), refused.clone(), refused];
        assert_eq!(observed.get(1..), Some(&expected[..]));
    }
}

/// VO-SEL-1, VO-SEL-5, VO-MAN-4: chains exist on transcript and dictation, and on dictation for those whose
/// app is in front.
#[rstest]
#[case::in_front(Some(APP), true)]
#[case::another(Some("com.example.other"), false)]
#[case::unknown(None, false)]
fn who_is_asked_depends_on_event_and_app(#[case] app: Option<&str>, #[case] dictates: bool) {
    let app = app.map_or_else(|| json!({}), |app| json!({ "app": { "bundleId": app } }));
    let mut steps = installed(MOST);
    steps.push(read(json!({ "frontmost": app })));
    let begin = steps.len();
    let all = (0..MOST).collect::<Vec<_>>();
    let owner = vec![7];
    let expected = [
        (Transcript, all.clone()),
        (Dictation, if dictates { all } else { vec![] }),
        (PreToolUse, owner.clone()),
        (PostToolUse, owner),
    ];
    steps.extend(expected.iter().map(|(event, _)| fire(event.event(7), [])));
    let observed = observed(&script(steps), &Readings::default());
    for ((event, expected), seen) in expected.iter().zip(observed.iter().skip(begin)) {
        let called: Vec<_> = seen.calls.iter().map(|call| (call.hook.clone(), call.at_ms.0)).collect();
        let expected: Vec<_> = expected.iter().map(|place| (id(*place), 0)).collect();
        assert_eq!(called, expected, "{event:?}");
        assert_eq!(seen.ended_ms, Some(Millis(0)));
    }
}

#[test]
fn a_dictation_hook_without_apps_is_not_installed() {
    let steps = [json!({}), json!({ "apps": [] }), json!({ "apps": [APP] })]
        .map(|hook| install(manifest("a.b", &json!({ "dictation": hook })).to_string()));
    let observed = observed(&script(steps.into()), &Readings::default());
    let accepted: Vec<_> = observed.iter().map(|observation| observation.accepted).collect();
    assert_eq!(accepted, [Some(false), Some(false), Some(true)]);
}

/// VO-DL-8: what one firing took, the next does not miss.
#[rstest]
fn two_firings_in_a_row_have_two_budgets(
    #[values(Transcript, Dictation, PreToolUse, PostToolUse)] event: Awaited,
    #[values(false, true)] late: bool,
) {
    let case =
        Case { event, installed: 1, culprit: 0, does: Does::Rewrites, others: Others::NoTime, beyond: 1 };
    let mut steps = installed(1);
    steps.extend([case.step(), case.step()]);
    let observed = observed(&script(steps), &readings(if late { &[("VO-DL-4", "late")] } else { &[] }));
    let expected = Sum {
        calls: vec![(0, 0, None)],
        failures: if late { vec![(0, Failure::Timeout)] } else { vec![] },
        ended: event.budget(),
        stand: if late { vec![] } else { vec![0] },
        ..Sum::default()
    };
    let expected = expected.observation(event);
    assert_eq!(observed.get(2..), Some(&[expected.clone(), expected][..]));
}

/// VO-DL-8: before and after the tool, in one call and in the next, each hook has 2000 ms.
#[rstest]
fn two_calls_of_a_tool_have_four_budgets(
    #[values(1999, 2000, 2001)] after: u64,
    #[values(false, true)] late: bool,
) {
    let in_time = after < 2000 || after == 2000 && !late;
    let agent_call: Step = read(json!({ "agent_call": {
        "integration": id(0), "tool": "send", "args": { "text": "as it was" },
        "pre": { "after_ms": after, "result": { "updatedArgs": { "text": "by the hook" } } },
        "post": { "after_ms": after, "result": { "updatedResult": "replaced" } }
    } }));
    let mut steps = installed(1);
    steps.extend([agent_call.clone(), agent_call]);
    let observed = observed(&script(steps), &readings(if late { &[("VO-DL-4", "late")] } else { &[] }));

    let called = json!({ "text": "as it was" });
    let args = if in_time { json!({ "text": "by the hook" }) } else { called.clone() };
    let post = payload("postToolUse", json!({ "toolName": "send", "args": args, "result": {} }));
    let timeout = failed(&id(0), Failure::Timeout);
    let expected = Observation {
        calls: vec![
            call(&id(0), PreToolUse.names().1, PreToolUse.payload(&called), 0),
            call(&id(0), PostToolUse.names().1, post, 0),
        ],
        ended_ms: Some(Millis(after.min(2000))),
        outcome: Some(Outcome::Executed { args: read(args) }),
        model_sees: Some(if in_time { json!("replaced") } else { json!({}) }),
        logged: if in_time { vec![] } else { vec![timeout.clone(), timeout] },
        contacted: Some(true),
        ..Observation::default()
    };
    assert_eq!(observed.get(2..), Some(&[expected.clone(), expected][..]));
}

/// VO-DL-7: a receipt goes to everybody at once, whatever any of them does and however long it takes.
#[rstest]
fn a_receipt_is_sent_to_all_and_awaited_of_none(#[values(0, 1, 2, 3, 5, 8, 12)] count: usize) {
    let receipt = json!({ "transcript": "said", "responseText": "answered", "tools": [] });
    let install = |place| install(manifest(&id(place), &json!({ "turnComplete": {} })).to_string());
    let answers = |after: u64| {
        let says = [
            Says::Never,
            Says::Disconnect,
            Says::ToolError("no".to_owned()),
            Says::Text("no JSON".to_owned()),
            Says::Result(json!({ "decision": "block", "reason": "no" })),
        ];
        let all = (0..count).zip(says.into_iter().cycle());
        all.map(move |(place, says)| (id(place), answer(after, says))).collect::<Vec<_>>()
    };
    for read in Read::all() {
        let mut steps: Vec<_> = (0..count).map(install).collect();
        for after in [0, 1, 250, 500, 2000, 2001, 1 << 53] {
            steps.push(fire(crate::read(json!({ "turnComplete": receipt })), answers(after)));
        }
        let observed = observed(&script(steps), &read.readings());
        let payload = payload("turnComplete", receipt.clone());
        let tool = "voiceos_hook_turn_complete";
        let expected = Observation {
            calls: (0..count).map(|place| call(&id(place), tool, payload.clone(), 0)).collect(),
            ended_ms: Some(Millis(0)),
            outcome: Some(Outcome::Sent {}),
            ..Observation::default()
        };
        assert_eq!(observed.len(), count + 7);
        assert!(observed.iter().skip(count).all(|seen| *seen == expected), "{read:?}");
    }
}
