//! The rules of a firing, one method a rule: the specification's table of contents.
//!
//! Each method's default calls the rule's own short file. [`Spec`] overrides nothing; a mutant
//! overrides what one rule needs, mostly one method, and nothing else knows that mutants exist.

use serde_json::Value;

use super::{
    Admission, Clock, Decision, Failure, FailurePolicy, Guard, Millis, Ruling, Scene, Terms, budget, confirm,
    context, decision, dispatch, failure, guard, once, rewrite, sight,
};
use crate::reading::shared::{Boundary, Contexts, Dispatch, Exhaustion, RewriteMode, Sight};

/// The rules by which a firing runs.
pub trait Rules {
    /// HK-ORDER-1, VO-ORDER-2: whether the next hook may be asked while others are outstanding.
    fn may_ask(&self, dispatch: Dispatch, outstanding: usize) -> bool {
        dispatch::may_ask(dispatch, outstanding)
    }

    /// HK-ORDER-2: when a control step that is given for this moment takes effect in a firing.
    fn takes_effect(&self, at: Millis) -> Millis {
        at
    }

    /// MX-MATCH-2, 6, 8: whether a hook's conditions let it be asked.
    fn admits(&self, terms: &Terms, guard: &Guard, scene: Scene<'_>) -> Admission {
        guard::admits(terms, guard, scene)
    }

    /// HK-REWRITE-2, MX-MATCH-7: what a hook, or its conditions, see.
    fn sees<'v>(&self, sight: Sight, original: &'v Value, composed: &'v Value) -> &'v Value {
        sight::sees(sight, original, composed)
    }

    /// VO-DL-2: what is left of the firing's time.
    fn left(&self, clock: Clock, now: Millis) -> Millis {
        budget::left(clock, now)
    }

    /// VO-DL-3, VO-DL-9: whether a hook is asked with so much left.
    fn worth_asking(&self, terms: &Terms, left: Millis, ran_out: bool) -> bool {
        budget::worth_asking(terms, left, ran_out)
    }

    /// VO-DL-2, MX-DL-1, MX-WAIT-4: by when a hook asked, or parked, now must have answered.
    fn deadline(&self, clock: Clock, left: Millis, now: Millis, own: Millis) -> Millis {
        budget::deadline(clock, left, now, own)
    }

    /// VO-DL-3, VO-DL-4, VO-DL-6, MX-DL-3: whether an answer counts.
    fn in_time(&self, boundary: Boundary, at: Millis, until: Millis) -> bool {
        budget::in_time(boundary, at, until)
    }

    /// VO-DL-5: whether answers in time stand once the budget is exhausted.
    fn keeps(&self, exhaustion: Exhaustion) -> bool {
        budget::keeps(exhaustion)
    }

    /// HK-ONCE-1: whether a hook that failed is asked again.
    fn asks_again(&self, terms: &Terms, failure: Failure, already_again: bool) -> bool {
        once::asks_again(terms.retries, failure, already_again)
    }

    /// VO-FAIL-1, MX-FAIL-1, MX-FAIL-2: the decision that a failing hook comes to.
    fn on_failure(&self, policy: FailurePolicy, failure: Failure) -> Decision {
        failure::on_failure(policy, failure)
    }

    /// HK-DECIDE-1, VO-FOLD-14: how decisions combine.
    fn choose(&self, terms: &Terms, standing: Ruling, next: Ruling) -> Ruling {
        decision::choose(terms.choice, standing, next)
    }

    /// HK-DECIDE-3: what stands where every hook deferred.
    fn undecided(&self) -> Decision {
        Decision::Defer
    }

    /// HK-DECIDE-2: whether asking stops. It does where no later decision could change the ruling.
    fn settled(&self, terms: &Terms, standing: Ruling) -> bool {
        Decision::ALL
            .into_iter()
            .map(|decision| Ruling { decision, slot: usize::MAX })
            .all(|next| self.choose(terms, standing, next) == standing)
    }

    /// VO-FOLD-9, VO-FOLD-15, MX-FOLD-4, MX-FOLD-5: whether a rewrite enters the composed value.
    fn applies(&self, terms: &Terms, decision: Decision, rewritten: bool) -> bool {
        rewrite::applies(terms, decision, rewritten)
    }

    /// HK-REWRITE-1, HK-REWRITE-4: how a rewrite composes with the value before it.
    fn compose(&self, mode: RewriteMode, before: &Value, rewrite: Value) -> Value {
        rewrite::compose(mode, before, rewrite)
    }

    /// MX-FOLD-6, VO-FOLD-2: whether the rewrites of earlier hooks stand under this decision.
    fn stand(&self, _decision: Decision) -> bool {
        true
    }

    /// MX-AUD-7: whether a rewrite that entered the composed value counts as one.
    fn rewrote(&self, before: &Value, after: &Value) -> bool {
        rewrite::rewrote(before, after)
    }

    /// VO-CONF-1, VO-CONF-2: how confirmations combine.
    fn confirm(&self, standing: bool, asks: bool) -> bool {
        confirm::confirm(standing, asks)
    }

    /// VO-FOLD-10: how contexts combine.
    fn add_context(&self, mode: Contexts, contexts: &mut Vec<String>, next: &str) {
        context::add(mode, contexts, next);
    }
}

/// The specification: every rule as it stands in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spec;

impl Rules for Spec {}
