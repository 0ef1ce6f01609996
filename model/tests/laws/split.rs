//! HK-LAW-SPLIT.

use hookproof_model::kernel::{Answer, Clock, Condition, Decision, Guard, Hook, Millis, Operator, Outcome};
use hookproof_model::kernel::{confirm, context};
use hookproof_model::plain::Told;
use hookproof_model::reading::shared::{Choice, Exhaustion, Rewriters, Sight};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseResult;
use serde_json::json;

use super::boundaries;
use super::firings::{
    Drawn, answers, budget, concurrent, decides, defers, edges, firing_of, hook, is_concurrent, is_voiceos,
    matrices_terms, part, rewrites, same, sequential_firing, told_by_the_kernel, voiceos_terms,
};
use super::harness::{Sometimes, holds};

const SOMETIMES: &[&str] = &[
    "both parts are asked, in VoiceOS",
    "both parts are asked, in Matrices",
    "the first part decides",
    "the first part leaves a value that the second sees",
    "the first part leaves a value that a condition of the second sees",
    "the first part leaves a context, and the second adds one",
    "the first part leaves a confirmation",
    "the first part leaves less of the budget",
    "the first part leaves exactly nothing of the budget",
    "the first part leaves the budget exhausted",
    "the first part waits",
    "the second part decides",
    "the second part exhausts what is left",
    "an answer one before its deadline",
    "an answer exactly at its deadline",
    "an answer one behind its deadline",
];

/// The side conditions, the last of which the statement owes: that somebody has rewritten is not in
/// what c1 leaves, and as *first-rewriter* (VO-FOLD-15) it matters.
fn within_its_conditions(mut drawn: Drawn) -> Drawn {
    drawn.terms.exhaustion = Exhaustion::Keep;
    drawn.terms.sight = Sight::Composed;
    drawn.terms.guard_sight = Sight::Composed;
    drawn.terms.rewriters = Rewriters::Compose;
    drawn
}

/// What a firing of nobody comes to where the budget is exhausted already.
fn nobody() -> Told {
    let outcome = Outcome {
        decision: Decision::Defer,
        winner: None,
        value: None,
        confirm: false,
        contexts: vec![],
        response_text: None,
        view: None,
        at: Millis::ZERO,
        exhausted: true,
        cancelled: false,
    };
    Told { outcome, visits: vec![], calls: vec![] }
}

/// Runs what stands behind a chain of `split` hooks from what those have left.
fn run_from(drawn: &Drawn, split: usize, left: &Outcome) -> Told {
    if left.exhausted {
        return nobody();
    }
    let mut second = part(drawn, split..drawn.hooks.len());
    if let Some(value) = &left.value {
        second.value = value.clone();
    }
    if is_voiceos(&drawn.terms) {
        second.terms.clock = Clock::Shared(budget(&drawn.terms).since(left.at));
    }
    told_by_the_kernel(&second)
}

/// One after the other, as one.
fn joined(drawn: &Drawn, split: usize, first: Told, second: Told) -> Told {
    let (at, left, came_to) = (first.outcome.at, first.outcome, second.outcome);
    let mut contexts = left.contexts;
    came_to.contexts.iter().for_each(|next| context::add(drawn.terms.contexts, &mut contexts, next));
    let outcome = Outcome {
        winner: came_to.winner.map(|winner| winner + split),
        value: came_to.value.or(left.value),
        confirm: confirm::confirm(left.confirm, came_to.confirm),
        contexts,
        at: at.plus(came_to.at),
        exhausted: left.exhausted || came_to.exhausted,
        ..came_to
    };
    let later = second.visits.into_iter().map(|mut visit| {
        visit.slot += split;
        (visit.asked, visit.at) = (visit.asked.map(|asked| asked.plus(at)), visit.at.plus(at));
        visit
    });
    let visits = first.visits.into_iter().chain(later).collect();
    let later = second.calls.into_iter().map(|mut call| {
        (call.slot, call.at) = (call.slot + split, call.at.plus(at));
        call
    });
    Told { outcome, visits, calls: first.calls.into_iter().chain(later).collect() }
}

