//! Drawn firings as the dialects make them, and what two of them have in common.

use hookproof_model::kernel::{
    Answer, Clock, Decision, Failure, FailurePolicy, Guard, Hook, Millis, Reply, Terms,
};
use hookproof_model::plain::{PlainAnswer, Told};
use hookproof_model::reading::shared::{Choice, Dispatch, Rewriters, Sight, TimeoutFrom};
use pretty_assertions::StrComparison;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use serde_json::json;

pub(crate) use crate::common::firings::{Drawn, FAILURES, default_terms};
pub(crate) use crate::common::telling::told_by_the_kernel;
use crate::common::{firings, telling};

const DAY: Millis = Millis(86_400_000);

/// MX-VAL-1.
pub(crate) const MOST: usize = 16;

/// A firing of VoiceOS where a budget is shared, else of Matrices.
pub(crate) fn firing() -> impl Strategy<Value = Drawn> {
    firings::firing().prop_map(in_dialect)
}

pub(crate) fn sequential_firing() -> impl Strategy<Value = Drawn> {
    firing().prop_filter("sequential", |drawn| drawn.terms.dispatch == Dispatch::Sequential)
}

pub(crate) fn voiceos_firing() -> impl Strategy<Value = Drawn> {
    firing().prop_filter("VoiceOS", |drawn| is_voiceos(&drawn.terms))
}

pub(crate) fn matrices_firing() -> impl Strategy<Value = Drawn> {
    firing().prop_filter("Matrices", |drawn| !is_voiceos(&drawn.terms))
}

pub(crate) fn is_voiceos(terms: &Terms) -> bool {
    matches!(terms.clock, Clock::Shared(_))
}

pub(crate) fn is_concurrent(terms: &Terms) -> bool {
    terms.dispatch == Dispatch::Concurrent
}

/// The budget that the hooks share; of no end where they do not.
pub(crate) fn budget(terms: &Terms) -> Millis {
    match terms.clock {
        Clock::Shared(budget) => budget,
        Clock::PerHook => Millis::MAX,
    }
}

/// What is drawn, less what the dialect has not.
pub(crate) fn in_dialect(drawn: Drawn) -> Drawn {
    if is_voiceos(&drawn.terms) { in_voiceos(drawn) } else { in_matrices(drawn) }
}

/// No conditions, no allow, no waits; every hook fails open, and there is a budget.
fn in_voiceos(mut drawn: Drawn) -> Drawn {
    drawn.terms.clock = Clock::Shared(budget(&drawn.terms).max(Millis(1)));
    for hook in &mut drawn.hooks {
        hook.guard = Guard::default();
        hook.policy = FailurePolicy::FailOpen;
    }
    for answer in drawn.answers.iter_mut().flatten() {
        if let Some((_, later)) = answer.later.take() {
            answer.reply = later;
        } else if answer.reply == Reply::Pending {
            answer.reply = Reply::Failed(Failure::Disconnect);
        }
        if let Reply::Answered(answer) = &mut answer.reply
            && answer.decision == Decision::Allow
        {
            answer.decision = Decision::Handled;
        }
    }
    drawn
}

/// One after the other, by the first decision in order; every hook has a deadline of its own.
fn in_matrices(mut drawn: Drawn) -> Drawn {
    drawn.terms = Terms {
        dispatch: Dispatch::Sequential,
        choice: Choice::FirstInOrder,
        rewriters: Rewriters::Compose,
        sight: Sight::Composed,
        ending_rewrites: false,
        ..drawn.terms
    };
    for hook in &mut drawn.hooks {
        hook.deadline = hook.deadline.clamp(Millis(1), DAY);
        hook.patience = hook.patience.clamp(Millis(1), DAY);
    }
    for answer in drawn.answers.iter_mut().flatten() {
        let later = answer.later.as_mut().map(|(_, later)| later);
        for reply in later.into_iter().chain([&mut answer.reply]) {
            if let Reply::Answered(answer) = reply {
                let decision = match answer.decision {
                    Decision::Handled => Decision::Allow,
                    decision => decision,
                };
                let (rewrite, reason) = (answer.rewrite.take(), answer.reason.take());
                **answer = Answer { decision, rewrite, reason, ..Answer::default() };
            }
        }
    }
    drawn
}

/// A hook that fails open, has no conditions and, where no budget is shared, 10 s.
pub(crate) fn hook(name: &str) -> Hook {
    let (deadline, patience) = (Millis(10_000), Millis(10_000));
    Hook { name: name.into(), guard: Guard::default(), policy: FailurePolicy::FailOpen, deadline, patience }
}

pub(crate) fn answers(after: u64, answer: Answer) -> Option<PlainAnswer> {
    Some(PlainAnswer { after: Millis(after), reply: Reply::Answered(Box::new(answer)), later: None })
}

pub(crate) fn defers(after: u64) -> Option<PlainAnswer> {
    answers(after, Answer::default())
}

