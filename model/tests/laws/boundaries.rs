//! Firings around their deadlines, all of them: every place of two answers and of a resolution.

use hookproof_model::kernel::{Answer, Decision, FailurePolicy, Hook, Millis, Reply, Terms};
use hookproof_model::plain::PlainAnswer;
use hookproof_model::reading::shared::{Boundary, Exhaustion, NothingLeft, TimeoutFrom};

use super::firings::{Drawn, answers, concurrent, default_terms, firing_of, hook, matrices_terms};
use hookproof_model::kernel::Clock;

const BUDGET: u64 = 3;

/// When an answer arrives where `left` is left: at once, one before the end, at it, behind it, never.
fn moments(left: u64) -> Vec<Option<u64>> {
    let mut moments = vec![Some(0), Some(left.saturating_sub(1)), Some(left), Some(left + 1), None];
    moments.dedup();
    moments
}

/// What the second of two hooks does: it rewrites like the first, or it denies.
fn seconds() -> [Answer; 2] {
    [said("second"), Answer { decision: Decision::Deny, ..said("second") }]
}

fn said(text: &str) -> Answer {
    let context = Some(text.to_owned());
    Answer { rewrite: Some(text.into()), confirm: text == "first", context, ..Answer::default() }
}

/// VoiceOS: two hooks with 3 ms between them, by every reading of time.
pub(crate) fn of_voiceos() -> Vec<Drawn> {
    let mut drawn = vec![];
    for terms in readings_of_time() {
        for first in moments(BUDGET) {
            let sequential = terms.sight == hookproof_model::reading::shared::Sight::Composed;
            let left = if sequential { BUDGET.saturating_sub(first.unwrap_or(BUDGET)) } else { BUDGET };
            for second in moments(left) {
                for answer in seconds() {
                    let second = second.and_then(|after| answers(after, answer));
                    let first = first.and_then(|after| answers(after, said("first")));
                    drawn.push(firing_of(terms, vec![(hook("first"), first), (hook("second"), second)]));
                }
            }
        }
    }
    drawn
}

fn readings_of_time() -> Vec<Terms> {
    let mut readings = vec![];
    for boundary in [Boundary::InTime, Boundary::Late] {
        for nothing_left in [NothingLeft::NotAsked, NothingLeft::AskedWithZero] {
            for exhaustion in [Exhaustion::Keep, Exhaustion::Rollback] {
                let terms = default_terms(Clock::Shared(Millis(BUDGET)));
                let terms = Terms { boundary, nothing_left, exhaustion, ..terms };
                readings.extend([terms, concurrent(terms)]);
            }
        }
    }
    readings
}

/// Matrices: two hooks with 3 ms each, the first of which may park the work for 3 ms.
pub(crate) fn of_matrices() -> Vec<Drawn> {
    let mut drawn = vec![];
    for boundary in [Boundary::InTime, Boundary::Late] {
        for timeout_from in [TimeoutFrom::Parked, TimeoutFrom::Asked] {
            for policy in [FailurePolicy::FailOpen, FailurePolicy::FailClosed] {
                let terms = Terms { boundary, timeout_from, ..matrices_terms() };
                for first in first_of_matrices() {
                    for second in moments(BUDGET) {
                        for answer in seconds() {
                            let second = second.and_then(|after| answers(after, matrices(answer)));
                            let chain = vec![
                                (short("first", policy), first.clone()),
                                (short("second", policy), second),
                            ];
                            drawn.push(firing_of(terms, chain));
                        }
                    }
                }
            }
        }
    }
    drawn
}

fn first_of_matrices() -> Vec<Option<PlainAnswer>> {
    let mut firsts = vec![];
    for after in moments(BUDGET) {
        firsts.push(after.and_then(|after| answers(after, matrices(said("first")))));
        let Some(after) = after.map(Millis) else { continue };
        let reply = Reply::Pending;
        for resolved in moments(BUDGET) {
            let answer = Reply::Answered(Box::new(matrices(said("first"))));
            let later = resolved.map(|resolved| (Millis(resolved), answer));
            firsts.push(Some(PlainAnswer { after, reply: reply.clone(), later }));
        }
    }
    firsts
}

fn matrices(answer: Answer) -> Answer {
    Answer { confirm: false, context: None, ..answer }
}

fn short(name: &str, policy: FailurePolicy) -> Hook {
    Hook { policy, deadline: Millis(BUDGET), patience: Millis(BUDGET), ..hook(name) }
}

/// Those of both dialects.
pub(crate) fn all() -> Vec<Drawn> {
    of_voiceos().into_iter().chain(of_matrices()).collect()
}
