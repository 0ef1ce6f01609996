//! What drawn firings are to reach, and how often they did.

use std::collections::BTreeMap;

use hookproof_model::kernel::{Clock, Decision, Failure, Millis, Reply, Terms, Visit};
use hookproof_model::plain::{Call, Told};
use hookproof_model::reading::shared::{Dispatch, Sight, TimeoutFrom};

use super::firings::{Drawn, FAILURES, alternatives, with};
use super::telling::told_plainly;

/// How often each thing that is to be reached was.
pub(crate) struct Reached(pub(crate) BTreeMap<String, usize>);

impl Reached {
    pub(crate) fn expecting() -> Self {
        let mut expected: Vec<String> = [
            "an answer one before its deadline",
            "an answer exactly at its deadline",
            "an answer one after its deadline",
            "a resolution one before its expiry",
            "a resolution exactly at its expiry",
            "a resolution one after its expiry",
            "a wait resolved",
            "a wait expired",
            "a budget that ends a wait",
            "a budget that leaves none for a hook",
            "a budget exhausted behind a decision",
            "a chain of 16, visited to its end",
            "a hook passed over by its conditions",
            "a late answer that arrives while others are awaited",
            "an effect of the clock",
        ]
        .map(String::from)
        .to_vec();
        let failures = FAILURES.iter().chain(&[Failure::Timeout, Failure::Expired, Failure::Condition]);
        expected.extend(failures.map(|failure| format!("{failure:?} as a failure")));
        let decisions = [Decision::Defer, Decision::Allow, Decision::Handled, Decision::Deny];
        expected.extend(decisions.map(|decision| format!("{decision:?} as the outcome")));
        for (reading, choices) in alternatives() {
            // Consent is not withdrawn in these firings.
            let choices = choices.into_iter().filter(|_| reading != "consent_check");
            expected.extend(choices.map(|choice| format!("an effect of {reading} as {choice}")));
        }
        Self(expected.into_iter().map(|what| (what, 0)).collect())
    }

    fn saw(&mut self, what: &str) {
        *self.0.get_mut(what).unwrap_or_else(|| panic!("`{what}` is not on the list")) += 1;
    }

    pub(crate) fn count(&mut self, drawn: &Drawn, told: &Told) {
        self.saw(&format!("{:?} as the outcome", told.outcome.decision));
        for visit in &told.visits {
            if let Some(failure) = visit.failure {
                self.saw(&format!("{failure:?} as a failure"));
            }
            self.count_wait(drawn, visit);
        }
        for call in &told.calls {
            self.count_deadline(drawn, told, call);
        }
        if told.outcome.exhausted {
            let cut_off = told.visits.iter().any(|visit| visit.failure == Some(Failure::Timeout));
            self.saw(if cut_off {
                "a budget that ends a wait"
            } else {
                "a budget that leaves none for a hook"
            });
        }
        if told.outcome.exhausted && told.outcome.decision != Decision::Defer {
            self.saw("a budget exhausted behind a decision");
        }
        let last = told.visits.last().map(|visit| visit.slot);
        if drawn.hooks.len() == 16 && told.visits.len() == 16 {
            self.saw("a chain of 16, visited to its end");
        }
        if last.is_some_and(|last| told.visits.len() <= last) {
            self.saw("a hook passed over by its conditions");
        }
        self.count_effects(drawn, told);
    }

    /// How close to its deadline a hook answered.
    fn count_deadline(&mut self, drawn: &Drawn, told: &Told, call: &Call) {
        let deadline = match drawn.terms.clock {
            Clock::Shared(budget) => budget,
            Clock::PerHook => call.at.plus(drawn.hooks[call.slot].deadline),
        };
        let Some(answer) = &drawn.answers[call.slot] else { return };
        let at = call.at.plus(answer.after);
        match i128::from(at.0) - i128::from(deadline.0) {
            -1 => self.saw("an answer one before its deadline"),
            0 => self.saw("an answer exactly at its deadline"),
            1 => self.saw("an answer one after its deadline"),
            _ => {}
        }
        if at > deadline && at < told.outcome.at {
            self.saw("a late answer that arrives while others are awaited");
        }
    }

    /// How a wait ended, and how close to its expiry it was resolved.
    fn count_wait(&mut self, drawn: &Drawn, visit: &Visit) {
        let (Some(Some(answer)), Some(asked)) = (drawn.answers.get(visit.slot), visit.asked) else { return };
        let unparked = matches!(visit.failure, Some(Failure::Timeout | Failure::Condition));
        if answer.reply != Reply::Pending || unparked {
            return;
        }
        let expired = visit.failure == Some(Failure::Expired);
        self.saw(if expired { "a wait expired" } else { "a wait resolved" });
        let parked = asked.plus(answer.after);
        let from = if drawn.terms.timeout_from == TimeoutFrom::Parked { parked } else { asked };
        let Some((after, _)) = &answer.later else { return };
        let expiry = from.plus(drawn.hooks[visit.slot].patience);
        match i128::from(parked.plus(*after).0) - i128::from(expiry.0) {
            -1 => self.saw("a resolution one before its expiry"),
            0 => self.saw("a resolution exactly at its expiry"),
            1 => self.saw("a resolution one after its expiry"),
            _ => {}
        }
    }

    /// An alternative has an effect where the same firing goes another way without it.
    fn count_effects(&mut self, drawn: &Drawn, told: &Told) {
        for (reading, choices) in alternatives() {
            let others = choices.iter().filter_map(|choice| with(&drawn.terms, reading, choice));
            let valid = |terms: &_| is_valid(terms) && *terms != drawn.terms;
            let matters =
                others.filter(valid).any(|terms| told_plainly(&Drawn { terms, ..drawn.clone() }) != *told);
            if matters {
                let choice = &serde_json::to_value(drawn.terms).expect("terms are data")[reading];
                self.saw(&format!("an effect of {reading} as {choice}"));
            }
        }
        let mut other = drawn.clone();
        other.terms.clock = match drawn.terms.clock {
            Clock::Shared(_) => Clock::PerHook,
            Clock::PerHook => Clock::Shared(Millis(10)),
        };
        let parks = drawn.answers.iter().flatten().any(|answer| answer.reply == Reply::Pending);
        if !parks && told_plainly(&other) != *told {
            self.saw("an effect of the clock");
        }
    }
}

/// Concurrent dispatch leaves nothing but the original to see (VO-ORDER-2).
fn is_valid(terms: &Terms) -> bool {
    terms.dispatch == Dispatch::Sequential || terms.sight == Sight::Original
}
