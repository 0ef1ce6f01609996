//! What fires, what resolves and how time passes: the event loop of a platform. MX-MATCH, MX-PROC,
//! MX-WAIT-3, 4, 9.
//!
//! At one moment, control steps come before answers and answers before deadlines. A step is over
//! when nothing is on its way any more: every unfinished firing is parked.

use super::matching::Happening;
use super::platform::Platform;
use super::point::Point;
use super::profile::{Processor, ProfileHook};
use super::rules::Rules;
use super::run::{Asked, Run};
use super::wait::WaitState;
use super::wire;
use crate::kernel::{Failure, Input, Millis, Reply};
use crate::reading::matrices::{BadResolution, ParkedChain};
use crate::script::matrices::{AgentRun, Fire, Observation, PlatformError, Resolve, Says, Step};

impl<R: Rules + ?Sized> Platform<'_, R> {
    /// Something happens at a point.
    pub(super) fn fire(&mut self, fire: &Fire) -> Result<Observation, PlatformError> {
        let thread = self.threads.get(&fire.thread).ok_or(PlatformError::UnknownThread)?;
        if thread.cancelled {
            return Err(PlatformError::ThreadCancelled);
        }
        if self.runs.iter().any(|run| run.label == fire.firing) {
            return Err(PlatformError::LabelTaken);
        }
        let (point, tool, _) = wire::parts(&fire.event);
        let chain = self.select(&fire.thread, point, tool, self.within_agent);
        let mut run = Run::new(&self.readings, fire, chain, self.now, self.within_agent);
        run.schedule(self.rules, &fire.meanwhile);
        self.runs.push(run);
        let index = self.runs.len() - 1;
        self.show(index);
        self.settle(self.now);
        let (rules, readings) = (self.rules, self.readings);
        let Some(run) = self.runs.get_mut(index) else { return Ok(Observation::default()) };
        run.shown_by = None;
        let (fired, meanwhile) = (Some(run.take_fired(rules, &readings)), std::mem::take(&mut run.meanwhile));
        Ok(Observation { fired, meanwhile, ..Observation::default() })
    }

    /// MX-MATCH-1, MX-PROC-2: the hooks that an event may concern, with their places in the list.
    fn select(
        &self,
        thread: &str,
        point: Point,
        tool: Option<&str>,
        nested: bool,
    ) -> Vec<(usize, ProfileHook)> {
        let happening = Happening { point, tool, nested };
        let concerns = |hook: &ProfileHook| self.rules.concerns(&self.readings, hook, happening);
        self.hooks_of(thread).into_iter().enumerate().filter(|(_, hook)| concerns(hook)).collect()
    }

    /// MX-WAIT-3a, MX-WAIT-5, MX-WAIT-6: a wait is resolved, and its chain goes on from there.
    pub(super) fn resolve(&mut self, resolve: &Resolve) -> Result<Observation, PlatformError> {
        let (index, slot) = self.find_wait(&resolve.thread, &resolve.wait)?;
        let Some(run) = self.runs.get_mut(index) else { return Err(PlatformError::UnknownWait) };
        let state = run.waits.get(&slot).copied().unwrap_or(WaitState::Expired);
        if let Some(error) = self.rules.unresolvable(&self.readings, state) {
            return Err(error);
        }
        let reply = match self.rules.resolution(&self.readings, run.point, &resolve.body) {
            Ok(answer) => Reply::Answered(Box::new(answer)),
            Err(_) if self.readings.bad_resolution == BadResolution::RefuseAndStay => {
                return Err(PlatformError::NotAResult);
            }
            Err(failure) => Reply::Failed(failure),
        };
        let at = run.moment(self.now);
        self.let_on(index, slot, WaitState::Resolved, Input::Answered { slot, at, reply });
        self.settle(self.now);
        Ok(Observation::default())
    }

    /// Time passes: waits expire in the order of their deadlines, and their chains go on.
    pub(super) fn advance(&mut self, by: Millis) {
        self.settle(self.now.plus(by));
    }

    /// The deadlines on the platform's clock, and whose they are: of waits, or of calls.
    fn deadlines(&mut self, of_waits: bool) -> impl Iterator<Item = (Millis, usize)> {
        let rules = self.rules;
        let runs = self.runs.iter_mut().enumerate().filter(|(_, run)| !run.stands_still());
        let of_kind = runs.filter(move |(_, run)| run.firing.parked().next().is_some() == of_waits);
        of_kind.filter_map(move |(index, run)| Some((run.deadline(rules)?, index)))
    }

    /// The wait that is over first, once the clock stands at `now`. At its very deadline a wait can
    /// still be resolved (MX-DL-3), so it is over only behind it.
    fn over_wait(&mut self, now: Millis) -> Option<(Millis, usize)> {
        let (rules, boundary) = (self.rules, self.readings.boundary);
        self.deadlines(true).filter(|(due, _)| !rules.in_time(boundary, now, *due)).min()
    }

    /// A deadline has come: a hook fails, or a wait expires (MX-WAIT-4).
    fn expire(&mut self, index: usize) {
        let Some(run) = self.runs.get_mut(index) else { return };
        let at = run.until(self.rules).unwrap_or(Millis::MAX);
        let parked = run.firing.parked().next();
        let input = Input::Elapsed { at };
        match parked {
            Some(slot) => self.let_on(index, slot, WaitState::Expired, input),
            None => run.handle(self.rules, input),
        }
    }

    /// A wait ends: its chain goes on, at this moment.
    fn let_on(&mut self, index: usize, slot: usize, state: WaitState, input: Input) {
        self.show(index);
        let (thread, point, tool, nested) = match self.runs.get(index) {
            Some(run) => (run.thread.clone(), run.point, run.tool().map(str::to_owned), run.nested),
            None => return,
        };
        let live = match self.readings.parked_chain {
            ParkedChain::Snapshot => None,
            ParkedChain::Live => {
                let waited = self.runs.get(index).and_then(|run| run.hook(slot));
                let hooks = self.hooks_of(&thread);
                let place = hooks.iter().position(|hook| waited.is_some_and(|waited| waited.id == hook.id));
                Some((place, self.select(&thread, point, tool.as_deref(), nested)))
            }
        };
        let Some(run) = self.runs.get_mut(index) else { return };
        if let Some((place, live)) = live {
            run.rechain(slot, place, live);
        }
        run.waits.insert(slot, state);
        run.handle(self.rules, input);
    }

    /// Lets everything happen that is on its way, moment by moment, and lets the clock stand at `until` at
    /// least. What stands still meanwhile is on its way elsewhere: in the step that this one is within.
    pub(super) fn settle(&mut self, until: Millis) {
        loop {
            self.ask();
            let goes = self.runs.iter().any(|run| !run.stands_still() && run.firing.awaits_answer());
            let step = self.next_step(goes, until);
            let answer = self.next_answer().filter(|_| goes);
            let deadline = self.deadlines(false).min().filter(|_| goes);
            let moments = [step.map(|(at, _)| at), answer.map(|(at, ..)| at), deadline.map(|(due, _)| due)];
            let first = moments.into_iter().flatten().min();
            // At its own last moment a wait holds until everything else has happened.
            let reached = first.unwrap_or(until).max(until).max(self.now);
            let over = self.over_wait(reached).filter(|(due, _)| first.is_none_or(|first| *due < first));
            if let Some((due, index)) = over {
                self.now = self.now.max(due);
                self.expire(index);
                continue;
            }
            let Some(first) = first else {
                if goes {
                    self.give_up();
                }
                break;
            };
            self.now = self.now.max(first);
            if let Some((_, index)) = step.filter(|(at, _)| *at == first) {
                self.carry_out(index);
            } else if let Some((_, index, place)) = answer.filter(|(at, ..)| *at == first) {
                self.arrive(index, place);
            } else if let Some((_, index)) = deadline {
                self.expire(index);
            }
        }
        self.now = self.now.max(until);
    }

    /// The next control step and whose it is. One is carried out at its time as long as anything is on its
    /// way in its step, and at once when nothing is any more. What stands still is on its way in the steps
    /// that this one is within. `goes` says whether anything goes on by itself now.
    fn next_step(&self, goes: bool, until: Millis) -> Option<(Millis, usize)> {
        let of_run = |(index, run): (usize, &Run)| {
            let at = run.step_at(self.rules)?;
            match self.is_innermost(run) {
                _ if goes => Some((at, index)),
                true => Some((self.now, index)),
                false => Some((at, index)).filter(|_| at <= until),
            }
        };
        let going = self.runs.iter().enumerate().filter(|(_, run)| !run.stands_still());
        going.filter_map(of_run).min()
    }

    fn carry_out(&mut self, index: usize) {
        let Some(step) = self.runs.get_mut(index).and_then(Run::next_step) else { return };
        let observed = self.meanwhile(&step.step);
        if let Some(run) = self.runs.get_mut(index) {
            run.meanwhile.push(observed);
        }
    }

    /// Nothing will ever happen any more, and yet a hook is waited for: a rule that lets no
    /// deadline pass leads here, the specification does not.
    fn give_up(&mut self) {
        for run in &mut self.runs {
            run.handle(self.rules, Input::Elapsed { at: Millis::MAX });
        }
        self.ask();
    }

    /// The next answer on its way that comes in time: when, to which run, and its place there. What is
    /// late is told by its deadline.
    fn next_answer(&mut self) -> Option<(Millis, usize, usize)> {
        let (rules, boundary) = (self.rules, self.readings.boundary);
        let of_run = |(index, run): (usize, &mut Run)| {
            let until = run.until(rules);
            let in_time = |at: Millis| until.is_none_or(|until| rules.in_time(boundary, at, until));
            let due = run.due.iter().enumerate().filter(|(_, (at, ..))| in_time(*at));
            due.map(|(place, (at, ..))| (run.began.plus(*at), index, place)).min()
        };
        self.runs.iter_mut().enumerate().filter(|(_, run)| !run.stands_still()).filter_map(of_run).min()
    }

    /// An answer arrives.
    fn arrive(&mut self, index: usize, place: usize) {
        let Some(run) = self.runs.get_mut(index) else { return };
        let (at, slot, reply) = run.due.remove(place);
        run.handle(self.rules, Input::Answered { slot, at, reply });
        let parked = run.firing.parked().any(|parked| parked == slot);
        let entry = if parked { run.park_entry(&self.readings, slot, at) } else { None };
        if let (Some(entry), Some(thread)) = (entry, self.threads.get_mut(&run.thread)) {
            thread.audit.push(entry);
        }
    }

    /// Asks whoever is to be asked now, and writes the audit entries that have become due.
    fn ask(&mut self) {
        for index in 0..self.runs.len() {
            if self.runs.get(index).is_some_and(|run| run.stands_still()) {
                continue;
            }
            while let Some(asked) = self.runs.get_mut(index).and_then(|run| run.poll(self.rules)) {
                // What came before it is written before anything that it does.
                self.write_audit(index);
                self.ask_one(index, asked);
            }
            self.write_audit(index);
        }
    }

    fn write_audit(&mut self, index: usize) {
        let Some(run) = self.runs.get_mut(index) else { return };
        let entries = run.audit(self.rules, &self.readings);
        if let Some(thread) = self.threads.get_mut(&run.thread) {
            thread.audit.extend(entries);
        }
    }

    /// Asks one hook: delivers a HookInput, or parks the work for the client (MX-PROC-1).
    fn ask_one(&mut self, index: usize, asked: Asked) {
        let Some(run) = self.runs.get_mut(index) else { return };
        let Some(hook) = run.hook(asked.slot).cloned() else { return };
        if !self.rules.is_delivered(&hook.processor) {
            run.due.push((asked.at, asked.slot, Reply::Pending));
            return;
        }
        let is_agent = matches!(hook.processor, Processor::Agent(_));
        if is_agent && run.nested {
            run.due.push((asked.at, asked.slot, Reply::Failed(Failure::Refused)));
            return;
        }
        let (slot, at) = (asked.slot, asked.at);
        if run.deliver(self.rules, asked, format!("delivery-{}", self.deliveries + 1)) {
            self.deliveries += 1;
        }
        let (after, says) = match run.answer(slot) {
            None => (Millis::ZERO, None),
            Some(answer) => (answer.after_ms, Some(answer.says.clone())),
        };
        let reply = match &says {
            None => Some(Reply::defer()),
            Some(says) => self.rules.decode(&self.readings, run.point, says),
        };
        if let Some(reply) = reply {
            run.due.push((at.plus(after), slot, reply));
        }
        if let Some(Says::AgentRun(steps)) = says.filter(|_| is_agent) {
            self.agent_run(index, hook.id, &steps);
        }
    }

    /// MX-PROC-2: an agent processor's own run, on the same platform, while the firing that it answers
    /// stands still. What happens in it takes time, but none of that firing's. Whatever else is on its way
    /// goes on.
    fn agent_run(&mut self, index: usize, hook: String, steps: &[Step]) {
        if let Some(run) = self.runs.get_mut(index) {
            run.stand_still(self.now);
        }
        let within = std::mem::replace(&mut self.within_agent, true);
        let steps = steps.iter().map(|step| self.step(step)).collect();
        self.within_agent = within;
        if let Some(run) = self.runs.get_mut(index) {
            run.move_on(self.now);
            run.agent_runs.push(AgentRun { hook, steps });
        }
    }
}
