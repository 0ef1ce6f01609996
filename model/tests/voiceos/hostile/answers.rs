//! What hooks answer.

use hookproof_model::kernel::{Failure, Millis};
use hookproof_model::reading::Readings;
use hookproof_model::script::Script;
use hookproof_model::script::voiceos::{Event, LogEntry, Observation, Outcome, Says, Shown, Step};
use pretty_assertions::assert_eq;
use serde_json::{Map, Value, json};

use super::texts::{MIB, Whole, strings, values, wholes};
use super::{in_no_time, lists, on_a_small_stack};
use crate::{
    answer, failed, fire, install, manifest, observed, observed_by_the_model, read, readings, script,
};

const HOOK: &str = "a.hook";
/// Each of the values as a result and as an unknown member, in three ways; 30 of them as a result in process.
const VALUES: usize = 95 * 2 * 3 + 30;
/// Each of the strings in six members, in three ways; 8 of them are large.
const STRINGS: usize = (219 * 3 + 8) * 6;
/// Each of the whole answers to four events, in three ways.
const WHOLES: usize = 118 * 4 * 3;
const EVENTS: [&str; 4] = ["transcript", "dictation", "preToolUse", "postToolUse"];

fn event(name: &str) -> Event {
    let tool = |member: &str, value: Value| {
        let mut event = json!({ "integration": HOOK, "toolName": "send", "args": {} });
        event.as_object_mut().unwrap().insert(member.to_owned(), value);
        json!({ name: event })
    };
    read(match name {
        "transcript" => json!({ "transcript": { "transcript": "old", "source": "text" } }),
        "dictation" => json!({ "dictation": { "text": "old" } }),
        "preToolUse" => tool("args", json!({ "old": true })),
        _ => tool("result", json!("old")),
    })
}

fn untouched(name: &str) -> Outcome {
    match name {
        "dictation" => Outcome::Pasted { text: "old".to_owned() },
        "preToolUse" => Outcome::Executed { args: read(json!({ "old": true })) },
        _ => went_on(json!("old"), None),
    }
}

fn went_on(value: Value, context: Option<&str>) -> Outcome {
    Outcome::WentOn { value, context: context.map(str::to_owned).into_iter().collect() }
}

/// Every way in which one text can arrive.
fn ways(text: &str) -> [Says; 3] {
    let item = json!({ "type": "text", "text": text });
    let image = json!({ "type": "image", "data": "", "mimeType": "image/png" });
    [
        Says::Text(text.to_owned()),
        Says::Content(vec![image, item.clone(), json!({ "type": "text", "text": "{" })]),
        Says::CallResult(read(json!({ "content": [item], "isError": false }))),
    ]
}

/// An answer to an event, and what is to come of it.
struct Case {
    event: &'static str,
    says: Says,
    outcome: Outcome,
    logged: Option<LogEntry>,
    shown: Option<String>,
}

impl Case {
    /// What answers `says`, and comes to `outcome`.
    fn taken(event: &'static str, says: Says, outcome: Outcome) -> Self {
        Self { event, says, outcome, logged: None, shown: None }
    }

    /// What fails like this is as if there were no hook (VO-FAIL-1).
    fn fails(event: &'static str, says: Says, failure: Failure) -> Self {
        Self { logged: Some(failed(HOOK, failure)), ..Self::taken(event, says, untouched(event)) }
    }

    /// In every way in which its text can arrive: taken as `case` says, or unparsable.
    fn either(event: &'static str, text: &str, case: Option<impl Fn(Says) -> Self>) -> Vec<Self> {
        // Of a large text one way is enough, and takes a third of the time.
        let ways = ways(text).into_iter().take(if text.len() > MIB / 2 { 1 } else { 3 });
        let case = |says| match &case {
            Some(case) => case(says),
            None => Self::fails(event, says, Failure::Unparsable),
        };
        ways.map(case).collect()
    }
}

fn begins() -> Vec<Step> {
    let hooks =
        json!({ "transcript": {}, "dictation": { "apps": ["a.b"] }, "preToolUse": {}, "postToolUse": {} });
    let front = read(json!({ "frontmost": { "app": { "bundleId": "a.b" } } }));
    vec![install(manifest(HOOK, &hooks).to_string()), front]
}

