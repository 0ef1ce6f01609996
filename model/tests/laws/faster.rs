//! HK-LAW-FASTER.

use hookproof_model::kernel::{Clock, Decision, Failure, Millis, Reply};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestCaseResult;

use super::boundaries;
use super::firings::{
    Drawn, budget, concurrent, decides, defers, edges, firing_of, hook, is_concurrent, matrices_terms,
    told_by_the_kernel, voiceos_firing, voiceos_terms,
};
use super::harness::{Sometimes, holds};

const SOONER: &[&str] = &[
    "an answer behind it was in time and is",
    "an answer behind it was late and is in time",
    "a hook behind it was not asked and is",
    "it was late itself and is in time",
    "it stands behind another that was in time",
    "it answered exactly at the end of the budget",
    "it answers at once",
    "it answers one sooner",
];

/// (a): the answer in `slot` comes this much sooner, and no other that was in time is late.
fn sooner(slow: &Drawn, slot: usize, by: Millis, seen: &mut Sometimes) -> TestCaseResult {
    let mut fast = slow.clone();
    let Some(answer) = &mut fast.answers[slot] else { return Ok(()) };
    if !matches!(&answer.reply, Reply::Answered(answer) if answer.decision == Decision::Defer) {
        return Ok(());
    }
    answer.after = answer.after.since(by);
    let soon = answer.after;
    let (was, is) = (told_by_the_kernel(slow), told_by_the_kernel(&fast));
    let asked = |told: &hookproof_model::plain::Told, slot| told.calls.iter().any(|call| call.slot == slot);
    for visit in
        was.visits.iter().filter(|visit| visit.slot != slot && visit.failure != Some(Failure::Timeout))
    {
        let now = is.visits.iter().find(|now| now.slot == visit.slot);
        prop_assert!(
            now.is_some_and(
                |now| (now.failure, now.decision) == (visit.failure, visit.decision) && now.at <= visit.at
            ),
            "slot {}: {:?} became {:?}",
            visit.slot,
            visit,
            now
        );
        seen.saw("an answer behind it was in time and is", visit.slot > slot);
        seen.saw("it stands behind another that was in time", visit.slot < slot && asked(&is, slot));
    }
    let late = |told: &hookproof_model::plain::Told, slot: usize| {
        told.visits.iter().any(|visit| visit.slot == slot && visit.failure == Some(Failure::Timeout))
    };
    let in_time = |slot: usize| is.visits.iter().any(|visit| visit.slot == slot) && !late(&is, slot);
    let behind = || slot + 1..slow.hooks.len();
    seen.saw(
        "an answer behind it was late and is in time",
        behind().any(|other| late(&was, other) && in_time(other)),
    );
    seen.saw(
        "a hook behind it was not asked and is",
        behind().any(|other| !asked(&was, other) && asked(&is, other)),
    );
    seen.saw("it was late itself and is in time", late(&was, slot) && in_time(slot));
    let at = was.visits.iter().find(|visit| visit.slot == slot).map(|visit| visit.at);
    seen.saw(
        "it answered exactly at the end of the budget",
        at == Some(budget(&slow.terms)) && !late(&was, slot),
    );
    seen.saw("it answers at once", asked(&is, slot) && soon == Millis::ZERO);
    seen.saw("it answers one sooner", asked(&is, slot) && by == Millis(1));
    Ok(())
}

#[test]
fn a_deferring_answer_made_sooner_makes_no_other_answer_late() {
    let sequential = voiceos_firing().prop_filter("sequential, and nobody is asked again", |drawn| {
        !is_concurrent(&drawn.terms) && !drawn.terms.retries
    });
    let sequential = sequential.prop_filter("somebody answers later than at once", |drawn| {
        drawn.answers.iter().flatten().any(|answer| answer.after > Millis::ZERO)
    });
    let by = prop_oneof![Just(1), 1u64..=10, Just(500), Just(u64::MAX)].prop_map(Millis);
    holds(&(sequential, any::<Index>(), by), SOONER, |(drawn, which, by), seen| {
        let slow =
            |slot: &usize| drawn.answers[*slot].as_ref().is_some_and(|answer| answer.after > Millis::ZERO);
        let slow: Vec<_> = (0..drawn.hooks.len()).filter(slow).collect();
        sooner(&drawn, *which.get(&slow), by, seen)
    });
}

