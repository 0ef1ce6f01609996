//! The manifest: VO-MAN-1 to 11. Raw text becomes a [`Manifest`], or every fault is told.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::event::{EventKind, RESERVED_PREFIX};
use crate::fault::{Fault, Faults, segment};
use crate::kernel::json::{self, Twice};
use crate::reading::VoiceosReadings;
use crate::reading::shared::Unknown;
use crate::reading::voiceos::{EmptyApps, ManifestDuplicates, Scopes, UnknownMembers};

/// What a host needs to know of an integration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Its id.
    pub id: String,
    /// The names of its tools.
    pub tools: BTreeSet<String>,
    /// The hooks it declares.
    pub hooks: BTreeMap<EventKind, Declared>,
}

/// A declared hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// The bundle ids of the apps it is restricted to, if it is.
    pub apps: Option<Vec<String>>,
}

const RUNTIMES: [&str; 3] = ["local-mcp", "remote-mcp", "hosted"];
const PERMISSIONS: [&str; 6] = ["network", "notify", "background", "store", "webhook", "transcript"];
const MEMBERS: [&str; 10] = [
    "schemaVersion",
    "id",
    "version",
    "name",
    "summary",
    "publisher",
    "runtime",
    "permissions",
    "tools",
    "hooks",
];

/// Reads a manifest.
///
/// # Errors
/// Every fault, in the order of the document's members.
pub fn parse(readings: &VoiceosReadings, text: &str) -> Result<Manifest, Vec<Fault>> {
    let mut faults = Faults::default();
    let document = match json::parse(text, Twice::LastCounts) {
        Ok(Value::Object(document)) => document,
        Ok(other) => {
            faults.add("", "VO-MAN-9", format_args!("a manifest is a JSON object; found {other}"));
            return Err(faults.into_vec());
        }
        Err(error) => {
            faults.add("", "VO-MAN-9", format_args!("the manifest is not JSON: {error}"));
            return Err(faults.into_vec());
        }
    };
    if readings.manifest_duplicates == ManifestDuplicates::Reject
        && let Err(error) = json::parse(text, Twice::Fault)
    {
        faults.add("", "VO-MAN-12", error);
    }
    let id = head(&document, &mut faults);
    let tools = tools(&document, &mut faults);
    let scopes = granted(readings, &document, &mut faults);
    let hooks = hooks(readings, &document, scopes, &mut faults);
    if readings.unknown_members == UnknownMembers::Reject {
        for name in document.keys().filter(|name| !MEMBERS.contains(&name.as_str())) {
            faults.add(
                format_args!("/{}", segment(name)),
                "VO-MAN-10",
                format_args!("unknown member `{name}`"),
            );
        }
    }
    faults.or(Manifest { id, tools, hooks })
}

/// VO-MAN-9: what identifies an integration. Returns its id.
fn head(document: &Map<String, Value>, faults: &mut Faults) -> String {
    if document.get("schemaVersion").and_then(Value::as_f64) != Some(1.0) {
        let pointer = if document.contains_key("schemaVersion") { "/schemaVersion" } else { "" };
        faults.add(pointer, "VO-MAN-9", "expected \"schemaVersion\": 1");
    }
    let id =
        text(document, "", "id", faults, is_id, "lower-case words joined by dots, as in com.acme.orders");
    text(document, "", "version", faults, is_version, "a version that starts with N.N.N");
    text(document, "", "name", faults, |_| true, "a string");
    text(document, "", "summary", faults, |text| text.chars().count() <= 140, "at most 140 characters");
    match document.get("publisher") {
        Some(Value::Object(publisher)) => {
            text(publisher, "/publisher", "id", faults, |_| true, "a string");
            text(publisher, "/publisher", "name", faults, |_| true, "a string");
        }
        other => faults.add(at("", "publisher", other), "VO-MAN-9", "expected a publisher with id and name"),
    }
    match document.get("runtime") {
        Some(Value::Object(runtime)) => {
            let expected = "one of local-mcp, remote-mcp, hosted";
            text(runtime, "/runtime", "kind", faults, |kind| RUNTIMES.contains(&kind), expected);
        }
        other => faults.add(at("", "runtime", other), "VO-MAN-9", "expected a runtime with its kind"),
    }
    id
}

