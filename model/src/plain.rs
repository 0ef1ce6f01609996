//! One firing said a second time: from the clauses alone, as one recursion over the chain.
//!
//! There are two formulations of a firing, and neither is the other's helper. The kernel's is a
//! state machine: it is handed time and answers as they come, stops at any moment, and runs inside
//! real hosts. This one is handed everything beforehand, goes through it hook by hook, and is to be
//! read beside the clauses by someone who does not know the kernel. If one stood alone, a slip in it
//! would pass for the specification; with two it is a difference, and `tests/formulations.rs` looks
//! for one in drawn firings. For that to mean anything, this file takes types from the kernel and
//! nothing that computes a rule.
//!
//! A wait is no more than a late answer here, of a hook with a deadline of its own; what calls work off
//! (MX-WAIT-10a) is left to those who fire. Whole scripts are said a second time in [`voiceos`] and
//! [`matrices`].

mod conditions;
mod hearing;
pub mod matrices;
pub mod voiceos;

use serde_json::{Map, Value};

use crate::kernel::{
    Answer, Clock, Decision, Failure, FailurePolicy, Hook, Millis, Outcome, Reply, Terms, Visit,
};
use crate::reading::Readings;
use crate::reading::shared::{
    Boundary, Choice, Contexts, Dispatch, Exhaustion, NothingLeft, RewriteMode, Rewriters, Sight, TimeoutFrom,
};
use crate::script::matrices::FaultSeen;
use crate::script::{Script, Steps, Transcript};

/// Carries out a script on a fresh host: one observation a step.
///
/// # Errors
/// The script's catalogue of defaults is faulty.
pub fn run(script: &Script, readings: &Readings) -> Result<Transcript, Vec<FaultSeen>> {
    Ok(match script {
        Script::Voiceos(script) => {
            Transcript::Voiceos(Steps { steps: voiceos::run(script, &readings.voiceos) })
        }
        Script::Matrices(script) => {
            Transcript::Matrices(Steps { steps: matrices::run(script, &readings.matrices)? })
        }
    })
}

/// All that a firing depends on (HK-ORDER-2).
#[derive(Debug, Clone, Copy)]
pub struct Given<'a> {
    /// What the readings come to.
    pub terms: &'a Terms,
    /// The selected hooks, in chain order.
    pub hooks: &'a [Hook],
    /// The members of the event that no hook changes, an object.
    pub event: &'a Value,
    /// The name of the member that hooks rewrite.
    pub member: &'a str,
    /// Its value when the event fires.
    pub value: &'a Value,
    /// What each hook does once it is asked; `None`, or no entry, never answers.
    pub answers: &'a [Option<PlainAnswer>],
    /// Whether each hook is listened to: the first as the firing begins, the others from their
    /// moments on. A hook without any is listened to all the while.
    pub hearings: &'a [Vec<Hearing>],
}

/// Whether a hook is listened to from a moment on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hearing {
    /// The moment. What happens at it comes before answers, and behind what is asked as the firing
    /// begins.
    pub from: Millis,
    /// Whether the user consents (VO-CONSENT-2).
    pub consent: bool,
    /// Whether an app that it names is in front (VO-SEL-7).
    pub in_front: bool,
    /// Whether there is anything to call (VO-LOAD-2a).
    pub offered: bool,
}

/// What a hook does once it is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct PlainAnswer {
    /// How long after being asked.
    pub after: Millis,
    /// What.
    pub reply: Reply,
    /// For a hook that parks the work: how long after the parking it is resolved, and with what (an
    /// answer or a failure). `None` never is.
    pub later: Option<(Millis, Reply)>,
}

/// What is to be told of a firing.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// What it came to.
    pub outcome: Outcome,
    /// The hooks whose turn came, in chain order.
    pub visits: Vec<Visit>,
    /// The hooks that were asked, in chain order.
    pub calls: Vec<Call>,
}

/// A hook that was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Its place in the chain.
    pub slot: usize,
    /// When it was asked.
    pub at: Millis,
    /// The value that it was handed.
    pub sees: Value,
}

