//! What identifies an integration, and its tools: VO-MAN-8 to 10.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{at, only};
use crate::fault::{Faults, found};
use crate::reading::VoiceosReadings;
use crate::voiceos::event::RESERVED_PREFIX;

const RUNTIMES: [&str; 3] = ["local-mcp", "remote-mcp", "hosted"];
/// The most characters of a summary.
const MAX_SUMMARY: usize = 140;

/// VO-MAN-9: what identifies an integration. Returns its id.
pub(super) fn head(readings: &VoiceosReadings, document: &Map<String, Value>, faults: &mut Faults) -> String {
    let version = document.get("schemaVersion");
    if version.and_then(Value::as_f64) != Some(1.0) {
        let message = format_args!("`schemaVersion` is 1; found {}", found(version));
        faults.add(at("", "schemaVersion", version), "VO-MAN-9", message, "\"schemaVersion\": 1");
    }
    let id = Member { name: "id", expected: "lower-case words joined by dots, as in com.acme.orders" };
    let id = id.read(document, "", faults, is_id, |_| "com.acme.orders".to_owned());
    let version = Member { name: "version", expected: "a version that starts with N.N.N" };
    version.read(document, "", faults, is_version, nearest_version);
    let name = Member { name: "name", expected: "a string" };
    name.read(document, "", faults, |_| true, |_| "Acme Orders".to_owned());
    summary(document, faults);
    match document.get("publisher") {
        Some(Value::Object(publisher)) => {
            only(readings, "/publisher", publisher, &["id", "name"], faults);
            let id = Member { name: "id", expected: "a string" };
            id.read(publisher, "/publisher", faults, |_| true, |_| "acme".to_owned());
            name.read(publisher, "/publisher", faults, |_| true, |_| "Acme".to_owned());
        }
        other => {
            let message = format_args!("`publisher` is an object with id and name; found {}", found(other));
            let instead = r#""publisher": { "id": "acme", "name": "Acme" }"#;
            faults.add(at("", "publisher", other), "VO-MAN-9", message, instead);
        }
    }
    match document.get("runtime") {
        Some(Value::Object(runtime)) => {
            only(readings, "/runtime", runtime, &["kind", "url", "command", "args"], faults);
            let kind = Member { name: "kind", expected: "one of local-mcp, remote-mcp, hosted" };
            let is_kind = |kind: &str| RUNTIMES.contains(&kind);
            kind.read(runtime, "/runtime", faults, is_kind, |_| runtime_of(runtime).to_owned());
        }
        other => {
            let message = format_args!("`runtime` is an object with its kind; found {}", found(other));
            faults.add(at("", "runtime", other), "VO-MAN-9", message, r#""runtime": { "kind": "hosted" }"#);
        }
    }
    id
}

/// A required member that is a string.
struct Member {
    name: &'static str,
    expected: &'static str,
}

impl Member {
    /// The member's text, or a fault and the empty string.
    fn read(
        &self,
        object: &Map<String, Value>,
        parent: &str,
        faults: &mut Faults,
        holds: impl Fn(&str) -> bool,
        instead: impl Fn(&str) -> String,
    ) -> String {
        let Self { name, expected } = self;
        let value = object.get(*name);
        let text = value.and_then(Value::as_str);
        if let Some(text) = text.filter(|text| holds(text)) {
            return text.to_owned();
        }
        let message = format_args!("`{name}` is {expected}; found {}", found(value));
        let instead = instead(text.unwrap_or_default());
        faults.add(at(parent, name, value), "VO-MAN-9", message, format_args!("\"{name}\": \"{instead}\""));
        String::new()
    }
}

fn summary(document: &Map<String, Value>, faults: &mut Faults) {
    let value = document.get("summary");
    let instead = "\"summary\": \"Takes orders by voice.\"";
    match value {
        Some(Value::String(text)) => {
            let length = text.chars().count();
            if length > MAX_SUMMARY {
                let message = format_args!(
                    "`summary` has at most {MAX_SUMMARY} characters; found {length}, {}",
                    found(value)
                );
                faults.add("/summary", "VO-MAN-9", message, instead);
            }
        }
        _ => {
            let message = format_args!(
                "`summary` is a string of at most {MAX_SUMMARY} characters; found {}",
                found(value)
            );
            faults.add(at("", "summary", value), "VO-MAN-9", message, instead);
        }
    }
}

/// The kind that a runtime's other members speak of.
fn runtime_of(runtime: &Map<String, Value>) -> &'static str {
    match (runtime.contains_key("command"), runtime.contains_key("url")) {
        (true, _) => "local-mcp",
        (_, true) => "remote-mcp",
        _ => "hosted",
    }
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

/// A version of three numbers that says what this one says.
fn nearest_version(version: &str) -> String {
    let bare = version.strip_prefix(['v', 'V']).unwrap_or(version);
    let number = |part: &str| (1..=9).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut numbers: Vec<_> = bare.split('.').take(3).take_while(|part| number(part)).collect();
    if numbers.is_empty() {
        numbers.push("1");
    }
    numbers.resize(3, "0");
    numbers.join(".")
}

/// A tool's name that says what this one says.
fn nearest_tool(name: &str) -> String {
    let spelt = |character: char| match character.to_ascii_lowercase() {
        character if character.is_ascii_lowercase() || character.is_ascii_digit() => character,
        _ => '_',
    };
    let near: String = name.chars().take(65).map(spelt).collect();
    if near.len() < 65 && is_tool_name(&near) { near } else { "create_order".to_owned() }
}

/// VO-MAN-8, VO-MAN-9: the tools' names.
pub(super) fn tools(document: &Map<String, Value>, faults: &mut Faults) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let value = document.get("tools");
    let Some(tools) = value.and_then(Value::as_array).filter(|tools| !tools.is_empty()) else {
        let message = format_args!("`tools` is a list of at least one tool; found {}", found(value));
        let instead = r#""tools": [{ "name": "create_order" }]"#;
        faults.add(at("", "tools", value), "VO-MAN-9", message, instead);
        return names;
    };
    for (index, tool) in tools.iter().enumerate() {
        let value = tool.get("name");
        let name = value.and_then(Value::as_str).unwrap_or_default();
        let pointer = at(&format!("/tools/{index}"), "name", value);
        if !is_tool_name(name) {
            // What is no object is shown itself, since it has no member to show.
            let value = if tool.is_object() { value } else { Some(tool) };
            let message = format_args!(
                "a tool has a name of a lower-case letter and then lower-case letters, digits and _; found {}",
                found(value)
            );
            let near = nearest_tool(name);
            let instead = if tool.is_object() {
                format!("\"name\": \"{near}\"")
            } else {
                format!("{{ \"name\": \"{near}\" }}")
            };
            faults.add(&pointer, "VO-MAN-9", message, instead);
        }
        if let Some(own) = name.strip_prefix(RESERVED_PREFIX) {
            let message = format_args!(
                "names that start with `{RESERVED_PREFIX}` are reserved for hooks; found the tool {}",
                found(value)
            );
            let own = nearest_tool(own);
            let instead =
                format_args!("\"name\": \"{own}\"; a hook is declared under `hooks` and is no tool");
            faults.add(pointer, "VO-MAN-8", message, instead);
        } else if is_tool_name(name) {
            names.insert(name.to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("1", "1.0.0")]
    #[case("v2.1", "2.1.0")]
    #[case("1.2.x", "1.2.0")]
    #[case("next", "1.0.0")]
    #[case("", "1.0.0")]
    #[case("99999999999999999999.1", "1.0.0")]
    fn what_is_offered_for_a_version_is_one(#[case] version: &str, #[case] near: &str) {
        assert_eq!(nearest_version(version), near);
        assert!(is_version(near));
    }

    #[rstest]
    #[case("Delete-Records", "delete_records")]
    #[case("9lives", "create_order")]
    #[case("", "create_order")]
    fn what_is_offered_for_a_tools_name_is_one(#[case] name: &str, #[case] near: &str) {
        assert_eq!(nearest_tool(name), near);
        assert!(is_tool_name(near));
    }
}