/// A required string member, or a fault and the empty string.
fn text(
    object: &Map<String, Value>,
    parent: &str,
    name: &str,
    faults: &mut Faults,
    holds: impl Fn(&str) -> bool,
    expected: &str,
) -> String {
    match object.get(name) {
        Some(Value::String(text)) if holds(text) => return text.clone(),
        found => {
            let shown = found.map_or_else(|| "nothing".to_owned(), Value::to_string);
            faults.add(
                at(parent, name, found),
                "VO-MAN-9",
                format_args!("`{name}` must be {expected}; found {shown}"),
            );
        }
    }
    String::new()
}

/// The pointer of a member, or of its parent if it is missing.
fn at(parent: &str, name: &str, found: Option<&Value>) -> String {
    if found.is_some() { format!("{parent}/{name}") } else { parent.to_owned() }
}

fn is_id(id: &str) -> bool {
    let mut words = id.split('.');
    let word = |word: &str, dashes: bool| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || dashes && byte == b'-')
    };
    let first = words.next().is_some_and(|first| word(first, false));
    let mut rest = words.peekable();
    first && rest.peek().is_some() && rest.all(|next| word(next, true))
}

fn is_version(version: &str) -> bool {
    let mut rest = version;
    for separator in [".", ".", ""] {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let behind = rest.get(digits..).and_then(|behind| behind.strip_prefix(separator));
        match behind {
            Some(behind) if digits > 0 => rest = behind,
            _ => return false,
        }
    }
    true
}

fn is_tool_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// VO-MAN-8, VO-MAN-9: the tools' names.
fn tools(document: &Map<String, Value>, faults: &mut Faults) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let found = document.get("tools");
    let Some(tools) = found.and_then(Value::as_array).filter(|tools| !tools.is_empty()) else {
        faults.add(at("", "tools", found), "VO-MAN-9", "expected a list of at least one tool");
        return names;
    };
    for (index, tool) in tools.iter().enumerate() {
        let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
        let pointer = format!("/tools/{index}{}", if tool.get("name").is_some() { "/name" } else { "" });
        if !is_tool_name(name) {
            faults.add(
                pointer,
                "VO-MAN-9",
                format_args!("a tool's name is like delete_records; found `{name}`"),
            );
        } else if name.starts_with(RESERVED_PREFIX) {
            faults.add(
                pointer,
                "VO-MAN-8",
                format_args!("`{RESERVED_PREFIX}` is reserved; found the tool `{name}`"),
            );
        } else {
            names.insert(name.to_owned());
        }
    }
    names
}

/// What the transcript permission gives access to.
#[derive(Debug, Clone, Copy, Default)]
struct Granted {
    any: bool,
    agent: bool,
    dictation: bool,
}

/// VO-MAN-2, VO-MAN-3, VO-MAN-7b: the scopes that the permissions grant.
fn granted(readings: &VoiceosReadings, document: &Map<String, Value>, faults: &mut Faults) -> Granted {
    let mut granted = Granted::default();
    let permissions = match document.get("permissions") {
        None => return granted,
        Some(Value::Array(permissions)) => permissions,
        Some(other) => {
            faults.add(
                "/permissions",
                "VO-MAN-9",
                format_args!("expected a list of permissions; found {other}"),
            );
            return granted;
        }
    };
    for (index, permission) in permissions.iter().enumerate() {
        let kind = permission.get("kind").and_then(Value::as_str).unwrap_or_default();
        if !PERMISSIONS.contains(&kind) {
            let expected = PERMISSIONS.join(", ");
            faults.add(
                format_args!(
                    "/permissions/{index}{}",
                    if permission.get("kind").is_some() { "/kind" } else { "" }
                ),
                "VO-MAN-9",
                format_args!("a permission's kind is one of {expected}; found `{kind}`"),
            );
        }
        if kind != "transcript" || granted.any && readings.scopes == Scopes::FirstOnly {
            continue;
        }
        granted.any = true;
        match permission.get("scope").and_then(Value::as_str) {
            Some("agent") => granted.agent = true,
            Some("dictation") => granted.dictation = true,
            Some("all") => (granted.agent, granted.dictation) = (true, true),
            _ if readings.unknown_scope == Unknown::Ignore => {}
            _ => faults.add(
                format_args!(
                    "/permissions/{index}{}",
                    if permission.get("scope").is_some() { "/scope" } else { "" }
                ),
                "VO-MAN-7b",
                "the scope of a transcript permission is agent, dictation or all",
            ),
        }
    }
    granted
}