pub(crate) fn decides(after: u64, decision: Decision) -> Option<PlainAnswer> {
    answers(after, Answer { decision, ..Answer::default() })
}

pub(crate) fn rewrites(after: u64, text: &str) -> Option<PlainAnswer> {
    answers(after, Answer { rewrite: Some(text.into()), ..Answer::default() })
}

pub(crate) fn fails(after: u64) -> Option<PlainAnswer> {
    let reply = Reply::Failed(Failure::Disconnect);
    Some(PlainAnswer { after: Millis(after), reply, later: None })
}

/// A firing of these hooks on the text `said`.
pub(crate) fn firing_of(terms: Terms, chain: Vec<(Hook, Option<PlainAnswer>)>) -> Drawn {
    let (hooks, answers) = chain.into_iter().unzip();
    let (event, value) = (json!({}), json!("said"));
    Drawn { terms, hooks, event, member: "text", value, answers, later_slots_first: false }
}

/// VoiceOS's default readings, with 500 ms.
pub(crate) fn voiceos_terms() -> Terms {
    default_terms(Clock::Shared(Millis(500)))
}

pub(crate) fn concurrent(terms: Terms) -> Terms {
    Terms { dispatch: Dispatch::Concurrent, sight: Sight::Original, ..terms }
}

/// Matrices' default readings.
pub(crate) fn matrices_terms() -> Terms {
    default_terms(Clock::PerHook)
}

/// With a hook more, at `place`.
pub(crate) fn with(drawn: &Drawn, place: usize, hook: Hook, answer: Option<PlainAnswer>) -> Drawn {
    let mut drawn = drawn.clone();
    drawn.hooks.insert(place, hook);
    drawn.answers.insert(place, answer);
    drawn
}

/// The part of the chain in `range`, in a firing of its own.
pub(crate) fn part(drawn: &Drawn, range: std::ops::Range<usize>) -> Drawn {
    let (hooks, answers) = (drawn.hooks[range.clone()].to_vec(), drawn.answers[range].to_vec());
    Drawn { hooks, answers, ..drawn.clone() }
}

/// What is told of the hooks that `place` has a place for, each in that.
pub(crate) fn replaced(told: Told, place: impl Fn(usize) -> Option<usize>) -> Told {
    let Told { mut outcome, visits, calls } = told;
    // A decision of a hook that has no place is nobody's.
    outcome.winner = outcome.winner.map(|winner| place(winner).unwrap_or(usize::MAX));
    let visits = visits.into_iter().filter_map(|mut visit| {
        visit.slot = place(visit.slot)?;
        Some(visit)
    });
    let calls = calls.into_iter().filter_map(|mut call| {
        call.slot = place(call.slot)?;
        Some(call)
    });
    Told { outcome, visits: visits.collect(), calls: calls.collect() }
}

/// What is told of the hooks beside the one at `place`, as if that were not there.
pub(crate) fn beside(told: Told, place: usize) -> Told {
    replaced(told, |slot| match slot.cmp(&place) {
        std::cmp::Ordering::Less => Some(slot),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(slot - 1),
    })
}

/// Less the moments at which things happened.
pub(crate) fn timeless(mut told: Told) -> Told {
    told.outcome.at = Millis::ZERO;
    told.calls.iter_mut().for_each(|call| call.at = Millis::ZERO);
    for visit in &mut told.visits {
        (visit.asked, visit.at) = (visit.asked.map(|_| Millis::ZERO), Millis::ZERO);
    }
    told
}

/// Less whether the budget was exhausted, which nobody observes where the answers in time stand.
pub(crate) fn kept(mut told: Told) -> Told {
    told.outcome.exhausted = false;
    told
}

pub(crate) fn same(one: &Told, other: &Told) -> TestCaseResult {
    let difference = || StrComparison::new(&telling::lines(one), &telling::lines(other)).to_string();
    prop_assert!(one == other, "{}", difference());
    Ok(())
}

/// Whether an answer or a resolution arrived one before its deadline, exactly at it, one behind it.
pub(crate) fn edges(drawn: &Drawn, told: &Told) -> [bool; 3] {
    let mut edges = [false; 3];
    let mut note = |at: Millis, until: Millis| {
        let edge = (0..3).find(|edge| at.0.checked_add(1) == until.0.checked_add(*edge));
        if let Some(edge) = edge {
            edges[edge as usize] = true;
        }
    };
    for call in &told.calls {
        let (hook, Some(answer)) = (&drawn.hooks[call.slot], &drawn.answers[call.slot]) else { continue };
        let at = call.at.plus(answer.after);
        note(at, if is_voiceos(&drawn.terms) { budget(&drawn.terms) } else { call.at.plus(hook.deadline) });
        if let Some((after, _)) = answer.later {
            let from = if drawn.terms.timeout_from == TimeoutFrom::Parked { at } else { call.at };
            note(at.plus(after), from.plus(hook.patience));
        }
    }
    edges
}
