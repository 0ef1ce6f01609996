//! One firing on a platform, from step to step: who was asked, who parked the work, what came of it.

use std::collections::BTreeMap;

use hookproof_model::kernel::{Decision, Failure, Millis, Reply};
use hookproof_model::matrices::{self, Point, wire};
use hookproof_model::reading::MatricesReadings;
use hookproof_model::script::matrices::{
    Answer, AuditEntry, Fire, Fired, HookSeen, Outcome, Says, Step as ScriptStep,
};

use super::step;
use crate::explain::firing::{Terms, Told, Visit};
use crate::explain::witness::{Folded, Said};
use crate::explain::words;
use crate::mutant::AnyRules;

const TERMS: Terms = Terms {
    decision: |decision| match decision {
        Decision::Defer => "defer",
        Decision::Allow => "allow",
        Decision::Handled => "handled",
        Decision::Deny => "deny",
    },
    no_answer: "defer",
};

/// What there is around a firing in one step.
pub(super) struct Step<'a> {
    pub(super) rules: &'a AnyRules,
    pub(super) readings: MatricesReadings,
    pub(super) step: &'a ScriptStep,
    /// What the rules said; empty where it cannot be said of which firing.
    pub(super) said: Vec<Said>,
    /// The audit entries written during the step, with their threads.
    pub(super) audited: Vec<(String, AuditEntry)>,
}

/// A firing with what has been told of it.
#[derive(Debug, Default)]
pub(super) struct Story {
    fire: Option<Fire>,
    /// The hooks of its profile when it began.
    chain: Vec<HookSeen>,
    pub(super) told: Told,
    deliveries: BTreeMap<String, String>,
    /// The audit entries of the step under way.
    entries: Vec<AuditEntry>,
    decided: bool,
    /// The hook of the wait that it is parked on now.
    holds: Option<String>,
}

impl Story {
    pub(super) fn of(fire: &Fire, chain: Vec<HookSeen>) -> Self {
        let (point, _, original) = wire::parts(&fire.event);
        let chain = chain.into_iter().filter(|hook| hook.point == point.name()).collect();
        let told = Told { original, ..Told::default() };
        Self { fire: Some(fire.clone()), chain, told, ..Self::default() }
    }

    pub(super) fn thread(&self) -> &str {
        self.fire.as_ref().map_or("", |fire| &fire.thread)
    }

    fn point(&self) -> Option<Point> {
        self.fire.as_ref().map(|fire| wire::parts(&fire.event).0)
    }

    fn answer(&self, hook: &str) -> Option<&Answer> {
        self.fire.as_ref()?.answers.get(hook)
    }

    /// The steps that the agent of a hook takes within its own run.
    pub(super) fn agent_run(&self, hook: &str) -> Vec<ScriptStep> {
        match self.answer(hook).map(|answer| &answer.says) {
            Some(Says::AgentRun(steps)) => steps.clone(),
            _ => Vec::new(),
        }
    }

    /// Takes in what a step shows of it, before its audit entries.
    pub(super) fn observe(&mut self, fired: &Fired) {
        self.told.known = self.told.visits.len();
        self.told.came_to.clear();
        self.told.meanwhile.clear();
        for visit in &mut self.told.visits {
            visit.did.clear();
            visit.changed.clear();
        }
        for call in &fired.calls {
            let subject = self.point().map_or("", Point::subject);
            let sees = call.payload.get(subject).cloned();
            if let Some(delivery) = call.payload.get("deliveryId").and_then(serde_json::Value::as_str) {
                self.deliveries.insert(delivery.to_owned(), call.hook.clone());
            }
            let hook = call.hook.clone();
            self.told.visits.push(Visit { hook, asked: Some(call.at_ms), sees, ..Visit::default() });
        }
        self.holds = fired.parked.as_ref().map(|wait| wait.hook.clone());
        if let Some(wait) = &fired.parked {
            self.visit(&wait.hook);
        }
    }

