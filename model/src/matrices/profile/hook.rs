//! The members of one hook: MX-VAL-8 to 12a, 16, MX-PROC-1, MX-DL-1, MX-DL-2.

use std::fmt::Display;

use serde_json::{Map, Value};

use super::{DEFAULT_DEADLINE, MAX_ASYNC_TIMEOUT, Processor, ProfileHook};
use crate::fault::{Faults, found, meant};
use crate::kernel::{FailurePolicy, Millis};
use crate::matrices::Point;
use crate::matrices::url::{allowed_instead, is_allowed};
use crate::reading::MatricesReadings;
use crate::reading::matrices::{AboveCap, EmptyId, OmittedTimeout, ZeroTimeout};
use crate::reading::shared::Unknown;

const POINTS: [&str; 4] = ["before_input", "before_tool_call", "after_tool_call", "after_output"];
const KINDS: [&str; 3] = ["url", "agent", "client"];
const POLICIES: [&str; 2] = ["fail_closed", "fail_open"];

/// Reads the members of one hook.
pub(super) struct Reader<'a> {
    pub(super) readings: &'a MatricesReadings,
    pub(super) hook: &'a Map<String, Value>,
    pub(super) pointer: &'a str,
    pub(super) faults: &'a mut Faults,
}

impl Reader<'_> {
    pub(super) fn fault(
        &mut self,
        member: &str,
        clause: &'static str,
        message: impl Display,
        instead: impl Display,
    ) {
        self.faults.add(format_args!("{}{member}", self.pointer), clause, message, instead);
    }

    /// MX-VAL-12a.
    pub(super) fn id(&mut self, index: usize) -> String {
        match self.hook.get("id") {
            Some(Value::String(id)) if !id.is_empty() => return id.clone(),
            None | Some(Value::String(_)) if self.readings.empty_id == EmptyId::Generated => {
                return format!("hook-{index}");
            }
            id => {
                let member = if id.is_some() { "/id" } else { "" };
                let message = format_args!("a hook's id is a string that is not empty; found {}", found(id));
                self.fault(member, "MX-VAL-12a", message, format_args!("\"id\": \"hook-{}\"", index + 1));
            }
        }
        String::new()
    }

    /// The hook, if all that it needs is there.
    pub(super) fn hook(&mut self, id: String) -> Option<ProfileHook> {
        let point = self.named("point", Point::named, &POINTS, "before_tool_call");
        let (tools, conditions) = self.matching(point);
        let processor = self.processor();
        let policy = self.policy();
        let async_timeout = self.async_timeout(processor.as_ref());
        let deadline = self.deadline();
        Some(ProfileHook {
            id,
            point: point?,
            tools,
            conditions,
            processor: processor?,
            policy,
            async_timeout,
            deadline,
        })
    }

    /// MX-VAL-16: a member that takes one of some names.
    fn named<T>(
        &mut self,
        member: &str,
        named: impl Fn(&str) -> Option<T>,
        names: &[&str],
        usual: &str,
    ) -> Option<T> {
        let name = self.hook.get(member);
        let value = name.and_then(Value::as_str).and_then(named);
        let passed_over =
            name.is_some_and(Value::is_string) && self.readings.unknown_values == Unknown::Ignore;
        if value.is_none() && !passed_over {
            let pointer = if name.is_some() { format!("/{member}") } else { String::new() };
            let message = format_args!("`{member}` is one of {}; found {}", names.join(", "), found(name));
            let near = name.and_then(Value::as_str).and_then(|name| meant(name, names)).unwrap_or(usual);
            self.fault(&pointer, "MX-VAL-16", message, format_args!("\"{member}\": \"{near}\""));
        }
        value
    }

    /// MX-VAL-11.
    fn policy(&mut self) -> FailurePolicy {
        if !self.hook.contains_key("onFailure") {
            return FailurePolicy::FailClosed;
        }
        let named = |name: &str| match name {
            "fail_closed" => Some(FailurePolicy::FailClosed),
            "fail_open" => Some(FailurePolicy::FailOpen),
            _ => None,
        };
        self.named("onFailure", named, &POLICIES, "fail_closed").unwrap_or_default()
    }

    /// MX-VAL-10a, MX-PROC-1.
    fn processor(&mut self) -> Option<Processor> {
        let value = self.hook.get("processor");
        let Some(Value::Object(processor)) = value else {
            let member = if value.is_some() { "/processor" } else { "" };
            let message = format_args!("`processor` is an object with its kind; found {}", found(value));
            self.fault(member, "MX-VAL-16", message, r#""processor": { "kind": "client" }"#);
            return None;
        };
        let (agent, url) = (processor.get("agent"), processor.get("url"));
        match processor.get("kind").and_then(Value::as_str) {
            Some("client") => return Some(Processor::Client),
            Some("agent") => match agent.and_then(Value::as_str) {
                Some(agent) => return Some(Processor::Agent(agent.to_owned())),
                None => {
                    let message =
                        format_args!("an agent processor names its `agent`; found {}", found(agent));
                    self.fault(within("agent", agent), "MX-PROC-1", message, r#""agent": "reviewer""#);
                }
            },
            Some("url") => match url.and_then(Value::as_str) {
                Some(text) if is_allowed(self.readings.url_parsing, text) => {
                    return Some(Processor::Url(text.to_owned()));
                }
                Some(text) => {
                    let message = format_args!(
                        "a url is HTTPS, or http://localhost for development; found {}",
                        found(url)
                    );
                    let instead = allowed_instead(self.readings.url_parsing, text);
                    let instead = format_args!("\"url\": {}", Value::from(instead));
                    self.fault("/processor/url", "MX-VAL-10a", message, instead);
                }
                None => {
                    let message = format_args!("a url processor names its `url`; found {}", found(url));
                    self.fault(
                        within("url", url),
                        "MX-VAL-10a",
                        message,
                        r#""url": "https://hooks.example.com/in""#,
                    );
                }
            },
            Some(_) if self.readings.unknown_values == Unknown::Ignore => {}
            name => {
                let kind = processor.get("kind");
                let message =
                    format_args!("a processor's kind is one of url, agent, client; found {}", found(kind));
                let beside = match (url, agent) {
                    (Some(_), _) => "url",
                    (_, Some(_)) => "agent",
                    _ => "client",
                };
                let near = name.and_then(|name| meant(name, &KINDS)).unwrap_or(beside);
                self.fault(within("kind", kind), "MX-VAL-16", message, format_args!("\"kind\": \"{near}\""));
            }
        }
        None
    }

    /// MX-VAL-8a, 8b, 9, MX-DL-2.
    fn async_timeout(&mut self, processor: Option<&Processor>) -> Millis {
        let instead = format!("\"asyncTimeoutMs\": {}", MAX_ASYNC_TIMEOUT.0);
        let value = self.hook.get("asyncTimeoutMs");
        match (value, value.and_then(whole)) {
            (None, _) if processor != Some(&Processor::Client) => {}
            (None, _) => match self.readings.omitted_timeout {
                OmittedTimeout::Day => {}
                OmittedTimeout::Required => {
                    self.fault(
                        "",
                        "MX-DL-2",
                        "a client hook names its `asyncTimeoutMs`; found nothing",
                        instead,
                    );
                }
            },
            (_, Some(0)) if self.readings.zero_timeout == ZeroTimeout::ZeroIsNone => {}
            (_, Some(timeout)) if timeout > MAX_ASYNC_TIMEOUT.0 => match self.readings.above_cap {
                AboveCap::Clamp => {}
                AboveCap::Reject => {
                    let message = format_args!(
                        "`asyncTimeoutMs` is at most {} (24 hours); found {}",
                        MAX_ASYNC_TIMEOUT.0,
                        found(value)
                    );
                    self.fault("/asyncTimeoutMs", "MX-VAL-9", message, instead);
                }
            },
            (_, Some(timeout)) if timeout > 0 => return Millis(timeout),
            (Some(value), _) => {
                let message = format_args!(
                    "`asyncTimeoutMs` is a positive number of whole milliseconds; found {}",
                    found(value)
                );
                self.fault("/asyncTimeoutMs", "MX-VAL-8b", message, instead);
            }
        }
        MAX_ASYNC_TIMEOUT
    }

    /// MX-DL-1.
    fn deadline(&mut self) -> Millis {
        let value = self.hook.get("timeoutMs");
        match (value, value.and_then(whole)) {
            (None, _) => {}
            (_, Some(deadline)) if (1..=MAX_ASYNC_TIMEOUT.0).contains(&deadline) => return Millis(deadline),
            (Some(value), _) => {
                let message = format_args!(
                    "`timeoutMs` is a positive number of whole milliseconds, at most 24 hours; found {}",
                    found(value)
                );
                let instead = format_args!("\"timeoutMs\": {}", DEFAULT_DEADLINE.0);
                self.fault("/timeoutMs", "MX-DL-1", message, instead);
            }
        }
        DEFAULT_DEADLINE
    }
}

/// Where a member of the processor stands, or the processor if it is missing.
fn within(member: &str, value: Option<&Value>) -> &'static str {
    match (member, value) {
        (_, None) => "/processor",
        ("kind", _) => "/processor/kind",
        ("url", _) => "/processor/url",
        _ => "/processor/agent",
    }
}

/// A whole number that is not negative, however it is written; one that is too large is the largest.
fn whole(value: &Value) -> Option<u64> {
    let double = value.as_f64().filter(|double| double.fract() == 0.0 && *double >= 0.0)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, and saturating")]
    let whole = double as u64;
    Some(value.as_u64().unwrap_or(whole))
}