/// VO-MAN-1, 2, 4 to 7a: the declared hooks.
fn hooks(
    readings: &VoiceosReadings,
    document: &Map<String, Value>,
    granted: Granted,
    faults: &mut Faults,
) -> BTreeMap<EventKind, Declared> {
    let mut declared = BTreeMap::new();
    let hooks = match document.get("hooks") {
        None => return declared,
        Some(Value::Object(hooks)) => hooks,
        Some(other) => {
            faults.add(
                "/hooks",
                "VO-MAN-9",
                format_args!("expected an object of hooks by event; found {other}"),
            );
            return declared;
        }
    };
    if !hooks.is_empty() && !granted.any {
        let pointer = if document.contains_key("permissions") { "/permissions" } else { "" };
        faults.add(pointer, "VO-MAN-1", "any hook requires a transcript permission; found none");
    }
    for (name, hook) in hooks {
        let pointer = format!("/hooks/{}", segment(name));
        let Some(event) = EventKind::named(name) else {
            if readings.unknown_event == Unknown::Reject {
                faults.add(pointer, "VO-MAN-7a", format_args!("`{name}` is no event"));
            }
            continue;
        };
        let covered = if event == EventKind::Dictation { granted.dictation } else { granted.agent };
        if granted.any && !covered {
            faults.add(&pointer, "VO-MAN-2", format_args!("no granted scope covers `{name}`"));
        }
        let Value::Object(hook) = hook else {
            faults.add(pointer, "VO-MAN-9", format_args!("expected an object; found {hook}"));
            continue;
        };
        if readings.unknown_members == UnknownMembers::Reject {
            for member in hook.keys().filter(|name| !matches!(name.as_str(), "apps" | "scope")) {
                let message = format_args!("unknown member `{member}`");
                faults.add(format_args!("{pointer}/{}", segment(member)), "VO-MAN-10", message);
            }
        }
        if event.is_tool_tap()
            && let Some(scope) = hook.get("scope").filter(|scope| scope.as_str() != Some("own"))
        {
            let message = format_args!("a tool tap takes the scope \"own\" and no other; found {scope}");
            faults.add(format_args!("{pointer}/scope"), "VO-MAN-6", message);
        }
        if let Some(apps) = apps(readings, event, hook.get("apps"), &pointer, faults) {
            declared.insert(event, Declared { apps });
        }
    }
    declared
}

/// VO-MAN-4, VO-MAN-5: the apps that a hook is restricted to; `None` if they are at fault.
#[expect(clippy::option_option, reason = "a fault, no restriction, a restriction")]
fn apps(
    readings: &VoiceosReadings,
    event: EventKind,
    found: Option<&Value>,
    hook: &str,
    faults: &mut Faults,
) -> Option<Option<Vec<String>>> {
    let dictation = event == EventKind::Dictation;
    let Some(found) = found else {
        if dictation {
            faults.add(hook, "VO-MAN-4", "a dictation hook must name its apps");
            return None;
        }
        return Some(None);
    };
    let pointer = format!("{hook}/apps");
    let names = found
        .as_array()
        .and_then(|apps| apps.iter().map(|app| app.as_str().map(str::to_owned)).collect::<Option<Vec<_>>>());
    let Some(names) = names else {
        faults.add(pointer, "VO-MAN-9", format_args!("apps is a list of bundle ids; found {found}"));
        return None;
    };
    if !names.is_empty() {
        return Some(Some(names));
    }
    match readings.empty_apps {
        _ if dictation => {
            faults.add(pointer, "VO-MAN-4", "a dictation hook must name its apps; found an empty list")
        }
        EmptyApps::Reject => {
            faults.add(pointer, "VO-MAN-5", "an empty list of apps: leave it out, or name some")
        }
        EmptyApps::NeverFires => return Some(Some(names)),
        EmptyApps::AsOmitted => return Some(None),
    }
    None
}
