//! One firing, from selection to outcome, on a virtual clock. VO-EVT, VO-SEL, VO-DL, VO-FOLD,
//! VO-CONSENT-2, VO-LIFE-1, VO-CONF-5, VO-CONF-6, VO-CONF-8.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::Peekable;

use serde_json::{Map, Value};

use super::confirmation::Demand;
use super::event::EventKind;
use super::host::{Host, Integration, refused};
use super::loading::Standing;
use super::rules::Rules;
use super::wire;
use crate::kernel::{
    Clock, Decision, Failure, FailurePolicy, Firing, Guard, Hook, Input, Millis, Output, Reply, Terms, Visit,
};
use crate::reading::VoiceosReadings;
use crate::reading::shared::{Conditions, Incomparable, Sight, TimeoutFrom};
use crate::reading::voiceos::{EndingRewrite, FrontmostAt, FrontmostChecked, Once, UpdateInFlight};
use crate::script::voiceos::{
    Answer, App, Call, Card, Event, Fire, LogEntry, Meanwhile, Observation, Outcome, Policy, PreToolUseEvent,
    Receipt, Shown, User,
};

/// The readings as a firing with this budget needs them.
#[must_use]
pub fn terms(readings: &VoiceosReadings, budget: Millis) -> Terms {
    Terms {
        dispatch: readings.dispatch,
        clock: Clock::Shared(budget),
        retries: readings.once == Once::Retries,
        boundary: readings.boundary,
        nothing_left: readings.nothing_left,
        exhaustion: readings.exhaustion,
        sight: readings.sight,
        choice: readings.choice,
        rewrite_mode: readings.rewrite_mode,
        rewriters: readings.rewriters,
        ending_rewrites: readings.ending_rewrite == EndingRewrite::Apply,
        contexts: readings.contexts,
        consent_check: readings.consent_check,
        // This dialect has no conditions, no allow and no waits.
        guard_sight: Sight::Composed,
        conditions: Conditions::All,
        incomparable: Incomparable::NegationTrue,
        allow_rewrites: true,
        timeout_from: TimeoutFrom::Parked,
    }
}

/// The value that hooks rewrite.
fn subject(event: &Event) -> Value {
    match event {
        Event::Transcript(event) => event.transcript.clone().into(),
        Event::Dictation(event) => event.text.clone().into(),
        Event::PreToolUse(event) => event.args.clone().into(),
        Event::PostToolUse(event) => event.result.clone(),
        Event::TurnComplete(_) => Value::Null,
    }
}

