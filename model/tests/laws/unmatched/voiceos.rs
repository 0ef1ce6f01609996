//! Point, app, tool and toggle: scripts of VoiceOS.

use std::collections::BTreeMap;

use hookproof_model::Dialect;
use hookproof_model::reading::Readings;
use hookproof_model::script::voiceos::{Answer, Event, Observation, Outcome, Says, Step};
use hookproof_model::voiceos::EventKind;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::laws::harness::holds;
use crate::laws::scripts::{self, OWNER, TOOL, integration};

/// Why an integration is not selected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Why {
    Point,
    App,
    Tool,
    Toggle,
}

const FRONT: &str = "com.front.app";

/// What a hook of this event is declared with, so that it is selected.
fn declared(kind: EventKind, app: &str) -> (&'static str, Value) {
    (kind.name(), if kind == EventKind::Dictation { json!({ "apps": [app] }) } else { json!({}) })
}

/// Every event but this.
pub(crate) fn every_other(kind: EventKind) -> Vec<(&'static str, Value)> {
    EventKind::ALL.into_iter().filter(|other| *other != kind).map(|other| declared(other, FRONT)).collect()
}

/// An integration that no event of this kind, of the owner's tool if of a tool, concerns.
pub(crate) fn bystander(id: &str, why: Why, kind: EventKind) -> [Step; 2] {
    let everything: Vec<_> = EventKind::ALL.into_iter().map(|kind| declared(kind, FRONT)).collect();
    let hooks = match why {
        Why::Tool if kind.is_tool_tap() => everything,
        Why::Toggle => everything,
        Why::App => vec![(kind.name(), json!({ "apps": ["com.behind.app"] }))],
        Why::Point | Why::Tool => every_other(kind),
    };
    [integration(id, &hooks, &[TOOL]), scripts::access(id, why != Why::Toggle)]
}

pub(crate) fn why() -> impl Strategy<Value = Why> {
    select(vec![Why::Point, Why::App, Why::Tool, Why::Toggle])
}

/// Ends whatever it is asked about, at once.
pub(crate) fn blocks() -> Answer {
    scripts::says(0, Says::Result(json!({ "decision": "block", "responseText": "No.", "updatedResult": 1 })))
}

/// What hooks of VoiceOS answer, around every budget.
pub(crate) fn answer() -> impl Strategy<Value = Answer> {
    let after = select(vec![0, 0, 1, 100, 249, 250, 251, 499, 500, 501, 1_999, 2_000, 2_001]);
    let result = select(vec![
        json!({}),
        json!({ "updatedText": "rewritten", "updatedArgs": { "note": "rewritten" }, "updatedResult": "rewritten" }),
        json!({ "updatedText": "twice", "additionalContext": "Mind this." }),
        json!({ "decision": "handled", "responseText": "Done." }),
        json!({ "decision": "block", "reason": "Not now." }),
        json!({ "requireConfirmation": true }),
        json!({ "decision": 7 }),
    ]);
    let says = prop_oneof![
        8 => result.prop_map(Says::Result),
        1 => Just(Says::Never),
        1 => Just(Says::Disconnect),
        1 => Just(Says::ToolError("busy".into())),
        1 => Just(Says::Text("not JSON".into())),
    ];
    (after, says).prop_map(|(after, says)| scripts::says(after, says))
}

/// A firing that concerns some integrations, and some that it does not concern.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    kind: EventKind,
    answers: Vec<Answer>,
    bystanders: Vec<(Why, Index)>,
    front_is_known: bool,
    text: String,
    pub readings: Readings,
}

impl Case {
    fn base(&self) -> Vec<(String, [Step; 2])> {
        let count = if self.kind.is_tool_tap() { 1 } else { self.answers.len() };
        let id = |n| if n == 0 { OWNER.to_owned() } else { format!("com.selected.n{n}") };
        let hooks = [declared(self.kind, FRONT)];
        let steps = |id: &str| [integration(id, &hooks, &[TOOL]), scripts::access(id, true)];
        (0..count).map(id).map(|id| (id.clone(), steps(&id))).collect()
    }

    /// The steps with bystanders, these in this order, or without.
    pub(crate) fn steps(&self, bystanders: &[(Why, Index)]) -> Vec<Step> {
        let mut installed = self.base();
        let mut answers: BTreeMap<_, _> =
            installed.iter().map(|(id, _)| id.clone()).zip(self.answers.iter().cloned()).collect();
        for (n, (why, place)) in bystanders.iter().enumerate() {
            let id = format!("com.bystander.n{n}");
            answers.insert(id.clone(), blocks());
            let steps = bystander(&id, *why, self.kind);
            installed.insert(place.index(installed.len() + 1), (id, steps));
        }
        let Step::Fire(mut fire) = scripts::fire(scripts::event(self.kind, &self.text), []) else {
            unreachable!()
        };
        fire.answers = answers;
        let known = self.front_is_known || self.kind == EventKind::Dictation;
        let front = scripts::frontmost(known.then_some(FRONT));
        let installed = installed.into_iter().flat_map(|(_, steps)| steps);
        installed.chain([front, Step::Fire(fire)]).collect()
    }

