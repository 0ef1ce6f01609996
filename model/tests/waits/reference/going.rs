//! How a firing goes from hook to hook, and the clock from one happening to the next.

use hookproof_model::kernel::{Failure, Millis};
use hookproof_model::reading::matrices::{ParkedAudit, ParkedChain};
use hookproof_model::reading::shared::{Boundary, TimeoutFrom};
use hookproof_model::script::matrices::{AuditEntry, Call, Fired, Outcome, Place, Resumed, Wait};
use serde_json::json;

use super::super::deeds::{Body, CALL, Does, Said, Word};
use super::{Firing, Held, Reference, State};

/// What happens next; at one moment, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Answer,
    Timeout,
    Expiry,
}

impl Reference {
    /// HK-ORDER-1: the next hook has its turn, or the work goes on.
    pub(super) fn ask(&mut self, index: usize) {
        let now = self.now;
        let firing = &mut self.firings[index];
        let Some((_, hook)) = firing.chain.get(firing.turn) else {
            let value = firing.value.clone();
            return self.end(index, Outcome::WentOn { value });
        };
        (firing.asked, firing.delivery) = (now, None);
        if hook.is_client {
            firing.coming = Some((now, Does::Accepts));
            return;
        }
        self.deliveries += 1;
        let delivery = format!("delivery-{}", self.deliveries);
        let mut payload = json!({
            "deliveryId": delivery, "hookId": hook.id, "point": firing.at.name(), "threadId": firing.thread,
        });
        payload[firing.at.members().0] = firing.value.clone();
        if firing.at.has_tool() {
            payload["tool"] = json!("shop.pay");
        }
        let call = Call { hook: hook.id.clone(), payload, at_ms: Millis(now - firing.began) };
        let defers = (0, Does::Answers(Body::of(Word::Defer)));
        let (after, does) = firing.does.get(&hook.id).cloned().unwrap_or(defers);
        firing.delivery = Some(delivery);
        firing.coming = Some((now + after, does));
        self.record(index).calls.push(call);
    }

    fn record(&mut self, index: usize) -> &mut Fired {
        if self.began == Some(index) {
            return &mut self.fired;
        }
        let label = &self.firings[index].label;
        let place = self.resumed.iter().position(|resumed| resumed.firing == *label);
        let place = place.unwrap_or_else(|| {
            self.resumed.push(Resumed { firing: label.clone(), fired: Fired::default() });
            self.resumed.len() - 1
        });
        &mut self.resumed[place].fired
    }

    /// MX-DL-3.
    fn in_time(&self, at: u64, deadline: u64) -> bool {
        match self.readings.boundary {
            Boundary::InTime => at <= deadline,
            Boundary::Late => at < deadline,
        }
    }

    pub(super) fn settle(&mut self, until: u64) {
        while let Some((at, rank, index)) = self.next(until) {
            self.now = self.now.max(at);
            match rank {
                Rank::Answer => self.arrive(index),
                Rank::Timeout => {
                    self.firings[index].coming = None;
                    self.fail(index, Failure::Timeout);
                }
                Rank::Expiry => {
                    self.reached.insert("a wait expires");
                    self.go_on(index, State::Expired);
                    self.fail(index, Failure::Expired);
                }
            }
        }
        self.now = self.now.max(until);
    }

    /// What happens next: when, what, and in which firing. A wait expires once the clock passes its
    /// deadline, on its way to `until` or to something else that happens.
    fn next(&self, until: u64) -> Option<(u64, Rank, usize)> {
        let under_way = |(index, firing): (usize, &Firing)| {
            let (at, does) = firing.coming.as_ref()?;
            let due = firing.asked + CALL;
            let is_client = firing.chain[firing.turn].1.is_client;
            if !is_client && (*does == Does::Nothing || !self.in_time(*at, due)) {
                return Some((due, Rank::Timeout, index));
            }
            Some((*at, Rank::Answer, index))
        };
        let first = self.firings.iter().enumerate().filter_map(under_way).min();
        let reached = first.map_or(until, |(at, ..)| at.max(until)).max(self.now);
        let held = self.held();
        let over = held.iter().filter(|wait| !self.in_time(reached, wait.deadline));
        over.map(|wait| (wait.deadline, Rank::Expiry, wait.firing)).chain(first).min()
    }

    /// A hook has answered, or parks the work.
    fn arrive(&mut self, index: usize) {
        let firing = &mut self.firings[index];
        let (_, does) = firing.coming.take().expect("it was under way");
        let at = firing.at;
        match does {
            Does::Answers(body) => match body.said(at) {
                Ok(said) => self.answer(index, said),
                Err(failure) => self.fail(index, failure),
            },
            Does::Accepts | Does::Nothing => self.park(index),
        }
    }

