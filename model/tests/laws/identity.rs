//! HK-LAW-IDENTITY.

use hookproof_model::Dialect;
use hookproof_model::kernel::Millis;
use hookproof_model::reading::Readings;
use hookproof_model::script::matrices;
use hookproof_model::script::voiceos::{Card, Event, Observation, Outcome, Policy, Says, Step, User};
use hookproof_model::voiceos::EventKind;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::harness::holds;
use super::scripts::{self, OWNER, TOOL};
use super::unmatched::{
    matrices::listed,
    voiceos::{blocks, bystander, every_other, why},
};

/// What comes of an event that no hook was selected for: VO-CONF-1, VO-CONF-3, VO-CONF-6, VO-CONF-8.
fn untouched(event: &Event, asks: bool, user: &User) -> Observation {
    let mut cards = vec![];
    let outcome = match event {
        Event::Transcript(event) => Outcome::WentOn { value: json!(event.transcript), context: vec![] },
        Event::Dictation(event) => Outcome::Pasted { text: event.text.clone() },
        Event::PostToolUse(event) => Outcome::WentOn { value: event.result.clone(), context: vec![] },
        Event::TurnComplete(_) => Outcome::Sent {},
        Event::PreToolUse(event) => {
            let args = event.args.clone();
            if asks && *user != User::Absent {
                cards.push(Card { tool: TOOL.to_owned(), args: args.clone() });
            }
            match user {
                User::Decline if asks => Outcome::Declined {},
                User::Edit(edited) if asks => Outcome::Executed { args: edited.clone() },
                User::Absent if asks => Outcome::NotRun {},
                _ => Outcome::Executed { args },
            }
        }
    };
    let (outcome, ended_ms) = (Some(outcome), Some(Millis::ZERO));
    Observation { outcome, ended_ms, cards, ..Observation::default() }
}

const SOMETIMES: &[&str] = &[
    "nothing but the owner of a tool is installed",
    "others are installed",
    "transcript",
    "dictation",
    "preToolUse",
    "postToolUse",
    "turnComplete",
    "policy asks",
    "the lock asks",
    "nobody asks",
    "nobody is there to ask",
    "a reading is not the default",
];

#[test]
fn an_event_that_concerns_no_hook_goes_on_untouched_and_nobody_asks_but_policy_and_lock() {
    let user =
        select(vec![User::Approve, User::Decline, User::Edit(scripts::object("edited")), User::Absent]);
    let drawn = (
        select(&EventKind::ALL[..]),
        scripts::text(),
        vec(why(), 0..=3),
        select(vec![Policy::Unset, Policy::Ask, Policy::Never]),
        any::<bool>(),
        user,
        scripts::readings(Dialect::Voiceos, |flip| flip.id == "VO-CONF-8"),
    );
    holds(&drawn, SOMETIMES, |(kind, text, bystanders, policy, locked, user, readings), seen| {
        let mut steps = vec![
            scripts::integration(OWNER, &every_other(kind), &[TOOL]),
            scripts::access(OWNER, true),
            scripts::policy(policy),
            scripts::lock(locked),
            scripts::frontmost(Some("com.front.app")),
        ];
        let event = scripts::event(kind, &text);
        let Step::Fire(mut fire) = scripts::fire(event.clone(), []) else { unreachable!() };
        fire.user = user.clone();
        for (n, why) in bystanders.iter().enumerate() {
            let id = format!("com.bystander.n{n}");
            steps.extend(bystander(&id, *why, kind));
            fire.answers.insert(id, blocks());
        }
        steps.push(Step::Fire(fire));
        let asks = locked || policy == Policy::Ask;
        let fired = scripts::observed_by(&readings, steps).pop().expect("something fired");
        prop_assert_eq!(fired, untouched(&event, asks, &user));
        seen.saw(kind.name(), true);
        seen.saw("nothing but the owner of a tool is installed", bystanders.is_empty());
        seen.saw("others are installed", !bystanders.is_empty());
        let pre = kind == EventKind::PreToolUse;
        seen.saw("policy asks", pre && policy == Policy::Ask && !locked);
        seen.saw("the lock asks", pre && locked && policy != Policy::Ask);
        seen.saw("nobody asks", pre && !asks);
        seen.saw("nobody is there to ask", pre && asks && user == User::Absent);
        seen.saw("a reading is not the default", readings != Readings::default());
        Ok(())
    });
}

const LISTED: &[&str] =
    &["the list is empty", "the list is of hooks elsewhere", "the list is of sixteen", "before", "after"];

#[test]
fn under_an_explicit_list_that_an_event_does_not_concern_it_goes_on_untouched() {
    holds(&(listed(), any::<bool>()), LISTED, |(mut case, empty), seen| {
        case.hooks.clear();
        if empty {
            case.bystanders.clear();
        }
        while !empty && case.bystanders.len() > 12 && case.bystanders.len() < 16 {
            let (mut hook, place) = case.bystanders[0].clone();
            hook["id"] = json!(format!("more{}", case.bystanders.len()));
            case.bystanders.push((hook, place));
        }
        let list = case.list(&case.bystanders);
        let value = match case.event() {
            matrices::Event::BeforeInput { text } | matrices::Event::AfterOutput { text } => json!(text),
            matrices::Event::BeforeToolCall { input, .. } => json!(input),
            matrices::Event::AfterToolCall { output, .. } => output,
        };
        let outcome = Some(matrices::Outcome::WentOn { value });
        let fired = matrices::Fired { outcome, ended_ms: Some(Millis::ZERO), ..matrices::Fired::default() };
        let untouched = scripts::Happened { fired: Some(fired), audit: vec![] };
        prop_assert_eq!(case.happened(&list), untouched);
        seen.saw("the list is empty", list.is_empty());
        seen.saw("the list is of hooks elsewhere", !list.is_empty());
        seen.saw("the list is of sixteen", list.len() == 16);
        seen.saw("before", case.point.is_before());
        seen.saw("after", !case.point.is_before());
        Ok(())
    });
}

/// In Matrices the list is explicit: one that was left out is not empty, and its defaults are.
#[test]
fn a_profile_that_lists_nothing_has_hooks_that_it_did_not_list() {
    let parked = |hooks| {
        let happened = scripts::fired(hooks, scripts::tool_call("payments.transfer"), []);
        happened.fired.is_some_and(|fired| fired.parked.is_some())
    };
    assert_eq!([Some(&[][..]), None].map(parked), [false, true]);
}

/// No selected hook: one that is asks beyond what policy and lock ask.
#[test]
fn a_selected_hook_may_ask_where_neither_policy_nor_lock_does() {
    let cards = |hooks: &[(&str, serde_json::Value)]| {
        let asks = scripts::says(0, Says::Result(json!({ "requireConfirmation": true })));
        let event = scripts::event(EventKind::PreToolUse, "all");
        let steps = vec![scripts::integration(OWNER, hooks, &[TOOL]), scripts::fire(event, [(OWNER, asks)])];
        scripts::observed(steps).pop().expect("something fired").cards.len()
    };
    assert_eq!([cards(&[]), cards(&[("preToolUse", json!({}))])], [0, 1]);
}
