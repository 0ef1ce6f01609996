//! HK-LAW-NEUTRAL.

use hookproof_model::kernel::{Decision, FailurePolicy, Hook, Millis};
use hookproof_model::reading::shared::{Exhaustion, NothingLeft};
use hookproof_model::script::voiceos::{Fire, Meanwhile, Step};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseResult;
use serde_json::json;

use super::firings::{
    Drawn, MOST, beside, budget, decides, defers, edges, firing, firing_of, hook, is_concurrent, is_voiceos,
    kept, part, rewrites, same, told_by_the_kernel, voiceos_terms, with,
};
use super::harness::{Sometimes, holds};
use super::{boundaries, scripts};

const SOMETIMES: &[&str] = &[
    "it is asked, in sequential VoiceOS",
    "it is asked, in concurrent VoiceOS",
    "it is asked, in Matrices",
    "it stands behind the winner",
    "it finds no time left",
    "it is asked with no time left",
    "it is asked between a rewrite and a hook that sees it",
    "it is asked behind a wait",
    "it is the sixteenth",
    "the chain decides",
    "the chain goes on",
    "the chain exhausts its budget",
    "an answer one before its deadline",
    "an answer exactly at its deadline",
    "an answer one behind its deadline",
];

/// The side condition that the statement owes: where answers in time are taken back (VO-DL-5,
/// rollback) and the last of them used up the budget exactly, a hook that is still to be asked, and
/// is not for want of time (VO-DL-9), takes them back, however neutral it is.
fn takes_everything_back(without: &Drawn, at: Millis) -> bool {
    let terms = &without.terms;
    is_voiceos(terms)
        && !is_concurrent(terms)
        && (terms.exhaustion, terms.nothing_left) == (Exhaustion::Rollback, NothingLeft::NotAsked)
        && at == budget(terms)
}

fn neutral(without: &Drawn, place: usize, hook: Hook, seen: &mut Sometimes) -> TestCaseResult {
    let told = told_by_the_kernel(without);
    if takes_everything_back(without, told.outcome.at) {
        return Ok(());
    }
    let with = with(without, place, hook, defers(0));
    let told_with = told_by_the_kernel(&with);
    let call = told_with.calls.iter().find(|call| call.slot == place);
    let terms = &without.terms;
    let asked = call.is_some();
    seen.saw("it is asked, in sequential VoiceOS", asked && is_voiceos(terms) && !is_concurrent(terms));
    seen.saw("it is asked, in concurrent VoiceOS", asked && is_concurrent(terms));
    seen.saw("it is asked, in Matrices", asked && !is_voiceos(terms));
    let spent = told.outcome.at == budget(terms) && !is_concurrent(terms);
    let behind_the_winner = told.outcome.winner.is_some_and(|winner| winner < place);
    seen.saw("it stands behind the winner", behind_the_winner);
    seen.saw("it finds no time left", spent && !asked && !behind_the_winner);
    seen.saw("it is asked with no time left", call.is_some_and(|call| call.at == budget(terms)));
    let sees_a_rewrite =
        |slot: usize| told_with.calls.iter().any(|call| call.slot == slot && call.sees != without.value);
    seen.saw(
        "it is asked between a rewrite and a hook that sees it",
        sees_a_rewrite(place) && sees_a_rewrite(place + 1),
    );
    let waits = |slot: usize| without.answers[slot].as_ref().is_some_and(|answer| answer.later.is_some());
    seen.saw("it is asked behind a wait", asked && (0..place).any(waits));
    seen.saw("it is the sixteenth", asked && with.hooks.len() == MOST);
    seen.saw("the chain decides", told.outcome.decision != Decision::Defer);
    seen.saw("the chain goes on", told.outcome.decision == Decision::Defer);
    seen.saw("the chain exhausts its budget", told.outcome.exhausted);
    let [before, at, behind] = edges(without, &told);
    seen.saw("an answer one before its deadline", before);
    seen.saw("an answer exactly at its deadline", at);
    seen.saw("an answer one behind its deadline", behind);
    same(&kept(told), &kept(beside(told_with, place)))
}

/// It may fail as it will, and has any time but none.
fn neutral_hook() -> impl Strategy<Value = Hook> {
    let policy = select(vec![FailurePolicy::FailOpen, FailurePolicy::FailClosed]);
    let time = || select(vec![1, 2, 10_000]).prop_map(Millis);
    (policy, time(), time()).prop_map(|(policy, deadline, patience)| Hook {
        policy,
        deadline,
        patience,
        ..hook("neutral")
    })
}

