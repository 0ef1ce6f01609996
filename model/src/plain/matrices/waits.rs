//! Parked work: MX-WAIT-1 to 10.

use std::collections::BTreeMap;

use super::hook::Point;
use super::{Carried, Platform, answer};
use crate::kernel::{Millis, Reply};
use crate::reading::matrices::{BadResolution, WaitErrors};
use crate::script::matrices::{Observation, Outcome, PlatformError, Resolve, Wait};

/// A wait.
pub(super) struct Parked {
    firing: usize,
    slot: usize,
    wait: Wait,
    state: State,
}

/// What became of a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Held,
    Resolved,
    Expired,
    Cancelled,
}

impl Platform<'_> {
    /// MX-PROC-1, MX-PROC-3: a hook parks the work.
    pub(super) fn park(&mut self, index: usize, slot: usize, at: Millis) {
        let Some(firing) = self.firings.get_mut(index) else { return };
        let Some(link) = firing.chain.get(slot) else { return };
        firing.parked_on = Some((slot, at));
        let hook = link.hook.id.clone();
        let wait = Wait { wait: format!("{}/{hook}", firing.fire.firing), hook };
        self.waits.push(Parked { firing: index, slot, wait: wait.clone(), state: State::Held });
        if let Some(fired) = self.record(index) {
            fired.parked = Some(wait);
        }
        self.write_parking(index, slot, at);
    }

    /// The wait that a firing is parked on is no more.
    pub(super) fn end_wait(&mut self, index: usize, state: State) {
        let held = |parked: &&mut Parked| parked.firing == index && parked.state == State::Held;
        if let Some(parked) = self.waits.iter_mut().find(held) {
            parked.state = state;
        }
        if let Some(fired) = self.record(index) {
            fired.parked = None;
        }
    }

    /// MX-WAIT-1, MX-WAIT-2, MX-WAIT-7: the threads that hold a wait, each with all of its waits.
    pub(super) fn waiting_threads(&self) -> Observation {
        let mut threads = BTreeMap::<String, Vec<Wait>>::default();
        for (index, firing) in self.firings.iter().enumerate() {
            let held = |parked: &&Parked| parked.firing == index && parked.state == State::Held;
            if let Some(parked) = self.waits.iter().find(held) {
                threads.entry(firing.fire.thread.clone()).or_default().push(parked.wait.clone());
            }
        }
        Observation { threads: Some(threads), ..Observation::default() }
    }

    /// MX-WAIT-3a: the resolution answers the hook, and the chain goes on from there.
    pub(super) fn resolve(&mut self, resolve: &Resolve) -> Carried {
        self.thread(&resolve.thread)?;
        let (index, slot) = self.held(resolve).map_err(|error| match self.readings.wait_errors {
            WaitErrors::Distinct => error,
            WaitErrors::OneConflict => PlatformError::Conflict,
        })?;
        let firing = self.firings.get_mut(index).ok_or(PlatformError::UnknownWait)?;
        let point = Point::of(&firing.fire.event);
        let reply = match answer::resolution(&resolve.body, point, &self.readings) {
            Ok(answer) => Reply::Answered(Box::from(answer)),
            // MX-WAIT-6.
            Err(failure) => match self.readings.bad_resolution {
                BadResolution::RefuseAndStay => return Err(PlatformError::NotAResult),
                BadResolution::Failure => Reply::Failed(failure),
            },
        };
        let since_parked =
            firing.since_it_began(self.now).since(firing.parked_on.map_or(Millis::ZERO, |(_, at)| at));
        firing.resolutions.insert(slot, (since_parked, reply));
        // It is this very step that ends the wait, whatever else comes at the moment.
        if let Some(happening) = firing.next(&self.readings) {
            self.happen(index, happening);
        }
        self.settle(self.now);
        Ok(Observation::default())
    }

    /// The firing and the place in its chain that a held wait stands for, or MX-WAIT-5: what is wrong
    /// with naming it. MX-WAIT-8: a wait of another thread is unknown to this one.
    fn held(&self, resolve: &Resolve) -> Result<(usize, usize), PlatformError> {
        let is_named = |parked: &&Parked| {
            let thread = self.firings.get(parked.firing).map(|firing| &firing.fire.thread);
            parked.wait.wait == resolve.wait && thread == Some(&resolve.thread)
        };
        let parked = self.waits.iter().rfind(is_named).ok_or(PlatformError::UnknownWait)?;
        match parked.state {
            State::Held => Ok((parked.firing, parked.slot)),
            State::Resolved => Err(PlatformError::AlreadyResolved),
            State::Expired => Err(PlatformError::Expired),
            State::Cancelled => Err(PlatformError::Cancelled),
        }
    }

    /// MX-WAIT-10a: the thread's waits are dropped, and none of its work happens.
    pub(super) fn cancel_thread(&mut self, label: &str) -> Carried {
        if self.thread(label)?.cancelled {
            return Err(PlatformError::ThreadCancelled);
        }
        self.threads
            .iter_mut()
            .filter(|thread| thread.label == label)
            .for_each(|thread| thread.cancelled = true);
        for index in 0..self.firings.len() {
            self.cancel_firing(index, label);
        }
        Ok(Observation::default())
    }

    fn cancel_firing(&mut self, index: usize, thread: &str) {
        let Some(firing) = self.firings.get_mut(index) else { return };
        if firing.ended || firing.fire.thread != thread {
            return;
        }
        firing.ended = true;
        let at = firing.since_it_began(self.now);
        // What has not ended and is not parked waits for the hook that was asked last.
        let in_flight = firing.asked.keys().next_back().copied();
        if let Some((slot, _)) = firing.parked_on.take() {
            self.end_wait(index, State::Cancelled);
            self.write_cancelling(index, slot, at, self.readings.cancel_audit);
        } else if let Some(slot) = in_flight {
            self.write_cancelling(index, slot, at, self.readings.cancelled_in_flight);
        }
        if let Some(fired) = self.record(index) {
            fired.ended_ms = Some(at);
            fired.outcome = Some(Outcome::Cancelled {});
        }
    }
}
