//! One firing of a chain of hooks, as a state machine driven from outside.
//!
//! It knows no clock and no transport. [`Firing::poll`] says what to do next; [`Firing::handle`]
//! takes what happened. A firing owns all it needs and serializes, so a parked chain is a stored
//! firing and nothing else.
//!
//! Hooks are asked as [`Rules::may_ask`] lets them, and their answers are folded in chain order
//! whatever the order in which they arrive (HK-ORDER-2): an answer waits until every hook before
//! it has settled.

mod fold;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Admission, Answer, Clock, Failure, Hook, Input, Millis, Outcome, Output, Reply, Rules, Ruling, Scene,
    Terms, Visit,
};
use crate::reading::shared::{ConsentCheck, TimeoutFrom};
use crate::script::present::present;

/// A firing under way, or over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Firing {
    terms: Terms,
    hooks: Vec<Hook>,
    slots: Vec<Slot>,
    /// The first slot that has not been considered yet.
    next: usize,
    /// The first slot that has not been folded yet.
    folded: usize,
    /// The last moment that the firing was told of.
    now: Millis,
    event: Value,
    member: String,
    original: Value,
    /// What hooks made of it; `null` is a value, too.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    composed: Option<Value>,
    confirm: bool,
    contexts: Vec<String>,
    ruling: Ruling,
    response_text: Option<String>,
    view: Option<Value>,
    exhausted: bool,
    visits: Vec<Visit>,
    outcome: Option<Outcome>,
}

/// Where a hook stands in its firing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Slot {
    Idle {
        silenced: bool,
    },
    Asked {
        at: Millis,
        until: Millis,
        silenced: bool,
        again: bool,
    },
    /// It failed, and is to be asked once more (HK-ONCE-1).
    AskedAgain {
        asked: Millis,
        failure: Failure,
    },
    Parked {
        asked: Millis,
        until: Millis,
    },
    PassedOver,
    NoTimeLeft,
    Answered {
        asked: Millis,
        at: Millis,
        answer: Box<Answer>,
    },
    Failed {
        asked: Option<Millis>,
        at: Millis,
        failure: Failure,
    },
}

impl Firing {
    /// A firing of `hooks`, in chain order, on `value`: the member `member` of an event whose other
    /// members are those of `event`.
    #[must_use]
    pub fn new(
        terms: Terms,
        hooks: Vec<Hook>,
        event: Value,
        member: impl Into<String>,
        value: Value,
    ) -> Self {
        Self {
            terms,
            slots: hooks.iter().map(|_| Slot::Idle { silenced: false }).collect(),
            hooks,
            next: 0,
            folded: 0,
            now: Millis::ZERO,
            event,
            member: member.into(),
            original: value,
            composed: None,
            confirm: false,
            contexts: Vec::new(),
            ruling: Ruling::default(),
            response_text: None,
            view: None,
            exhausted: false,
            visits: Vec::new(),
            outcome: None,
        }
    }

