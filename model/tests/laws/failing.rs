//! HK-LAW-OPEN and HK-LAW-CLOSED: a hook that fails, inserted.

use hookproof_model::kernel::{
    Answer, Condition, Decision, Failure, FailurePolicy, Guard, Hook, Millis, Operator, Reply, Terms,
};
use hookproof_model::plain::{PlainAnswer, Told};
use hookproof_model::reading::shared::{Exhaustion, Incomparable};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseResult;
use serde_json::json;

use super::boundaries;
use super::firings::{
    Drawn, FAILURES, MOST, beside, budget, concurrent, decides, edges, fails, firing, firing_of, hook,
    is_concurrent, is_voiceos, kept, matrices_firing, matrices_terms, part, rewrites, same, timeless,
    told_by_the_kernel, voiceos_terms, with,
};
use super::harness::{Sometimes, holds};

/// How a hook fails.
#[derive(Debug, Clone, Copy, PartialEq)]
enum How {
    /// By itself, this long after it was asked.
    ByItself(Failure, u64),
    /// By an answer that comes this long behind its deadline.
    Late(u64),
    Never,
    /// By conditions that cannot be held against the value.
    Condition,
    /// By a wait that is resolved one behind its expiry, or never.
    Expired {
        ever: bool,
    },
    /// By a wait that ends in a failure.
    Waited(Failure),
}

/// A hook that fails, with so much time of its own.
#[derive(Debug, Clone, Copy)]
struct Failing {
    how: How,
    deadline: Millis,
}

fn failing() -> impl Strategy<Value = Failing> {
    let failure = || select(&FAILURES[..]);
    let how = prop_oneof![
        4 => (failure(), prop_oneof![Just(0u64), 1u64..=3, 1u64..=600]).prop_map(|(failure, after)| How::ByItself(failure, after)),
        2 => (1u64..=2).prop_map(How::Late),
        1 => Just(How::Never),
        1 => Just(How::Condition),
        2 => any::<bool>().prop_map(|ever| How::Expired { ever }),
        1 => failure().prop_map(How::Waited),
    ];
    (how, select(vec![1, 2, 10_000])).prop_map(|(how, deadline)| Failing { how, deadline: Millis(deadline) })
}

impl Failing {
    /// As this dialect lets it fail: in sequential VoiceOS at once, and with conditions and waits in
    /// Matrices alone.
    fn settle(self, terms: &Terms, policy: FailurePolicy) -> (Hook, Option<PlainAnswer>) {
        let deadline = self.deadline;
        let mut failing = Hook { policy, deadline, patience: deadline, ..hook("failing") };
        let until = if is_voiceos(terms) { budget(terms) } else { deadline };
        let how = match self.how {
            How::ByItself(failure, _) if is_voiceos(terms) && !is_concurrent(terms) => {
                How::ByItself(failure, 0)
            }
            _ if is_voiceos(terms) && !is_concurrent(terms) => How::ByItself(Failure::Unregistered, 0),
            How::Condition | How::Expired { .. } | How::Waited(_) if is_voiceos(terms) => How::Never,
            How::Condition if terms.incomparable != Incomparable::Failure => How::Late(1),
            how => how,
        };
        // What it would do if it were heard.
        let answer =
            Answer { decision: Decision::Deny, rewrite: Some(json!("unheard")), ..Answer::default() };
        let answer = Reply::Answered(Box::new(answer));
        let soon = |reply, later| Some(PlainAnswer { after: Millis::ZERO, reply, later });
        let does = match how {
            How::ByItself(failure, after) => {
                Some(PlainAnswer { after: Millis(after), reply: Reply::Failed(failure), later: None })
            }
            How::Late(by) => Some(PlainAnswer { after: until.plus(Millis(by)), reply: answer, later: None }),
            How::Never => None,
            How::Condition => {
                let (path, operator, value) = ("missing".to_owned(), Operator::Eq, json!(1));
                failing.guard = Guard { conditions: vec![Condition { path, operator, value }] };
                soon(answer, None)
            }
            How::Expired { ever } => {
                let behind = failing.patience.plus(Millis(1));
                soon(Reply::Pending, ever.then_some((behind, answer)))
            }
            How::Waited(failure) => soon(Reply::Pending, Some((Millis::ZERO, Reply::Failed(failure)))),
        };
        (failing, does)
    }
}