    /// The place of a hook's visit, which is made if there is none.
    fn visit(&mut self, hook: &str) -> usize {
        let visits = &mut self.told.visits;
        visits.iter().position(|visit| visit.hook == hook).unwrap_or_else(|| {
            visits.push(Visit { hook: hook.to_owned(), ..Visit::default() });
            visits.len() - 1
        })
    }

    /// How well an audit entry fits this firing: 0 where it is about a hook that it has asked, 1 where
    /// it may be about one that nothing else has shown; `None` where it is not.
    pub(super) fn claims(&self, entry: &AuditEntry) -> Option<u8> {
        if let Some(delivery) = &entry.delivery_id {
            return self.deliveries.contains_key(delivery).then_some(0);
        }
        let mut hooks = self.told.visits.iter().map(|visit| visit.hook.as_str());
        let noted = self.entries.iter().any(|noted| noted.hook_id == entry.hook_id);
        let holds = self.holds.as_ref().is_some_and(|hook| *hook == entry.hook_id);
        match hooks.position(|hook| hook == entry.hook_id) {
            _ if noted || holds => None,
            Some(place) => {
                let open = self.told.visits.get(place).is_some_and(|visit| visit.settled.is_none());
                open.then_some(0)
            }
            None => self.chain.iter().any(|hook| hook.id == entry.hook_id).then_some(1),
        }
    }

    /// Takes in an audit entry of the step under way.
    pub(super) fn audit(&mut self, entry: &AuditEntry) {
        if entry.decision != "parked" {
            self.visit(&entry.hook_id);
            self.entries.push(entry.clone());
        }
    }

    fn policy(&self, hook: &str) -> Option<&HookSeen> {
        self.chain.iter().find(|seen| seen.id == hook)
    }

    fn place(&self, hook: &str) -> usize {
        self.chain.iter().position(|seen| seen.id == hook).unwrap_or(usize::MAX)
    }

    /// Puts together what calls, waits, audit entries and rules say of the step under way.
    pub(super) fn conclude(&mut self, fired: &Fired, around: &Step<'_>) {
        let mut fresh = self.told.visits.split_off(self.told.known);
        fresh.sort_by_key(|visit| self.place(&visit.hook));
        self.told.visits.extend(fresh);
        self.time(around);
        for place in self.told.known..self.told.visits.len() {
            self.answered(place, around);
        }
        self.park(fired, around);
        let turns: Vec<_> = (around.said.iter())
            .filter_map(|said| match said {
                Said::Folded(turn) => Some(turn),
                _ => None,
            })
            .collect();
        let entries = std::mem::take(&mut self.entries);
        // What the rules said of turns and the entries about them are in the same order.
        let told_apart = turns.len() == entries.len();
        for (place, entry) in entries.iter().enumerate() {
            let turn = turns.get(place).copied().filter(|_| told_apart);
            self.settle(entry, turn, around);
        }
        self.told.ended = fired.ended_ms;
        if let Some(outcome) = &fired.outcome {
            self.told.came_to.extend(self.passed_over(outcome));
            self.told.came_to.push(step::outcome(outcome, fired.ended_ms.unwrap_or_default()));
        }
    }

    /// When hooks were asked, and until when they have.
    fn time(&mut self, around: &Step<'_>) {
        let asked: Vec<_> = (around.said.iter())
            .filter_map(|said| match said {
                Said::Asked { at, until } => Some((*at, *until)),
                _ => None,
            })
            .collect();
        let failed = |hook: &str| {
            let entry = self.entries.iter().find(|entry| entry.hook_id == hook);
            entry.is_some_and(|entry| entry.failure == Some(Failure::Condition))
        };
        let fresh: Vec<_> = (self.told.visits.iter().enumerate().skip(self.told.known))
            .filter(|(_, visit)| !failed(&visit.hook))
            .map(|(place, _)| place)
            .collect();
        if asked.len() == fresh.len() {
            for (place, (at, until)) in fresh.into_iter().zip(asked) {
                if let Some(visit) = self.told.visits.get_mut(place) {
                    (visit.asked, visit.until) = (Some(at), Some(until));
                }
            }
        }
        // Hooks of a platform are asked one after another.
        let mut last = Millis::ZERO;
        let latency = |hook: &str| {
            let entry = self.entries.iter().find(|entry| entry.hook_id == hook);
            entry.map_or(Millis::ZERO, |entry| entry.latency_ms)
        };
        for visit in &mut self.told.visits {
            let asked = *visit.asked.get_or_insert(last);
            last = visit.settled.unwrap_or_else(|| asked.plus(latency(&visit.hook)));
        }
    }

