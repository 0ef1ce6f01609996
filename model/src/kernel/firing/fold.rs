//! Folding: what the answers of a chain come to, hook by hook in chain order.

use super::{Firing, Slot};
use crate::kernel::{Answer, Decision, Failure, FailurePolicy, Millis, Outcome, Rules, Ruling, Visit};

impl Firing {
    /// Folds settled slots in chain order; whether the firing is over with that.
    pub(super) fn fold_settled<R: Rules + ?Sized>(&mut self, rules: &R) -> bool {
        while self.folded < self.next {
            let slot = self.folded;
            let Some(state) = self.slots.get_mut(slot) else { break };
            match std::mem::replace(state, Slot::PassedOver) {
                Slot::PassedOver => {}
                Slot::NoTimeLeft => self.exhausted = true,
                Slot::Answered { asked, at, answer } => self.fold_answer(rules, slot, asked, at, *answer),
                Slot::Failed { asked, at, failure } => self.fold_failure(rules, slot, asked, at, failure),
                outstanding => {
                    *state = outstanding;
                    return false;
                }
            }
            self.folded += 1;
            if rules.settled(&self.terms, self.ruling) {
                return true;
            }
        }
        self.folded >= self.slots.len()
    }

    fn fold_answer<R: Rules + ?Sized>(
        &mut self,
        rules: &R,
        slot: usize,
        asked: Millis,
        at: Millis,
        answer: Answer,
    ) {
        let decision = answer.decision;
        let applies = rules.applies(&self.terms, decision, self.composed.is_some());
        let rewrite = answer.rewrite.filter(|_| applies);
        if !rules.stand(decision) {
            self.composed = None;
        }
        let after = rewrite.map(|rewrite| rules.compose(self.terms.rewrite_mode, self.value(), rewrite));
        let rewrote = after.as_ref().is_some_and(|after| rules.rewrote(self.value(), after));
        self.composed = after.or_else(|| self.composed.take());
        self.confirm = rules.confirm(self.confirm, answer.confirm);
        if let Some(context) = &answer.context {
            rules.add_context(self.terms.contexts, &mut self.contexts, context);
        }
        if self.rule(rules, Ruling { decision, slot }) {
            self.response_text = answer.response_text;
            self.view = answer.view;
        }
        let reason = answer.reason;
        self.visits.push(Visit { slot, asked: Some(asked), at, decision, failure: None, rewrote, reason });
    }

    fn fold_failure<R: Rules + ?Sized>(
        &mut self,
        rules: &R,
        slot: usize,
        asked: Option<Millis>,
        at: Millis,
        failure: Failure,
    ) {
        let policy = self.hooks.get(slot).map_or(FailurePolicy::FailClosed, |hook| hook.policy);
        let decision = rules.on_failure(policy, failure);
        if self.rule(rules, Ruling { decision, slot }) {
            self.response_text = None;
            self.view = None;
        }
        let failure = Some(failure);
        self.visits.push(Visit { slot, asked, at, decision, failure, rewrote: false, reason: None });
    }

    /// Takes a decision into the ruling; whether it is the one that stands now.
    fn rule<R: Rules + ?Sized>(&mut self, rules: &R, next: Ruling) -> bool {
        let chosen = rules.choose(&self.terms, self.ruling, next);
        let won = chosen != self.ruling;
        self.ruling = chosen;
        won
    }

    pub(super) fn finish<R: Rules + ?Sized>(&mut self, rules: &R, cancelled: bool) {
        let keeps = !self.exhausted || rules.keeps(self.terms.exhaustion);
        let ruled = Some(self.ruling).filter(|ruling| keeps && ruling.decision != Decision::Defer);
        self.outcome = Some(Outcome {
            decision: ruled.map_or_else(|| rules.undecided(), |ruling| ruling.decision),
            winner: ruled.map(|ruling| ruling.slot),
            value: self.composed.take().filter(|_| keeps),
            confirm: self.confirm && keeps,
            contexts: if keeps { std::mem::take(&mut self.contexts) } else { Vec::new() },
            response_text: self.response_text.take().filter(|_| keeps),
            view: self.view.take().filter(|_| keeps),
            at: self.now,
            exhausted: self.exhausted,
            cancelled,
        });
    }
}