const SOMETIMES: &[&str] = &[
    "it fails by itself",
    "it fails by a timeout",
    "it fails by its conditions",
    "it fails by a wait that expires",
    "it fails by a wait that fails",
    "it fails in sequential VoiceOS",
    "it fails in concurrent VoiceOS",
    "it fails in Matrices",
    "it fails and another is asked behind it",
    "it fails and another decides behind it",
    "its turn does not come",
    "it is the sixteenth",
    "an answer one before its deadline",
    "an answer exactly at its deadline",
    "an answer one behind its deadline",
];

/// Those of a hook that stops the chain, in Matrices.
fn sometimes_in_matrices() -> Vec<&'static str> {
    SOMETIMES.iter().copied().filter(|what| !what.contains("VoiceOS") && !what.contains("another")).collect()
}

/// Notes how the hook at `place` failed.
fn count(with: &Drawn, told: &Told, place: usize, seen: &mut Sometimes) {
    let visit = told.visits.iter().find(|visit| visit.slot == place);
    let failure = visit.and_then(|visit| visit.failure);
    let waited = with.answers[place].as_ref().is_some_and(|answer| answer.reply == Reply::Pending);
    let by_itself = failure.is_some_and(|failure| FAILURES.contains(&failure));
    seen.saw("it fails by itself", by_itself && !waited);
    seen.saw("it fails by a wait that fails", by_itself && waited);
    seen.saw("it fails by a timeout", failure == Some(Failure::Timeout));
    seen.saw("it fails by its conditions", failure == Some(Failure::Condition));
    seen.saw("it fails by a wait that expires", failure == Some(Failure::Expired));
    seen.saw("it fails in Matrices", failure.is_some() && !is_voiceos(&with.terms));
    seen.saw("its turn does not come", failure.is_none());
    seen.saw("it is the sixteenth", failure.is_some() && with.hooks.len() == MOST);
    let [before, at, behind] = edges(with, told);
    seen.saw("an answer one before its deadline", before);
    seen.saw("an answer exactly at its deadline", at);
    seen.saw("an answer one behind its deadline", behind);
}

fn open(without: &Drawn, place: usize, failing: Failing, seen: &mut Sometimes) -> TestCaseResult {
    let mut without = without.clone();
    without.terms.exhaustion = Exhaustion::Keep;
    let terms = &without.terms;
    let (hook, does) = failing.settle(terms, FailurePolicy::FailOpen);
    let with = with(&without, place, hook, does);
    let (told, told_with) = (told_by_the_kernel(&without), told_by_the_kernel(&with));
    count(&with, &told_with, place, seen);
    let failed = told_with.visits.iter().any(|visit| visit.slot == place && visit.failure.is_some());
    seen.saw("it fails in sequential VoiceOS", failed && is_voiceos(terms) && !is_concurrent(terms));
    seen.saw("it fails in concurrent VoiceOS", failed && is_concurrent(terms));
    let behind = told_with.calls.iter().any(|call| call.slot > place);
    seen.saw("it fails and another is asked behind it", failed && behind);
    let decided = told_with.outcome.winner.is_some_and(|winner| winner > place);
    seen.saw("it fails and another decides behind it", failed && decided);
    prop_assert!(
        told_with.visits.iter().all(|visit| visit.slot != place || visit.failure.is_some()),
        "it was to fail: {told_with:#?}"
    );
    let (told, told_with) = (kept(told), kept(beside(told_with, place)));
    if is_voiceos(terms) && !is_concurrent(terms) {
        return same(&told, &told_with);
    }
    same(&timeless(told), &timeless(told_with))
}

#[test]
fn a_failing_fail_open_hook_changes_nothing_wherever_it_stands() {
    holds(&(firing(), any::<Index>(), failing()), SOMETIMES, |(drawn, place, failing), seen| {
        let drawn = part(&drawn, 0..drawn.hooks.len().min(MOST - 1));
        open(&drawn, place.index(drawn.hooks.len() + 1), failing, seen)
    });
}

fn closed(without: &Drawn, place: usize, failing: Failing, seen: &mut Sometimes) -> TestCaseResult {
    let (hook, does) = failing.settle(&without.terms, FailurePolicy::FailClosed);
    let fails = with(without, place, hook, does);
    let told = told_by_the_kernel(&fails);
    count(&fails, &told, place, seen);
    let visit = told.visits.iter().find(|visit| visit.slot == place);
    // The same moment, and a deadline behind it. A hook whose turn does not come denies at any.
    let moment = visit.map_or(Millis::ZERO, |visit| visit.at.since(visit.asked.unwrap_or(visit.at)));
    let hook = Hook {
        policy: FailurePolicy::FailOpen,
        deadline: moment.plus(Millis(1)),
        ..super::firings::hook("denies")
    };
    let denies = told_by_the_kernel(&with(without, place, hook, decides(moment.0, Decision::Deny)));
    prop_assert_eq!(&told.outcome, &denies.outcome);
    let of = |told: &Told| {
        told.visits.iter().find(|visit| visit.slot == place).map(|visit| (visit.decision, visit.at))
    };
    prop_assert_eq!(of(&told), of(&denies));
    same(&beside(told, place), &beside(denies, place))
}

