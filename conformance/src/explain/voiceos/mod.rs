//! A VoiceOS script, told step by step.

mod step;

use std::collections::BTreeMap;

use hookproof_model::kernel::{Decision, Failure, Millis};
use hookproof_model::reading::VoiceosReadings;
use hookproof_model::script::voiceos::{
    AgentCall, Answer, Call, EndTurn, Event, Fire, LogEntry, Meanwhile, Observation, Says, Script, Step,
};
use hookproof_model::voiceos::{self, EventKind, Host};
use serde_json::Value;

use super::firing::{Terms, Told, Visit};
use super::witness::{Folded, Said, Witness};
use super::{Telling, words};
use crate::mutant::AnyRules;

const TERMS: Terms = Terms {
    decision: |decision| match decision {
        Decision::Defer => "continue",
        Decision::Allow => "allow",
        Decision::Handled => "handled",
        Decision::Deny => "block",
    },
    no_answer: "no handler",
};

/// Why a hook is not asked when the budget is used up.
const NO_TIME: &str = "no time is left.";

/// Tells every step of a script, as these rules carry it out.
pub(super) fn tell(
    rules: &AnyRules,
    readings: VoiceosReadings,
    script: &Script,
) -> Vec<(Telling, Observation)> {
    let witness = Witness::of(rules);
    let mut host = Host::new(&witness, readings);
    script
        .steps
        .iter()
        .map(|step| {
            let observed = host.step(step);
            let teller = Teller { rules, readings, said: witness.take() };
            (teller.step(step, &observed), observed)
        })
        .collect()
}

/// What is needed to tell one step.
struct Teller<'r> {
    rules: &'r AnyRules,
    readings: VoiceosReadings,
    said: Vec<Said>,
}

/// One firing as a step observed it.
struct Seen<'a> {
    kind: EventKind,
    original: Value,
    calls: &'a [Call],
    said: &'a [Said],
    ended: Option<Millis>,
}

