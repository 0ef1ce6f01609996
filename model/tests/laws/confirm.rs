//! HK-LAW-CONFIRM.

use hookproof_model::Dialect;
use hookproof_model::kernel::Millis;
use hookproof_model::reading::Readings;
use hookproof_model::reading::shared::Boundary;
use hookproof_model::reading::voiceos::{AskingOff, DuplicateMembers};
use hookproof_model::script::voiceos::{Answer, Observation, Outcome, Policy, Says, Step, User};
use hookproof_model::voiceos::EventKind;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

use super::harness::holds;
use super::scripts::{self, OWNER, TOOL};

const BUDGET: u64 = 2_000;

/// none < asks < blocked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    None,
    Asks,
    Blocked,
}

fn level(seen: &Observation) -> Level {
    match &seen.outcome {
        Some(Outcome::Blocked {}) => Level::Blocked,
        Some(Outcome::NotRun {} | Outcome::Parked {} | Outcome::Declined {}) => Level::Asks,
        Some(Outcome::Executed { .. }) if seen.cards.is_empty() => Level::None,
        Some(Outcome::Executed { .. }) => Level::Asks,
        other => panic!("no outcome of preToolUse: {other:?}"),
    }
}

/// What the user has decided about the tool, and does if asked.
#[derive(Debug, Clone)]
struct Setting {
    policy: Policy,
    locked: bool,
    user: User,
    readings: Readings,
}

fn setting() -> impl Strategy<Value = Setting> {
    let policy = select(vec![Policy::Unset, Policy::Ask, Policy::Never]);
    let user =
        select(vec![User::Approve, User::Decline, User::Edit(scripts::object("edited")), User::Absent]);
    let readings = scripts::readings(Dialect::Voiceos, |_| false);
    (policy, any::<bool>(), user, readings).prop_map(|(policy, locked, user, readings)| Setting {
        policy,
        locked,
        user,
        readings,
    })
}

impl Setting {
    /// Where the call comes to stand if the owner's hook answers so, or if there is none.
    fn level(&self, answer: Option<Answer>) -> Level {
        let hooks = answer.as_ref().map(|_| ("preToolUse", json!({})));
        let event = scripts::event(EventKind::PreToolUse, "all");
        let Step::Fire(mut fire) = scripts::fire(event, []) else { unreachable!() };
        fire.user = self.user.clone();
        fire.answers.extend(answer.map(|answer| (OWNER.to_owned(), answer)));
        let steps = vec![
            scripts::integration(OWNER, hooks.as_slice(), &[TOOL]),
            scripts::access(OWNER, true),
            scripts::policy(self.policy),
            scripts::lock(self.locked),
            Step::Fire(fire),
        ];
        level(&scripts::observed_by(&self.readings, steps).pop().expect("something fired"))
    }

    fn demanded(&self) -> Level {
        if self.locked || self.policy == Policy::Ask { Level::Asks } else { Level::None }
    }
}

/// A HookResult, its members well-formed or not.
fn result() -> impl Strategy<Value = Map<String, Value>> {
    fn member(name: &'static str, values: Vec<Value>) -> impl Strategy<Value = Option<(String, Value)>> {
        proptest::option::of(select(values).prop_map(move |value| (name.to_owned(), value)))
    }
    let members = (
        member(
            "decision",
            vec![
                json!("continue"),
                json!("block"),
                json!("block"),
                json!("handled"),
                json!("stop"),
                json!(7),
            ],
        ),
        member("updatedArgs", vec![json!({}), json!({ "note": "less" }), Value::Null, json!(7)]),
        member("requireConfirmation", vec![json!(false), json!(true), json!("true"), json!(1), Value::Null]),
        member("reason", vec![json!("Because."), json!(7)]),
    );
    members.prop_map(|(a, b, c, d)| [a, b, c, d].into_iter().flatten().collect())
}

/// How a HookResult arrives.
fn arrives(how: usize, result: Map<String, Value>) -> Says {
    let result = Value::Object(result);
    match how {
        0 => Says::Result(result),
        1 => Says::Mutates(result),
        2 => Says::Text(result.to_string()),
        _ => Says::Content(vec![json!({ "type": "text", "text": result.to_string() })]),
    }
}

const ADDING: &[&str] = &[
    "from none to asks",
    "none stays where the user has switched asking off and wins",
    "asks stays",
    "asks stays by policy or lock alone",
    "blocked stays",
    "the answer comes exactly at the deadline",
    "the answer comes one before the deadline",
    "the answer spoils itself",
    "nobody is there to ask",
    "a reading is not the default",
];

#[test]
fn adding_a_confirmation_to_an_answer_in_time_never_moves_down() {
    let after = prop_oneof![Just(0), Just(BUDGET - 1), Just(BUDGET)];
    holds(&(setting(), result(), 0usize..4, after), ADDING, |(setting, result, how, after), seen| {
        let late = setting.readings.voiceos.boundary == Boundary::Late;
        let after = if late { after.min(BUDGET - 1) } else { after };
        let mut adding = result.clone();
        adding.insert("requireConfirmation".to_owned(), json!(true));
        let level_of = |result: &Map<String, Value>| {
            setting.level(Some(scripts::says(after, arrives(how, result.clone()))))
        };
        let (was, is) = (level_of(&result), level_of(&adding));
        prop_assert!(is >= was, "{was:?} became {is:?}");
        seen.saw("from none to asks", (was, is) == (Level::None, Level::Asks));
        let user_wins =
            setting.readings.voiceos.asking_off == AskingOff::UserWins && setting.policy == Policy::Never;
        let heard = result.get("reason") != Some(&json!(7)) && !result.contains_key("decision");
        seen.saw(
            "none stays where the user has switched asking off and wins",
            user_wins && heard && is == Level::None,
        );
        seen.saw("asks stays", (was, is) == (Level::Asks, Level::Asks));
        let bare = !result.contains_key("requireConfirmation") && was == Level::Asks;
        seen.saw("asks stays by policy or lock alone", bare);
        seen.saw("blocked stays", was == Level::Blocked);
        seen.saw("the answer comes exactly at the deadline", after == BUDGET && is > was);
        seen.saw("the answer comes one before the deadline", after == BUDGET - 1 && is > was);
        seen.saw("the answer spoils itself", result.get("reason") == Some(&json!(7)));
        seen.saw("nobody is there to ask", setting.user == User::Absent && is == Level::Asks);
        seen.saw("a reading is not the default", setting.readings != Readings::default());
        Ok(())
    });
}

