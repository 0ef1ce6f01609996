//! A hook's `match`: MX-VAL-3 to 7, 13, MX-MATCH-8.

use serde_json::Value;

use super::{MAX_CONDITIONS, Reader};
use crate::kernel::{Condition, Operator};
use crate::matrices::Point;
use crate::reading::matrices::{Accepted, EmptyMatch, EmptyTools};
use crate::reading::shared::Unknown;

impl Reader<'_> {
    /// MX-VAL-3 to 7, 13.
    pub(super) fn matching(&mut self, point: Option<Point>) -> (Option<Vec<String>>, Vec<Condition>) {
        let matching = match self.hook.get("match") {
            None => return (None, Vec::new()),
            Some(Value::Object(matching)) => matching,
            Some(other) => {
                self.fault("/match", "MX-MATCH-1", format_args!("expected an object; found {other}"));
                return (None, Vec::new());
            }
        };
        if matching.is_empty() && self.readings.empty_match == EmptyMatch::Reject {
            self.fault("/match", "MX-VAL-13c", "an empty match: leave it out");
        }
        let tools = matching.get("tools").and_then(|tools| {
            if point.is_some_and(|point| !point.is_tool_point()) {
                self.fault("/match/tools", "MX-VAL-3", "match.tools is for the two tool points");
            }
            self.patterns(tools)
        });
        let conditions = matching.get("where").map(|conditions| self.conditions(conditions));
        (tools, conditions.unwrap_or_default())
    }

    /// MX-VAL-4, 5, 6, 13a.
    fn patterns(&mut self, tools: &Value) -> Option<Vec<String>> {
        let Some(tools) = tools.as_array() else {
            self.fault(
                "/match/tools",
                "MX-VAL-4",
                format_args!("expected a list of patterns; found {tools}"),
            );
            return None;
        };
        if tools.is_empty() {
            match self.readings.empty_tools {
                EmptyTools::Reject => self.fault("/match/tools", "MX-VAL-13a", "an empty list of tools"),
                EmptyTools::Never => return Some(Vec::new()),
                EmptyTools::MatchesAll => {}
            }
            return None;
        }
        let mut patterns = Vec::new();
        for (index, tool) in tools.iter().enumerate() {
            let pointer = format!("/match/tools/{index}");
            let Some(pattern) = tool.as_str() else {
                self.fault(&pointer, "MX-VAL-4", format_args!("a pattern is a string; found {tool}"));
                continue;
            };
            let prefix = pattern.strip_suffix('*');
            let wildcard = prefix.is_some();
            let prefix = prefix.unwrap_or(pattern);
            if prefix.contains('*') {
                let message = format_args!("a wildcard stands at the end, once; found {pattern}");
                self.fault(&pointer, "MX-VAL-4", message);
            } else if wildcard && prefix.is_empty() && self.readings.bare_star == Accepted::Reject {
                self.fault(&pointer, "MX-VAL-5", "a bare * is no pattern: leave match.tools out");
            } else if wildcard
                && !prefix.is_empty()
                && !prefix.ends_with('.')
                && self.readings.undotted_star == Accepted::Reject
            {
                self.fault(&pointer, "MX-VAL-6", format_args!("a wildcard follows a dot; found {pattern}"));
            }
            patterns.push(pattern.to_owned());
        }
        Some(patterns)
    }

    /// MX-VAL-7, 13b, 16, MX-MATCH-8.
    fn conditions(&mut self, conditions: &Value) -> Vec<Condition> {
        let mut read = Vec::new();
        let Some(conditions) = conditions.as_array() else {
            self.fault("/match/where", "MX-VAL-7", format_args!("expected a list; found {conditions}"));
            return read;
        };
        if conditions.is_empty() && self.readings.empty_where == EmptyMatch::Reject {
            self.fault("/match/where", "MX-VAL-13b", "an empty list of conditions: leave it out");
        }
        if conditions.len() > MAX_CONDITIONS {
            let found = conditions.len();
            self.fault(
                "/match/where",
                "MX-VAL-7",
                format_args!("at most {MAX_CONDITIONS} conditions; found {found}"),
            );
        }
        for (index, condition) in conditions.iter().enumerate() {
            let pointer = format!("/match/where/{index}");
            let path = condition.get("path").and_then(Value::as_str);
            let operator = condition.get("operator").and_then(Value::as_str);
            let known = operator.and_then(|name| serde_json::from_value::<Operator>(name.into()).ok());
            let value = condition.get("value").cloned();
            let value = value.or_else(|| (known == Some(Operator::Exists)).then_some(Value::Bool(true)));
            match (path, known, value) {
                (Some(_), Some(Operator::Exists), Some(value)) if !value.is_boolean() => {
                    let message = format_args!("`exists` takes true or false; found {value}");
                    self.fault(&format!("{pointer}/value"), "MX-MATCH-8", message);
                }
                (Some(path), Some(operator), Some(value)) => {
                    read.push(Condition { path: path.to_owned(), operator, value });
                }
                (Some(_), None, Some(_)) if operator.is_some() => {
                    if self.readings.unknown_values == Unknown::Reject {
                        let message = format_args!("`{}` is no operator", operator.unwrap_or_default());
                        self.fault(&format!("{pointer}/operator"), "MX-VAL-16", message);
                    }
                }
                _ => self.fault(&pointer, "MX-MATCH-8", "a condition has a path, an operator and a value"),
            }
        }
        read
    }
}
