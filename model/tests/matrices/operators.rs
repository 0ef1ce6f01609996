//! Conditions: MX-MATCH-2, 6, 8, with every operator over every pair of kinds of JSON.
//!
//! Each value of the pool is written beside its kind and its place among those of that kind, and the table
//! compares kinds and places; it never looks at the JSON.

use hookproof_model::reading::Readings;
use serde_json::{Value, json};

use crate::support::*;

/// A value, its kind, and its place in the order of that kind: values of one kind and place are equal.
type Thing = (&'static str, char, i8);

const POOL: [Thing; 25] = [
    ("null", 'n', 0),
    ("true", 'b', 1),
    ("false", 'b', 0),
    ("-1", '#', -1),
    ("0", '#', 0),
    ("-0.0", '#', 0),
    ("1", '#', 1),
    ("1.0", '#', 1),
    ("1.5", '#', 2),
    ("9007199254740991", '#', 3),
    ("9007199254740992", '#', 4),
    ("9007199254740993", '#', 5),
    ("1e300", '#', 6),
    ("\"\"", 's', -1),
    ("\"a\"", 's', 1),
    ("\"ab\"", 's', 2),
    ("\"b\"", 's', 3),
    ("\"1\"", 's', 0),
    ("[]", 'l', 0),
    ("[1]", 'l', 1),
    ("[1.0]", 'l', 1),
    ("[\"a\"]", 'l', 2),
    ("[1,\"a\",null]", 'l', 3),
    ("{}", 'o', 0),
    ("{\"a\":1}", 'o', 1),
];

/// The kinds and places of what a list of the pool holds.
fn items(list: &Thing) -> &'static [(char, i8)] {
    match list.2 {
        1 => &[('#', 1)],
        2 => &[('s', 1)],
        3 => &[('#', 1), ('s', 1), ('n', 0)],
        _ => &[],
    }
}

/// The texts that one of the pool begins with, and those that stand elsewhere in it.
fn parts(text: &Thing) -> (&'static [&'static str], &'static [&'static str]) {
    match text.0 {
        "\"a\"" => (&["\"\"", "\"a\""], &[]),
        "\"ab\"" => (&["\"\"", "\"a\"", "\"ab\""], &["\"b\""]),
        "\"b\"" => (&["\"\"", "\"b\""], &[]),
        "\"1\"" => (&["\"\"", "\"1\""], &[]),
        _ => (&["\"\""], &[]),
    }
}

/// MX-MATCH-8: what an operator says of what was found; nothing where the two cannot be compared.
fn says(operator: &str, found: Option<&Thing>, value: &Thing) -> Option<bool> {
    let found = found?;
    let ordered = found.1 == value.1 && "#s".contains(found.1);
    match operator {
        "neq" => says("eq", Some(found), value).map(|holds| !holds),
        "not_in" => says("in", Some(found), value).map(|holds| !holds),
        "eq" => (found.1 == value.1).then_some(found.2 == value.2),
        "in" if value.1 == 'l' => {
            let items = items(value);
            let none_alike = !items.is_empty() && items.iter().all(|(kind, _)| *kind != found.1);
            (!none_alike).then(|| items.contains(&(found.1, found.2)))
        }
        "gt" => ordered.then_some(found.2 > value.2),
        "gte" => ordered.then_some(found.2 >= value.2),
        "lt" => ordered.then_some(found.2 < value.2),
        "lte" => ordered.then_some(found.2 <= value.2),
        "contains" if found.1 == 'l' => Some(items(found).contains(&(value.1, value.2))),
        "contains" if found.1 == 's' && value.1 == 's' => {
            let (first, later) = parts(found);
            Some(first.contains(&value.0) || later.contains(&value.0))
        }
        "starts_with" if found.1 == 's' && value.1 == 's' => Some(parts(found).0.contains(&value.0)),
        _ => None,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    Asked,
    PassedOver,
    Failed,
}

/// MX-MATCH-6: what a condition that cannot be held against the event says.
fn unknown(reading: &str, operator: &str) -> Option<bool> {
    match reading {
        "negation-true" => Some(["neq", "not_in"].contains(&operator)),
        "all-false" => Some(false),
        _ => None,
    }
}

const UNKNOWN: (&str, &[&str]) = ("MX-MATCH-6", &["negation-true", "all-false", "failure"]);
const TOGETHER: (&str, &[&str]) = ("MX-MATCH-2", &["all", "any"]);

fn of<'c>(chosen: &[(&str, &'c str)], clause: &str) -> &'c str {
    chosen.iter().find(|(of, _)| *of == clause).unwrap().1
}