const ENDS: &[&str] = &[
    "it ends before its budget, in sequential dispatch",
    "it ends before its budget, in concurrent dispatch",
    "it ends exactly at its budget, in sequential dispatch",
    "it ends exactly at its budget, in concurrent dispatch",
    "it ends at its budget and had used that up",
    "an answer one behind its deadline",
    "an answer that never comes",
];

/// (b): no awaited firing ends after its budget, or asks anybody after it.
fn ends(drawn: &Drawn, seen: &mut Sometimes) -> TestCaseResult {
    let told = told_by_the_kernel(drawn);
    let (at, budget, together) = (told.outcome.at, budget(&drawn.terms), is_concurrent(&drawn.terms));
    prop_assert!(at <= budget, "it ends at {at}, and its budget was {budget}");
    prop_assert!(told.calls.iter().all(|call| call.at <= at), "somebody is asked behind the end");
    seen.saw("it ends before its budget, in sequential dispatch", at < budget && !together);
    seen.saw("it ends before its budget, in concurrent dispatch", at < budget && together);
    seen.saw("it ends exactly at its budget, in sequential dispatch", at == budget && !together);
    seen.saw("it ends exactly at its budget, in concurrent dispatch", at == budget && together);
    seen.saw("it ends at its budget and had used that up", told.outcome.exhausted);
    seen.saw("an answer one behind its deadline", edges(drawn, &told)[2]);
    seen.saw("an answer that never comes", told.calls.iter().any(|call| drawn.answers[call.slot].is_none()));
    Ok(())
}

#[test]
fn no_awaited_firing_ends_after_its_budget() {
    holds(&voiceos_firing(), ENDS, |drawn, seen| ends(&drawn, seen));
}

#[test]
fn both_hold_at_every_place_around_a_deadline() {
    for drawn in boundaries::of_voiceos() {
        let mut held = ends(&drawn, &mut Sometimes::expecting(ENDS));
        if !is_concurrent(&drawn.terms) {
            for (slot, by) in
                (0..drawn.hooks.len()).flat_map(|slot| (1..=4).map(move |by| (slot, Millis(by))))
            {
                held = held.and_then(|()| sooner(&drawn, slot, by, &mut Sometimes::expecting(SOONER)));
            }
        }
        if let Err(failure) = held {
            panic!("{drawn:#?}\n{failure}");
        }
    }
}

/// Who is late, of two hooks the first of which defers after this long.
fn late(drawn: impl Fn(u64) -> Drawn) -> [bool; 2] {
    [100, 101].map(|first| {
        let told = told_by_the_kernel(&drawn(first));
        told.visits.iter().any(|visit| visit.failure == Some(Failure::Timeout))
    })
}

/// A deferring answer, made sooner, in sequential VoiceOS: elsewhere nobody's time is another's, and
/// later is another matter.
#[test]
fn a_deferring_answer_made_later_makes_another_late_where_they_share_their_time_in_turn() {
    let chain = |first| vec![(hook("a"), defers(first)), (hook("b"), decides(400, Decision::Deny))];
    assert_eq!(late(|first| firing_of(voiceos_terms(), chain(first))), [false, true]);
    assert_eq!(late(|first| firing_of(concurrent(voiceos_terms()), chain(first))), [false, false]);
    assert_eq!(late(|first| firing_of(matrices_terms(), chain(first))), [false, false]);
}

/// In VoiceOS: where every hook has a deadline of its own, a chain of sixteen may take all sixteen.
#[test]
fn a_chain_without_a_budget_ends_when_its_last_hook_does() {
    let ends = |clock| {
        let mut drawn = firing_of(matrices_terms(), vec![(hook("a"), None), (hook("b"), None)]);
        drawn.terms.clock = clock;
        told_by_the_kernel(&drawn).outcome.at
    };
    assert_eq!(ends(Clock::PerHook), Millis(20_000));
    assert_eq!(ends(Clock::Shared(Millis(500))), Millis(500));
}
