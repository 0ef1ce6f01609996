//! How the platform's clock goes from one happening to the next, and what happens then.
//!
//! At one and the same moment, control steps come before answers, and answers before deadlines.

use serde_json::Value;

use super::Platform;
use super::firing::{Firing, Happening, Rank, What};
use super::hook::Processor;
use super::waits::State;
use crate::kernel::{Decision, Failure, Millis, Visit};
use crate::reading::matrices::{ParkedChain, Withheld};
use crate::reading::shared::Boundary;
use crate::script::matrices::{AgentRun, Call, Event, Outcome, Place, Step};

/// Something that is about to happen.
struct Due {
    at: Millis,
    rank: Rank,
    whose: Whose,
}

/// What it happens to.
enum Whose {
    /// The control step in this place, of the step that keeps this record.
    Control { record: usize, place: usize },
    /// This firing.
    Firing(usize, Happening),
}

impl<'s> Platform<'s> {
    /// Lets everything happen that is on its way, and lets the clock stand at `until` at least.
    pub(super) fn settle(&mut self, until: Millis) {
        while let Some(due) = self.next_due(until) {
            self.now = self.now.max(due.at);
            match due.whose {
                Whose::Control { record, place } => self.carry_out_meanwhile(record, place),
                Whose::Firing(firing, happening) => self.happen(firing, happening),
            }
        }
        self.now = self.now.max(until);
    }

    /// What happens next, if anything is on its way or expires until then. That a wait can expire sets
    /// nothing going: it expires once the clock has passed its deadline for another reason.
    fn next_due(&self, until: Millis) -> Option<Due> {
        let (expiring, mut on_its_way): (Vec<_>, Vec<_>) =
            self.all_due().into_iter().partition(|due| matches!(due.rank, Rank::Expiry(_)));
        let steps = self.control_steps(!on_its_way.is_empty(), until);
        on_its_way.extend(steps);
        let first = on_its_way.into_iter().min_by_key(|due| (due.at, due.rank));
        let reached = first.as_ref().map_or(until, |due| due.at.max(until)).max(self.now);
        let expired = expiring.into_iter().filter(|due| match (due.rank, self.readings.boundary) {
            (Rank::Expiry(deadline), Boundary::InTime) => reached > deadline,
            (Rank::Expiry(deadline), Boundary::Late) => reached >= deadline,
            _ => false,
        });
        expired.chain(first).min_by_key(|due| (due.at, due.rank))
    }

    /// The control steps that come. What is left over comes at once when nothing is on its way in its step
    /// any more; in a step within which another is carried out, there is the firing that stands still.
    fn control_steps(&self, something_goes: bool, until: Millis) -> Vec<Due> {
        let mut all = vec![];
        for (record, of) in self.records.iter().enumerate() {
            let Some(firing) = of.firing.and_then(|index| self.going(index)) else { continue };
            for (place, meanwhile) in of.ahead.iter().enumerate() {
                let its_time = firing.began.plus(meanwhile.at_ms);
                let at = match () {
                    () if something_goes => its_time,
                    () if record + 1 == self.records.len() => self.now,
                    () if its_time <= until => its_time,
                    () => continue,
                };
                all.push(Due { at, rank: Rank::Control, whose: Whose::Control { record, place } });
            }
        }
        all
    }