const DEMANDED: &[&str] = &[
    "policy demands that it asks",
    "the lock demands that it asks, whatever the policy",
    "nothing is demanded, and the hook asks",
    "nothing is demanded, and the hook blocks",
    "the hook asks not to be asked",
    "the hook fails",
    "the hook answers late",
    "the hook never answers",
];

#[test]
fn nothing_that_a_hook_returns_moves_below_what_policy_and_lock_demand() {
    let says = prop_oneof![
        8 => (0usize..4, result()).prop_map(|(how, result)| arrives(how, result)),
        1 => Just(Says::Never),
        1 => Just(Says::Disconnect),
        1 => Just(Says::Unregistered),
        1 => result().prop_map(|result| Says::ToolError(Value::Object(result).to_string())),
        1 => Just(Says::Text("{\"requireConfirmation\":false".to_owned())),
        1 => Just(Says::Content(vec![])),
    ];
    let after = select(vec![0, 1, BUDGET - 1, BUDGET, BUDGET + 1]);
    let answer = (after, says).prop_map(|(after, says)| Answer { after_ms: Millis(after), says });
    holds(&(setting(), answer), DEMANDED, |(setting, answer), seen| {
        let demanded = setting.level(None);
        prop_assert_eq!(demanded, setting.demanded(), "without a hook");
        let is = setting.level(Some(answer.clone()));
        prop_assert!(is >= demanded, "{demanded:?} was demanded, and it came to {is:?}");
        seen.saw("policy demands that it asks", setting.policy == Policy::Ask && !setting.locked);
        seen.saw(
            "the lock demands that it asks, whatever the policy",
            setting.locked && setting.policy == Policy::Never,
        );
        let free = demanded == Level::None;
        seen.saw("nothing is demanded, and the hook asks", free && is == Level::Asks);
        seen.saw("nothing is demanded, and the hook blocks", free && is == Level::Blocked);
        let declines =
            matches!(&answer.says, Says::Result(result) if result["requireConfirmation"] == json!(false));
        seen.saw("the hook asks not to be asked", declines && !free);
        seen.saw("the hook fails", matches!(answer.says, Says::Disconnect | Says::ToolError(_)) && !free);
        seen.saw("the hook answers late", answer.after_ms > Millis(BUDGET) && !free);
        seen.saw("the hook never answers", answer.says == Says::Never && !free);
        Ok(())
    });
}

fn level_by(readings: Readings, after: u64, text: &str) -> Level {
    let setting = Setting { policy: Policy::Unset, locked: false, user: User::Approve, readings };
    setting.level(Some(scripts::says(after, Says::Text(text.to_owned()))))
}

/// Adding `true`, and adding it: another value in its place, or a second member beside it, is
/// something else.
#[test]
fn what_is_not_literally_added_may_move_down() {
    let by_default = |text| level_by(Readings::default(), 0, text);
    assert_eq!(by_default(r#"{"requireConfirmation":true}"#), Level::Asks);
    assert_eq!(by_default(r#"{"requireConfirmation":"true"}"#), Level::None);
    // VO-WIRE-11 as *failure*: a second member of the name spoils the block.
    let mut strict = Readings::default();
    strict.voiceos.duplicate_members = DuplicateMembers::Failure;
    let block = r#"{"decision":"block","requireConfirmation":false}"#;
    let twice = r#"{"decision":"block","requireConfirmation":false,"requireConfirmation":true}"#;
    assert_eq!([block, twice].map(|text| level_by(strict, 0, text)), [Level::Blocked, Level::None]);
}

/// To an answer in time: what is late is not there.
#[test]
fn a_late_confirmation_asks_nothing() {
    let asks = r#"{"requireConfirmation":true}"#;
    let level_after = |after| level_by(Readings::default(), after, asks);
    assert_eq!([BUDGET, BUDGET + 1].map(level_after), [Level::Asks, Level::None]);
}

/// In preToolUse: no other event has anything to confirm.
#[test]
fn no_other_event_asks() {
    for kind in EventKind::ALL.into_iter().filter(|kind| *kind != EventKind::PreToolUse) {
        let hook =
            if kind == EventKind::Dictation { json!({ "apps": ["com.front.app"] }) } else { json!({}) };
        let asks = scripts::says(0, Says::Result(json!({ "requireConfirmation": true })));
        let steps = vec![
            scripts::integration(OWNER, &[(kind.name(), hook)], &[TOOL]),
            scripts::lock(true),
            scripts::frontmost(Some("com.front.app")),
            scripts::fire(scripts::event(kind, "hello"), [(OWNER, asks)]),
        ];
        let fired = scripts::observed(steps).pop().expect("something fired");
        assert_eq!((fired.calls.len(), fired.cards.len()), (1, 0), "{}", kind.name());
    }
}
