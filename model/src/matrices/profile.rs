//! The profile: MX-VAL-1 to 17, MX-DEF-10, MX-DL-1, MX-DL-2. Raw text becomes hooks, or every fault is told.

mod hook;
mod restrictions;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::hook::Reader;
use super::point::Point;
use crate::document::Expected;
use crate::fault::{Fault, Faults, found, quoted};
use crate::kernel::{Condition, FailurePolicy, Millis};
use crate::reading::MatricesReadings;
use crate::reading::matrices::{Accepted, DuplicateId, NullHooks, ProfileDuplicates};

/// The most bytes that a profile may have.
pub const MAX_BYTES: usize = 4 << 20;

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

/// What stands where there is no profile at all.
const LEAST: &str = r#"{ "configuration": { "hooks": [] } }"#;
/// What stands where there is no hook.
const HOOK: &str = r#"{ "id": "guard", "point": "before_tool_call", "processor": { "kind": "client" } }"#;

/// Reads what a profile of at most [`MAX_BYTES`] says of its hooks, on a platform with these defaults.
///
/// # Errors
/// Every fault, in the order of the list.
pub fn parse(
    readings: &MatricesReadings,
    catalogue: &[ProfileHook],
    text: &str,
) -> Result<Given, Vec<Fault>> {
    let mut faults = Faults::default();
    let twice = (readings.profile_duplicates == ProfileDuplicates::Reject).then_some("MX-VAL-17");
    let expected = Expected {
        name: "profile",
        clause: "MX-VAL-1",
        limit: "MX-VAL-T",
        max_bytes: MAX_BYTES,
        instead: LEAST,
        twice,
    };
    let Some(document) = expected.read(text, &mut faults) else { return Err(faults.into_vec()) };
    let hooks = match document.get("configuration") {
        None => None,
        Some(Value::Object(configuration)) => configuration.get("hooks"),
        Some(other) => {
            let message = format_args!("`configuration` is an object; found {}", found(other));
            faults.add("/configuration", "MX-VAL-1", message, r#""configuration": { "hooks": [] }"#);
            return Err(faults.into_vec());
        }
    };
    let pointer = "/configuration/hooks";
    let given = match hooks {
        None => Given::Omitted,
        Some(Value::Array(hooks)) => Given::Listed(list(readings, catalogue, hooks, pointer, &mut faults)),
        Some(Value::Null) if readings.null_hooks == NullHooks::AsOmitted => Given::Omitted,
        Some(Value::Null) if readings.null_hooks == NullHooks::AsEmpty => Given::Listed(Vec::new()),
        Some(other) => {
            let clause = if other.is_null() { "MX-VAL-14" } else { "MX-VAL-1" };
            let message = format_args!("`hooks` is a list; found {}", found(other));
            faults.add(pointer, clause, message, "\"hooks\": [] for none, or no `hooks` for the defaults");
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
    let hooks = list(readings, &[], hooks, "", &mut faults);
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
    catalogue: &[ProfileHook],
    hooks: &[Value],
    pointer: &str,
    faults: &mut Faults,
) -> Vec<ProfileHook> {
    if hooks.len() > MAX_HOOKS {
        let message = format_args!("a profile has at most {MAX_HOOKS} hooks; found {}", hooks.len());
        faults.add(pointer, "MX-VAL-1", message, format_args!("{MAX_HOOKS} of them, or fewer"));
    }
    let mut ids = BTreeSet::new();
    let mut listed = Vec::new();
    for (index, hook) in hooks.iter().enumerate() {
        let pointer = format!("{pointer}/{index}");
        let Value::Object(hook) = hook else {
            faults.add(pointer, "MX-VAL-1", format_args!("a hook is an object; found {}", found(hook)), HOOK);
            continue;
        };
        let mut reader = Reader { readings, hook, pointer: &pointer, faults };
        let id = reader.id(index);
        if !id.is_empty() && !ids.insert(id.clone()) && readings.duplicate_id == DuplicateId::Reject {
            let message = format_args!("an id stands once in a profile; found {} again", quoted(&id));
            // An id that would be cut is not repeated: what is offered has to be one.
            let base = if id.len() <= 40 { &id } else { "guard" };
            let instead = format_args!("\"id\": {}", Value::from(format!("{base}-{}", index + 1)));
            reader.fault("/id", "MX-VAL-12b", message, instead);
        }
        let Some(hook) = reader.hook(id) else { continue };
        let reserved = catalogue.iter().find(|default| default.id == hook.id);
        if readings.reserved_id == Accepted::Reject && reserved.is_some_and(|default| *default != hook) {
            let message = format_args!("{} is reserved for a default hook, which differs", quoted(&hook.id));
            reader.fault("/id", "MX-DEF-10", message, "an id of your own, as in \"id\": \"guard\"");
        }
        listed.push(hook);
    }
    listed
}