    fn fired(&self, bystanders: &[(Why, Index)]) -> Observation {
        scripts::observed_by(&self.readings, self.steps(bystanders)).pop().expect("something fired")
    }

    pub(crate) fn bystanders(&self) -> &[(Why, Index)] {
        &self.bystanders
    }
}

pub(crate) fn case() -> impl Strategy<Value = Case> {
    let readings = scripts::readings(Dialect::Voiceos, |_| false);
    let drawn = (
        select(&EventKind::ALL[..]),
        vec(answer(), 1..=3),
        vec((why(), any::<Index>()), 1..=4),
        any::<bool>(),
        scripts::text(),
        readings,
    );
    drawn.prop_map(|(kind, answers, bystanders, front_is_known, text, readings)| Case {
        kind,
        answers,
        bystanders,
        front_is_known,
        text,
        readings,
    })
}

const SELECTION: &[&str] = &[
    "unmatched by point",
    "unmatched by app",
    "unmatched by app, which is unknown",
    "unmatched by tool",
    "unmatched by toggle",
    "several, in another order",
    "the chain decides",
    "the chain goes on",
    "somebody rewrites",
    "several are called",
    "a reading is not the default",
];

#[test]
fn integrations_that_an_event_does_not_concern_can_be_added_removed_and_permuted() {
    holds(&case(), SELECTION, |case, seen| {
        let bystanders = case.bystanders();
        let base = case.fired(&[]);
        prop_assert_eq!(&base, &case.fired(bystanders));
        let other_order: Vec<_> = bystanders.iter().rev().copied().collect();
        prop_assert_eq!(&base, &case.fired(&other_order));
        let has = |why| bystanders.iter().any(|(because, _)| *because == why) && !base.calls.is_empty();
        seen.saw("unmatched by point", has(Why::Point));
        seen.saw("unmatched by app", has(Why::App));
        seen.saw("unmatched by app, which is unknown", has(Why::App) && !case.front_is_known);
        seen.saw("unmatched by tool", has(Why::Tool) && case.kind.is_tool_tap());
        seen.saw("unmatched by toggle", has(Why::Toggle));
        seen.saw("several, in another order", bystanders.len() > 1);
        let outcome = base.outcome.as_ref();
        let decided =
            matches!(outcome, Some(Outcome::Blocked {} | Outcome::Handled {} | Outcome::Consumed {}));
        seen.saw("the chain decides", decided);
        seen.saw("the chain goes on", matches!(outcome, Some(Outcome::WentOn { .. })));
        let rewrote = |value: &Value| value != &json!(case.text);
        seen.saw(
            "somebody rewrites",
            matches!(outcome, Some(Outcome::WentOn { value, .. }) if rewrote(value)),
        );
        seen.saw("several are called", base.calls.len() > 1);
        seen.saw("a reading is not the default", case.readings != Readings::default());
        Ok(())
    });
}

/// Each of the four is what keeps it out.
#[test]
fn an_integration_that_an_event_does_concern_is_asked() {
    for (why, kind) in [
        (Why::Point, EventKind::Transcript),
        (Why::App, EventKind::Dictation),
        (Why::Tool, EventKind::PreToolUse),
        (Why::Toggle, EventKind::Transcript),
    ] {
        let calls = |matched: bool| {
            let [install, access] = bystander("com.bystander.n0", why, kind);
            let mut steps = vec![integration(OWNER, &[], &[TOOL]), install, access];
            let mut event = scripts::event(kind, "hello");
            let front = if matched && why == Why::App { "com.behind.app" } else { FRONT };
            steps.push(scripts::frontmost(Some(front)));
            match why {
                Why::Point if matched => event = scripts::event(EventKind::TurnComplete, "hello"),
                Why::Toggle if matched => steps.push(scripts::access("com.bystander.n0", true)),
                Why::Tool if matched => {
                    if let Event::PreToolUse(event) = &mut event {
                        event.integration = "com.bystander.n0".into();
                    }
                }
                _ => {}
            }
            steps.push(scripts::fire(event, [("com.bystander.n0", blocks())]));
            scripts::observed(steps).pop().expect("something fired").calls.len()
        };
        assert_eq!([false, true].map(calls), [0, 1], "{why:?}");
    }
}