/// Both sides of the law, or nothing where it says nothing: as *most-restrictive* (VO-FOLD-14) the
/// chain goes on behind a decision.
fn sides(drawn: &Drawn, split: usize) -> Option<(Told, Told)> {
    let first = told_by_the_kernel(&part(drawn, 0..split));
    let (whole, decision) = (told_by_the_kernel(drawn), first.outcome.decision);
    if decision == Decision::Defer {
        let second = run_from(drawn, split, &first.outcome);
        return Some((whole, joined(drawn, split, first, second)));
    }
    let over = drawn.terms.choice == Choice::FirstInOrder || decision == Decision::Deny;
    over.then_some((whole, first))
}

fn split(drawn: &Drawn, split: usize, seen: &mut Sometimes) -> TestCaseResult {
    let Some((whole, parts)) = sides(drawn, split) else { return Ok(()) };
    let first = told_by_the_kernel(&part(drawn, 0..split));
    count(drawn, split, &first, &whole, seen);
    same(&whole, &parts)
}

fn count(drawn: &Drawn, split: usize, first: &Told, whole: &Told, seen: &mut Sometimes) {
    let voiceos = is_voiceos(&drawn.terms);
    let (left, calls) = (&first.outcome, &whole.calls);
    let asked = |second: bool| calls.iter().any(|call| (call.slot >= split) == second);
    let (both, defers) = (asked(false) && asked(true), left.decision == Decision::Defer);
    seen.saw("both parts are asked, in VoiceOS", both && voiceos);
    seen.saw("both parts are asked, in Matrices", both && !voiceos);
    seen.saw("the first part decides", !defers && drawn.hooks.len() > split);
    let value = left.value.as_ref().filter(|value| **value != drawn.value);
    let sees = |slot: usize| calls.iter().any(|call| call.slot == slot && Some(&call.sees) == value);
    seen.saw("the first part leaves a value that the second sees", sees(split));
    let conditional = drawn.hooks.get(split).is_some_and(|hook| !hook.guard.conditions.is_empty());
    seen.saw("the first part leaves a value that a condition of the second sees", sees(split) && conditional);
    let contexts = (left.contexts.len(), whole.outcome.contexts.len());
    seen.saw(
        "the first part leaves a context, and the second adds one",
        contexts.0 > 0 && contexts.1 > contexts.0,
    );
    seen.saw("the first part leaves a confirmation", both && left.confirm);
    let some_left = voiceos && left.at > Millis::ZERO && left.at < budget(&drawn.terms);
    seen.saw("the first part leaves less of the budget", both && some_left);
    let nothing_left = voiceos && defers && left.at == budget(&drawn.terms) && drawn.hooks.len() > split;
    seen.saw("the first part leaves exactly nothing of the budget", nothing_left && !left.exhausted);
    seen.saw("the first part leaves the budget exhausted", nothing_left && left.exhausted);
    let waits = |slot: usize| drawn.answers[slot].as_ref().is_some_and(|answer| answer.later.is_some());
    seen.saw("the first part waits", both && calls.iter().any(|call| call.slot < split && waits(call.slot)));
    seen.saw("the second part decides", both && whole.outcome.winner.is_some_and(|winner| winner >= split));
    seen.saw(
        "the second part exhausts what is left",
        !left.exhausted && asked(true) && whole.outcome.exhausted,
    );
    let [before, at, behind] = edges(drawn, whole);
    seen.saw("an answer one before its deadline", before);
    seen.saw("an answer exactly at its deadline", at);
    seen.saw("an answer one behind its deadline", behind);
}

#[test]
fn running_two_chains_is_running_one_and_the_other_from_what_it_leaves() {
    holds(&(sequential_firing(), any::<Index>()), SOMETIMES, |(drawn, place), seen| {
        let drawn = within_its_conditions(drawn);
        split(&drawn, place.index(drawn.hooks.len() + 1), seen)
    });
}