/// Fires the event.
#[must_use]
pub fn fire(given: &Given<'_>) -> Told {
    let untouched = Told { outcome: nothing_given(Millis::ZERO, false), visits: vec![], calls: vec![] };
    let told = chain(given, 0, Told { calls: asked_at_once(given, &untouched), ..untouched });
    // VO-DL-5, rollback: everything that the firing gave is given up.
    if given.terms.exhaustion == Exhaustion::Rollback && told.outcome.exhausted {
        return Told { outcome: nothing_given(told.outcome.at, true), ..told };
    }
    told
}

/// HK-DECIDE-3, HK-LAW-IDENTITY: where nobody gave anything, the work goes on untouched.
fn nothing_given(at: Millis, exhausted: bool) -> Outcome {
    Outcome {
        decision: Decision::Defer,
        winner: None,
        value: None,
        confirm: false,
        contexts: vec![],
        response_text: None,
        view: None,
        at,
        exhausted,
        cancelled: false,
    }
}

/// The chain from `slot` on, behind hooks that came to `told` (HK-ORDER-1).
fn chain(given: &Given<'_>, slot: usize, mut told: Told) -> Told {
    let Some(hook) = given.hooks.get(slot) else { return told };
    if settled(given.terms.choice, told.outcome.decision) {
        return told;
    }
    // VO-ORDER-2.
    let asked = match given.terms.dispatch {
        Dispatch::Sequential => told.outcome.at,
        Dispatch::Concurrent => Millis::ZERO,
    };
    let begins = given.terms.dispatch == Dispatch::Concurrent || told.calls.is_empty();
    let admitted = if hearing::may_be_asked(given, slot, asked, begins) {
        conditions::admitted(given, hook, seen(given, given.terms.guard_sight, &told))
    } else {
        Some(false)
    };
    let told = match admitted {
        // HK-LAW-UNMATCHED, MX-AUD-3: it leaves no trace.
        Some(false) => told,
        // MX-MATCH-6, failure.
        None => fold(given, slot, hook, None, (asked, Err(Failure::Condition)), told),
        // VO-DL-3, VO-DL-9: nobody is asked any more, and there was somebody to ask.
        Some(true) if no_time_left(given.terms, asked, &told) => {
            told.outcome.exhausted = true;
            return told;
        }
        // VO-LOAD-2a: it is not called, and that takes no time.
        Some(true) if !hearing::is_offered(given, slot, asked, begins) => {
            fold(given, slot, hook, None, (asked, Err(Failure::Unregistered)), told)
        }
        Some(true) => {
            let call = |at| Call { slot, at, sees: seen(given, given.terms.sight, &told).clone() };
            let ends = |called| {
                hearing::heard(given, slot, asked, begins, answered(given, slot, hook, asked, called))
            };
            let (mut end, mut calls) = (ends(asked), vec![call(asked)]);
            // HK-ONCE-1, retries: asked once more, if there is time left.
            if let (at, Err(failure)) = end
                && given.terms.retries
                && call_failed(given, slot, failure)
                && !no_time_left(given.terms, at, &told)
            {
                calls.push(call(at));
                end = ends(at);
            }
            if given.terms.dispatch == Dispatch::Sequential {
                told.calls.extend(calls);
            }
            fold(given, slot, hook, Some(asked), end, told)
        }
    };
    chain(given, slot + 1, told)
}

/// HK-DECIDE-1, HK-DECIDE-2, VO-FOLD-14: whether nobody behind can change the decision.
fn settled(choice: Choice, decision: Decision) -> bool {
    match choice {
        Choice::FirstInOrder => decision != Decision::Defer,
        Choice::MostRestrictive => decision == Decision::Deny,
    }
}

/// VO-ORDER-2: whom concurrent dispatch asks, all at once and before any of them has answered.
fn asked_at_once(given: &Given<'_>, untouched: &Told) -> Vec<Call> {
    let is_asked = |slot: usize, hook: &Hook| {
        given.terms.dispatch == Dispatch::Concurrent
            && hearing::may_be_asked(given, slot, Millis::ZERO, true)
            && hearing::is_offered(given, slot, Millis::ZERO, true)
            && conditions::admitted(given, hook, given.value) == Some(true)
            && !no_time_left(given.terms, Millis::ZERO, untouched)
    };
    let asked = given.hooks.iter().enumerate().filter(|(slot, hook)| is_asked(*slot, hook));
    asked.map(|(slot, _)| Call { slot, at: Millis::ZERO, sees: given.value.clone() }).collect()
}

