//! One firing on a platform: its chain, the answers on their way, its waits and its audit entries.
//! MX-WAIT-4, MX-WAIT-9, MX-AUD-3, MX-AUD-6.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Map, Value};

use super::audit::{self, Evaluated};
use super::point::Point;
use super::profile::ProfileHook;
use super::rules::Rules;
use super::wait::{self, WaitState};
use super::wire;
use crate::kernel::{Clock, Firing, Guard, Hook, Input, Millis, Output, Reply, Terms};
use crate::reading::MatricesReadings;
use crate::reading::matrices::{AllowRewrite, Once, ParkedAudit};
use crate::reading::shared::{
    Choice, ConsentCheck, Contexts, Dispatch, Exhaustion, NothingLeft, Rewriters, Sight,
};
use crate::script::matrices::{
    AgentRun, Answer, AuditEntry, Call, Fire, Fired, Meanwhile, Observation, Outcome, Wait,
};

/// A firing, under way, parked or over. Its own moments count from `began`.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) label: String,
    pub(super) thread: String,
    pub(super) point: Point,
    pub(super) began: Millis,
    pub(super) waits: BTreeMap<usize, WaitState>,
    /// The step under way that shows it, once it is done.
    pub(super) shown_by: Option<ShownBy>,
    pub(super) firing: Firing,
    /// Whether it fired within an agent processor's own run (MX-PROC-2).
    pub(super) nested: bool,
    /// Since when it stands still, on the platform's clock: one of its agent processors is running steps
    /// of its own.
    still_since: Option<Millis>,
    frame: Map<String, Value>,
    /// The hooks of the chain with their places in the profile's list.
    chain: Vec<(usize, ProfileHook)>,
    answers: BTreeMap<String, Answer>,
    deliveries: BTreeMap<usize, String>,
    asked: BTreeMap<usize, Millis>,
    audited: usize,
    /// Answers on their way: when, by which slot, and what.
    pub(super) due: Vec<(Millis, usize, Reply)>,
    /// The control steps that are still to be carried out, the earliest first. Their moments are its own.
    ahead: VecDeque<Meanwhile>,
    /// What was observed of those that have been.
    pub(super) meanwhile: Vec<Observation>,
    calls: Vec<Call>,
    pub(super) agent_runs: Vec<AgentRun>,
    ended: bool,
}

/// Which of the steps that are being carried out shows a firing: the one that fired it, or set it going first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ShownBy {
    /// How many steps it is within, itself included.
    pub(super) depth: usize,
    /// How many firings had been set going before.
    pub(super) order: u64,
}

/// A hook that is to be asked now.
pub(super) struct Asked {
    pub(super) slot: usize,
    pub(super) at: Millis,
    pub(super) sees: Value,
}

/// The readings as a firing needs them.
#[must_use]
pub fn terms(readings: &MatricesReadings) -> Terms {
    Terms {
        clock: Clock::PerHook,
        retries: readings.once == Once::Retries,
        boundary: readings.boundary,
        guard_sight: readings.conditions_see,
        conditions: readings.conditions,
        incomparable: readings.incomparable,
        rewrite_mode: readings.rewrite_mode,
        allow_rewrites: readings.allow_rewrite == AllowRewrite::Apply,
        timeout_from: readings.timeout_from,
        // HK-ORDER-1, HK-DECIDE-1, HK-REWRITE-1, MX-FOLD-5: stated, so no reading.
        dispatch: Dispatch::Sequential,
        choice: Choice::FirstInOrder,
        rewriters: Rewriters::Compose,
        sight: Sight::Composed,
        ending_rewrites: false,
        // This dialect has no shared budget, no contexts and no consent.
        nothing_left: NothingLeft::NotAsked,
        exhaustion: Exhaustion::Keep,
        contexts: Contexts::List,
        consent_check: ConsentCheck::Both,
    }
}

/// A profile's hook as the kernel takes it.
pub(super) fn kernel_hook(hook: &ProfileHook) -> Hook {
    Hook {
        name: hook.id.clone(),
        guard: Guard { conditions: hook.conditions.clone() },
        policy: hook.policy,
        deadline: hook.deadline,
        patience: hook.async_timeout,
    }
}