/// Puts these to what `observe`s, some hundred at a time; how many there were.
fn hold(
    cases: Vec<Case>,
    readings: &Readings,
    observe: impl Fn(&Script, &Readings) -> Vec<Observation>,
) -> usize {
    let count = cases.len();
    let mut cases = cases.into_iter().peekable();
    while cases.peek().is_some() {
        let (mut steps, mut expected) = (begins(), vec![]);
        for case in cases.by_ref().take(400) {
            steps.push(fire(event(case.event), [(HOOK.to_owned(), answer(0, case.says))]));
            let shown = case.shown.map(|text| Shown { text: Some(text), view: None });
            expected.push((case.outcome, case.logged, shown));
        }
        let (script, skipped) = (script(steps), begins().len());
        let observed = observe(&script, readings);
        assert_eq!(observed.len(), skipped + expected.len());
        for (step, (seen, (outcome, logged, shown))) in
            observed.iter().skip(skipped).zip(expected).enumerate()
        {
            let logged: Vec<_> = logged.into_iter().collect();
            let is_expected = seen.outcome.as_ref() == Some(&outcome)
                && seen.logged == logged
                && seen.user_sees == shown
                && seen.ended_ms == Some(Millis(0));
            let short = |it: &dyn std::fmt::Debug| format!("{it:?}").chars().take(300).collect::<String>();
            let Script::Voiceos(steps) = &script else { unreachable!("it is one") };
            assert!(
                is_expected,
                "{}\nexpected {} {} {}\nobserved {}",
                short(&steps.steps.get(step + skipped)),
                short(&outcome),
                short(&logged),
                short(&shown),
                short(seen),
            );
        }
    }
    count
}