/// HK-REWRITE-2, MX-MATCH-7: the value as seen behind hooks that came to `told`. Concurrent dispatch
/// asks before there is any other than the original (VO-ORDER-2).
fn seen<'a>(given: &Given<'a>, sight: Sight, told: &'a Told) -> &'a Value {
    match (sight, given.terms.dispatch) {
        (Sight::Composed, Dispatch::Sequential) => told.outcome.value.as_ref().unwrap_or(given.value),
        (Sight::Composed, Dispatch::Concurrent) | (Sight::Original, _) => given.value,
    }
}

/// VO-DL-9: whether a hook is not asked for want of time. With none left only an answer exactly at
/// the budget lets the next be asked, if it is so read; behind one that has not answered by then
/// nobody is called (VO-DL-3).
fn no_time_left(terms: &Terms, asked: Millis, told: &Told) -> bool {
    let used_up = matches!(terms.clock, Clock::Shared(budget) if asked >= budget);
    let cut_off = terms.dispatch == Dispatch::Sequential && told.outcome.exhausted;
    used_up && (terms.nothing_left == NothingLeft::NotAsked || cut_off)
}

/// How a hook's turn ended, and when.
type End = (Millis, Result<Answer, Failure>);

/// HK-ONCE-1: whether it was the call that failed, and not the time, the consent, the registration or a
/// wait.
fn call_failed(given: &Given<'_>, slot: usize, failure: Failure) -> bool {
    let answer = given.answers.get(slot).and_then(Option::as_ref);
    let by_itself = answer.is_some_and(|answer| answer.reply == Reply::Failed(failure));
    by_itself && !matches!(failure, Failure::Timeout | Failure::Unregistered)
}

/// How the turn of a hook ends that was asked at `asked`, and is called at `called` (VO-DL-2, VO-DL-6,
/// MX-DL-1).
fn answered(given: &Given<'_>, slot: usize, hook: &Hook, asked: Millis, called: Millis) -> End {
    let terms = given.terms;
    let deadline = match terms.clock {
        Clock::Shared(budget) => budget,
        Clock::PerHook => called.plus(hook.deadline),
    };
    let Some(Some(answer)) = given.answers.get(slot) else { return (deadline, Err(Failure::Timeout)) };
    let at = called.plus(answer.after);
    if !in_time(terms.boundary, at, deadline) {
        return (deadline, Err(Failure::Timeout));
    }
    match &answer.reply {
        Reply::Answered(answer) => (at, Ok(Answer::clone(answer))),
        Reply::Failed(failure) => (at, Err(*failure)),
        Reply::Pending => resolved(terms, hook, asked, at, answer),
    }
}

/// How the turn of a hook ends that parked the work at `parked` (MX-WAIT-3a, MX-WAIT-4, MX-WAIT-12).
fn resolved(terms: &Terms, hook: &Hook, asked: Millis, parked: Millis, answer: &PlainAnswer) -> End {
    let expiry = match terms.timeout_from {
        TimeoutFrom::Parked => parked.plus(hook.patience),
        TimeoutFrom::Asked => asked.plus(hook.patience),
    };
    // There is no wait before the parking, so none ends before it.
    let expired = (expiry.max(parked), Err(Failure::Expired));
    let Some((after, reply)) = &answer.later else { return expired };
    let at = parked.plus(*after);
    match reply {
        Reply::Answered(answer) if in_time(terms.boundary, at, expiry) => (at, Ok(Answer::clone(answer))),
        Reply::Failed(failure) if in_time(terms.boundary, at, expiry) => (at, Err(*failure)),
        Reply::Answered(_) | Reply::Failed(_) | Reply::Pending => expired,
    }
}

