//! The shape of a manifest: VO-MAN-9, VO-MAN-10.

use serde_json::{Map, Value};

use super::json::below;
use super::manifest::{Faults, Member, blame, member};
use crate::reading::VoiceosReadings;
use crate::reading::voiceos::UnknownMembers;

/// The members that a manifest may have.
const TOP: [&str; 10] = [
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

/// A text of a manifest and where it stands.
pub(super) struct Text<'a> {
    pub(super) pointer: String,
    pub(super) value: &'a str,
}

/// Everything but permissions, tools and hooks; the id.
pub(super) fn head(readings: &VoiceosReadings, members: &Map<String, Value>, faults: &mut Faults) -> String {
    only_known(readings, members, "", &TOP, faults);
    match member(members, "", "schemaVersion") {
        None => blame(faults, "", "VO-MAN-9"),
        // HK-EQ-1: numbers count by value.
        Some(version) if version.value.as_f64() == Some(1.0) => {}
        Some(version) => blame(faults, &version.pointer, "VO-MAN-9"),
    }
    let id = text_that(members, "", "id", is_id, faults);
    text_that(members, "", "version", is_version, faults);
    text_that(members, "", "name", |_| true, faults);
    text_that(members, "", "summary", |summary| summary.chars().count() <= 140, faults);
    if let Some(publisher) = object(members, "publisher", faults) {
        only_known(readings, publisher, "/publisher", &["id", "name"], faults);
        text_that(publisher, "/publisher", "id", |_| true, faults);
        text_that(publisher, "/publisher", "name", |_| true, faults);
    }
    if let Some(runtime) = object(members, "runtime", faults) {
        only_known(readings, runtime, "/runtime", &["kind", "url", "command", "args"], faults);
        let known = |kind: &str| ["local-mcp", "remote-mcp", "hosted"].contains(&kind);
        text_that(runtime, "/runtime", "kind", known, faults);
    }
    id
}

/// The kind of a permission, if it is a known one.
pub(super) fn permission_kind<'a>(
    readings: &VoiceosReadings,
    permission: &'a Map<String, Value>,
    place: &str,
    faults: &mut Faults,
) -> Option<&'a str> {
    let kind = text(permission, place, "kind", faults)?;
    let known: &[&str] = match kind.value {
        "network" => &["kind", "domains"],
        "transcript" => &["kind", "scope"],
        "notify" | "background" | "store" | "webhook" => &["kind"],
        _ => {
            blame(faults, &kind.pointer, "VO-MAN-9");
            return None;
        }
    };
    only_known(readings, permission, place, known, faults);
    Some(kind.value)
}

/// VO-MAN-10.
pub(super) fn only_known(
    readings: &VoiceosReadings,
    members: &Map<String, Value>,
    place: &str,
    known: &[&str],
    faults: &mut Faults,
) {
    for name in members.keys() {
        if readings.unknown_members == UnknownMembers::Reject && !known.contains(&name.as_str()) {
            blame(faults, &below(place, name), "VO-MAN-10");
        }
    }
}

/// A member that has to be there and to be a text.
pub(super) fn text<'a>(
    members: &'a Map<String, Value>,
    place: &str,
    name: &str,
    faults: &mut Faults,
) -> Option<Text<'a>> {
    let Some(Member { pointer, value }) = member(members, place, name) else {
        blame(faults, place, "VO-MAN-9");
        return None;
    };
    let Some(value) = value.as_str() else {
        blame(faults, &pointer, "VO-MAN-9");
        return None;
    };
    Some(Text { pointer, value })
}

/// A text that has to be of some form.
fn text_that(
    members: &Map<String, Value>,
    place: &str,
    name: &str,
    form: impl Fn(&str) -> bool,
    faults: &mut Faults,
) -> String {
    let Some(text) = text(members, place, name, faults) else { return String::default() };
    if !form(text.value) {
        blame(faults, &text.pointer, "VO-MAN-9");
    }
    text.value.to_owned()
}

/// A member that has to be there and to be an object.
fn object<'a>(
    members: &'a Map<String, Value>,
    name: &str,
    faults: &mut Faults,
) -> Option<&'a Map<String, Value>> {
    let found = member(members, "", name);
    let object = found.as_ref().and_then(|found| found.value.as_object());
    if object.is_none() {
        blame(faults, &found.map(|found| found.pointer).unwrap_or_default(), "VO-MAN-9");
    }
    object
}

/// The items of a member that has to be a list, and where they stand.
pub(super) fn items<'a>(member: &Member<'a>, faults: &mut Faults) -> Option<Vec<(String, &'a Value)>> {
    let Some(items) = member.value.as_array() else {
        blame(faults, &member.pointer, "VO-MAN-9");
        return None;
    };
    let items = items.iter().enumerate();
    Some(items.map(|(index, item)| (format!("{}/{index}", member.pointer), item)).collect())
}

/// `^[a-z0-9]+(\.[a-z0-9-]+)+$`
fn is_id(id: &str) -> bool {
    let lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let Some((first, rest)) = id.split_once('.') else { return false };
    let made_of = |part: &str, of: &dyn Fn(char) -> bool| !part.is_empty() && part.chars().all(of);
    made_of(first, &lower) && rest.split('.').all(|part| made_of(part, &|c| lower(c) || c == '-'))
}

/// It starts `N.N.N`.
fn is_version(version: &str) -> bool {
    let mut parts = version.splitn(3, '.');
    let number = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_digit());
    let whole = [parts.next(), parts.next()].into_iter().all(|part| part.is_some_and(number));
    whole && parts.next().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_digit()))
}

/// `^[a-z][a-z0-9_]*$`
pub(super) fn is_tool_name(name: &str) -> bool {
    let rest = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(rest)
}