/// VO-WIRE-10a for any JSON, and VO-WIRE-7: the values as a replaced result, and in a member that nobody knows.
fn value_cases() -> Vec<Case> {
    let mut cases = vec![];
    for (text, meant) in values() {
        let answer = format!(r#"{{"updatedResult":{text}}}"#);
        let taken = meant
            .clone()
            .map(|value| move |says| Case::taken("postToolUse", says, went_on(value.clone(), None)));
        cases.extend(Case::either("postToolUse", &answer, taken));
        let answer = format!(r#"{{"x":{text},"updatedText":"new"}}"#);
        let taken = |says| Case::taken("transcript", says, went_on(json!("new"), None));
        cases.extend(Case::either("transcript", &answer, meant.is_some().then_some(taken)));
        if let Some(value) = meant {
            let result =
                Says::Result(Value::Object(Map::from_iter([("updatedResult".to_owned(), value.clone())])));
            cases.push(Case::taken("postToolUse", result, went_on(value, None)));
        }
    }
    cases
}

#[test]
fn values_are_taken_as_they_are_or_are_no_json() {
    on_a_small_stack(|| {
        in_no_time(|| assert_eq!(hold(value_cases(), &Readings::default(), observed), VALUES))
    });
}

/// VO-WIRE-10: the strings wherever an answer has a text, and as names of members.
fn string_cases(replaced: bool) -> Vec<Case> {
    let old = || json!("old");
    let mut cases = vec![];
    for text in strings() {
        let (written, means) = (&text.written, if replaced { &text.mended } else { &text.means });
        let mut add = |event, answer: String, taken: &dyn Fn(&str, Says) -> Case| {
            let means = means.as_deref();
            cases.extend(Case::either(event, &answer, means.map(|means| move |says| taken(means, says))));
        };
        add("transcript", format!(r#"{{"updatedText":{written}}}"#), &|means, says| {
            Case::taken("transcript", says, went_on(json!(means), None))
        });
        add("transcript", format!(r#"{{"additionalContext":{written}}}"#), &|means, says| {
            Case::taken("transcript", says, went_on(old(), Some(means)))
        });
        add("transcript", format!(r#"{{"reason":{written}}}"#), &|means, says| {
            let reason = LogEntry { hook: HOOK.to_owned(), failure: None, reason: Some(means.to_owned()) };
            Case { logged: Some(reason), ..Case::taken("transcript", says, went_on(old(), None)) }
        });
        add("transcript", format!(r#"{{"decision":"handled","responseText":{written}}}"#), &|means, says| {
            Case { shown: Some(means.to_owned()), ..Case::taken("transcript", says, Outcome::Handled {}) }
        });
        add("dictation", format!(r#"{{"updatedText":{written}}}"#), &|means, says| {
            Case::taken("dictation", says, Outcome::Pasted { text: means.to_owned() })
        });
        add("preToolUse", format!(r#"{{"updatedArgs":{{{written}:{written}}}}}"#), &|means, says| {
            let args = Map::from_iter([(means.to_owned(), json!(means))]);
            Case::taken("preToolUse", says, Outcome::Executed { args })
        });
    }
    cases
}

#[test]
fn strings_survive_unchanged_or_are_no_json() {
    in_no_time(|| assert_eq!(hold(string_cases(false), &Readings::default(), observed), STRINGS));
}

#[test]
fn lone_surrogates_are_replaced_where_that_is_read() {
    let replaced = readings(&[("VO-WIRE-10b", "replaced")]);
    in_no_time(|| assert_eq!(hold(string_cases(true), &replaced, observed), STRINGS));
}

fn whole_cases() -> Vec<Case> {
    let mut cases = vec![];
    for (text, whole) in wholes() {
        for event in EVENTS {
            cases.extend(ways(&text).map(|says| match whole {
                Whole::Continue => Case::taken(event, says, untouched(event)),
                Whole::Unparsable => Case::fails(event, says, Failure::Unparsable),
                Whole::WrongShape => Case::fails(event, says, Failure::WrongShape),
            }));
        }
    }
    cases
}

#[test]
fn whole_answers_are_told_for_what_they_are() {
    on_a_small_stack(|| {
        in_no_time(|| assert_eq!(hold(whole_cases(), &Readings::default(), observed), WHOLES))
    });
}

/// What is no content is no answer, whatever else is in it.
#[test]
fn content_that_is_no_content_is_told_apart() {
    let good = json!({ "type": "text", "text": r#"{"decision":"block"}"# });
    let deep = lists(1000).1;
    let bad = [
        json!(null),
        json!({}),
        json!([]),
        json!("text"),
        json!({ "type": "text" }),
        json!({ "type": "text", "text": null }),
        json!({ "type": "text", "text": ["{}"] }),
        json!({ "type": ["text"], "text": "{}" }),
        json!({ "text": "{}" }),
        deep,
    ];
    let mut cases = vec![];
    for event in EVENTS {
        for bad in &bad {
            let call_result = json!({ "content": [good.clone(), bad.clone()] });
            let says = [
                Says::Content(vec![good.clone(), bad.clone()]),
                Says::Content(vec![bad.clone()]),
                Says::CallResult(read(call_result)),
            ];
            cases.extend(says.map(|says| Case::fails(event, says, Failure::ProtocolError)));
        }
    }
    in_no_time(|| assert_eq!(hold(cases, &Readings::default(), observed), 4 * 10 * 3));
}

/// A handler in process may return what no text could hold.
#[test]
fn a_result_may_be_nested_no_deeper_than_a_text() {
    let result = |depth: usize| {
        let value = lists(depth - 1).1;
        let case = if depth <= 127 {
            Case::taken("postToolUse", Says::Never, went_on(value.clone(), None))
        } else {
            Case::fails("postToolUse", Says::Never, Failure::Unparsable)
        };
        let members = Map::from_iter([("updatedResult".to_owned(), value)]);
        Case { says: Says::Result(Value::Object(members)), ..case }
    };
    on_a_small_stack(move || {
        let cases = [63, 64, 127, 128, 1000].map(result).into();
        assert_eq!(hold(cases, &Readings::default(), observed), 5);
    });
    // In a script there is no room for more, and what reads scripts says so.
    let deep = lists(10_000).0;
    let steps =
        format!(r#"{{"voiceos":{{"steps":[{{"fire":{{"answers":{{"{HOOK}":{{"result":{deep}}}}}}}}}]}}}}"#);
    let error = serde_json::from_str::<Script>(&steps).unwrap_err();
    assert!(error.to_string().contains("recursion limit"), "{error}");
}

/// Neither the last of so many members nor whether one is given twice is looked for one by one.
#[test]
fn many_members_take_no_time() {
    let many = |name: &dyn Fn(usize) -> String| {
        let members: Vec<_> = (0..50_000).map(|n| format!(r#""{}":"{n}""#, name(n))).collect();
        format!("{{{}}}", members.join(","))
    };
    let same = many(&|_| "updatedText".to_owned());
    let last = || Case::taken("transcript", Says::Text(same.clone()), went_on(json!("49999"), None));
    let others = many(&|n| format!("x{n}"));
    let others = || Case::taken("transcript", Says::Text(others.clone()), went_on(json!("old"), None));
    let deep = format!("{}{}{}", r#"{"a":["#.repeat(60), "0,".repeat(MIB / 2) + "0", "]}".repeat(60));
    let deep = || Case::taken("transcript", Says::Text(deep.clone()), went_on(json!("old"), None));
    in_no_time(|| {
        hold(vec![last(), others(), deep()], &Readings::default(), observed_by_the_model);
        let twice = readings(&[("VO-WIRE-11", "failure")]);
        let fails = Case::fails("transcript", last().says, Failure::Unparsable);
        hold(vec![fails, others(), deep()], &twice, observed_by_the_model);
    });
}