/// VO-DL-4, MX-DL-3.
fn in_time(boundary: Boundary, at: Millis, deadline: Millis) -> bool {
    match boundary {
        Boundary::InTime => at <= deadline,
        Boundary::Late => at < deadline,
    }
}

/// What the firing has come to once the turn of the hook in `slot` has ended, too.
fn fold(given: &Given<'_>, slot: usize, hook: &Hook, asked: Option<Millis>, end: End, told: Told) -> Told {
    let (at, end) = end;
    let Told { mut outcome, mut visits, calls } = told;
    let terms = given.terms;
    let failure = end.as_ref().err().copied();
    let answer = end.unwrap_or_else(|_| failing(hook.policy));
    let Answer { decision, rewrite, confirm, context, response_text, view, reason } = answer;
    // VO-ORDER-2: folded in chain order, a fast answer waits for those before it.
    outcome.at = outcome.at.max(at);
    // VO-DL-5: the budget ended the wait for this hook.
    outcome.exhausted |= failure == Some(Failure::Timeout) && matches!(terms.clock, Clock::Shared(_));
    // VO-CONF-2: nothing takes a confirmation back.
    outcome.confirm |= confirm;
    // VO-FOLD-10.
    if terms.contexts == Contexts::Last && context.is_some() {
        outcome.contexts.clear();
    }
    outcome.contexts.extend(context);
    // HK-REWRITE-1, VO-FOLD-15, MX-AUD-7: composed in order, or nothing behind the first.
    let too_late = terms.rewriters == Rewriters::FirstRewriter && outcome.value.is_some();
    let rewrite = rewrite.filter(|_| rewrite_counts(terms, decision) && !too_late);
    let rewrote = rewrite.is_some();
    if let Some(rewrite) = rewrite {
        let old = outcome.value.unwrap_or_else(|| given.value.clone());
        outcome.value = Some(composed(terms.rewrite_mode, old, rewrite));
    }
    // HK-DECIDE-1, VO-FOLD-14: behind a settled decision nobody is folded, so whoever is more
    // restrictive than all before wins. What the user is shown is the winner's (VO-FOLD-11).
    if decision > outcome.decision {
        outcome = Outcome { decision, winner: Some(slot), response_text, view, ..outcome };
    }
    visits.push(Visit { slot, asked, at, decision, failure, rewrote, reason });
    Told { outcome, visits, calls }
}

/// MX-FAIL-1, MX-FAIL-2, VO-FAIL-1: to fail is to decide by policy, and to say no more.
fn failing(policy: FailurePolicy) -> Answer {
    let decision = match policy {
        FailurePolicy::FailClosed => Decision::Deny,
        FailurePolicy::FailOpen => Decision::Defer,
    };
    Answer { decision, ..Answer::default() }
}

/// MX-FOLD-3, MX-FOLD-4, MX-FOLD-5, VO-FOLD-9: whether a rewrite beside this decision counts.
fn rewrite_counts(terms: &Terms, decision: Decision) -> bool {
    match decision {
        Decision::Defer => true,
        Decision::Allow => terms.allow_rewrites,
        Decision::Handled | Decision::Deny => terms.ending_rewrites,
    }
}

/// HK-REWRITE-4: what becomes of the old value.
fn composed(mode: RewriteMode, old: Value, rewrite: Value) -> Value {
    match (mode, old, rewrite) {
        (RewriteMode::Merge, Value::Object(mut old), Value::Object(rewrite)) => {
            old.extend(rewrite);
            Value::Object(old)
        }
        (RewriteMode::MergePatch, old, Value::Object(patch)) => patched(old, patch),
        (RewriteMode::Replace | RewriteMode::Merge | RewriteMode::MergePatch, _, rewrite) => rewrite,
    }
}

/// RFC 7396, section 2: MergePatch of an object.
fn patched(target: Value, patch: Map<String, Value>) -> Value {
    let mut members = if let Value::Object(members) = target { members } else { Map::default() };
    for (name, change) in patch {
        let old = members.remove(&name).unwrap_or_default();
        match change {
            Value::Null => continue,
            Value::Object(change) => members.insert(name, patched(old, change)),
            change => members.insert(name, change),
        };
    }
    Value::Object(members)
}