#[test]
fn a_failing_fail_closed_hook_can_be_swapped_for_one_that_denies_at_the_same_moment() {
    let drawn = (matrices_firing(), any::<Index>(), failing());
    holds(&drawn, &sometimes_in_matrices(), |(drawn, place, failing), seen| {
        let drawn = part(&drawn, 0..drawn.hooks.len().min(MOST - 1));
        closed(&drawn, place.index(drawn.hooks.len() + 1), failing, seen)
    });
}

#[test]
fn both_hold_at_every_place_around_a_deadline() {
    let how = [
        How::ByItself(Failure::Disconnect, 0),
        How::ByItself(Failure::Disconnect, 1),
        How::ByItself(Failure::Disconnect, 2),
        How::ByItself(Failure::Disconnect, 3),
        How::Late(1),
        How::Never,
        How::Expired { ever: true },
        How::Expired { ever: false },
    ];
    for drawn in boundaries::all() {
        for (how, place) in how.iter().flat_map(|how| (0..=drawn.hooks.len()).map(move |place| (*how, place)))
        {
            let failing = Failing { how, deadline: Millis(2) };
            let mut held = open(&drawn, place, failing, &mut Sometimes::expecting(SOMETIMES));
            if held.is_ok() && !is_voiceos(&drawn.terms) {
                held = closed(&drawn, place, failing, &mut Sometimes::expecting(SOMETIMES));
            }
            if let Err(failure) = held {
                panic!("{how:?} at {place} of {drawn:#?}\n{failure}");
            }
        }
    }
}

fn decisions(one: &Drawn, other: &Drawn) -> [Decision; 2] {
    [one, other].map(|drawn| told_by_the_kernel(drawn).outcome.decision)
}

/// In sequential VoiceOS it fails at 0 ms: how long it took is the others' loss.
#[test]
fn a_hook_that_fails_after_a_millisecond_keeps_a_slow_one_behind_it_from_deciding() {
    let without = firing_of(voiceos_terms(), vec![(hook("a"), decides(500, Decision::Deny))]);
    let fails_after = |after| with(&without, 0, hook("fails"), fails(after));
    assert_eq!(decisions(&without, &fails_after(0)), [Decision::Deny; 2]);
    assert_eq!(decisions(&without, &fails_after(1)), [Decision::Deny, Decision::Defer]);
    let concurrent = |drawn: &Drawn| Drawn { terms: concurrent(drawn.terms), ..drawn.clone() };
    assert_eq!(decisions(&concurrent(&without), &concurrent(&fails_after(1))), [Decision::Deny; 2]);
}

/// VO-DL-5 is read as *keep*: else a hook that never answers takes back what the others gave.
#[test]
fn under_rollback_a_hook_that_never_answers_takes_everything_back() {
    let value = |exhaustion| {
        let terms = Terms { exhaustion, ..concurrent(voiceos_terms()) };
        let without = firing_of(terms, vec![(hook("a"), rewrites(0, "rewritten"))]);
        let with = with(&without, 1, hook("silent"), None);
        [without, with].map(|drawn| told_by_the_kernel(&drawn).outcome.value.is_some())
    };
    assert_eq!([Exhaustion::Keep, Exhaustion::Rollback].map(value), [[true, true], [true, false]]);
}

/// It fails open, and is swapped only if it fails closed.
#[test]
fn what_a_failure_comes_to_is_for_its_policy_to_say() {
    let without = firing_of(matrices_terms(), vec![(hook("a"), decides(0, Decision::Allow))]);
    let open = with(&without, 0, hook("fails"), fails(0));
    let closed = with(&without, 0, Hook { policy: FailurePolicy::FailClosed, ..hook("fails") }, fails(0));
    let denies = with(&without, 0, hook("denies"), decides(0, Decision::Deny));
    assert_eq!(decisions(&without, &closed), [Decision::Allow, Decision::Deny]);
    assert_eq!(decisions(&open, &denies), [Decision::Allow, Decision::Deny]);
    // At the same moment: else the work is stopped at another.
    let late = with(&without, 0, hook("denies"), decides(1, Decision::Deny));
    assert_ne!(told_by_the_kernel(&closed).outcome, told_by_the_kernel(&late).outcome);
}
