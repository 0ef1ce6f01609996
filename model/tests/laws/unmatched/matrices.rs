//! Point, tool and conditions: scripts of Matrices.

use std::collections::BTreeMap;

use hookproof_model::Dialect;
use hookproof_model::kernel::Millis;
use hookproof_model::matrices::Point;
use hookproof_model::reading::Readings;
use hookproof_model::script::matrices;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

use crate::laws::firings::MOST;
use crate::laws::harness::holds;
use crate::laws::scripts;

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