#[test]
fn a_hook_that_defers_at_once_and_returns_nothing_else_changes_nothing_wherever_it_stands() {
    holds(&(firing(), any::<Index>(), neutral_hook()), SOMETIMES, |(drawn, place, hook), seen| {
        let drawn = part(&drawn, 0..drawn.hooks.len().min(MOST - 1));
        neutral(&drawn, place.index(drawn.hooks.len() + 1), hook, seen)
    });
}

#[test]
fn nor_does_it_at_any_place_around_a_deadline() {
    for drawn in boundaries::all() {
        for place in 0..=drawn.hooks.len() {
            let seen = &mut Sometimes::expecting(SOMETIMES);
            if let Err(failure) =
                neutral(&drawn, place, Hook { deadline: Millis(1), ..hook("neutral") }, seen)
            {
                panic!("at {place} of {drawn:#?}\n{failure}");
            }
        }
    }
}

/// At 0 ms: what it takes of a shared budget is the others'.
#[test]
fn a_hook_that_takes_a_millisecond_is_not_neutral_where_a_budget_is_shared() {
    let without = firing_of(voiceos_terms(), vec![(hook("a"), decides(500, Decision::Deny))]);
    let decision =
        |after| told_by_the_kernel(&with(&without, 0, hook("slow"), defers(after))).outcome.decision;
    assert_eq!([0, 1].map(decision), [Decision::Deny, Decision::Defer]);
}

/// What the statement does not say: see [`takes_everything_back`].
#[test]
fn under_rollback_a_neutral_hook_behind_a_budget_used_up_exactly_takes_everything_back() {
    let mut terms = voiceos_terms();
    terms.exhaustion = Exhaustion::Rollback;
    let value = |after| {
        let without = firing_of(terms, vec![(hook("a"), rewrites(after, "rewritten"))]);
        let with = with(&without, 1, hook("neutral"), defers(0));
        [without, with].map(|drawn| told_by_the_kernel(&drawn).outcome.value)
    };
    assert_eq!(value(499), [Some(json!("rewritten")), Some(json!("rewritten"))]);
    assert_eq!(value(500), [Some(json!("rewritten")), None]);
}

/// No control step falls into the firing: one of 0 ms comes before the neutral hook's answer, and so
/// before the next hook is asked.
#[test]
fn a_control_step_tells_a_firing_with_a_neutral_hook_from_one_without() {
    let calls = |with: bool| {
        let neutral = scripts::integration("com.neutral.app", &[("transcript", json!({}))], &[]);
        let b = scripts::integration("com.b.app", &[("transcript", json!({}))], &[]);
        let mut steps: Vec<_> = if with { vec![neutral, b] } else { vec![b] };
        let silence = Box::new(scripts::access("com.b.app", false));
        let meanwhile = vec![Meanwhile { at_ms: Millis(0), step: silence }];
        let Step::Fire(fire) = scripts::fire(scripts::transcript("hello"), []) else { unreachable!() };
        steps.push(Step::Fire(Fire { meanwhile, ..fire }));
        let fired = scripts::observed(steps).pop().expect("a step was carried out");
        fired.calls.iter().filter(|call| call.hook == "com.b.app").count()
    };
    assert_eq!([false, true].map(calls), [1, 0]);
}

/// Matrices: a `url` processor with a fresh id in a list that stays explicit and within 16.
#[test]
fn a_hook_that_makes_another_list_of_the_list_is_not_neutral() {
    let neutral = scripts::url_hook("neutral", "before_tool_call");
    let outcome = |hooks: Option<Vec<serde_json::Value>>| {
        let happened = scripts::fired(hooks.as_deref(), scripts::tool_call("payments.transfer"), []);
        happened.outcome().cloned()
    };
    // Its list was not explicit: the defaults went.
    assert_ne!(outcome(None), outcome(Some(vec![neutral.clone()])));
    // It was full: the profile is not taken, and nothing fires.
    let full: Vec<_> = (0..MOST).map(|n| scripts::url_hook(&format!("n{n}"), "before_tool_call")).collect();
    let more: Vec<_> = full.iter().cloned().chain([neutral.clone()]).collect();
    assert_ne!(outcome(Some(full)), outcome(Some(more)));
    // Its id was taken.
    let twice = vec![neutral.clone(), neutral.clone()];
    assert_ne!(outcome(Some(vec![neutral.clone()])), outcome(Some(twice)));
    // It is a client's, and parks the work.
    let mut parks = neutral.clone();
    parks["processor"] = json!({ "kind": "client" });
    assert_ne!(outcome(Some(vec![])), outcome(Some(vec![parks])));
    assert_eq!(outcome(Some(vec![])), outcome(Some(vec![neutral])));
}
