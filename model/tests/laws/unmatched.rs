//! HK-LAW-UNMATCHED.

use std::collections::BTreeMap;

use hookproof_model::Dialect;
use hookproof_model::kernel::{
    Admission, Condition, Decision, FailurePolicy, Guard, Hook, Millis, Operator, Scene, guard,
};
use hookproof_model::matrices::Point;
use hookproof_model::reading::Readings;
use hookproof_model::reading::shared::Incomparable;
use hookproof_model::script::matrices;
use hookproof_model::script::voiceos::{Answer, Observation, Outcome, Says, Step};
use hookproof_model::voiceos::EventKind;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::TestCaseResult;
use serde_json::{Value, json};

use super::firings::{
    Drawn, MOST, decides, defers, firing_of, hook, matrices_firing, matrices_terms, part, replaced, rewrites,
    same, told_by_the_kernel, with,
};
use super::harness::{Sometimes, holds};
use super::scripts::{self, OWNER, TOOL, integration};

// Conditions: firings of the kernel.

const CONDITIONS: &[&str] = &[
    "a hook stands in front of one that is asked",
    "a hook stands behind one that rewrites",
    "several hooks stand in another order",
    "a condition is false on the original and on a rewritten value",
    "the chain decides",
    "the chain is of sixteen",
];

/// Whether these conditions are false on every value that the chain takes.
fn is_false_throughout(drawn: &Drawn, values: &[Value], hook: &Hook) -> bool {
    values.iter().all(|value| {
        let scene = Scene { event: &drawn.event, member: drawn.member, value };
        guard::admits(&drawn.terms, &hook.guard, scene) == Admission::PassOver
    })
}

/// Puts hooks in, one after the other, and tells where each of the others came to stand.
fn put_in(drawn: &Drawn, hooks: &[Hook], places: &[Index]) -> (Drawn, Vec<Option<usize>>) {
    let mut drawn = drawn.clone();
    let mut stood: Vec<_> = (0..drawn.hooks.len()).map(Some).collect();
    for (hook, place) in hooks.iter().zip(places) {
        let place = place.index(drawn.hooks.len() + 1);
        // If it were asked, it would end the work.
        drawn = with(&drawn, place, hook.clone(), decides(0, Decision::Deny));
        stood.insert(place, None);
    }
    (drawn, stood)
}

fn conditions(base: &Drawn, candidates: &[Hook], places: &[Index], seen: &mut Sometimes) -> TestCaseResult {
    let told = told_by_the_kernel(base);
    let taken = told.calls.iter().map(|call| call.sees.clone()).chain(told.outcome.value.clone());
    let values: Vec<_> = [base.value.clone()].into_iter().chain(taken).collect();
    let room = MOST - base.hooks.len();
    let unmatched = candidates.iter().filter(|hook| is_false_throughout(base, &values, hook)).take(room);
    let mut unmatched: Vec<_> = unmatched.cloned().collect();
    let mut orders = vec![];
    for places in [places.to_vec(), places.iter().rev().copied().collect()] {
        let (with, stood) = put_in(base, &unmatched, &places);
        let put = |slot: usize| stood[slot].is_none();
        let calls = told_by_the_kernel(&with).calls;
        seen.saw(
            "a hook stands in front of one that is asked",
            calls.iter().any(|call| (0..call.slot).any(put)),
        );
        let behind_a_rewrite =
            |slot: usize| put(slot) && slot > 0 && calls.iter().any(|call| call.sees != base.value);
        seen.saw("a hook stands behind one that rewrites", (0..stood.len()).any(behind_a_rewrite));
        seen.saw("the chain is of sixteen", with.hooks.len() == MOST && !unmatched.is_empty());
        same(&told, &replaced(told_by_the_kernel(&with), |slot| stood[slot]))?;
        orders.push(with.hooks);
        unmatched.reverse();
    }
    seen.saw("several hooks stand in another order", orders[0] != orders[1]);
    let values_differ = values.iter().any(|value| *value != base.value);
    let conditional = unmatched
        .iter()
        .any(|hook| hook.guard.conditions.iter().any(|condition| condition.path.starts_with(base.member)));
    seen.saw("a condition is false on the original and on a rewritten value", values_differ && conditional);
    seen.saw("the chain decides", told.outcome.decision != Decision::Defer && !unmatched.is_empty());
    Ok(())
}

