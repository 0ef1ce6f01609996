//! A whole script of the VoiceOS dialect said a second time, from the clauses alone.
//!
//! As `plain.rs` is to the kernel, this is to the dialect's own modules: it takes types from them
//! and nothing that computes a rule, and `tests/plain_scripts.rs` holds the two against each other.
//! It is naive on purpose. A host is a value. A firing is handed what the host will be at each moment
//! of it, and what comes of it is told when it is over.
//!
//! | to find | look in |
//! |---|---|
//! | the five events and their tables | `kind` |
//! | manifests and their faults | `manifest`, `shape` |
//! | what people do to a host | `host` |
//! | what a hook's answer says | `answer`, `json` |
//! | one firing: who is asked, with what | `firing`, `payload` |
//! | a tool call: card, tool, model | `call` |
//! | a turn and its receipt | `turn` |

mod answer;
mod call;
mod firing;
mod host;
mod json;
mod kind;
mod manifest;
mod payload;
mod shape;
mod turn;

use firing::Fired;
use host::Host;

use crate::kernel::{Decision, Millis};
use crate::reading::VoiceosReadings;
use crate::reading::voiceos::EndingText;
use crate::script::voiceos::{Event, Fire, Meanwhile, Observation, Outcome, Script, Shown, Step};

/// Carries out a script on a fresh host: one observation a step.
#[must_use]
pub fn run(script: &Script, readings: &VoiceosReadings) -> Vec<Observation> {
    let mut host = Host { readings: *readings, installed: vec![], front: None, turn: None, installs: 0 };
    script.steps.iter().map(|step| carried_out(&mut host, step)).collect()
}

/// What is observed of a step.
fn carried_out(host: &mut Host, step: &Step) -> Observation {
    match step {
        Step::Fire(fire) => fires(host, fire),
        Step::AgentCall(agent) => call::agent_calls(host, agent),
        Step::BeginTurn(begin) => turn::begins(host, begin),
        Step::EndTurn(end) => turn::ends(host, end),
        control => host::controlled(host, control),
    }
}

/// One event by itself.
fn fires(host: &mut Host, fire: &Fire) -> Observation {
    if let Some(error) = call::refused(host, &fire.event) {
        return Observation { error: Some(error), ..Observation::default() };
    }
    let (course, meanwhile) = going_on(host, &fire.meanwhile);
    let mut heard = None;
    let observation = match &fire.event {
        Event::TurnComplete(receipt) => turn::sent(host, &|_| receipt.clone()),
        Event::PreToolUse(event) => {
            call::decided(&course, firing::fired(&course, &fire.event, &fire.answers), event, &fire.user)
        }
        Event::Transcript(_) | Event::Dictation(_) | Event::PostToolUse(_) => {
            let fired = firing::fired(&course, &fire.event, &fire.answers);
            let outcome = came_to(&fire.event, &fired);
            heard = fired.value.as_str().map(str::to_owned);
            Observation { outcome: Some(outcome), ..told_of(host, &fire.event, fired) }
        }
    };
    if let Some(last) = course.later.into_iter().last() {
        *host = last.host;
    }
    if let (Event::Transcript(event), Some(value)) = (&fire.event, heard) {
        turn::heard(host, event, &value, &observation);
    }
    Observation { meanwhile, ..observation }
}

/// What the host is while a firing goes on.
struct Course {
    /// As it begins.
    begins: Host,
    /// As each step meanwhile leaves it, in order.
    later: Vec<Moment>,
}

/// What the host is from a moment of a firing on.
struct Moment {
    at: Millis,
    host: Host,
}

/// The course of a firing, and what is observed of the steps meanwhile. A step whose time does not
/// come is carried out all the same, and then its moment is never looked at.
fn going_on(host: &Host, meanwhile: &[Meanwhile]) -> (Course, Vec<Observation>) {
    let mut steps: Vec<_> = meanwhile.iter().collect();
    steps.sort_by_key(|meanwhile| meanwhile.at_ms);
    let mut now = host.clone();
    let mut course = Course { begins: now.clone(), later: vec![] };
    let mut observations = vec![];
    for Meanwhile { at_ms, step } in steps {
        observations.push(host::controlled(&mut now, step));
        course.later.push(Moment { at: *at_ms, host: now.clone() });
    }
    (course, observations)
}

/// VO-FOLD-4a, VO-FOLD-4b, VO-FOLD-5, VO-FOLD-8a: what the firing of anything but a tool call came to.
fn came_to(event: &Event, fired: &Fired) -> Outcome {
    let value = fired.value.clone();
    match (event, fired.told.outcome.decision) {
        (_, Decision::Deny) => Outcome::Blocked {},
        (Event::Dictation(_), Decision::Handled) => Outcome::Consumed {},
        (_, Decision::Handled) => Outcome::Handled {},
        (Event::Dictation(_), _) => Outcome::Pasted { text: value.as_str().unwrap_or_default().to_owned() },
        // VO-FOLD-10: what was added for the model goes to it, and nowhere if it does not run.
        _ => Outcome::WentOn { value, context: fired.told.outcome.contexts.clone() },
    }
}

/// Calls, log, end, and what the user was shown (VO-FOLD-11, VO-FOLD-18).
fn told_of(host: &Host, event: &Event, fired: Fired) -> Observation {
    let told = fired.told.outcome;
    let shows = matches!(event, Event::Transcript(_)) || host.readings.ending_text == EndingText::EveryEvent;
    let shown = match told.decision {
        Decision::Deny => Shown { text: told.response_text, view: None },
        Decision::Handled => Shown { text: told.response_text, view: told.view },
        Decision::Allow | Decision::Defer => Shown::default(),
    };
    Observation {
        calls: fired.calls,
        ended_ms: Some(told.at),
        // VO-FOLD-12.
        user_sees: Some(shown).filter(|shown| shows && *shown != Shown::default()),
        logged: fired.logged,
        ..Observation::default()
    }
}
