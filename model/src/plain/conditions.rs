//! Whether a hook's conditions let it be asked: MX-MATCH-2, MX-MATCH-6, MX-MATCH-8, HK-EQ-1.
//!
//! What cannot be compared is unknown, `None`, until the reading of MX-MATCH-6 says what it is.

use std::cmp::Ordering;

use serde_json::Value;

use super::Given;
use crate::kernel::{Condition, Hook, Operator};
use crate::reading::shared::{Conditions, Incomparable};

/// MX-MATCH-2: whether a hook's conditions let it be asked while the rewritten member is `value`.
/// Unknown where that hangs on one that cannot be held against the event: conditions combine as in
/// Kleene's logic, and none at all let it be asked.
pub(super) fn admitted(given: &Given<'_>, hook: &Hook, value: &Value) -> Option<bool> {
    let conditions = &hook.guard.conditions;
    let held: Vec<_> = conditions.iter().map(|condition| holds(given, condition, value)).collect();
    // Under `all` one false decides, under `any` one true.
    let decisive = given.terms.conditions == Conditions::Any && !held.is_empty();
    match () {
        () if held.contains(&Some(decisive)) => Some(decisive),
        () if held.contains(&None) => None,
        () => Some(!decisive),
    }
}

/// MX-MATCH-6: whether a condition holds while the rewritten member is `value`.
fn holds(given: &Given<'_>, condition: &Condition, value: &Value) -> Option<bool> {
    let Condition { path, operator, value: operand } = condition;
    let negation = matches!(operator, Operator::Neq | Operator::NotIn);
    compared(found(given, value, path), *operator, operand).or(match given.terms.incomparable {
        Incomparable::NegationTrue => Some(negation),
        Incomparable::AllFalse => Some(false),
        Incomparable::Failure => None,
    })
}

/// MX-MATCH-8: what stands at a dotted path from the event's root.
fn found<'a>(given: &Given<'a>, value: &'a Value, path: &str) -> Option<&'a Value> {
    let mut names = path.split('.');
    let root = names.next()?;
    let start = if root == given.member { Some(value) } else { given.event.get(root) };
    names.try_fold(start?, |within, name| match within {
        // MX-MATCH-8: decimal, without a sign or a leading zero.
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(i, item)| (i.to_string() == name).then_some(item))
        }
        other => other.get(name),
    })
}

/// MX-MATCH-8: the operators. `None` where there is nothing, or nothing of a type, to compare.
fn compared(found: Option<&Value>, operator: Operator, operand: &Value) -> Option<bool> {
    if operator == Operator::Exists {
        return Some(found.is_some() == (*operand != Value::Bool(false)));
    }
    let found = found?;
    match operator {
        Operator::Eq => same_type(found, operand).then(|| equal(found, operand)),
        Operator::Neq => same_type(found, operand).then(|| !equal(found, operand)),
        Operator::In => among(found, operand),
        Operator::NotIn => among(found, operand).map(|is_among| !is_among),
        Operator::Gt => order(found, operand).map(Ordering::is_gt),
        Operator::Gte => order(found, operand).map(Ordering::is_ge),
        Operator::Lt => order(found, operand).map(Ordering::is_lt),
        Operator::Lte => order(found, operand).map(Ordering::is_le),
        Operator::Contains => match (found, operand) {
            (Value::String(text), Value::String(part)) => Some(text.contains(part)),
            (Value::Array(items), _) => Some(items.iter().any(|item| equal(item, operand))),
            _ => None,
        },
        Operator::StartsWith => Some(found.as_str()?.starts_with(operand.as_str()?)),
        Operator::Exists => Some(true),
    }
}

/// A list whose items are all of other types cannot be compared; an empty one holds nothing.
fn among(found: &Value, list: &Value) -> Option<bool> {
    let items = list.as_array()?;
    let comparable = items.is_empty() || items.iter().any(|item| same_type(found, item));
    comparable.then(|| items.iter().any(|item| equal(found, item)))
}

/// Numbers by value, strings by code point.
fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64()?.partial_cmp(&right.as_f64()?),
        (Value::String(left), Value::String(right)) => Some(left.cmp(right)),
        _ => None,
    }
}

fn same_type(left: &Value, right: &Value) -> bool {
    std::mem::discriminant(left) == std::mem::discriminant(right)
}

/// HK-EQ-1, within the numbers of HK-LIMIT-1.
pub(super) fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(_), Value::Number(_)) => order(left, right) == Some(Ordering::Equal),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let also =
                |(name, value): (&String, &Value)| right.get(name).is_some_and(|other| equal(value, other));
            left.len() == right.len() && left.iter().all(also)
        }
        (left, right) => left == right,
    }
}