/// Hooks with conditions: those drawn with a firing, and some that are about the value.
fn candidates() -> impl Strategy<Value = Vec<Hook>> {
    let about = (select(vec![Operator::Eq, Operator::Gt, Operator::Contains]), select(vec!["input", "text"]));
    let about = about.prop_map(|(operator, member)| {
        let condition = Condition { path: member.to_owned(), operator, value: json!("never said") };
        Hook { guard: Guard { conditions: vec![condition] }, ..hook("about the value") }
    });
    let drawn = matrices_firing().prop_map(|drawn| drawn.hooks);
    let conditional = |hooks: Vec<Hook>| hooks.into_iter().filter(|hook| !hook.guard.conditions.is_empty());
    (vec(about, 0..=10), drawn)
        .prop_map(move |(about, drawn)| about.into_iter().chain(conditional(drawn)).collect())
}

#[test]
fn hooks_whose_conditions_are_false_throughout_can_be_added_removed_and_permuted() {
    let drawn = (matrices_firing(), candidates(), vec(any::<Index>(), MOST));
    holds(&drawn, CONDITIONS, |(mut drawn, candidates, places), seen| {
        if drawn.terms.incomparable == Incomparable::Failure {
            drawn.terms.incomparable = Incomparable::NegationTrue;
        }
        let drawn = part(&drawn, 0..drawn.hooks.len().min(MOST - 1));
        conditions(&drawn, &candidates, &places, seen)
    });
}

/// On every value that the chain takes: one that is false on the original alone is asked behind a
/// rewrite, and then its place matters.
#[test]
fn a_hook_whose_condition_a_rewrite_makes_true_cannot_be_put_anywhere() {
    let base = firing_of(matrices_terms(), vec![(hook("a"), rewrites(0, "new"))]);
    let condition = Condition { path: "text".into(), operator: Operator::Eq, value: json!("new") };
    let once_true = Hook { guard: Guard { conditions: vec![condition] }, ..hook("once true") };
    let decision = |place| {
        let with = with(&base, place, once_true.clone(), decides(0, Decision::Deny));
        told_by_the_kernel(&with).outcome.decision
    };
    assert_eq!([0, 1].map(decision), [Decision::Defer, Decision::Deny]);
}

/// MX-MATCH-6 is not read as *failure*: else conditions that cannot be held against the value are no
/// false ones, and stop the chain.
#[test]
fn a_condition_that_fails_is_not_unmatched() {
    let by = |incomparable| {
        let mut base = firing_of(matrices_terms(), vec![(hook("a"), defers(0))]);
        base.terms.incomparable = incomparable;
        let condition = Condition { path: "missing".into(), operator: Operator::Eq, value: json!(1) };
        let guard = Guard { conditions: vec![condition] };
        let closed = Hook { guard, policy: FailurePolicy::FailClosed, ..hook("closed") };
        told_by_the_kernel(&with(&base, 0, closed, defers(0))).outcome.decision
    };
    assert_eq!(by(Incomparable::NegationTrue), Decision::Defer);
    assert_eq!(by(Incomparable::AllFalse), Decision::Defer);
    assert_eq!(by(Incomparable::Failure), Decision::Deny);
}

