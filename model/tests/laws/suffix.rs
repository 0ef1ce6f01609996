//! HK-LAW-SUFFIX.

use hookproof_model::kernel::Decision;
use hookproof_model::plain::Told;
use hookproof_model::reading::shared::Choice;
use proptest::test_runner::TestCaseResult;

use super::boundaries;
use super::firings::{
    Drawn, MOST, concurrent, decides, edges, firing, firing_of, hook, in_dialect, is_concurrent, is_voiceos,
    matrices_terms, replaced, same, told_by_the_kernel, voiceos_terms,
};
use super::harness::{Sometimes, holds};

const SOMETIMES: &[&str] = &[
    "a suffix stands behind a winner, in sequential VoiceOS",
    "a suffix stands behind a winner, in concurrent VoiceOS",
    "a suffix stands behind a winner, in Matrices",
    "what stands behind the winner would have decided in its place",
    "what stood behind the winner is gone",
    "what stands behind the winner is more than there was",
    "the winner answered exactly at its deadline",
    "the most restrictive decision won",
];

/// What stands behind the winner, as nobody observes it.
fn up_to(winner: usize, told: Told) -> Told {
    replaced(told, |slot| (slot <= winner).then_some(slot))
}

fn suffix(drawn: &Drawn, other: &Drawn, seen: &mut Sometimes) -> TestCaseResult {
    let told = told_by_the_kernel(drawn);
    let Some(winner) = told.outcome.winner else { return Ok(()) };
    // HK-DECIDE-1 gives way to VO-FOLD-14: as *most-restrictive*, whoever is not at the top can be
    // outdone from behind.
    if drawn.terms.choice == Choice::MostRestrictive && told.outcome.decision != Decision::Deny {
        return Ok(());
    }
    let room = MOST - (winner + 1);
    let other = in_dialect(Drawn { terms: drawn.terms, ..other.clone() });
    let mut with = drawn.clone();
    with.hooks.truncate(winner + 1);
    with.hooks.extend(other.hooks.iter().take(room).cloned());
    with.answers.truncate(winner + 1);
    with.answers.extend(other.answers.iter().take(room).cloned());
    let told_with = told_by_the_kernel(&with);
    let (before, after) = (drawn.hooks.len() - (winner + 1), with.hooks.len() - (winner + 1));
    let terms = &drawn.terms;
    let swapped = before > 0 && after > 0;
    seen.saw(
        "a suffix stands behind a winner, in sequential VoiceOS",
        swapped && is_voiceos(terms) && !is_concurrent(terms),
    );
    seen.saw("a suffix stands behind a winner, in concurrent VoiceOS", swapped && is_concurrent(terms));
    seen.saw("a suffix stands behind a winner, in Matrices", swapped && !is_voiceos(terms));
    let alone = super::firings::part(&with, winner + 1..with.hooks.len());
    let alone = told_by_the_kernel(&alone).outcome;
    seen.saw(
        "what stands behind the winner would have decided in its place",
        alone.decision != Decision::Defer && alone.decision != told.outcome.decision,
    );
    seen.saw("what stood behind the winner is gone", before > 0 && after == 0);
    seen.saw("what stands behind the winner is more than there was", after > before);
    let own = super::firings::part(drawn, winner..winner + 1);
    let calls = told.calls.iter().filter(|call| call.slot == winner).cloned();
    let of_winner = Told {
        calls: calls
            .map(|mut call| {
                call.slot = 0;
                call
            })
            .collect(),
        ..told.clone()
    };
    seen.saw("the winner answered exactly at its deadline", edges(&own, &of_winner)[1]);
    seen.saw("the most restrictive decision won", terms.choice == Choice::MostRestrictive);
    if is_concurrent(terms) {
        return same(&up_to(winner, told), &up_to(winner, told_with));
    }
    same(&told, &told_with)
}

#[test]
fn whatever_stands_behind_the_winner_can_be_replaced() {
    holds(&(firing(), firing()), SOMETIMES, |(drawn, other), seen| suffix(&drawn, &other, seen));
}

#[test]
fn and_so_it_can_at_every_place_around_a_deadline() {
    let suffixes = [
        vec![],
        vec![(hook("denies"), decides(0, Decision::Deny))],
        vec![(hook("answers"), decides(0, Decision::Handled))],
        vec![(hook("silent"), None), (hook("late"), decides(4, Decision::Deny))],
    ];
    for drawn in boundaries::all() {
        for chain in suffixes.clone() {
            let other = firing_of(drawn.terms, chain);
            if let Err(failure) = suffix(&drawn, &other, &mut Sometimes::expecting(SOMETIMES)) {
                panic!("{:?} behind {drawn:#?}\n{failure}", other.hooks);
            }
        }
    }
}

/// Behind the winner only: what stands in front of it may be the winner instead.
#[test]
fn what_stands_in_front_of_the_winner_cannot_be_replaced() {
    let chain = |first| vec![(hook("a"), decides(0, first)), (hook("b"), decides(0, Decision::Deny))];
    for terms in [voiceos_terms(), concurrent(voiceos_terms()), matrices_terms()] {
        let winner = |first| told_by_the_kernel(&firing_of(terms, chain(first))).outcome.winner;
        assert_eq!([Decision::Defer, Decision::Handled].map(winner), [Some(1), Some(0)]);
    }
}

/// What the statement does not say: VO-FOLD-14 is read as *first-in-order*, or the winner blocks.
#[test]
fn the_most_restrictive_decision_may_come_from_behind() {
    let mut terms = voiceos_terms();
    terms.choice = Choice::MostRestrictive;
    let decision = |behind| {
        let chain = vec![(hook("a"), decides(0, Decision::Handled)), (hook("b"), decides(0, behind))];
        told_by_the_kernel(&firing_of(terms, chain)).outcome.decision
    };
    assert_eq!([Decision::Defer, Decision::Deny].map(decision), [Decision::Handled, Decision::Deny]);
}

/// In sequential dispatch the calls stay, too: in concurrent dispatch all are called at once.
#[test]
fn concurrent_dispatch_calls_what_stands_behind_the_winner() {
    let calls = |terms| {
        let chain = vec![(hook("a"), decides(0, Decision::Deny)), (hook("b"), None)];
        told_by_the_kernel(&firing_of(terms, chain)).calls.len()
    };
    assert_eq!([voiceos_terms(), concurrent(voiceos_terms())].map(calls), [1, 2]);
}
