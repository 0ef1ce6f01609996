//! What a hook's `match` says, or what is wrong with it: MX-VAL-3 to 7, MX-VAL-13a to 13c, MX-MATCH-8.

use serde_json::{Map, Value};

use super::document;
use super::hook::Point;
use super::profile::{self, Judge, Read};
use crate::kernel::{Condition, Operator};
use crate::reading::matrices::{Accepted, EmptyMatch, EmptyTools};
use crate::reading::shared::Unknown;

/// MX-VAL-7.
const MOST_CONDITIONS: usize = 8;

/// MX-MATCH-8.
const OPERATORS: [(&str, Operator); 11] = [
    ("eq", Operator::Eq),
    ("neq", Operator::Neq),
    ("in", Operator::In),
    ("not_in", Operator::NotIn),
    ("gt", Operator::Gt),
    ("gte", Operator::Gte),
    ("lt", Operator::Lt),
    ("lte", Operator::Lte),
    ("contains", Operator::Contains),
    ("starts_with", Operator::StartsWith),
    ("exists", Operator::Exists),
];

/// The tools and the conditions of a hook's `match`. MX-MATCH-1: without it, there are none.
pub(super) fn read(
    hook: &Map<String, Value>,
    point: Option<Point>,
    at: &str,
    judge: &mut Judge<'_>,
) -> Read<(Option<Vec<String>>, Vec<Condition>)> {
    let at = document::member(at, "match");
    let Some(given) = hook.get("match") else { return Some((None, vec![])) };
    let Value::Object(members) = given else {
        judge.fault(&at, "MX-MATCH-1");
        return None;
    };
    if members.is_empty() && judge.readings.empty_match == EmptyMatch::Reject {
        judge.fault(&at, "MX-VAL-13c");
    }
    let tools =
        members.get("tools").map(|tools| patterns(tools, point, &document::member(&at, "tools"), judge));
    let conditions =
        members.get("where").map(|list| conditions(list, &document::member(&at, "where"), judge));
    Some((tools, conditions.unwrap_or_default()))
}

/// MX-VAL-3, MX-VAL-13a.
fn patterns(given: &Value, point: Option<Point>, at: &str, judge: &mut Judge<'_>) -> Vec<String> {
    if point.is_some_and(|point| !point.is_tool_point()) {
        judge.fault(at, "MX-VAL-3");
    }
    let Value::Array(given) = given else {
        judge.fault(at, "MX-VAL-4");
        return vec![];
    };
    if given.is_empty() && judge.readings.empty_tools == EmptyTools::Reject {
        judge.fault(at, "MX-VAL-13a");
    }
    let patterns = given.iter().enumerate();
    patterns.filter_map(|(index, given)| pattern(given, &document::item(at, index), judge)).collect()
}

/// MX-VAL-4, MX-VAL-5, MX-VAL-6.
fn pattern(given: &Value, at: &str, judge: &mut Judge<'_>) -> Read<String> {
    let Value::String(pattern) = given else {
        judge.fault(at, "MX-VAL-4");
        return None;
    };
    match pattern.strip_suffix('*') {
        Some(prefix) if prefix.contains('*') => judge.fault(at, "MX-VAL-4"),
        Some("") if judge.readings.bare_star == Accepted::Reject => judge.fault(at, "MX-VAL-5"),
        Some(prefix)
            if !prefix.is_empty()
                && !prefix.ends_with('.')
                && judge.readings.undotted_star == Accepted::Reject =>
        {
            judge.fault(at, "MX-VAL-6");
        }
        None if pattern.contains('*') => judge.fault(at, "MX-VAL-4"),
        Some(_) | None => {}
    }
    Some(pattern.clone())
}

/// MX-VAL-7, MX-VAL-13b.
fn conditions(given: &Value, at: &str, judge: &mut Judge<'_>) -> Vec<Condition> {
    let Value::Array(given) = given else {
        judge.fault(at, "MX-VAL-7");
        return vec![];
    };
    if given.is_empty() && judge.readings.empty_where == EmptyMatch::Reject {
        judge.fault(at, "MX-VAL-13b");
    }
    if given.len() > MOST_CONDITIONS {
        judge.fault(at, "MX-VAL-7");
    }
    let conditions = given.iter().enumerate();
    conditions.filter_map(|(index, given)| condition(given, &document::item(at, index), judge)).collect()
}

/// MX-MATCH-8: a path, an operator and a value; `exists` without one means that there is something.
fn condition(given: &Value, at: &str, judge: &mut Judge<'_>) -> Read<Condition> {
    let Value::Object(members) = given else {
        judge.fault(at, "MX-MATCH-8");
        return None;
    };
    let path = profile::text(members, "path", at, "MX-MATCH-8", judge);
    let operator = operator(members, at, judge);
    let value = match (operator, members.get("value")) {
        (Some(Operator::Exists), None) => Some(Value::Bool(true)),
        (Some(Operator::Exists), Some(value)) if !value.is_boolean() => {
            judge.fault(&document::member(at, "value"), "MX-MATCH-8");
            None
        }
        (_, None) => {
            judge.fault(at, "MX-MATCH-8");
            None
        }
        (_, value) => value.cloned(),
    };
    Some(Condition { path: path?, operator: operator?, value: value? })
}

/// MX-MATCH-8, MX-VAL-16: an unknown operator that is passed over takes its condition with it.
fn operator(members: &Map<String, Value>, at: &str, judge: &mut Judge<'_>) -> Read<Operator> {
    let name = profile::text(members, "operator", at, "MX-MATCH-8", judge)?;
    let known = OPERATORS.into_iter().find(|(known, _)| *known == name);
    if known.is_none() && judge.readings.unknown_values == Unknown::Reject {
        judge.fault(&document::member(at, "operator"), "MX-VAL-16");
    }
    known.map(|(_, operator)| operator)
}
