//! A hook's `match`: MX-VAL-3 to 7, 13, 16, MX-MATCH-8.

use serde_json::{Map, Value};

use super::MAX_CONDITIONS;
use super::hook::Reader;
use crate::fault::{found, meant, quoted};
use crate::kernel::{Condition, Operator};
use crate::matrices::Point;
use crate::reading::matrices::{Accepted, EmptyMatch, EmptyTools};
use crate::reading::shared::Unknown;

const TOOLS: &str = r#""tools": ["payments.*"]"#;
const OPERATORS: [&str; 11] =
    ["eq", "neq", "in", "not_in", "gt", "gte", "lt", "lte", "contains", "starts_with", "exists"];
const CONDITION: &str = r#"{ "path": "input.amount", "operator": "gt", "value": 100 }"#;

impl Reader<'_> {
    /// MX-VAL-3 to 7, 13.
    pub(super) fn matching(&mut self, point: Option<Point>) -> (Option<Vec<String>>, Vec<Condition>) {
        let matching = match self.hook.get("match") {
            None => return (None, Vec::new()),
            Some(Value::Object(matching)) => matching,
            Some(other) => {
                let message = format_args!("`match` is an object; found {}", found(other));
                let instead = format_args!("\"match\": {{ {TOOLS} }}, or no `match` for every event");
                self.fault("/match", "MX-MATCH-1", message, instead);
                return (None, Vec::new());
            }
        };
        if matching.is_empty() && self.readings.empty_match == EmptyMatch::Reject {
            let message = "`match` restricts a hook where it is given; found an empty one";
            self.fault("/match", "MX-VAL-13c", message, "no `match` for every event");
        }
        let tools = matching.get("tools").and_then(|tools| {
            if let Some(point) = point.filter(|point| !point.is_tool_point()) {
                let message = format_args!(
                    "`match.tools` is for before_tool_call and after_tool_call; found it at {}",
                    point.name()
                );
                let instead = "no `tools`, or \"point\": \"before_tool_call\"";
                self.fault("/match/tools", "MX-VAL-3", message, instead);
            }
            self.patterns(tools)
        });
        let conditions = matching.get("where").map(|conditions| self.conditions(conditions));
        (tools, conditions.unwrap_or_default())
    }

    /// MX-VAL-4, 5, 6, 13a.
    fn patterns(&mut self, tools: &Value) -> Option<Vec<String>> {
        let Some(tools) = tools.as_array() else {
            let message = format_args!("`tools` is a list of patterns; found {}", found(tools));
            self.fault("/match/tools", "MX-VAL-4", message, TOOLS);
            return None;
        };
        if tools.is_empty() {
            match self.readings.empty_tools {
                EmptyTools::Reject => {
                    let message = "`tools` names at least one pattern where it is given; found an empty list";
                    let instead = format_args!("{TOOLS}, or no `tools` for every tool");
                    self.fault("/match/tools", "MX-VAL-13a", message, instead);
                }
                EmptyTools::Never => return Some(Vec::new()),
                EmptyTools::MatchesAll => {}
            }
            return None;
        }
        let mut patterns = Vec::new();
        for (index, tool) in tools.iter().enumerate() {
            let pointer = format!("/match/tools/{index}");
            let Some(pattern) = tool.as_str() else {
                let message = format_args!("a pattern is a string; found {}", found(tool));
                self.fault(&pointer, "MX-VAL-4", message, "\"payments.*\"");
                continue;
            };
            let prefix = pattern.strip_suffix('*');
            let wildcard = prefix.is_some();
            let prefix = prefix.unwrap_or(pattern);
            if prefix.contains('*') {
                let message = format_args!("a wildcard stands at the end, once; found {}", found(tool));
                let before = prefix.split('*').next().filter(|before| before.len() <= 60);
                let before = before.filter(|before| before.ends_with('.')).unwrap_or("payments.");
                self.fault(&pointer, "MX-VAL-4", message, Value::from(format!("{before}*")));
            } else if wildcard && prefix.is_empty() && self.readings.bare_star == Accepted::Reject {
                let message = "a pattern has a name before its wildcard; found \"*\"";
                self.fault(&pointer, "MX-VAL-5", message, "no `tools` for every tool");
            } else if wildcard
                && !prefix.is_empty()
                && !prefix.ends_with('.')
                && self.readings.undotted_star == Accepted::Reject
            {
                let message = format_args!("a wildcard follows a dot; found {}", found(tool));
                let prefix = if prefix.len() <= 60 { prefix } else { "payments" };
                self.fault(&pointer, "MX-VAL-6", message, Value::from(format!("{prefix}.*")));
            }
            patterns.push(pattern.to_owned());
        }
        Some(patterns)
    }

    /// MX-VAL-7, 13b, 16, MX-MATCH-8.
    fn conditions(&mut self, conditions: &Value) -> Vec<Condition> {
        let mut read = Vec::new();
        let Some(conditions) = conditions.as_array() else {
            let message = format_args!("`where` is a list of conditions; found {}", found(conditions));
            self.fault("/match/where", "MX-VAL-7", message, format_args!("\"where\": [{CONDITION}]"));
            return read;
        };
        if conditions.is_empty() && self.readings.empty_where == EmptyMatch::Reject {
            let message = "`where` has at least one condition where it is given; found an empty list";
            let instead = format_args!("\"where\": [{CONDITION}], or no `where`");
            self.fault("/match/where", "MX-VAL-13b", message, instead);
        }
        if conditions.len() > MAX_CONDITIONS {
            let message =
                format_args!("a match has at most {MAX_CONDITIONS} conditions; found {}", conditions.len());
            let instead = format_args!("{MAX_CONDITIONS} of them, or fewer");
            self.fault("/match/where", "MX-VAL-7", message, instead);
        }
        for (index, condition) in conditions.iter().enumerate() {
            read.extend(self.condition(&format!("/match/where/{index}"), condition));
        }
        read
    }

    /// MX-MATCH-8, MX-VAL-16.
    fn condition(&mut self, pointer: &str, condition: &Value) -> Option<Condition> {
        let Value::Object(members) = condition else {
            let message = format_args!(
                "a condition is an object with a path, an operator and a value; found {}",
                found(condition)
            );
            self.fault(pointer, "MX-MATCH-8", message, CONDITION);
            return None;
        };
        let path = self.text(pointer, members, "path", "\"path\": \"input.amount\"");
        let operator = self.text(pointer, members, "operator", "\"operator\": \"gt\"");
        let known = operator.and_then(|name| serde_json::from_value::<Operator>(name.into()).ok());
        if let (Some(name), None, Unknown::Reject) = (operator, known, self.readings.unknown_values) {
            let message =
                format_args!("an operator is one of {}; found {}", OPERATORS.join(", "), quoted(name));
            let near = meant(name, &OPERATORS).unwrap_or("eq");
            let instead = format_args!("\"operator\": \"{near}\"");
            self.fault(&format!("{pointer}/operator"), "MX-VAL-16", message, instead);
        }
        let value = match (known, members.get("value")) {
            (Some(Operator::Exists), None) => Value::Bool(true),
            (Some(Operator::Exists), Some(value)) if !value.is_boolean() => {
                let message = format_args!("`exists` takes true or false; found {}", found(value));
                self.fault(&format!("{pointer}/value"), "MX-MATCH-8", message, "\"value\": true");
                return None;
            }
            (_, Some(value)) => value.clone(),
            (_, None) => {
                let message = "a condition has a value to compare with; found none";
                self.fault(pointer, "MX-MATCH-8", message, "\"value\": 100");
                return None;
            }
        };
        Some(Condition { path: path?.to_owned(), operator: known?, value })
    }

    /// A member of a condition that is a string.
    fn text<'m>(
        &mut self,
        pointer: &str,
        members: &'m Map<String, Value>,
        name: &str,
        instead: &str,
    ) -> Option<&'m str> {
        let value = members.get(name);
        let text = value.and_then(Value::as_str);
        if text.is_none() {
            let place = if value.is_some() { format!("{pointer}/{name}") } else { pointer.to_owned() };
            let message = format_args!("`{name}` is a string; found {}", found(value));
            self.fault(&place, "MX-MATCH-8", message, instead);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_operators_that_are_told_are_those_there_are() {
        for name in OPERATORS {
            assert!(serde_json::from_value::<Operator>(name.into()).is_ok(), "{name}");
        }
        let told = serde_json::from_value::<Operator>("none".into()).unwrap_err().to_string();
        assert_eq!(told.matches('`').count(), 2 * (OPERATORS.len() + 1), "{told}");
    }
}
