//! The permissions: VO-MAN-2, VO-MAN-3, VO-MAN-7b.

use serde_json::{Map, Value};

use super::at;
use crate::fault::{Faults, found, meant};
use crate::reading::VoiceosReadings;
use crate::reading::shared::Unknown;
use crate::reading::voiceos::Scopes;
use crate::voiceos::EventKind;

const KINDS: [&str; 6] = ["network", "notify", "background", "store", "webhook", "transcript"];

/// What the transcript permission gives access to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Granted {
    pub(super) any: bool,
    agent: bool,
    dictation: bool,
}

impl Granted {
    /// VO-MAN-2.
    pub(super) const fn covers(self, event: EventKind) -> bool {
        if matches!(event, EventKind::Dictation) { self.dictation } else { self.agent }
    }

    /// What is granted, as messages show it.
    pub(super) const fn shown(self) -> &'static str {
        match (self.agent, self.dictation) {
            (true, true) => "the scope \"all\"",
            (true, false) => "the scope \"agent\"",
            (false, true) => "the scope \"dictation\"",
            (false, false) => "no scope",
        }
    }
}

/// The members that a permission of this kind may have; `None` where there is no such kind.
fn members_of(kind: &str) -> Option<&'static [&'static str]> {
    match kind {
        "network" => Some(&["kind", "domains"]),
        "transcript" => Some(&["kind", "scope"]),
        kind if KINDS.contains(&kind) => Some(&["kind"]),
        _ => None,
    }
}

/// The permission that covers every hook of a manifest.
pub(super) fn needed(document: &Map<String, Value>) -> String {
    format!("{{ \"kind\": \"transcript\", \"scope\": \"{}\" }}", scope(document))
}

/// The scope that covers every hook of a manifest.
fn scope(document: &Map<String, Value>) -> &'static str {
    let hooks = document.get("hooks").and_then(Value::as_object);
    let dictation = hooks.is_some_and(|hooks| hooks.contains_key(EventKind::Dictation.name()));
    let agent = hooks.is_some_and(|hooks| {
        EventKind::ALL.iter().any(|event| *event != EventKind::Dictation && hooks.contains_key(event.name()))
    });
    match (agent, dictation) {
        (true, true) => "all",
        (false, true) => "dictation",
        _ => "agent",
    }
}

/// VO-MAN-2, VO-MAN-3, VO-MAN-7b: the scopes that the permissions grant.
pub(super) fn granted(
    readings: &VoiceosReadings,
    document: &Map<String, Value>,
    faults: &mut Faults,
) -> Granted {
    let mut granted = Granted::default();
    let permissions = match document.get("permissions") {
        None => return granted,
        Some(Value::Array(permissions)) => permissions,
        Some(other) => {
            let message = format_args!("`permissions` is a list of permissions; found {}", found(other));
            let instead = format_args!("\"permissions\": [{}]", needed(document));
            faults.add("/permissions", "VO-MAN-9", message, instead);
            return granted;
        }
    };
    for (index, permission) in permissions.iter().enumerate() {
        let value = permission.get("kind");
        let kind = value.and_then(Value::as_str).unwrap_or_default();
        if !KINDS.contains(&kind) {
            let value = if permission.is_object() { value } else { Some(permission) };
            let message =
                format_args!("a permission's kind is one of {}; found {}", KINDS.join(", "), found(value));
            let near = meant(kind, &KINDS).unwrap_or("network");
            let member = format!("\"kind\": \"{near}\"");
            let instead = if permission.is_object() { member } else { format!("{{ {member} }}") };
            let pointer = at(&format!("/permissions/{index}"), "kind", permission.get("kind"));
            faults.add(pointer, "VO-MAN-9", message, instead);
        }
        if let (Some(known), Value::Object(members)) = (members_of(kind), permission) {
            super::only(readings, &format!("/permissions/{index}"), members, known, faults);
        }
        if kind != "transcript" {
            continue;
        }
        // VO-MAN-3, first-only: what a further one grants does not count, and yet it has to grant something.
        let mut ignored = Granted::default();
        let first_only = granted.any && readings.scopes == Scopes::FirstOnly;
        let granted = if first_only { &mut ignored } else { &mut granted };
        granted.any = true;
        let found_scope = permission.get("scope");
        match found_scope.and_then(Value::as_str) {
            Some("agent") => granted.agent = true,
            Some("dictation") => granted.dictation = true,
            Some("all") => (granted.agent, granted.dictation) = (true, true),
            _ if readings.unknown_scope == Unknown::Ignore => {}
            _ => {
                let pointer = at(&format!("/permissions/{index}"), "scope", found_scope);
                let message = format_args!(
                    "the scope of a transcript permission is agent, dictation or all; found {}",
                    found(found_scope)
                );
                faults.add(pointer, "VO-MAN-7b", message, format_args!("\"scope\": \"{}\"", scope(document)));
            }
        }
    }
    granted
}