impl Teller<'_> {
    fn step(&self, step: &Step, observed: &Observation) -> Telling {
        let mut telling = Telling { does: step::does(step), ..Telling::default() };
        match step {
            Step::Fire(fire) => self.fire(fire, observed, &mut telling),
            Step::AgentCall(call) => self.agent_call(call, observed, &mut telling),
            Step::EndTurn(end) => self.end_turn(end, observed, &mut telling),
            _ => {}
        }
        telling.sentences.extend(step::shown(step, observed));
        telling
    }

    fn fire(&self, fire: &Fire, observed: &Observation, telling: &mut Telling) {
        let (kind, original) = step::subject(&fire.event);
        if observed.outcome.is_none() {
            return;
        }
        let mut logged = observed.logged.as_slice();
        let seen =
            Seen { kind, original, calls: &observed.calls, said: &self.said, ended: observed.ended_ms };
        let mut told = match &fire.event {
            Event::TurnComplete(_) => self.sent(&observed.calls, &mut logged, &fire.answers),
            _ => self.awaited(&seen, &mut logged, |hook| fire.answers.get(hook)),
        };
        told.meanwhile.extend(meanwhile(&fire.meanwhile, observed));
        let ended = observed.ended_ms.unwrap_or_default();
        told.came_to.extend(step::cards(&observed.cards, &fire.user));
        told.came_to.extend(observed.outcome.as_ref().map(|outcome| step::outcome(kind, outcome, ended)));
        telling.add("", &told);
    }

    /// A tool call: its pre hook, the tool, its post hook.
    fn agent_call(&self, call: &AgentCall, observed: &Observation, telling: &mut Telling) {
        let Some(outcome) = &observed.outcome else { return };
        let is_post = |call: &Call| call.tool == EventKind::PostToolUse.tool();
        let (pre, post) =
            observed.calls.split_at(observed.calls.iter().take_while(|call| !is_post(call)).count());
        let turns_post = |said: &Said| matches!(said, Said::Concerns { kind: EventKind::PostToolUse, .. });
        let (before, after) =
            self.said.split_at(self.said.iter().take_while(|said| !turns_post(said)).count());
        let mut logged = observed.logged.as_slice();

        let kind = EventKind::PreToolUse;
        let original = Value::Object(call.args.clone());
        let seen = Seen { kind, original, calls: pre, said: before, ended: observed.ended_ms };
        let mut told = self.awaited(&seen, &mut logged, |_| call.pre.as_ref());
        told.came_to.extend(step::cards(&observed.cards, &call.user));
        told.came_to.push(step::outcome(kind, outcome, observed.ended_ms.unwrap_or_default()));
        telling.add(kind.name(), &told);

        if post.is_empty() && after.is_empty() {
            return;
        }
        let kind = EventKind::PostToolUse;
        let original = post.first().and_then(|call| call.payload.get(kind.subject())).cloned();
        let original = original.unwrap_or_default();
        telling.sentences.push(format!("The tool has run and gave {}.", words::value(&original)));
        let seen = Seen { kind, original, calls: post, said: after, ended: None };
        let mut told = self.awaited(&seen, &mut logged, |_| call.post.as_ref());
        // Only the first firing's end is observed; the second one's is that of its last hook.
        told.ended = told.visits.iter().filter_map(|visit| visit.settled).max();
        telling.add(kind.name(), &told);
    }

    fn end_turn(&self, end: &EndTurn, observed: &Observation, telling: &mut Telling) {
        let mut logged = observed.logged.as_slice();
        let mut told = self.sent(&observed.calls, &mut logged, &end.answers);
        let ended = observed.ended_ms.unwrap_or_default();
        let outcome = observed.outcome.as_ref();
        told.came_to.extend(outcome.map(|outcome| step::outcome(EventKind::TurnComplete, outcome, ended)));
        telling.add("", &told);
    }

    /// A receipt is sent and not awaited: nothing that comes back counts.
    fn sent(&self, calls: &[Call], logged: &mut &[LogEntry], answers: &BTreeMap<String, Answer>) -> Told {
        let mut told = Told::default();
        for call in calls {
            let answer = answers.get(&call.hook);
            let did = answer.map(|answer| {
                let does = step::says(&answer.says, answer.after_ms);
                format!("{does}, which nobody waits for.")
            });
            told.meanwhile.push((
                call.at_ms,
                format!("{} ({}) is sent {}.", call.hook, call.tool, words::value(&call.payload)),
            ));
            told.meanwhile.extend(did.map(|did| (call.at_ms, format!("  {did}"))));
        }
        for entry in std::mem::take(logged) {
            let LogEntry { hook, failure, .. } = entry;
            let how = failure.map(|failure| format!(" ({failure})")).unwrap_or_default();
            told.meanwhile
                .push((Millis::ZERO, format!("{hook} declares the hook, but nothing is sent to it{how}.")));
        }
        told
    }

    /// An awaited firing: what the rules said, with the names and values that were observed.
    fn awaited<'a>(
        &self,
        seen: &Seen<'_>,
        logged: &mut &[LogEntry],
        answer: impl Fn(&str) -> Option<&'a Answer>,
    ) -> Told {
        let asked = seen.said.iter().filter_map(|said| match said {
            Said::Asked { at, until } => Some((*at, *until)),
            _ => None,
        });
        let mut turns = seen.said.iter().filter_map(|said| match said {
            Said::Folded(turn) => Some(turn),
            _ => None,
        });
        let mut told = Told { original: seen.original.clone(), ended: seen.ended, ..Told::default() };
        let mut calls = seen.calls.iter().peekable();
        for (at, until) in asked {
            let turn = turns.next();
            // A failure is logged under the hook's name; a hook that its server does not offer is
            // not called, and so a log entry is all there is of it.
            let failed = turn.and_then(|turn| turn.failure);
            let name = match (failed, *logged) {
                (Some(_), [entry, rest @ ..]) => {
                    *logged = rest;
                    Some(entry.hook.clone())
                }
                _ => None,
            };
            let call = calls.next_if(|call| name.as_ref().is_none_or(|name| *name == call.hook));
            let hook = name.or_else(|| call.map(|call| call.hook.clone())).unwrap_or_default();
            let mut visit = self.visit(seen.kind, call, answer(&hook), (at, until), turn);
            if let (None, [LogEntry { hook: named, failure: None, reason: Some(reason) }, rest @ ..]) =
                (failed, *logged)
                && *named == hook
            {
                visit.changed.push(format!("Its reason is logged: {}.", words::quoted(reason)));
                *logged = rest;
            }
            told.visits.push(Visit { hook, ..visit });
        }
        told.came_to.extend(passed_over(seen.said, &told.visits));
        for said in seen.said {
            match said {
                Said::Keeps(false) => told.came_to.push(
                    "The budget is exhausted, and with it the answers given in time do not stand.".to_owned(),
                ),
                Said::NothingLeft { at } if !told.came_to.iter().any(|said| said.ends_with(NO_TIME)) => {
                    told.came_to.push(format!("At {} no time is left to ask anybody.", words::time(*at)));
                }
                _ => {}
            }
        }
        told
    }

    fn visit(
        &self,
        kind: EventKind,
        call: Option<&Call>,
        answer: Option<&Answer>,
        (at, until): (Millis, Millis),
        turn: Option<&Folded>,
    ) -> Visit {
        let mut visit = Visit { asked: Some(at), until: Some(until), ..Visit::default() };
        let Some(call) = call else {
            // Not called: there is nothing to see, to wait for or to answer.
            visit.about = "declared, but not offered by its server, so not called".to_owned();
            visit.settled = Some(at);
            visit.failure = Some(Failure::Unregistered);
            let failed = |turn: &Folded| TERMS.failed(Failure::Unregistered, turn.decision, None, None);
            visit.changed.extend(turn.map(failed));
            return visit;
        };
        call.tool.clone_into(&mut visit.about);
        visit.sees = call.payload.get(kind.subject()).cloned();
        let defers = Answer { after_ms: Millis::ZERO, says: Says::Result(Value::Object(Default::default())) };
        let answer = answer.unwrap_or(&defers);
        let reply = voiceos::Rules::decode(self.rules, &self.readings, kind, &answer.says);
        let due = reply.is_some().then(|| at.plus(answer.after_ms));
        visit.did = format!("{}{}.", step::says(&answer.says, answer.after_ms), TERMS.reads(reply.as_ref()));
        match turn {
            None => visit.changed.push("The firing is over before its turn comes.".to_owned()),
            Some(turn) => {
                visit.failure = turn.failure;
                let timed_out = turn.failure == Some(Failure::Timeout);
                visit.settled = if timed_out { Some(until) } else { due };
                match turn.failure {
                    Some(failure) => {
                        let at = Some(until).filter(|_| timed_out);
                        visit.changed.push(TERMS.failed(failure, turn.decision, at, due));
                        visit.changed.extend(TERMS.ruled(turn));
                    }
                    None => visit.changed.extend(TERMS.changed(turn, reply.as_ref())),
                }
            }
        }
        visit
    }
}