impl Run {
    pub(super) fn new(
        readings: &MatricesReadings,
        fire: &Fire,
        chain: Vec<(usize, ProfileHook)>,
        began: Millis,
        nested: bool,
    ) -> Self {
        let (point, tool, value) = wire::parts(&fire.event);
        let frame = wire::frame(point, &fire.thread, tool);
        let hooks = chain.iter().map(|(_, hook)| kernel_hook(hook)).collect();
        Self {
            label: fire.firing.clone(),
            thread: fire.thread.clone(),
            point,
            began,
            waits: BTreeMap::new(),
            shown_by: None,
            firing: Firing::new(terms(readings), hooks, Value::Object(frame.clone()), point.subject(), value),
            nested,
            still_since: None,
            frame,
            chain,
            answers: fire.answers.clone(),
            deliveries: BTreeMap::new(),
            asked: BTreeMap::new(),
            audited: 0,
            due: Vec::new(),
            ahead: VecDeque::new(),
            meanwhile: Vec::new(),
            calls: Vec::new(),
            agent_runs: Vec::new(),
            ended: false,
        }
    }

    /// The hook that is to be asked now, if any.
    pub(super) fn poll<R: Rules + ?Sized>(&mut self, rules: &R) -> Option<Asked> {
        match self.firing.poll(rules) {
            Output::Ask { slot, sees, at, .. } => {
                let sees = sees.clone();
                self.asked.entry(slot).or_insert(at);
                Some(Asked { slot, at, sees })
            }
            Output::WaitUntil(_) | Output::Done(_) => None,
        }
    }

    /// Its next deadline, since it began.
    pub(super) fn until<R: Rules + ?Sized>(&mut self, rules: &R) -> Option<Millis> {
        match self.firing.poll(rules) {
            Output::WaitUntil(until) => until,
            Output::Ask { .. } | Output::Done(_) => None,
        }
    }

    /// Its next deadline on the platform's clock.
    pub(super) fn deadline<R: Rules + ?Sized>(&mut self, rules: &R) -> Option<Millis> {
        self.until(rules).map(|until| self.began.plus(until))
    }

    /// The tool that the event concerns.
    pub(super) fn tool(&self) -> Option<&str> {
        self.frame.get("tool").and_then(Value::as_str)
    }

    pub(super) fn hook(&self, slot: usize) -> Option<&ProfileHook> {
        self.chain.get(slot).map(|(_, hook)| hook)
    }

    pub(super) fn answer(&self, slot: usize) -> Option<&Answer> {
        self.answers.get(&self.hook(slot)?.id)
    }

    /// Notes that a HookInput was delivered; to a hook that is asked again, the same once more
    /// (HK-ONCE-1). Whether it was a delivery of its own, under this id.
    pub(super) fn deliver<R: Rules + ?Sized>(&mut self, rules: &R, asked: Asked, delivery: String) -> bool {
        let Some(hook) = self.hook(asked.slot).map(|hook| hook.id.clone()) else { return false };
        let is_new = !self.deliveries.contains_key(&asked.slot);
        let delivery = self.deliveries.entry(asked.slot).or_insert(delivery);
        let payload = rules.hook_input(&self.frame, self.point, &hook, delivery, asked.sees);
        self.calls.push(Call { hook, payload, at_ms: asked.at });
        is_new
    }

    /// Tells the firing what happened, and keeps its waits in step.
    pub(super) fn handle<R: Rules + ?Sized>(&mut self, rules: &R, input: Input) {
        self.firing.handle(rules, input);
        let parked: Vec<_> = self.firing.parked().collect();
        for (slot, state) in &mut self.waits {
            if *state == WaitState::Pending && !parked.contains(slot) {
                *state = WaitState::Expired;
            }
        }
        for slot in parked {
            self.waits.entry(slot).or_insert(WaitState::Pending);
        }
    }

    /// The thread was cancelled.
    pub(super) fn cancel<R: Rules + ?Sized>(&mut self, rules: &R, now: Millis) {
        if self.firing.outcome().is_some() {
            return;
        }
        for state in self.waits.values_mut().filter(|state| **state == WaitState::Pending) {
            *state = WaitState::Cancelled;
        }
        self.due.clear();
        self.firing.handle(rules, Input::Cancelled { at: self.moment(now) });
    }

    /// Takes the control steps that come with it, in the order in which they take effect.
    pub(super) fn schedule<R: Rules + ?Sized>(&mut self, rules: &R, meanwhile: &[Meanwhile]) {
        let mut steps = meanwhile.to_vec();
        steps.sort_by_key(|step| rules.takes_effect(step.at_ms));
        self.ahead = steps.into();
    }

    /// When its next control step takes effect, on the platform's clock.
    pub(super) fn step_at<R: Rules + ?Sized>(&self, rules: &R) -> Option<Millis> {
        self.ahead.front().map(|step| self.began.plus(rules.takes_effect(step.at_ms)))
    }

    pub(super) fn next_step(&mut self) -> Option<Meanwhile> {
        self.ahead.pop_front()
    }

