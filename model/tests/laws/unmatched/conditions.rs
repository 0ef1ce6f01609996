//! `where`: firings of the kernel.

use hookproof_model::kernel::{
    Admission, Condition, Decision, FailurePolicy, Guard, Hook, Operator, Scene, guard,
};
use hookproof_model::reading::shared::Incomparable;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseResult;
use serde_json::{Value, json};

use crate::laws::firings::{
    Drawn, MOST, decides, defers, firing_of, hook, matrices_firing, matrices_terms, part, replaced, rewrites,
    same, told_by_the_kernel, with,
};
use crate::laws::harness::{Sometimes, holds};

const CONDITIONS: &[&str] = &[
    "a hook stands in front of one that is asked",
    "a hook stands behind one that rewrites",
    "several hooks stand in another order",
    "a condition is false on the original and on a rewritten value",
    "the chain decides",
    "the chain is of sixteen",
];

/// Whether these conditions are false on every value that the chain takes.
fn is_false_throughout(drawn: &Drawn, values: &[Value], hook: &Hook) -> bool {
    values.iter().all(|value| {
        let scene = Scene { event: &drawn.event, member: drawn.member, value };
        guard::admits(&drawn.terms, &hook.guard, scene) == Admission::PassOver
    })
}

/// Puts hooks in, one after the other, and tells where each of the others came to stand.
fn put_in(drawn: &Drawn, hooks: &[Hook], places: &[Index]) -> (Drawn, Vec<Option<usize>>) {
    let mut drawn = drawn.clone();
    let mut stood: Vec<_> = (0..drawn.hooks.len()).map(Some).collect();
    for (hook, place) in hooks.iter().zip(places) {
        let place = place.index(drawn.hooks.len() + 1);
        // If it were asked, it would end the work.
        drawn = with(&drawn, place, hook.clone(), decides(0, Decision::Deny));
        stood.insert(place, None);
    }
    (drawn, stood)
}

fn conditions(base: &Drawn, candidates: &[Hook], places: &[Index], seen: &mut Sometimes) -> TestCaseResult {
    let told = told_by_the_kernel(base);
    let taken = told.calls.iter().map(|call| call.sees.clone()).chain(told.outcome.value.clone());
    let values: Vec<_> = [base.value.clone()].into_iter().chain(taken).collect();
    let room = MOST - base.hooks.len();
    let unmatched = candidates.iter().filter(|hook| is_false_throughout(base, &values, hook)).take(room);
    let mut unmatched: Vec<_> = unmatched.cloned().collect();
    let mut orders = vec![];
    for places in [places.to_vec(), places.iter().rev().copied().collect()] {
        let (with, stood) = put_in(base, &unmatched, &places);
        let put = |slot: usize| stood[slot].is_none();
        let calls = told_by_the_kernel(&with).calls;
        seen.saw(
            "a hook stands in front of one that is asked",
            calls.iter().any(|call| (0..call.slot).any(put)),
        );
        let behind_a_rewrite =
            |slot: usize| put(slot) && slot > 0 && calls.iter().any(|call| call.sees != base.value);
        seen.saw("a hook stands behind one that rewrites", (0..stood.len()).any(behind_a_rewrite));
        seen.saw("the chain is of sixteen", with.hooks.len() == MOST && !unmatched.is_empty());
        same(&told, &replaced(told_by_the_kernel(&with), |slot| stood[slot]))?;
        orders.push(with.hooks);
        unmatched.reverse();
    }
    seen.saw("several hooks stand in another order", orders[0] != orders[1]);
    let values_differ = values.iter().any(|value| *value != base.value);
    let conditional = unmatched
        .iter()
        .any(|hook| hook.guard.conditions.iter().any(|condition| condition.path.starts_with(base.member)));
    seen.saw("a condition is false on the original and on a rewritten value", values_differ && conditional);
    seen.saw("the chain decides", told.outcome.decision != Decision::Defer && !unmatched.is_empty());
    Ok(())
}

/// Hooks with conditions: those drawn with a firing, and some that are about the value.
fn candidates() -> impl Strategy<Value = Vec<Hook>> {
    let about = (select(vec![Operator::Eq, Operator::Gt, Operator::Contains]), select(vec!["input", "text"]));
    let about = about.prop_map(|(operator, member)| {
        let condition = Condition { path: member.to_owned(), operator, value: json!("never said") };
        Hook { guard: Guard { conditions: vec![condition] }, ..hook("about the value") }
    });
    let drawn = matrices_firing().prop_map(|drawn| drawn.hooks);
    let conditional = |hooks: Vec<Hook>| hooks.into_iter().filter(|hook| !hook.guard.conditions.is_empty());
    (vec(about, 0..=10), drawn)
        .prop_map(move |(about, drawn)| about.into_iter().chain(conditional(drawn)).collect())
}

#[test]
fn hooks_whose_conditions_are_false_throughout_can_be_added_removed_and_permuted() {
    let drawn = (matrices_firing(), candidates(), vec(any::<Index>(), MOST));
    holds(&drawn, CONDITIONS, |(mut drawn, candidates, places), seen| {
        if drawn.terms.incomparable == Incomparable::Failure {
            drawn.terms.incomparable = Incomparable::NegationTrue;
        }
        let drawn = part(&drawn, 0..drawn.hooks.len().min(MOST - 1));
        conditions(&drawn, &candidates, &places, seen)
    });
}

/// On every value that the chain takes: one that is false on the original alone is asked behind a
/// rewrite, and then its place matters.
#[test]
fn a_hook_whose_condition_a_rewrite_makes_true_cannot_be_put_anywhere() {
    let base = firing_of(matrices_terms(), vec![(hook("a"), rewrites(0, "new"))]);
    let condition = Condition { path: "text".into(), operator: Operator::Eq, value: json!("new") };
    let once_true = Hook { guard: Guard { conditions: vec![condition] }, ..hook("once true") };
    let decision = |place| {
        let with = with(&base, place, once_true.clone(), decides(0, Decision::Deny));
        told_by_the_kernel(&with).outcome.decision
    };
    assert_eq!([0, 1].map(decision), [Decision::Defer, Decision::Deny]);
}

/// MX-MATCH-6 is not read as *failure*: else conditions that cannot be held against the value are no
/// false ones, and stop the chain.
#[test]
fn a_condition_that_fails_is_not_unmatched() {
    let by = |incomparable| {
        let mut base = firing_of(matrices_terms(), vec![(hook("a"), defers(0))]);
        base.terms.incomparable = incomparable;
        let condition = Condition { path: "missing".into(), operator: Operator::Eq, value: json!(1) };
        let guard = Guard { conditions: vec![condition] };
        let closed = Hook { guard, policy: FailurePolicy::FailClosed, ..hook("closed") };
        told_by_the_kernel(&with(&base, 0, closed, defers(0))).outcome.decision
    };
    assert_eq!(by(Incomparable::NegationTrue), Decision::Defer);
    assert_eq!(by(Incomparable::AllFalse), Decision::Defer);
    assert_eq!(by(Incomparable::Failure), Decision::Deny);
}