    /// A firing whose time passes.
    fn going(&self, index: usize) -> Option<&Firing<'s>> {
        self.firings.get(index).filter(|firing| firing.stands_still.is_none())
    }

    fn all_due(&self) -> Vec<Due> {
        let mut all = vec![];
        for index in 0..self.firings.len() {
            let Some(firing) = self.going(index).filter(|firing| !firing.ended) else { continue };
            let Some(happening) = firing.next(&self.readings) else { continue };
            let rank = match happening.rank {
                Rank::Expiry(deadline) => Rank::Expiry(firing.began.plus(deadline)),
                rank => rank,
            };
            all.push(Due {
                at: firing.began.plus(happening.at),
                rank,
                whose: Whose::Firing(index, happening),
            });
        }
        all
    }

    fn carry_out_meanwhile(&mut self, record: usize, place: usize) {
        let Some(of) = self.records.get_mut(record) else { return };
        let meanwhile = of.ahead.remove(place);
        let observed = self.control(&meanwhile.step);
        if let Some(of) = self.records.get_mut(record) {
            of.meanwhile.push(observed);
        }
    }

    pub(super) fn happen(&mut self, firing: usize, happening: Happening) {
        if let Some(firing) = self.firings.get_mut(firing) {
            firing.happened += 1;
        }
        match happening.what {
            What::Asked(slot, sees) => self.asked(firing, slot, happening.at, sees),
            What::Parked(slot) => self.park(firing, slot, happening.at),
            What::Turned(visit) => self.turned(firing, &visit),
            What::Came(decision, value) => self.came(firing, happening.at, decision, value),
        }
    }

    /// MX-PROC-1, MX-WIRE-1: url and agent processors are delivered a HookInput.
    fn asked(&mut self, index: usize, slot: usize, at: Millis, sees: Value) {
        let Some(firing) = self.firings.get_mut(index) else { return };
        let Some(link) = firing.chain.get(slot).cloned() else { return };
        firing.asked.entry(slot).or_insert(at);
        if link.hook.processor == Processor::Client || firing.is_out_of_reach(&link.hook, &self.readings) {
            return;
        }
        // HK-ONCE-1: who is asked again is delivered the same once more.
        let delivery = firing.deliveries.get(&slot).cloned().unwrap_or_else(|| {
            self.deliveries += 1;
            format!("delivery-{}", self.deliveries)
        });
        let payload = firing.hook_input(&delivery, &link.hook.id, sees);
        firing.deliveries.insert(slot, delivery);
        let steps = firing.agent_run(&link.hook);
        if let Some(fired) = self.record(index) {
            fired.calls.push(Call { hook: link.hook.id.clone(), payload, at_ms: at });
        }
        if let Some(steps) = steps {
            self.run_agent(index, link.hook.id, steps);
        }
    }

    /// An agent processor's own run, on the same platform. The firing that it answers stands still
    /// meanwhile, and none of its time passes; all the others go on.
    fn run_agent(&mut self, index: usize, hook: String, steps: &'s [Step]) {
        let before = self.now;
        if let Some(firing) = self.firings.get_mut(index) {
            firing.stands_still = Some(before);
        }
        self.nesting += 1;
        let steps = steps.iter().map(|step| self.step(step)).collect();
        self.nesting -= 1;
        let passed = self.now.since(before);
        if let Some(firing) = self.firings.get_mut(index) {
            firing.stands_still = None;
            firing.began = firing.began.plus(passed);
        }
        if let Some(fired) = self.record(index) {
            fired.agent_runs.push(AgentRun { hook, steps });
        }
    }

    fn turned(&mut self, index: usize, visit: &Visit) {
        self.write_turn(index, visit);
        let Some(firing) = self.firings.get_mut(index) else { return };
        if firing.parked_on.take().is_none() {
            return;
        }
        let state = if visit.failure == Some(Failure::Expired) { State::Expired } else { State::Resolved };
        self.end_wait(index, state);
        let Some(firing) = self.firings.get_mut(index) else { return };
        // MX-WAIT-9.
        let thread = self.threads.iter().find(|thread| thread.label == firing.fire.thread);
        let profile =
            self.profiles.iter().find(|profile| thread.is_some_and(|of| of.profile == profile.label));
        if let (ParkedChain::Live, Some(profile)) = (self.readings.parked_chain, profile) {
            firing.go_on_with(visit.slot, &profile.hooks, &self.readings);
        }
    }

    /// HK-DECIDE-3, MX-FOLD-2, MX-FOLD-9a.
    fn came(&mut self, index: usize, at: Millis, decision: Decision, composed: Option<Value>) {
        let Some(firing) = self.firings.get_mut(index) else { return };
        firing.ended = true;
        let came = match (decision, &firing.fire.event) {
            (Decision::Defer | Decision::Allow | Decision::Handled, _) => {
                Outcome::WentOn { value: composed.unwrap_or_else(|| firing.original()) }
            }
            (Decision::Deny, Event::BeforeInput { .. } | Event::BeforeToolCall { .. }) => Outcome::Denied {},
            (Decision::Deny, Event::AfterToolCall { .. } | Event::AfterOutput { .. }) => {
                Outcome::Withheld { place: in_its_place(self.readings.withheld) }
            }
        };
        if let Some(fired) = self.record(index) {
            fired.ended_ms = Some(at);
            fired.outcome = Some(came);
        }
    }
}

/// MX-FOLD-9b.
fn in_its_place(withheld: Withheld) -> Place {
    match withheld {
        Withheld::Error => Place::Error,
        Withheld::Null => Place::Null,
        Withheld::Absent => Place::Absent,
    }
}