// Point, app, tool and toggle: scripts of VoiceOS.

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
                    if let hookproof_model::script::voiceos::Event::PreToolUse(event) = &mut event {
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

// Point, tool and conditions: scripts of Matrices.

/// A firing of hooks that it concerns, and hooks that it does not concern.
#[derive(Debug, Clone)]
pub(crate) struct Listed {
    pub point: Point,
    pub text: String,
    pub hooks: Vec<Value>,
    pub answers: BTreeMap<String, matrices::Answer>,
    pub bystanders: Vec<(Value, Index)>,
    pub readings: Readings,
}

const TOOLS: [&str; 2] = ["payments.transfer", "email.send"];

impl Listed {
    pub(crate) fn event(&self) -> matrices::Event {
        let (text, tool) = (self.text.clone(), TOOLS[0].to_owned());
        match self.point {
            Point::BeforeInput => matrices::Event::BeforeInput { text },
            Point::AfterOutput => matrices::Event::AfterOutput { text },
            Point::BeforeToolCall => matrices::Event::BeforeToolCall { tool, input: scripts::object(&text) },
            Point::AfterToolCall => matrices::Event::AfterToolCall { tool, output: json!(text) },
        }
    }

    /// The list with bystanders put in, one after the other.
    pub(crate) fn list(&self, bystanders: &[(Value, Index)]) -> Vec<Value> {
        let mut list = self.hooks.clone();
        for (hook, place) in bystanders {
            list.insert(place.index(list.len() + 1), hook.clone());
        }
        list
    }

    /// What is observed with this list. Where it stands in the list is an entry's own.
    pub(crate) fn happened(&self, list: &[Value]) -> scripts::Happened {
        let mut happened = scripts::fired_by(&self.readings, Some(list), self.event(), self.answers.clone());
        happened.audit.iter_mut().for_each(|entry| entry.index = 0);
        happened
    }
}

/// A hook that no event at this point, about [`TOOLS`]' first and never about `never said`, concerns,
/// whether all of its conditions must hold or any of them (MX-MATCH-2).
pub(crate) fn unlisted(id: &str, point: Point, how: usize) -> Value {
    let mut hook = scripts::url_hook(id, point.name());
    hook["match"] = match how {
        0 if point.is_tool_point() => json!({ "tools": ["email.*", "payments", "payments.transfers"] }),
        1 => json!({ "where": [{ "path": point.subject(), "operator": "eq", "value": "never said" }] }),
        2 => {
            let path = format!("{}.note", point.subject());
            json!({ "where": [{ "path": path, "operator": "contains", "value": "never said" }] })
        }
        3 => {
            let value = json!([{ "path": "threadId", "operator": "starts_with", "value": "elsewhere" },
                               { "path": "point", "operator": "eq", "value": "elsewhere" }]);
            json!({ "where": value })
        }
        _ => {
            let other = Point::ALL.into_iter().find(|other| *other != point).expect("there are four");
            return scripts::url_hook(id, other.name());
        }
    };
    hook
}

/// What hooks of Matrices answer, around their deadline.
fn matrices_answer(point: Point) -> impl Strategy<Value = matrices::Answer> {
    let rewrite =
        if point == Point::BeforeToolCall { json!({ "note": "rewritten" }) } else { json!("rewritten") };
    let defers = json!({ "decision": "defer" });
    let mut rewrites = defers.clone();
    rewrites[point.rewrite_member()] = rewrite.clone();
    let mut allows = json!({ "decision": "allow", "reason": "Fine." });
    allows[point.rewrite_member()] = rewrite;
    let results = vec![defers, rewrites.clone(), rewrites, allows, json!({ "decision": "deny" }), json!({})];
    let says = prop_oneof![
        8 => select(results).prop_map(matrices::Says::Result),
        1 => Just(matrices::Says::Never),
        1 => Just(matrices::Says::Pending),
        1 => Just(matrices::Says::Reset),
        1 => Just(matrices::Says::Status(500)),
    ];
    let after = select(vec![0, 0, 1, 9_999, 10_000, 10_001]);
    (after, says).prop_map(|(after, says)| matrices::Answer { after_ms: Millis(after), says })
}

pub(crate) fn listed() -> impl Strategy<Value = Listed> {
    let at_a_point = |point: Point| {
        let concerned = vec((matrices_answer(point), any::<bool>(), 0usize..4), 0..=3);
        let bystanders = vec((0usize..5, any::<Index>()), 1..=MOST - 3);
        let readings = scripts::readings(Dialect::Matrices, |flip| {
            (flip.id, flip.alternative) == ("MX-MATCH-6", "failure")
        });
        (Just(point), scripts::text(), concerned, bystanders, readings)
    };
    select(&Point::ALL[..]).prop_flat_map(at_a_point).prop_map(
        |(point, text, concerned, bystanders, readings)| {
            let mut answers = BTreeMap::new();
            let mut hooks = vec![];
            for (n, (answer, open, kind)) in concerned.into_iter().enumerate() {
                let id = format!("n{n}");
                let mut hook = scripts::url_hook(&id, point.name());
                if kind == 3 {
                    hook["processor"] = json!({ "kind": "client" });
                    hook["asyncTimeoutMs"] = json!(60_000);
                }
                hook["onFailure"] = json!(if open { "fail_open" } else { "fail_closed" });
                hooks.push(hook);
                answers.insert(id, answer);
            }
            let denies = || matrices::Says::Result(json!({ "decision": "deny" }));
            let bystanders = bystanders.into_iter().enumerate().map(|(n, (how, place))| {
                let id = format!("bystander{n}");
                answers.insert(id.clone(), matrices::Answer { after_ms: Millis(0), says: denies() });
                (unlisted(&id, point, how), place)
            });
            let bystanders = bystanders.collect();
            Listed { point, text, hooks, answers, bystanders, readings }
        },
    )
}

const LISTED: &[&str] = &[
    "unmatched by point",
    "unmatched by tool",
    "unmatched by a condition",
    "a condition is held against a rewritten value",
    "the list is of sixteen",
    "the work goes on",
    "the work does not happen",
    "the work is parked",
    "a reading is not the default",
];

#[test]
fn hooks_that_an_event_does_not_concern_can_be_added_removed_and_permuted() {
    holds(&listed(), LISTED, |case, seen| {
        let base = case.happened(&case.hooks);
        let list = case.list(&case.bystanders);
        prop_assert_eq!(&base, &case.happened(&list));
        let reversed: Vec<_> = case.bystanders.iter().rev().cloned().collect();
        prop_assert_eq!(&base, &case.happened(&case.list(&reversed)));
        let has = |matches: fn(&Value) -> bool| case.bystanders.iter().any(|(hook, _)| matches(hook));
        seen.saw("unmatched by point", has(|hook| hook.get("match").is_none()));
        seen.saw("unmatched by tool", has(|hook| hook["match"]["tools"].is_array()));
        let conditional = has(|hook| hook["match"]["where"].is_array());
        seen.saw("unmatched by a condition", conditional);
        let rewrote = base.audit.iter().any(|entry| entry.rewrote == Some(true));
        seen.saw("a condition is held against a rewritten value", conditional && rewrote);
        seen.saw("the list is of sixteen", list.len() == MOST);
        let outcome = base.outcome();
        seen.saw("the work goes on", matches!(outcome, Some(matrices::Outcome::WentOn { .. })));
        let stopped =
            matches!(outcome, Some(matrices::Outcome::Denied {} | matrices::Outcome::Withheld { .. }));
        seen.saw("the work does not happen", stopped);
        seen.saw("the work is parked", base.fired.as_ref().is_some_and(|fired| fired.parked.is_some()));
        seen.saw("a reading is not the default", case.readings != Readings::default());
        Ok(())
    });
}

/// The list stays explicit and within 16.
#[test]
fn an_unmatched_hook_that_makes_another_list_of_the_list_is_not_like_none() {
    let unmatched = unlisted("unmatched", Point::BeforeToolCall, 0);
    let fired = |hooks: Option<&[Value]>| scripts::fired(hooks, scripts::tool_call(TOOLS[0]), []);
    let fired_with = |hooks: &[Value]| fired(Some(&[hooks, std::slice::from_ref(&unmatched)].concat()));
    // The defaults went.
    assert_ne!(fired(None), fired_with(&[]));
    // The profile is not taken.
    let full: Vec<_> = (0..MOST).map(|n| scripts::url_hook(&format!("n{n}"), "before_input")).collect();
    assert_ne!(fired(Some(&full)), fired_with(&full));
    assert_eq!(fired(Some(&full[1..])), fired_with(&full[1..]));
}