    /// What a hook that was asked in this step did.
    fn answered(&mut self, place: usize, around: &Step<'_>) {
        let Some(visit) = self.told.visits.get(place) else { return };
        let seen = self.policy(&visit.hook);
        let about = seen.map(|seen| format!("{}, {}", seen.processor, seen.on_failure)).unwrap_or_default();
        let is_client = seen.is_some_and(|seen| seen.processor == "client");
        let delivered = visit.sees.is_some();
        let after = self.answer(&visit.hook).map_or(Millis::ZERO, |answer| answer.after_ms);
        let reply = self.reply(&visit.hook, around);
        let did = match self.answer(&visit.hook) {
            _ if !delivered => String::new(),
            None if self.fire.is_none() => String::new(),
            None => format!("At once it answers {{\"decision\":\"defer\"}}{}.", TERMS.reads(reply.as_ref())),
            Some(answer) => format!("{}{}.", step::says(&answer.says, after), TERMS.reads(reply.as_ref())),
        };
        let Some(visit) = self.told.visits.get_mut(place) else { return };
        visit.about = about;
        visit.did = did;
        let asked = visit.asked.unwrap_or_default();
        visit.did_at = (delivered && reply.is_some()).then(|| asked.plus(after));
        if is_client && !delivered {
            visit.parked = Some((asked, None));
            visit.until = None;
        } else if reply == Some(Reply::Pending) {
            visit.parked = Some((asked.plus(after), None));
        }
    }

    /// What the answer of a hook means.
    fn reply(&self, hook: &str, around: &Step<'_>) -> Option<Reply> {
        match (self.answer(hook), self.point()) {
            (Some(answer), Some(point)) => {
                matrices::Rules::decode(around.rules, &around.readings, point, &answer.says)
            }
            _ => Some(Reply::defer()),
        }
    }

    /// Until when the work is parked, and on what.
    fn park(&mut self, fired: &Fired, around: &Step<'_>) {
        let until: Vec<_> = (around.said.iter())
            .filter_map(|said| match said {
                Said::Parked { until } => Some(*until),
                _ => None,
            })
            .collect();
        let known = self.told.known;
        let timed_out = |hook: &str| {
            let entry = self.entries.iter().find(|entry| entry.hook_id == hook);
            entry.is_some_and(|entry| entry.failure == Some(Failure::Timeout))
        };
        for visit in self.told.visits.iter_mut().skip(known).filter(|visit| timed_out(&visit.hook)) {
            visit.parked = None;
        }
        let count = self.told.visits.iter().skip(known).filter(|visit| visit.parked.is_some()).count();
        let parked = self.told.visits.iter_mut().skip(known).filter_map(|visit| {
            let hook = visit.hook.clone();
            visit.parked.as_mut().map(|parked| (hook, &mut visit.changed, parked))
        });
        for (place, (hook, changed, parked)) in parked.enumerate() {
            parked.1 = until.get(place).copied().filter(|_| until.len() == count);
            let wait = fired.parked.as_ref().filter(|wait| wait.hook == hook);
            let on = wait.map(|wait| format!(" on {}", wait.wait)).unwrap_or_default();
            let longest = parked.1.map(|until| format!(", at the longest until {}", words::time(until)));
            changed.push(format!("The work is parked{on}{}.", longest.unwrap_or_default()));
        }
    }