fn condition(path: &str, operator: &str, value: &Value) -> Value {
    json!({ "path": path, "operator": operator, "value": value })
}

/// How each of these hooks' turns came out in each of these firings, where none of the hooks is called
/// like another and all fail open, so that each has its turn.
fn turns(readings: &Readings, hooks: &[Value], events: &[Value]) -> Vec<Vec<Turn>> {
    let mut steps = vec![create("p", &text(hooks))];
    for (n, event) in events.iter().enumerate() {
        let thread = n.to_string();
        steps.extend([open(&thread, "p"), fire(&thread, &thread, event, &json!({})), trail(&thread)]);
    }
    let seen = observed(readings, steps);
    assert_eq!(seen[0].accepted, Some(true), "{:?}", seen[0].faults);
    let turn = |fired: &[_], id: &str| {
        let [_, fire, audit]: &[hookproof_model::script::matrices::Observation; 3] =
            fired.try_into().unwrap();
        let called = fire.fired.as_ref().unwrap().calls.iter().any(|call| call.hook == id);
        let entry = audit.audit.as_ref().unwrap().iter().find(|entry| entry.hook_id == id).map(short);
        match entry {
            None if !called => Turn::PassedOver,
            Some((_, "defer", None)) if called => Turn::Asked,
            Some((_, "defer", Some(failure))) if !called && failure == "condition" => Turn::Failed,
            other => panic!("{id}: called {called}, {other:?}"),
        }
    };
    let of_firing = |fired| hooks.iter().map(|hook| turn(fired, hook["id"].as_str().unwrap())).collect();
    seen[1..].chunks(3).map(of_firing).collect()
}

fn guarded(id: &str, point: &str, conditions: &[Value]) -> Value {
    hook(id, point, "url", json!({ "onFailure": "fail_open", "match": { "where": conditions } }))
}

#[test]
fn every_operator_compares_every_pair_of_values() {
    let operators = ["eq", "neq", "in", "not_in", "gt", "gte", "lt", "lte", "contains", "starts_with"];
    let parsed = |thing: &Thing| -> Value { serde_json::from_str(thing.0).unwrap() };
    let found: Vec<_> = [None].into_iter().chain(POOL.iter().map(Some)).collect();
    let with = |found: &Option<&Thing>| found.map_or(json!({}), |found| json!({ "v": parsed(found) }));
    let events: Vec<_> = found.iter().map(|found| event("before_tool_call", "t", &with(found))).collect();
    let mut compared = 0;
    for chosen in all_readings(&[UNKNOWN, TOGETHER]) {
        let readings = readings(&chosen);
        for operator in operators {
            for values in POOL.chunks(16) {
                let hook = |value: &Thing| {
                    guarded(value.0, "before_tool_call", &[condition("input.v", operator, &parsed(value))])
                };
                let turns = turns(&readings, &values.iter().map(hook).collect::<Vec<_>>(), &events);
                for (found, turns) in found.iter().zip(turns) {
                    for (value, turn) in values.iter().zip(turns) {
                        let says = says(operator, *found, value);
                        let expected = match says.or(unknown(of(&chosen, "MX-MATCH-6"), operator)) {
                            Some(true) => Turn::Asked,
                            Some(false) => Turn::PassedOver,
                            None => Turn::Failed,
                        };
                        assert_eq!(turn, expected, "{found:?} {operator} {value:?} under {chosen:?}");
                        compared += 1;
                    }
                }
            }
        }
    }
    assert_eq!(compared, 6 * 10 * 25 * 26);
}

/// What is there is there whatever it is, `null` included; `exists` alone asks for that, and under no
/// reading is it a failure.
#[test]
fn exists_looks_for_the_member_and_not_at_it() {
    let mut events = vec![event("before_tool_call", "t", &json!({}))];
    let there = |thing: &Thing| serde_json::from_str::<Value>(thing.0).unwrap();
    events.extend(POOL.iter().map(|thing| event("before_tool_call", "t", &json!({ "v": there(thing) }))));
    for chosen in all_readings(&[UNKNOWN]) {
        let hooks = [
            guarded("is", "before_tool_call", &[condition("input.v", "exists", &json!(true))]),
            guarded("is not", "before_tool_call", &[condition("input.v", "exists", &json!(false))]),
            guarded("unsaid", "before_tool_call", &[json!({ "path": "input.v", "operator": "exists" })]),
        ];
        let turns = turns(&readings(&chosen), &hooks, &events);
        assert_eq!(turns[0], [Turn::PassedOver, Turn::Asked, Turn::PassedOver], "{chosen:?}");
        for turns in &turns[1..] {
            assert_eq!(*turns, [Turn::Asked, Turn::PassedOver, Turn::Asked], "{chosen:?}");
        }
    }
}