    /// How long it has been running when the platform's clock stands at `now`.
    pub(super) fn moment(&self, now: Millis) -> Millis {
        self.still_since.unwrap_or(now).since(self.began)
    }

    /// Whether it stands still, for an agent processor of it is running steps of its own.
    pub(super) const fn stands_still(&self) -> bool {
        self.still_since.is_some()
    }

    pub(super) fn stand_still(&mut self, now: Millis) {
        self.still_since = Some(now);
    }

    /// None of its time has passed while it stood still.
    pub(super) fn move_on(&mut self, now: Millis) {
        let still = self.still_since.take().map_or(Millis::ZERO, |since| now.since(since));
        self.began = self.began.plus(still);
    }

    pub(super) fn wait_name(&self, slot: usize) -> Option<String> {
        self.hook(slot).map(|hook| wait::name(&self.label, &hook.id))
    }

    /// Its waits, and where they stand.
    pub(super) fn waits(&self) -> impl Iterator<Item = (Wait, WaitState)> {
        self.waits.iter().filter_map(|(slot, state)| {
            Some((Wait { wait: self.wait_name(*slot)?, hook: self.hook(*slot)?.id.clone() }, *state))
        })
    }

    pub(super) fn evaluated(&self, slot: usize) -> Option<Evaluated<'_>> {
        let (index, hook) = self.chain.get(slot)?;
        Some(Evaluated { hook, index: *index, delivery: self.deliveries.get(&slot).map(String::as_str) })
    }

    pub(super) fn asked(&self, slot: usize) -> Millis {
        self.asked.get(&slot).copied().unwrap_or_default()
    }

    /// MX-AUD-3, MX-AUD-6: the entries that have become due.
    pub(super) fn audit<R: Rules + ?Sized>(
        &mut self,
        rules: &R,
        readings: &MatricesReadings,
    ) -> Vec<AuditEntry> {
        let visits = self.firing.visits().get(self.audited..).unwrap_or_default();
        let entries = visits
            .iter()
            .filter_map(|visit| Some(rules.entry(readings, self.point, self.evaluated(visit.slot)?, visit)));
        let entries = entries.collect();
        self.audited = self.firing.visits().len();
        entries
    }

    /// MX-AUD-6, at-park-and-end: the entry of a hook that has just parked the work.
    pub(super) fn park_entry(
        &self,
        readings: &MatricesReadings,
        slot: usize,
        at: Millis,
    ) -> Option<AuditEntry> {
        if readings.parked_audit == ParkedAudit::AtEnd {
            return None;
        }
        let latency = at.since(self.asked(slot));
        Some(audit::blank(readings, self.point, self.evaluated(slot)?, "parked", latency))
    }

    /// MX-WAIT-9, live: the hooks behind the one that was waited for are those of the profile now, where
    /// it stands in `place`, or not at all. Whoever had its turn is not asked again (HK-ONCE-1).
    pub(super) fn rechain(&mut self, slot: usize, place: Option<usize>, live: Vec<(usize, ProfileHook)>) {
        let Some((old, _)) = self.chain.get(slot) else { return };
        let from = place.map_or(*old, |place| place + 1);
        self.chain.truncate(slot + 1);
        let had_its_turn = |hook: &ProfileHook| self.chain.iter().any(|(_, had)| had.id == hook.id);
        let behind: Vec<_> =
            live.into_iter().filter(|(index, hook)| *index >= from && !had_its_turn(hook)).collect();
        let rest = behind.iter().map(|(_, hook)| kernel_hook(hook)).collect();
        self.chain.extend(behind);
        self.firing.rechain(slot + 1, rest);
    }

    /// What has been observed of it since this was last asked.
    pub(super) fn take_fired<R: Rules + ?Sized>(&mut self, rules: &R, readings: &MatricesReadings) -> Fired {
        let parked = wait::pending(self.waits().collect()).into_iter().next();
        let agent_runs = std::mem::take(&mut self.agent_runs);
        let outcome = self.firing.outcome().filter(|_| !self.ended);
        let fired = Fired {
            calls: std::mem::take(&mut self.calls),
            ended_ms: outcome.map(|outcome| outcome.at),
            outcome: outcome.map(|outcome| {
                if outcome.cancelled {
                    return Outcome::Cancelled {};
                }
                let value = outcome.value.clone().unwrap_or_else(|| self.firing.value().clone());
                rules.outcome(readings, self.point, outcome.decision, value)
            }),
            parked,
            agent_runs,
        };
        self.ended = self.firing.outcome().is_some();
        fired
    }
}