impl<R: Rules + ?Sized> Host<'_, R> {
    /// Fires one event, of a call whose earlier firings took `spent` (VO-DL-8).
    pub(super) fn fire(&mut self, fire: &Fire, spent: Millis) -> Observation {
        let owner = match &fire.event {
            Event::PreToolUse(event) => self.owns(&event.integration, &event.tool_name).map(|_| ()),
            Event::PostToolUse(event) => self.owns(&event.integration, &event.tool_name).map(|_| ()),
            _ => Ok(()),
        };
        if let Err(error) = owner {
            return refused(error);
        }
        let kind = self.rules.heard_as(EventKind::of(&fire.event));
        match (&fire.event, self.rules.budget(kind, spent)) {
            (_, Some(budget)) => self.awaited(fire, kind, budget),
            (event, None) => {
                let mut observation = match event {
                    Event::TurnComplete(receipt) => self.sent(|_| receipt.clone()),
                    _ => Observation::default(),
                };
                // It is over as it begins.
                let mut steps: Vec<_> = fire.meanwhile.iter().collect();
                steps.sort_by_key(|step| step.at_ms);
                let steps = steps.into_iter().map(|step| self.control(&step.step).unwrap_or_else(refused));
                observation.meanwhile = steps.collect();
                observation
            }
        }
    }

    /// VO-SEL-1, 2, 4: the names of the integrations whose hook the event concerns, in chain order.
    fn selected(&self, event: &Event, kind: EventKind) -> Vec<String> {
        self.chain()
            .into_iter()
            .filter(|integration| self.rules.loads(integration.standing(kind)))
            .filter(|integration| self.rules.concerns(event, integration.id()))
            .filter(|integration| self.is_in_front(integration, kind))
            .map(|integration| integration.id().to_owned())
            .collect()
    }

    /// VO-SEL-6.
    fn frontmost_for(&self, kind: EventKind) -> Option<&App> {
        let at_start = matches!(kind, EventKind::PostToolUse | EventKind::TurnComplete)
            && self.readings.frontmost_at == FrontmostAt::AtTurnStart;
        match &self.turn {
            Some(turn) if at_start => turn.frontmost.as_ref(),
            _ => self.frontmost.as_ref(),
        }
    }

    /// VO-DL-7: a receipt is sent to all it concerns and not awaited. `receipt` gives that of one
    /// integration, or of all.
    pub(super) fn sent(&self, receipt: impl Fn(Option<&str>) -> Receipt) -> Observation {
        let kind = EventKind::TurnComplete;
        let (outcome, ended_ms) = (Some(Outcome::Sent {}), Some(Millis::ZERO));
        let mut observation = Observation { outcome, ended_ms, ..Observation::default() };
        for hook in self.selected(&Event::TurnComplete(receipt(None)), kind) {
            match self.named(&hook).map(|integration| integration.standing(kind)) {
                Ok(standing) if !self.rules.is_heard(standing) => {}
                Ok(standing) if self.rules.is_callable(standing) => {
                    let event = Event::TurnComplete(receipt(Some(&hook)));
                    let payload = self.rules.payload(kind, &wire::frame(&event, None), &Value::Null);
                    let tool = kind.tool().to_owned();
                    observation.calls.push(Call { hook, tool, payload, at_ms: Millis::ZERO });
                }
                _ => {
                    let failure = Some(Failure::Unregistered);
                    observation.logged.push(LogEntry { hook, failure, reason: None });
                }
            }
        }
        observation
    }

    fn awaited(&mut self, fire: &Fire, kind: EventKind, budget: Millis) -> Observation {
        let names = self.selected(&fire.event, kind);
        let hooks = names.iter().map(|name| hook(name.clone())).collect();
        let frame = wire::frame(&fire.event, self.frontmost.as_ref());
        let terms = terms(&self.readings, budget);
        let firing = Firing::new(terms, hooks, Value::Null, kind.subject(), subject(&fire.event));
        let mut drive = Drive {
            firing,
            kind,
            frame,
            names,
            answers: &fire.answers,
            calls: Vec::new(),
            due: Vec::new(),
            gone: BTreeSet::new(),
            standings: BTreeMap::new(),
            owner: None,
            user_wants: UserWants::default(),
        };
        let mut steps: Vec<_> = fire.meanwhile.iter().collect();
        steps.sort_by_key(|step| self.rules.takes_effect(step.at_ms));
        let mut steps = steps.into_iter().peekable();
        let mut meanwhile = self.drive(&mut drive, &fire.event, &mut steps);
        let observation = self.observe(&drive, &fire.event, &fire.user);
        self.remember(&fire.event, &composed(&drive.firing), &observation);
        // What comes later than the end changes nothing of the firing (HK-ORDER-2).
        meanwhile.extend(steps.map(|step| self.control(&step.step).unwrap_or_else(refused)));
        Observation { calls: drive.calls, meanwhile, ..observation }
    }

    /// Drives a firing to its end: control steps before answers before deadlines, moment by moment.
    fn drive<'a>(
        &mut self,
        drive: &mut Drive<'_>,
        event: &Event,
        steps: &mut Peekable<impl Iterator<Item = &'a Meanwhile>>,
    ) -> Vec<Observation> {
        let mut observed = Vec::new();
        self.tell(drive, event, Millis::ZERO);
        while let Some(until) = self.ask(drive) {
            let answer = drive.due.iter().map(|(at, slot, _)| (*at, *slot)).min();
            let due = steps.peek().map(|step| self.rules.takes_effect(step.at_ms));
            let first = [due, answer.map(|(at, _)| at), until].into_iter().flatten().min();
            if let Some((at, step)) = due.filter(|at| Some(*at) == first).zip(steps.next_if(|_| due == first))
            {
                observed.push(self.control(&step.step).unwrap_or_else(refused));
                self.tell(drive, event, at);
            } else if let Some((at, slot)) = answer.filter(|(at, _)| Some(*at) == first) {
                let place = drive.due.iter().position(|due| (due.0, due.1) == (at, slot));
                let reply = place.map_or_else(Reply::defer, |place| drive.due.swap_remove(place).2);
                drive.firing.handle(self.rules, Input::Answered { slot, at, reply });
            } else {
                drive.firing.handle(self.rules, Input::Elapsed { at: first.unwrap_or(Millis::MAX) });
            }
        }
        observed
    }

    /// Asks whoever is to be asked now. `None` once the firing is over, else its next deadline.
    fn ask(&self, drive: &mut Drive<'_>) -> Option<Option<Millis>> {
        loop {
            let (slot, at, payload) = match drive.firing.poll(self.rules) {
                Output::Done(_) => return None,
                Output::WaitUntil(until) => return Some(until),
                Output::Ask { slot, sees, at, .. } => {
                    (slot, at, self.rules.payload(drive.kind, &drive.frame, sees))
                }
            };
            let Some(name) = drive.names.get(slot) else { continue };
            let standing = drive.standings.get(&slot);
            if !standing.is_some_and(|standing| self.rules.is_callable(*standing)) {
                let reply = Reply::Failed(Failure::Unregistered);
                drive.firing.handle(self.rules, Input::Answered { slot, at, reply });
                continue;
            }
            let answer = drive.answers.get(name);
            let (after, reply) = match answer {
                None => (Millis::ZERO, Some(Reply::defer())),
                Some(answer) => {
                    (answer.after_ms, self.rules.decode(&self.readings, drive.kind, &answer.says))
                }
            };
            if let Some(reply) = reply {
                drive.due.push((at.plus(after), slot, reply));
            }
            let (hook, tool) = (name.clone(), drive.kind.tool().to_owned());
            drive.calls.push(Call { hook, tool, payload, at_ms: at });
        }
    }

    /// VO-CONSENT-1, VO-CONSENT-2, VO-LIFE-1, VO-SEL-7: tells the firing whose hooks may not be heard, and
    /// keeps what the user wants of the tool, which outlives its installation. What is decided about another
    /// one begins with the next call (VO-CONF-9).
    fn tell(&self, drive: &mut Drive<'_>, event: &Event, at: Millis) {
        for (slot, name) in drive.names.iter().enumerate() {
            let integration = self.named(name).ok();
            if let Some(integration) = integration {
                let now = integration.standing(drive.kind);
                // VO-LIFE-2: what an update takes away comes back with the next firing.
                let standing = match (drive.standings.get(&slot), self.readings.update_in_flight) {
                    (Some(&Standing { declared, offered, .. }), UpdateInFlight::NextFiring) => {
                        Standing { declared, offered, ..now }
                    }
                    (Some(before), UpdateInFlight::AtOnce) if before.declared && !now.declared => {
                        drive.gone.insert(slot);
                        now
                    }
                    _ => now,
                };
                drive.standings.insert(slot, standing);
            } else {
                drive.gone.insert(slot);
            }
            // What is gone stands as it stood last.
            let removed = drive.gone.contains(&slot);
            let standing = drive.standings.get(&slot).map(|standing| Standing { removed, ..*standing });
            let heard = standing.is_some_and(|standing| self.rules.is_heard(standing));
            // What is frontmost matters for a hook that is still to be asked, and only for that.
            let unasked = !drive.calls.iter().any(|call| call.hook == *name);
            let in_front = self.readings.frontmost_checked == FrontmostChecked::AtFiring
                || !unasked
                || integration.is_none_or(|integration| self.is_in_front(integration, drive.kind));
            let input =
                if heard && in_front { Input::Restored { slot, at } } else { Input::Silenced { slot, at } };
            drive.firing.handle(self.rules, input);
        }
        if let Event::PreToolUse(event) = event
            && let Ok(owner) = self.named(&event.integration)
            && *drive.owner.get_or_insert(owner.number) == owner.number
        {
            let (policy, locked) = (owner.policy(&event.tool_name), owner.is_locked(&event.tool_name));
            drive.user_wants = UserWants { policy, locked };
        }
    }

    fn is_in_front(&self, integration: &Integration, kind: EventKind) -> bool {
        let declared = integration.manifest.hooks.get(&kind);
        declared.is_none_or(|declared| self.rules.fires(&self.readings, declared, self.frontmost_for(kind)))
    }

    fn observe(&self, drive: &Drive<'_>, event: &Event, user: &User) -> Observation {
        let Some(outcome) = drive.firing.outcome() else { return Observation::default() };
        let value = composed(&drive.firing);
        let mut observation = Observation {
            ended_ms: Some(outcome.at),
            logged: drive.firing.visits().iter().filter_map(|visit| log(&drive.names, visit)).collect(),
            ..Observation::default()
        };
        let decision = outcome.decision;
        if decision != Decision::Defer {
            let view = outcome.view.clone().filter(|_| decision == Decision::Handled);
            let shown = Shown { text: outcome.response_text.clone(), view };
            observation.user_sees = (shown != Shown::default()).then_some(shown);
        }
        observation.outcome = Some(match (event, decision) {
            (Event::PreToolUse(call), Decision::Deny | Decision::Defer | Decision::Allow) => {
                let UserWants { policy, locked } = drive.user_wants;
                let blocked = decision == Decision::Deny;
                let answered = drive.firing.visits().iter().any(|visit| visit.failure.is_none());
                let demand = Demand { blocked, policy, locked, hook: outcome.confirm, answered };
                let rewritten = value.as_object().cloned().unwrap_or_default();
                self.confirmed(demand, call, rewritten, user, &mut observation.cards)
            }
            (_, Decision::Deny) => Outcome::Blocked {},
            (Event::Dictation(_), Decision::Handled) => Outcome::Consumed {},
            (_, Decision::Handled) => Outcome::Handled {},
            (Event::Dictation(_), _) => {
                Outcome::Pasted { text: value.as_str().unwrap_or_default().to_owned() }
            }
            _ => Outcome::WentOn { value, context: outcome.contexts.clone() },
        });
        observation
    }

    /// VO-CONF-5 to 8: what becomes of a call, whose card is shown to whoever is there.
    fn confirmed(
        &self,
        demand: Demand,
        call: &PreToolUseEvent,
        rewritten: Map<String, Value>,
        user: &User,
        cards: &mut Vec<Card>,
    ) -> Outcome {
        match (self.rules.asks(&self.readings, demand), demand.blocked) {
            (false, true) => Outcome::Blocked {},
            (false, false) => Outcome::Executed { args: rewritten },
            (true, _) => {
                let shown = self.rules.shows(&call.args, &rewritten);
                if *user != User::Absent {
                    cards.push(Card { tool: call.tool_name.clone(), args: shown.clone() });
                }
                self.rules.decided(&self.readings, user, shown)
            }
        }
    }
}