/// MX-MATCH-8: dotted paths. Beside each, what stands there.
#[test]
fn a_path_leads_through_members_and_plain_indices() {
    let input = json!({
        "tags": ["x", ["y"], { "z": 1 }], "text": "abc", "none": null, "n": 12,
        "by": { "0": "member", "00": "twice", "-1": "minus" }, "": { "": "blank" }
    });
    let paths: [(&str, Option<Value>); 47] = [
        ("input.tags.0", Some(json!("x"))),
        ("input.tags.1.0", Some(json!("y"))),
        ("input.tags.2.z", Some(json!(1))),
        ("input.tags.00", None),
        ("input.tags.01", None),
        ("input.tags.-1", None),
        ("input.tags.-0", None),
        ("input.tags.+0", None),
        ("input.tags.9", None),
        ("input.tags.3", None),
        ("input.tags.0x0", None),
        ("input.tags.1e0", None),
        ("input.tags.1.0.0", None),
        ("input.tags. 0", None),
        ("input.tags.٠", None),
        ("input.tags.18446744073709551616", None),
        ("input.tags.18446744073709551615", None),
        ("input.tags.length", None),
        ("input.tags.", None),
        ("input.tags[0]", None),
        ("input.text.0", None),
        ("input.text.length", None),
        ("input.none.x", None),
        ("input.n.0", None),
        ("input.by.0", Some(json!("member"))),
        ("input.by.00", Some(json!("twice"))),
        ("input.by.-1", Some(json!("minus"))),
        ("input.by.1", None),
        ("input.by.", None),
        ("input.", Some(json!({ "": "blank" }))),
        ("input..", Some(json!("blank"))),
        ("input...", None),
        ("input..text", None),
        (".input", None),
        (".", None),
        ("", None),
        ("*", None),
        ("/input/text", None),
        ("$.input.text", None),
        ("Input.text", None),
        ("input.Text", None),
        ("tool.0", None),
        ("tool", Some(json!("t"))),
        ("point", Some(json!("before_tool_call"))),
        ("threadId", Some(json!("0"))),
        ("input.none", Some(json!(null))),
        ("input", Some(input.clone())),
    ];
    let events = [event("before_tool_call", "t", &input)];
    for chosen in all_readings(&[UNKNOWN]) {
        for paths in paths.chunks(8) {
            let hooks = paths.iter().flat_map(|(path, there)| {
                let value = there.clone().unwrap_or_default();
                [
                    guarded(&format!("{path} is"), "before_tool_call", &[condition(path, "eq", &value)]),
                    guarded(
                        &format!("{path} there"),
                        "before_tool_call",
                        &[condition(path, "exists", &json!(true))],
                    ),
                ]
            });
            let turns = turns(&readings(&chosen), &hooks.collect::<Vec<_>>(), &events).remove(0);
            for ((path, there), turns) in paths.iter().zip(turns.chunks(2)) {
                let nothing =
                    if of(&chosen, "MX-MATCH-6") == "failure" { Turn::Failed } else { Turn::PassedOver };
                let expected = if there.is_some() { [Turn::Asked; 2] } else { [nothing, Turn::PassedOver] };
                assert_eq!(turns, expected, "`{path}` under {chosen:?}");
            }
        }
    }
}

/// The roots of an event at each point; a HookInput's own members are none of them.
#[test]
fn an_event_has_the_roots_of_its_point() {
    let roots = ["point", "threadId", "tool", "text", "input", "output", "deliveryId", "hookId"];
    for (point, member, _) in POINTS {
        let hook = |root: &&str| guarded(root, point, &[condition(root, "exists", &json!(true))]);
        let hooks: Vec<_> = roots.iter().map(hook).collect();
        let turns = turns(&readings(&[]), &hooks, &[event(point, "t", &usual(point))]).remove(0);
        for (root, turn) in roots.iter().zip(turns) {
            let tool = *root == "tool" && point.ends_with("_tool_call");
            let there = tool || ["point", "threadId", member].contains(root);
            assert_eq!(turn, if there { Turn::Asked } else { Turn::PassedOver }, "{root} at {point}");
        }
    }
}

