//! The profile: MX-VAL-1 to 16, MX-DL-1, MX-DL-2. Raw text becomes hooks, or every fault is told.

mod restrictions;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::point::Point;
use super::url::is_allowed;
use crate::fault::{Fault, Faults};
use crate::kernel::json::{self, Twice};
use crate::kernel::{Condition, FailurePolicy, Millis};
use crate::reading::MatricesReadings;
use crate::reading::matrices::{
    AboveCap, DuplicateId, EmptyId, NullHooks, OmittedTimeout, ProfileDuplicates, ZeroTimeout,
};
use crate::reading::shared::Unknown;

/// MX-VAL-1: the most hooks that a profile may have.
pub const MAX_HOOKS: usize = 16;
/// MX-VAL-7: the most conditions that a match may have.
pub const MAX_CONDITIONS: usize = 8;
/// MX-VAL-8a: the longest `asyncTimeoutMs`, and what an omitted one means.
pub const MAX_ASYNC_TIMEOUT: Millis = Millis(86_400_000);
/// MX-DL-1: the deadline of a synchronous call, unless the hook declares its own.
pub const DEFAULT_DEADLINE: Millis = Millis(10_000);

/// A hook of a profile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProfileHook {
    /// Its id.
    pub id: String,
    /// Where it runs.
    pub point: Point,
    /// The tools it is for; `None` for any.
    pub tools: Option<Vec<String>>,
    /// Its conditions.
    pub conditions: Vec<Condition>,
    /// Who answers.
    pub processor: Processor,
    /// What its failure does to the work.
    pub policy: FailurePolicy,
    /// How long it may keep the work parked.
    pub async_timeout: Millis,
    /// How long a synchronous call may take.
    pub deadline: Millis,
}

/// MX-PROC-1: who answers for a hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Processor {
    /// A HookInput is delivered to this URL.
    Url(String),
    /// A HookInput is delivered to this agent.
    Agent(String),
    /// The work is parked for the client to answer.
    Client,
}

impl Processor {
    /// The kind's name.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Url(_) => "url",
            Self::Agent(_) => "agent",
            Self::Client => "client",
        }
    }
}

/// What a profile says of its hooks.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// Nothing.
    Omitted,
    /// This list.
    Listed(Vec<ProfileHook>),
}

/// Reads what a profile says of its hooks.
///
/// # Errors
/// Every fault, in the order of the list.
pub fn parse(readings: &MatricesReadings, text: &str) -> Result<Given, Vec<Fault>> {
    let mut faults = Faults::default();
    let document = match json::parse(text, Twice::LastCounts) {
        Ok(Value::Object(document)) => document,
        Ok(other) => {
            faults.add("", "MX-VAL-1", format_args!("a profile is a JSON object; found {other}"));
            return Err(faults.into_vec());
        }
        Err(error) => {
            faults.add("", "MX-VAL-1", format_args!("the profile is not JSON: {error}"));
            return Err(faults.into_vec());
        }
    };
    if readings.profile_duplicates == ProfileDuplicates::Reject
        && let Err(error) = json::parse(text, Twice::Fault)
    {
        faults.add("", "MX-VAL-17", error);
    }
    let hooks = match document.get("configuration") {
        None => None,
        Some(Value::Object(configuration)) => configuration.get("hooks"),
        Some(other) => {
            faults.add("/configuration", "MX-VAL-1", format_args!("expected an object; found {other}"));
            return Err(faults.into_vec());
        }
    };
    let pointer = "/configuration/hooks";
    let given = match hooks {
        None => Given::Omitted,
        Some(Value::Array(hooks)) => Given::Listed(list(readings, hooks, pointer, &mut faults)),
        Some(Value::Null) if readings.null_hooks == NullHooks::AsOmitted => Given::Omitted,
        Some(Value::Null) if readings.null_hooks == NullHooks::AsEmpty => Given::Listed(Vec::new()),
        Some(other) => {
            let clause = if other.is_null() { "MX-VAL-14" } else { "MX-VAL-1" };
            faults.add(pointer, clause, format_args!("hooks is a list; found {other}"));
            Given::Omitted
        }
    };
    faults.or(given)
}

