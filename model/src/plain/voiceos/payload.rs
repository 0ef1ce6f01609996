//! What hooks are handed: VO-WIRE-1, VO-WIRE-2.

use serde_json::{Map, Value, json};

use super::host::Host;
use super::kind::{Kind, kind_of, name_of, rewritten_member};
use super::turn;
use crate::script::voiceos::Event;

/// The payload of an event as it fires, and the value that hooks rewrite.
pub(super) fn of(host: &Host, event: &Event) -> (Value, Value) {
    let kind = kind_of(event);
    // Scripts name the members as payloads do, and leave out what is absent.
    let mut members = match event {
        Event::Transcript(event) => members(json!(event)),
        Event::Dictation(event) => members(json!(event)),
        Event::PreToolUse(event) => members(json!(event)),
        Event::PostToolUse(event) => members(json!(event)),
        Event::TurnComplete(receipt) => members(json!(receipt)),
    };
    // The owner of a tool is no part of a payload.
    members.remove("integration");
    members.insert("hookApiVersion".to_owned(), json!(1));
    members.insert("event".to_owned(), json!(name_of(kind)));
    if let (Some(name), Some(app)) = (app_member(kind), turn::front_for(host, kind)) {
        members.insert(name.to_owned(), json!(app));
    }
    let value = members.get(rewritten_member(kind)).cloned().unwrap_or_default();
    (Value::Object(members), value)
}

/// The payload with the value as a hook sees it.
pub(super) fn with(payload: &Value, kind: Kind, sees: &Value) -> Value {
    let mut members = members(payload.clone());
    members.insert(rewritten_member(kind).to_owned(), sees.clone());
    Value::Object(members)
}

/// Under which name the frontmost app is given.
fn app_member(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Transcript | Kind::PreToolUse => Some("frontmostApp"),
        Kind::Dictation => Some("targetApp"),
        Kind::PostToolUse | Kind::TurnComplete => None,
    }
}

fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::default(),
    }
}