/// The hooks that were not asked, and why.
fn passed_over(said: &[Said], visits: &[Visit]) -> Vec<String> {
    let decided = said.iter().any(|said| matches!(said, Said::Folded(turn) if turn.wins()));
    let out_of_time = said.iter().any(|said| matches!(said, Said::NothingLeft { .. }));
    let mut sentences = Vec::new();
    let mut last_asked = false;
    for (place, one) in said.iter().enumerate() {
        let Said::Concerns { integration, yes: true, .. } = one else { continue };
        if let Some(Said::Fires { apps, frontmost, yes: false }) = said.get(place + 1) {
            let frontmost = frontmost.as_deref().unwrap_or("an unknown app");
            let apps = if apps.is_empty() { "no app".to_owned() } else { words::list(apps) };
            sentences.push(format!(
                "{integration} is not asked: its hook is for {apps}, and {frontmost} is frontmost."
            ));
        } else if visits.iter().any(|visit| visit.hook == *integration) {
            last_asked = visits.last().is_some_and(|visit| visit.hook == *integration);
        } else {
            let behind = last_asked || visits.is_empty();
            let why = match (behind && decided, behind && out_of_time) {
                (true, _) => "the decision stands already.",
                (_, true) => NO_TIME,
                _ => "it may not be heard.",
            };
            sentences.push(format!("{integration} is not asked: {why}"));
        }
    }
    sentences
}

/// The control steps carried out while the firing ran.
fn meanwhile(steps: &[Meanwhile], observed: &Observation) -> Vec<(Millis, String)> {
    let mut steps: Vec<_> = steps.iter().collect();
    steps.sort_by_key(|step| step.at_ms);
    let end = observed.ended_ms.unwrap_or(Millis::MAX);
    steps
        .into_iter()
        .zip(&observed.meanwhile)
        .map(|(meanwhile, observed)| {
            let shown = step::shown(&meanwhile.step, observed);
            let shown = shown.into_iter().map(|sentence| format!(" {sentence}")).collect::<String>();
            let at = meanwhile.at_ms.min(end);
            (at, format!("At {}, meanwhile: {}.{shown}", words::time(at), step::does(&meanwhile.step)))
        })
        .collect()
}