/// A firing with what its driver keeps of it.
struct Drive<'a> {
    firing: Firing,
    kind: EventKind,
    frame: Map<String, Value>,
    names: Vec<String>,
    answers: &'a BTreeMap<String, Answer>,
    calls: Vec<Call>,
    /// Answers on their way: when, by which slot, and what.
    due: Vec<(Millis, usize, Reply)>,
    /// The slots whose integration, or its hook, was removed while it ran, if only for a moment.
    gone: BTreeSet<usize>,
    /// How the integrations stand, or stood before they were removed.
    standings: BTreeMap<usize, Standing>,
    /// The installation whose tool is called.
    owner: Option<usize>,
    user_wants: UserWants,
}

/// What the user has decided about the tool of a call.
#[derive(Debug, Clone, Copy, Default)]
struct UserWants {
    policy: Policy,
    locked: bool,
}

/// The value that a firing came to, whatever it decided.
fn composed(firing: &Firing) -> Value {
    let rewritten = firing.outcome().and_then(|outcome| outcome.value.clone());
    rewritten.unwrap_or_else(|| firing.value().clone())
}

fn hook(name: String) -> Hook {
    Hook {
        name,
        guard: Guard::default(),
        policy: FailurePolicy::FailOpen,
        deadline: Millis::MAX,
        patience: Millis::MAX,
    }
}

/// VO-FAIL-1, VO-FOLD-11: what the log says of a hook whose turn came.
fn log(names: &[String], visit: &Visit) -> Option<LogEntry> {
    let hook = names.get(visit.slot)?.clone();
    let entry = LogEntry { hook, failure: visit.failure, reason: visit.reason.clone() };
    (entry.failure.is_some() || entry.reason.is_some()).then_some(entry)
}