/// Reads a catalogue of defaults: hooks as a profile would list them.
///
/// # Errors
/// Every fault of a hook or of the list.
pub fn parse_catalogue(readings: &MatricesReadings, hooks: &[Value]) -> Result<Vec<ProfileHook>, Vec<Fault>> {
    let mut faults = Faults::default();
    let hooks = list(readings, hooks, "", &mut faults);
    faults.or(hooks)
}

/// Reads one hook, as a catalogue of defaults lists it.
///
/// # Errors
/// Every fault.
pub fn parse_hook(readings: &MatricesReadings, value: &Value) -> Result<ProfileHook, Vec<Fault>> {
    parse_catalogue(readings, std::slice::from_ref(value))
        .and_then(|mut hooks| hooks.pop().ok_or_else(Vec::new))
}

fn list(
    readings: &MatricesReadings,
    hooks: &[Value],
    pointer: &str,
    faults: &mut Faults,
) -> Vec<ProfileHook> {
    if hooks.len() > MAX_HOOKS {
        let found = hooks.len();
        faults.add(pointer, "MX-VAL-1", format_args!("at most {MAX_HOOKS} hooks; found {found}"));
    }
    let mut ids = BTreeSet::new();
    let mut listed = Vec::new();
    for (index, hook) in hooks.iter().enumerate() {
        let pointer = format!("{pointer}/{index}");
        let Value::Object(hook) = hook else {
            faults.add(pointer, "MX-VAL-1", format_args!("a hook is an object; found {hook}"));
            continue;
        };
        let mut reader = Reader { readings, hook, pointer: &pointer, faults };
        let id = reader.id(index);
        if !id.is_empty() && !ids.insert(id.clone()) && readings.duplicate_id == DuplicateId::Reject {
            reader.fault("/id", "MX-VAL-12b", format_args!("the id `{id}` is used twice"));
        }
        listed.extend(reader.hook(id));
    }
    listed
}

/// Reads the members of one hook.
struct Reader<'a> {
    readings: &'a MatricesReadings,
    hook: &'a Map<String, Value>,
    pointer: &'a str,
    faults: &'a mut Faults,
}