#[test]
fn so_it_is_at_every_place_around_a_deadline() {
    let sequential = boundaries::all().into_iter().filter(|drawn| !is_concurrent(&drawn.terms));
    for drawn in sequential.map(within_its_conditions) {
        for place in 0..=drawn.hooks.len() {
            if let Err(failure) = split(&drawn, place, &mut Sometimes::expecting(SOMETIMES)) {
                panic!("at {place} of {drawn:#?}\n{failure}");
            }
        }
    }
}

/// Whether this chain splits at `place`.
fn splits(drawn: &Drawn, place: usize) -> bool {
    sides(drawn, place).is_none_or(|(whole, parts)| whole == parts)
}

/// VO-DL-5 is read as *keep*: else what c2 exhausts takes back what c1 gave.
#[test]
fn under_rollback_the_second_part_reaches_into_the_first() {
    let by = |exhaustion| {
        let mut drawn = firing_of(voiceos_terms(), vec![(hook("a"), rewrites(0, "new")), (hook("b"), None)]);
        drawn.terms.exhaustion = exhaustion;
        splits(&drawn, 1)
    };
    assert_eq!([Exhaustion::Keep, Exhaustion::Rollback].map(by), [true, false]);
}

/// Dispatch is sequential.
#[test]
fn in_concurrent_dispatch_each_has_the_whole_budget() {
    let chain = || vec![(hook("a"), defers(400)), (hook("b"), decides(400, Decision::Deny))];
    assert!(splits(&firing_of(voiceos_terms(), chain()), 1));
    assert!(!splits(&firing_of(concurrent(voiceos_terms()), chain()), 1));
}

/// Hooks and where-conditions see the composed value.
#[test]
fn what_sees_the_original_does_not_see_what_the_first_part_leaves() {
    let by = |sight, guard_sight| {
        let (path, operator, value) = ("text".to_owned(), Operator::Eq, json!("new"));
        let guard = Guard { conditions: vec![Condition { path, operator, value }] };
        let chain = |second| vec![(hook("a"), rewrites(0, "new")), (second, defers(0))];
        let mut hooks = firing_of(voiceos_terms(), chain(hook("b")));
        hooks.terms.sight = sight;
        let mut conditions = firing_of(matrices_terms(), chain(Hook { guard, ..hook("b") }));
        conditions.terms.guard_sight = guard_sight;
        (splits(&hooks, 1), splits(&conditions, 1))
    };
    assert_eq!(by(Sight::Composed, Sight::Composed), (true, true));
    assert_eq!(by(Sight::Original, Sight::Original), (false, false));
}

/// What the statement does not say: VO-FOLD-15 is read as *compose*, or c1 rewrites nothing.
#[test]
fn the_first_rewriter_is_not_in_what_the_first_part_leaves() {
    let by = |rewriters| {
        let chain = vec![(hook("a"), rewrites(0, "one")), (hook("b"), rewrites(0, "two"))];
        let mut drawn = firing_of(voiceos_terms(), chain);
        drawn.terms.rewriters = rewriters;
        splits(&drawn, 1)
    };
    assert_eq!([Rewriters::Compose, Rewriters::FirstRewriter].map(by), [true, false]);
}

/// What the statement does not say: if c1 does not defer throughout, running c1 ++ c2 is running c1,
/// but not where VO-FOLD-14 is read as *most-restrictive* and c1 does not block.
#[test]
fn behind_a_decision_that_can_be_outdone_the_chain_goes_on() {
    let by = |choice| {
        let shown =
            Answer { response_text: Some("Done.".into()), decision: Decision::Handled, ..Answer::default() };
        let chain = vec![(hook("a"), answers(0, shown)), (hook("b"), decides(0, Decision::Deny))];
        let mut drawn = firing_of(voiceos_terms(), chain);
        drawn.terms.choice = choice;
        told_by_the_kernel(&drawn) == told_by_the_kernel(&part(&drawn, 0..1))
    };
    assert_eq!([Choice::FirstInOrder, Choice::MostRestrictive].map(by), [true, false]);
}