    /// What to do next. Asking is said once a hook; the caller then asks it.
    pub fn poll<R: Rules + ?Sized>(&mut self, rules: &R) -> Output<'_> {
        match self.proceed(rules) {
            Next::Ask { slot, until } => {
                let at = self.now;
                let sees = self.seen(rules, self.terms.sight);
                match self.hooks.get(slot) {
                    Some(hook) => Output::Ask { slot, hook, sees, at, until },
                    None => Output::WaitUntil(None),
                }
            }
            Next::Wait => Output::WaitUntil(self.due(rules)),
            Next::Done => self.outcome.as_ref().map_or(Output::WaitUntil(None), Output::Done),
        }
    }

    /// Takes what happened. What no longer matters is passed over: a late answer, one that nobody
    /// asked for, anything behind the end.
    pub fn handle<R: Rules + ?Sized>(&mut self, rules: &R, input: Input) {
        if self.outcome.is_some() {
            return;
        }
        match input {
            Input::Answered { slot, at, reply } => {
                self.now = self.now.max(at);
                self.answered(rules, slot, at, reply);
            }
            Input::Elapsed { at } => {
                self.now = self.now.max(if at == Millis::MAX { self.now } else { at });
                for slot in 0..self.slots.len() {
                    self.expire(rules, slot, at);
                }
            }
            Input::Silenced { slot, at } => {
                self.now = self.now.max(at);
                self.silence(slot);
            }
            Input::Restored { slot, at } => {
                self.now = self.now.max(at);
                if let Some(Slot::Idle { silenced }) = self.slots.get_mut(slot) {
                    *silenced = false;
                }
            }
            Input::Cancelled { at } => {
                self.now = self.now.max(at);
                self.finish(rules, true);
            }
        }
    }

    /// Exchanges the hooks from `slot` on, none of which has been asked yet.
    pub fn rechain(&mut self, slot: usize, hooks: Vec<Hook>) {
        if slot >= self.next {
            self.slots.truncate(slot);
            self.slots.extend(hooks.iter().map(|_| Slot::Idle { silenced: false }));
            self.hooks.truncate(slot);
            self.hooks.extend(hooks);
        }
    }

    /// The hooks whose turn has come and that have been folded, in chain order.
    #[must_use]
    pub fn visits(&self) -> &[Visit] {
        &self.visits
    }

    /// The slots that have parked the work, in chain order.
    pub fn parked(&self) -> impl Iterator<Item = usize> {
        self.slots
            .iter()
            .enumerate()
            .filter_map(|(slot, state)| matches!(state, Slot::Parked { .. }).then_some(slot))
    }

    /// The slots that have been asked and have neither answered, failed nor parked, in chain order.
    pub fn in_flight(&self) -> impl Iterator<Item = usize> {
        let slots = self.slots.iter().enumerate();
        slots.filter_map(|(slot, state)| matches!(state, Slot::Asked { .. }).then_some(slot))
    }

    /// Whether a hook has been asked and neither answered, failed nor parked.
    #[must_use]
    pub fn awaits_answer(&self) -> bool {
        self.outcome.is_none() && self.in_flight().next().is_some()
    }

    /// The value as composed so far.
    #[must_use]
    pub fn value(&self) -> &Value {
        self.composed.as_ref().unwrap_or(&self.original)
    }

    /// What it came to, once it is over.
    #[must_use]
    pub const fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    fn seen<R: Rules + ?Sized>(&self, rules: &R, sight: crate::reading::shared::Sight) -> &Value {
        rules.sees(sight, &self.original, self.value())
    }

    /// Considers whoever may be asked, folds what has settled, and finds the next thing to do.
    fn proceed<R: Rules + ?Sized>(&mut self, rules: &R) -> Next {
        while self.outcome.is_none() {
            if self.next < self.slots.len() && rules.may_ask(self.terms.dispatch, self.next - self.folded) {
                if let Some(ask) = self.consider(rules) {
                    return ask;
                }
            } else if let Some(ask) = self.ask_again(rules) {
                return ask;
            } else {
                let folded = self.folded;
                if self.fold_settled(rules) {
                    self.finish(rules, false);
                } else if self.folded == folded {
                    return Next::Wait;
                }
            }
        }
        Next::Done
    }

    /// Considers the next hook of the chain: asks it, passes it over, or ends the firing for want of
    /// time.
    fn consider<R: Rules + ?Sized>(&mut self, rules: &R) -> Option<Next> {
        let slot = self.next;
        match self.admission(rules, slot) {
            Admission::PassOver => self.settle(slot, Slot::PassedOver),
            Admission::Fail => {
                self.settle(slot, Slot::Failed { asked: None, at: self.now, failure: Failure::Condition });
            }
            Admission::Ask => {
                let left = rules.left(self.terms.clock, self.now);
                if !rules.worth_asking(&self.terms, left, self.exhausted) {
                    // Nobody behind is asked either; those before still have to be folded.
                    (slot..self.slots.len()).for_each(|slot| self.settle(slot, Slot::NoTimeLeft));
                    self.next = self.slots.len();
                    return None;
                }
                self.next += 1;
                return Some(self.ask(rules, slot, left, None));
            }
        }
        self.next += 1;
        None
    }

    /// HK-ONCE-1, retries: asks a hook that failed once more, if it has time left to answer.
    fn ask_again<R: Rules + ?Sized>(&mut self, rules: &R) -> Option<Next> {
        let mut unfolded = self.slots.iter().enumerate().take(self.next).skip(self.folded);
        let (slot, asked, failure) = unfolded.find_map(|(slot, state)| match *state {
            Slot::AskedAgain { asked, failure } => Some((slot, asked, failure)),
            _ => None,
        })?;
        let left = rules.left(self.terms.clock, self.now);
        if !rules.worth_asking(&self.terms, left, self.exhausted) {
            self.settle(slot, Slot::Failed { asked: Some(asked), at: self.now, failure });
            return None;
        }
        Some(self.ask(rules, slot, left, Some(asked)))
    }

    /// Asks a hook now, with so much left of the firing's time; `before` says when it was asked first, if
    /// this is not the first time.
    fn ask<R: Rules + ?Sized>(
        &mut self,
        rules: &R,
        slot: usize,
        left: Millis,
        before: Option<Millis>,
    ) -> Next {
        let own = self.hooks.get(slot).map_or(Millis::ZERO, |hook| hook.deadline);
        let until = rules.deadline(self.terms.clock, left, self.now, own);
        let (at, again) = (before.unwrap_or(self.now), before.is_some());
        self.settle(slot, Slot::Asked { at, until, silenced: false, again });
        Next::Ask { slot, until }
    }

    fn admission<R: Rules + ?Sized>(&self, rules: &R, slot: usize) -> Admission {
        match (self.slots.get(slot), self.hooks.get(slot)) {
            (Some(Slot::Idle { silenced: false }), Some(hook)) => {
                let value = self.seen(rules, self.terms.guard_sight);
                let scene = Scene { event: &self.event, member: &self.member, value };
                rules.admits(&self.terms, &hook.guard, scene)
            }
            _ => Admission::PassOver,
        }
    }

    fn settle(&mut self, slot: usize, state: Slot) {
        if let Some(standing) = self.slots.get_mut(slot) {
            *standing = state;
        }
    }

    fn answered<R: Rules + ?Sized>(&mut self, rules: &R, slot: usize, at: Millis, reply: Reply) {
        let (asked, until, parked, silenced, again) = match self.slots.get(slot) {
            Some(&Slot::Asked { at, until, silenced, again }) => (at, until, false, silenced, again),
            Some(&Slot::Parked { asked, until }) => (asked, until, true, false, true),
            _ => return,
        };
        if !rules.in_time(self.terms.boundary, at, until) {
            self.time_out(slot, asked, until, parked);
            return;
        }
        let state = match reply {
            _ if silenced => Slot::Failed { asked: Some(asked), at, failure: Failure::Silenced },
            Reply::Answered(answer) => Slot::Answered { asked, at, answer },
            Reply::Failed(failure) if rules.asks_again(&self.terms, failure, again) => {
                Slot::AskedAgain { asked, failure }
            }
            Reply::Failed(failure) => Slot::Failed { asked: Some(asked), at, failure },
            Reply::Pending => {
                let patience = self.hooks.get(slot).map_or(Millis::ZERO, |hook| hook.patience);
                let from = match self.terms.timeout_from {
                    TimeoutFrom::Parked => at,
                    TimeoutFrom::Asked => asked,
                };
                // Where the timeout counts from the asking, it can have passed before the work was parked.
                let until = rules.deadline(Clock::PerHook, Millis::MAX, from, patience);
                if rules.in_time(self.terms.boundary, at, until) {
                    Slot::Parked { asked, until }
                } else {
                    Slot::Failed { asked: Some(asked), at, failure: Failure::Expired }
                }
            }
        };
        self.settle(slot, state);
    }

    fn expire<R: Rules + ?Sized>(&mut self, rules: &R, slot: usize, at: Millis) {
        let (asked, until, parked) = match self.slots.get(slot) {
            Some(&Slot::Asked { at, until, .. }) => (at, until, false),
            Some(&Slot::Parked { asked, until }) => (asked, until, true),
            _ => return,
        };
        // Whatever still comes will come at the next moment at the earliest.
        let over = at >= until && !rules.in_time(self.terms.boundary, at.plus(Millis(1)), until);
        if over || at == Millis::MAX {
            self.time_out(slot, asked, until, parked);
        }
    }

    fn time_out(&mut self, slot: usize, asked: Millis, at: Millis, parked: bool) {
        self.exhausted |= matches!(self.terms.clock, Clock::Shared(_));
        self.now = self.now.max(at);
        let failure = if parked { Failure::Expired } else { Failure::Timeout };
        self.settle(slot, Slot::Failed { asked: Some(asked), at, failure });
    }

    /// VO-CONSENT-2: a hook that has not been asked will not be, and an answer on its way will be
    /// discarded when it arrives. One that has arrived was heard, even if it waits for those before it.
    fn silence(&mut self, slot: usize) {
        let in_flight = self.terms.consent_check == ConsentCheck::Both;
        let Some(state) = self.slots.get_mut(slot) else { return };
        match state {
            Slot::Idle { silenced } => *silenced = true,
            Slot::Asked { silenced, .. } if in_flight => *silenced = true,
            _ => {}
        }
    }

    /// The moment at which the next outstanding hook has run out of time.
    fn due<R: Rules + ?Sized>(&self, rules: &R) -> Option<Millis> {
        self.slots
            .iter()
            .filter_map(|state| match state {
                Slot::Asked { until, .. } | Slot::Parked { until, .. } => Some(*until),
                _ => None,
            })
            .filter(|until| !rules.in_time(self.terms.boundary, Millis::MAX, *until))
            .min()
    }
}

enum Next {
    Ask { slot: usize, until: Millis },
    Wait,
    Done,
}