/// MX-MATCH-2, 6: what a list of conditions comes to where some cannot be said. It is said where every way
/// to say those comes to the same, so that the order of the list does not matter.
fn together(any: bool, verdicts: &[Option<bool>]) -> Turn {
    let mut ways = vec![vec![]];
    for verdict in verdicts {
        let either: &[bool] = if let Some(verdict) = verdict { &[*verdict] } else { &[true, false] };
        let longer = |way: &Vec<bool>| -> Vec<Vec<bool>> {
            either.iter().map(|verdict| [way.as_slice(), &[*verdict]].concat()).collect()
        };
        ways = ways.iter().flat_map(longer).collect();
    }
    let holds = |way: &Vec<bool>| if any { way.contains(&true) } else { !way.contains(&false) };
    match ways.iter().filter(|way| holds(way)).count() {
        0 => Turn::PassedOver,
        all if all == ways.len() => Turn::Asked,
        _ => Turn::Failed,
    }
}

/// Every list of up to three of: a condition that holds, one that does not, and two about nothing.
#[test]
fn conditions_stand_together_as_they_are_read() {
    let kinds = [
        ("tool", "eq", Some(true)),
        ("tool", "neq", Some(false)),
        ("input.no", "eq", None),
        ("input.no", "neq", None),
    ];
    let mut lists: Vec<Vec<usize>> = vec![vec![]];
    for length in 0..3 {
        let longer = |list: &Vec<usize>| {
            (0..kinds.len()).map(|kind| [list.as_slice(), &[kind]].concat()).collect::<Vec<_>>()
        };
        let more: Vec<_> = lists.iter().filter(|list| list.len() == length).flat_map(longer).collect();
        lists.extend(more);
    }
    // The most that a match may have.
    lists.extend([vec![0; 8], vec![0, 0, 0, 0, 0, 0, 0, 2], vec![1, 1, 1, 1, 1, 1, 1, 0], vec![2; 8]]);
    for chosen in all_readings(&[UNKNOWN, TOGETHER]) {
        for lists in lists.chunks(8) {
            let hooks = lists.iter().flat_map(|list| {
                let conditions: Vec<_> =
                    list.iter().map(|kind| condition(kinds[*kind].0, kinds[*kind].1, &json!("t"))).collect();
                // MX-MATCH-2: a tool that does not match is not outdone by conditions that hold.
                ["t", "x"].map(|tool| {
                    let matching = json!({ "tools": [tool], "where": conditions });
                    hook(
                        &format!("{list:?} {tool}"),
                        "before_tool_call",
                        "url",
                        json!({ "onFailure": "fail_open", "match": matching }),
                    )
                })
            });
            let events = [event("before_tool_call", "t", &json!({}))];
            let turns = turns(&readings(&chosen), &hooks.collect::<Vec<_>>(), &events).remove(0);
            for (list, turns) in lists.iter().zip(turns.chunks(2)) {
                let verdict = |kind: &usize| {
                    let (_, operator, verdict) = kinds[*kind];
                    verdict.or(unknown(of(&chosen, "MX-MATCH-6"), operator))
                };
                let verdicts: Vec<_> = list.iter().map(verdict).collect();
                let any = of(&chosen, "MX-MATCH-2") == "any" && !list.is_empty();
                let expected = [together(any, &verdicts), Turn::PassedOver];
                assert_eq!(turns, expected, "{list:?} under {chosen:?}");
            }
        }
    }
}

/// A condition that cannot be said, read as a failure, leaves the work to `onFailure`.
#[test]
fn a_failing_condition_stops_a_fail_closed_chain_without_a_delivery() {
    for (point, ..) in POINTS {
        let hooks = [
            hook(
                "guard",
                point,
                "url",
                json!({ "match": { "where": [condition("text.no", "eq", &json!(1))] } }),
            ),
            hook("behind", point, "url", json!({})),
        ];
        let steps = vec![
            create("p", &text(hooks)),
            open("t", "p"),
            fire("f", "t", &event(point, "t", &usual(point)), &json!({})),
            trail("t"),
        ];
        let seen = observed(&readings(&[("MX-MATCH-6", "failure")]), steps);
        let fired = seen[2].fired.as_ref().unwrap();
        assert_eq!(outcome_json(fired.outcome.as_ref().unwrap()), stopped(point));
        assert!(fired.calls.is_empty());
        let audit = seen[3].audit.as_ref().unwrap();
        assert_eq!(
            audit.iter().map(short).collect::<Vec<_>>(),
            [("guard", "deny", Some("condition".into()))]
        );
        assert_eq!((audit[0].latency_ms.0, &audit[0].delivery_id), (0, &None));
    }
}