impl Reader<'_> {
    fn fault(&mut self, member: &str, clause: &'static str, message: impl std::fmt::Display) {
        self.faults.add(format_args!("{}{member}", self.pointer), clause, message);
    }

    /// MX-VAL-12a.
    fn id(&mut self, index: usize) -> String {
        match self.hook.get("id") {
            Some(Value::String(id)) if !id.is_empty() => return id.clone(),
            None | Some(Value::String(_)) if self.readings.empty_id == EmptyId::Generated => {
                return format!("hook-{index}");
            }
            found => {
                let member = if found.is_some() { "/id" } else { "" };
                self.fault(member, "MX-VAL-12a", "a hook has an id that is not empty");
            }
        }
        String::new()
    }

    /// The hook, if all that it needs is there.
    fn hook(&mut self, id: String) -> Option<ProfileHook> {
        let point = self.named(
            "point",
            Point::named,
            "before_input, before_tool_call, after_tool_call, after_output",
        );
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
    fn named<T>(&mut self, member: &str, named: impl Fn(&str) -> Option<T>, expected: &str) -> Option<T> {
        let found = self.hook.get(member);
        let value = found.and_then(Value::as_str).and_then(named);
        let passed_over =
            found.is_some_and(Value::is_string) && self.readings.unknown_values == Unknown::Ignore;
        if value.is_none() && !passed_over {
            let pointer = if found.is_some() { format!("/{member}") } else { String::new() };
            self.fault(&pointer, "MX-VAL-16", format_args!("`{member}` is one of {expected}"));
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
        self.named("onFailure", named, "fail_closed, fail_open").unwrap_or_default()
    }

    /// MX-VAL-10a, MX-PROC-1.
    fn processor(&mut self) -> Option<Processor> {
        let Some(Value::Object(processor)) = self.hook.get("processor") else {
            let member = if self.hook.contains_key("processor") { "/processor" } else { "" };
            self.fault(member, "MX-VAL-16", "expected a processor, as in {\"kind\": \"client\"}");
            return None;
        };
        match processor.get("kind").and_then(Value::as_str) {
            Some("client") => return Some(Processor::Client),
            Some("agent") => match processor.get("agent").and_then(Value::as_str) {
                Some(agent) => return Some(Processor::Agent(agent.to_owned())),
                None => self.fault("/processor", "MX-PROC-1", "an agent processor names its agent"),
            },
            Some("url") => match processor.get("url").and_then(Value::as_str) {
                Some(url) if is_allowed(self.readings.url_parsing, url) => {
                    return Some(Processor::Url(url.to_owned()));
                }
                Some(url) => {
                    let message =
                        format_args!("a url is HTTPS, or http://localhost for development; found {url}");
                    self.fault("/processor/url", "MX-VAL-10a", message);
                }
                None => self.fault("/processor", "MX-VAL-10a", "a url processor names its url"),
            },
            Some(_) if self.readings.unknown_values == Unknown::Ignore => {}
            _ => {
                self.fault("/processor/kind", "MX-VAL-16", "a processor's kind is one of url, agent, client")
            }
        }
        None
    }

    /// MX-VAL-8a, 8b, 9, MX-DL-2.
    fn async_timeout(&mut self, processor: Option<&Processor>) -> Millis {
        let found = self.hook.get("asyncTimeoutMs");
        match (found, found.and_then(whole)) {
            (None, _) if processor != Some(&Processor::Client) => {}
            (None, _) => match self.readings.omitted_timeout {
                OmittedTimeout::Day => {}
                OmittedTimeout::Required => {
                    self.fault("", "MX-DL-2", "a client hook names its asyncTimeoutMs")
                }
            },
            (_, Some(0)) if self.readings.zero_timeout == ZeroTimeout::ZeroIsNone => {}
            (_, Some(timeout)) if timeout > MAX_ASYNC_TIMEOUT.0 => match self.readings.above_cap {
                AboveCap::Clamp => {}
                AboveCap::Reject => {
                    let message = format_args!("at most {} (24 hours); found {timeout}", MAX_ASYNC_TIMEOUT.0);
                    self.fault("/asyncTimeoutMs", "MX-VAL-9", message);
                }
            },
            (_, Some(timeout)) if timeout > 0 => return Millis(timeout),
            (Some(found), _) => {
                let message = format_args!("a positive number of whole milliseconds; found {found}");
                self.fault("/asyncTimeoutMs", "MX-VAL-8b", message);
            }
        }
        MAX_ASYNC_TIMEOUT
    }

    /// MX-DL-1.
    fn deadline(&mut self) -> Millis {
        let found = self.hook.get("timeoutMs");
        match (found, found.and_then(whole)) {
            (None, _) => {}
            (_, Some(deadline)) if (1..=MAX_ASYNC_TIMEOUT.0).contains(&deadline) => return Millis(deadline),
            (Some(found), _) => {
                let message =
                    format_args!("a positive number of whole milliseconds, at most 24 hours; found {found}");
                self.fault("/timeoutMs", "MX-DL-1", message);
            }
        }
        DEFAULT_DEADLINE
    }
}

/// A whole number that is not negative, however it is written; one that is too large is the largest.
fn whole(value: &Value) -> Option<u64> {
    let double = value.as_f64().filter(|double| double.fract() == 0.0 && *double >= 0.0)?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, and saturating")]
    let whole = double as u64;
    Some(value.as_u64().unwrap_or(whole))
}
