//! Conditions on the value: MX-MATCH-2, MX-MATCH-6, MX-MATCH-8.
//!
//! A guard decides, when a hook's turn comes, whether it is asked at all. Conditions are held
//! against the event with the value of that moment in it. They combine as in Kleene's three-valued
//! logic, so the order in which they are written does not matter.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Terms, json};
use crate::reading::shared::{Conditions, Incomparable};

/// A hook's conditions. Without any, the hook is always asked.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Guard {
    /// In the order in which they are written.
    pub conditions: Vec<Condition>,
}

/// One condition: the member at `path`, compared with `value`. Two are equal by HK-EQ-1: a value of 1 is
/// one of 1.0.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Condition {
    /// Dotted path from the event's root; array indices are numbers.
    pub path: String,
    /// How to compare.
    pub operator: Operator,
    /// With what; for `exists`, whether the member must be there.
    pub value: Value,
}

impl PartialEq for Condition {
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path && self.operator == other.operator && json::same(&self.value, &other.value)
    }
}

/// How a condition compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the operators are their own description")]
pub enum Operator {
    Eq,
    Neq,
    In,
    NotIn,
    Gt,
    Gte,
    Lt,
    Lte,
    Contains,
    StartsWith,
    Exists,
}

/// The event as a guard sees it: its fixed members, and the one whose value hooks rewrite.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// An object of the members that no hook changes.
    pub event: &'a Value,
    /// The name of the member that hooks rewrite.
    pub member: &'a str,
    /// Its value at this moment.
    pub value: &'a Value,
}

/// Whether a hook is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// It is.
    Ask,
    /// It is passed over, and leaves no trace.
    PassOver,
    /// Its conditions cannot be held against the value: it counts as failed.
    Fail,
}

/// Whether a hook with this guard is asked in this scene.
#[must_use]
pub fn admits(terms: &Terms, guard: &Guard, scene: Scene<'_>) -> Admission {
    if guard.conditions.is_empty() {
        return Admission::Ask;
    }
    // The verdict that decides alone: one false among all, one true among any.
    let decisive = terms.conditions == Conditions::Any;
    let mut undecided = false;
    for condition in &guard.conditions {
        match holds(terms.incomparable, condition, scene) {
            Some(verdict) if verdict == decisive => {
                return if decisive { Admission::Ask } else { Admission::PassOver };
            }
            Some(_) => {}
            None => undecided = true,
        }
    }
    match (undecided, decisive) {
        (true, _) => Admission::Fail,
        (false, true) => Admission::PassOver,
        (false, false) => Admission::Ask,
    }
}

/// Whether the condition holds; `None` where it cannot be said and the reading makes that a failure.
fn holds(incomparable: Incomparable, condition: &Condition, scene: Scene<'_>) -> Option<bool> {
    let found = lookup(scene, &condition.path);
    let negated = matches!(condition.operator, Operator::Neq | Operator::NotIn);
    match (compare(condition.operator, found, &condition.value), incomparable) {
        (Some(verdict), _) => Some(verdict),
        (None, Incomparable::NegationTrue) => Some(negated),
        (None, Incomparable::AllFalse) => Some(false),
        (None, Incomparable::Failure) => None,
    }
}

/// The comparison, or `None` where the member is missing or the types do not compare.
fn compare(operator: Operator, found: Option<&Value>, value: &Value) -> Option<bool> {
    if operator == Operator::Exists {
        return Some(found.is_some() == (value != &Value::Bool(false)));
    }
    let found = found?;
    let ordering = || match (found, value) {
        (Value::Number(a), Value::Number(b)) => json::compare_numbers(a, b),
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        _ => None,
    };
    match operator {
        Operator::Eq | Operator::Neq => {
            let equal = same_type(found, value).then(|| json::same(found, value))?;
            Some(equal == (operator == Operator::Eq))
        }
        Operator::In | Operator::NotIn => {
            let items = value.as_array()?;
            let comparable = items.is_empty() || items.iter().any(|item| same_type(found, item));
            let member = comparable.then(|| items.iter().any(|item| json::same(found, item)))?;
            Some(member == (operator == Operator::In))
        }
        Operator::Gt => ordering().map(|order| order.is_gt()),
        Operator::Gte => ordering().map(|order| order.is_ge()),
        Operator::Lt => ordering().map(|order| order.is_lt()),
        Operator::Lte => ordering().map(|order| order.is_le()),
        Operator::Contains => match (found, value) {
            (Value::String(text), Value::String(part)) => Some(text.contains(part.as_str())),
            (Value::Array(items), value) => Some(items.iter().any(|item| json::same(item, value))),
            _ => None,
        },
        Operator::StartsWith => match (found, value) {
            (Value::String(text), Value::String(start)) => Some(text.starts_with(start.as_str())),
            _ => None,
        },
        Operator::Exists => None,
    }
}

fn same_type(a: &Value, b: &Value) -> bool {
    std::mem::discriminant(a) == std::mem::discriminant(b)
}

/// The member at a dotted path, if there is one.
fn lookup<'a>(scene: Scene<'a>, path: &str) -> Option<&'a Value> {
    let mut segments = path.split('.');
    let first = segments.next()?;
    let root = if first == scene.member { Some(scene.value) } else { scene.event.get(first) };
    segments.try_fold(root?, |value, segment| match value {
        Value::Object(members) => members.get(segment),
        Value::Array(items) => items.get(index(segment)?),
        _ => None,
    })
}

/// An array index: digits without a sign or a leading zero.
fn index(segment: &str) -> Option<usize> {
    let plain =
        segment.bytes().all(|byte| byte.is_ascii_digit()) && (segment == "0" || !segment.starts_with('0'));
    segment.parse().ok().filter(|_| plain)
}