    /// A hook's turn came to what its audit entry says.
    fn settle(&mut self, entry: &AuditEntry, turn: Option<&Folded>, around: &Step<'_>) {
        let place = self.visit(&entry.hook_id);
        let known = place < self.told.known;
        let resolution = match (around.step, self.point(), &self.fire) {
            (ScriptStep::Resolve(resolve), Some(point), Some(fire)) if known => {
                let named = resolve.wait == matrices::wait::name(&fire.firing, &entry.hook_id);
                named
                    .then(|| (around.rules.resolution(&around.readings, point, &resolve.body), &resolve.body))
            }
            _ => None,
        };
        let reply = match &resolution {
            Some((Ok(answer), _)) => Some(Reply::Answered(Box::new(answer.clone()))),
            Some((Err(failure), _)) => Some(Reply::Failed(*failure)),
            None => self.reply(&entry.hook_id, around).filter(|_| !known),
        };
        let decision = match entry.decision.as_str() {
            "allow" => Decision::Allow,
            "deny" => Decision::Deny,
            _ => Decision::Defer,
        };
        let decision = turn.map_or(decision, |turn| turn.decision);
        self.decided |= decision != Decision::Defer;
        let Some(visit) = self.told.visits.get_mut(place) else { return };
        if known {
            visit.did = match resolution {
                Some((_, body)) => {
                    format!(
                        "{} is resolved with {}{}.",
                        entry.hook_id,
                        step::body(body),
                        TERMS.reads(reply.as_ref())
                    )
                }
                None => format!("{} is still waited for.", entry.hook_id),
            };
        }
        let at = visit.asked.unwrap_or_default().plus(entry.latency_ms);
        visit.settled = Some(at);
        visit.failure = entry.failure;
        match (entry.failure, turn) {
            (Some(failure), _) => {
                let timed = matches!(failure, Failure::Timeout | Failure::Expired);
                visit.changed.push(TERMS.failed(failure, decision, timed.then_some(at), visit.did_at));
            }
            (None, Some(turn)) => visit.changed.extend(TERMS.changed(turn, reply.as_ref())),
            (None, None) => {
                visit.changed.extend((entry.rewrote == Some(true)).then(|| "Its rewrite counts.".to_owned()));
                visit.changed.extend(
                    (decision != Decision::Defer)
                        .then(|| format!("It decides: {}.", (TERMS.decision)(decision))),
                );
            }
        }
        if let (Some(_), Some(turn)) = (entry.failure, turn) {
            visit.changed.extend(TERMS.ruled(turn));
        }
        visit.changed.extend(
            entry.reason.as_ref().map(|reason| format!("Its reason is audited: {}.", words::quoted(reason))),
        );
    }

    /// The hooks of the point that were not asked.
    fn passed_over(&self, outcome: &Outcome) -> Vec<String> {
        let last = self.told.visits.iter().map(|visit| self.place(&visit.hook)).max();
        let not_asked = self
            .chain
            .iter()
            .enumerate()
            .filter(|(_, seen)| self.told.visits.iter().all(|visit| visit.hook != seen.id));
        let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
        for (place, seen) in not_asked {
            let behind = last.is_some_and(|last| place > last);
            let why = match outcome {
                Outcome::Cancelled {} if behind => "the work is called off",
                _ if behind && self.decided => "the decision stands already",
                _ => "the match does not hold",
            };
            match reasons.iter_mut().find(|(reason, _)| *reason == why) {
                Some((_, hooks)) => hooks.push(&seen.id),
                None => reasons.push((why, vec![&seen.id])),
            }
        }
        let sentence = |(why, hooks): (&str, Vec<&str>)| {
            let verb = if hooks.len() == 1 { "is" } else { "are" };
            format!("{} {verb} not asked: {why}.", words::list(&hooks))
        };
        reasons.into_iter().map(sentence).collect()
    }
}