    fn park(&mut self, index: usize) {
        let now = self.now;
        let firing = &self.firings[index];
        let hook = firing.chain[firing.turn].1.clone();
        let from = match self.readings.timeout_from {
            TimeoutFrom::Parked => now,
            TimeoutFrom::Asked => firing.asked,
        };
        let deadline = from + hook.patience;
        if !self.in_time(now, deadline) {
            return self.fail(index, Failure::Expired);
        }
        let label = &firing.label;
        let shown = Wait { wait: format!("{label}/{}", hook.id), hook: hook.id.clone() };
        if self.waits.iter().any(|wait| wait.firing == index) {
            self.reached.insert("a chain parks once more");
        }
        if !hook.is_client {
            self.reached.insert("a url hook parks the work");
        }
        let thread = self.firings[index].thread.clone();
        self.waits.push(Held { thread, firing: index, shown: shown.clone(), deadline, state: State::Held });
        self.record(index).parked = Some(shown);
        if self.readings.parked_audit == ParkedAudit::AtParkAndEnd {
            self.write(index, "parked");
        }
    }

    /// The wait of a firing ends, and its chain goes on.
    pub(super) fn go_on(&mut self, index: usize, state: State) {
        let held = self.waits.iter().position(|wait| wait.firing == index && wait.state == State::Held);
        self.waits[held.expect("it is parked")].state = state;
        self.record(index).parked = None;
        if self.readings.parked_chain == ParkedChain::Live && state != State::Cancelled {
            let (thread, at) = (self.firings[index].thread.clone(), self.firings[index].at);
            let list = self.selected(&thread, at);
            let firing = &mut self.firings[index];
            let (old, waited) = &firing.chain[firing.turn];
            let now = list.iter().find(|(_, hook)| hook.id == waited.id);
            let from = now.map_or(*old, |(place, _)| place + 1);
            firing.chain.truncate(firing.turn + 1);
            firing.chain.extend(list.into_iter().filter(|(place, _)| *place >= from));
        }
    }

    pub(super) fn answer(&mut self, index: usize, said: Said) {
        let entry = self.write(index, said.word.name());
        entry.reason = said.reason;
        entry.rewrote = said.rewrite.is_some().then_some(true);
        if let Some(rewrite) = said.rewrite {
            self.firings[index].value = rewrite;
        }
        self.decide(index, said.word);
    }

    pub(super) fn fail(&mut self, index: usize, failure: Failure) {
        let firing = &self.firings[index];
        let word = if firing.chain[firing.turn].1.fails_open { Word::Defer } else { Word::Deny };
        self.write(index, word.name()).failure = Some(failure);
        self.decide(index, word);
    }

    fn decide(&mut self, index: usize, word: Word) {
        let firing = &mut self.firings[index];
        match word {
            Word::Defer => {
                firing.turn += 1;
                self.ask(index);
            }
            Word::Allow => {
                let value = firing.value.clone();
                self.end(index, Outcome::WentOn { value });
            }
            Word::Deny if firing.at.is_before() => self.end(index, Outcome::Denied {}),
            Word::Deny => self.end(index, Outcome::Withheld { place: Place::Error }),
        }
    }

    pub(super) fn end(&mut self, index: usize, outcome: Outcome) {
        let firing = &mut self.firings[index];
        firing.over = true;
        let ended = Millis(self.now - firing.began);
        let record = self.record(index);
        (record.ended_ms, record.outcome) = (Some(ended), Some(outcome));
    }

    /// Writes an entry for the hook whose turn it is.
    pub(super) fn write(&mut self, index: usize, decision: &str) -> &mut AuditEntry {
        let now = self.now;
        let firing = &self.firings[index];
        let (place, hook) = &firing.chain[firing.turn];
        let entry = AuditEntry {
            hook_id: hook.id.clone(),
            index: u32::try_from(*place).expect("lists are short"),
            point: firing.at.name().into(),
            processor: hook.kind().into(),
            decision: decision.into(),
            latency_ms: Millis(now - firing.asked),
            reason: None,
            failure: None,
            rewrote: None,
            delivery_id: firing.delivery.clone(),
        };
        let label = firing.thread.clone();
        let audit = &mut self.thread(&label).expect("it fired there").audit;
        audit.push(entry);
        audit.last_mut().expect("it was just pushed")
    }
}
