//! A parcel tracker: what its hooks and tools do, without any of the protocol.

use hookproof_model::voiceos::EventKind;
use serde_json::{Map, Value, json};

/// What is known of parcels.
const PARCELS: [(&str, &str); 2] =
    [("P-1001", "P-1001 is with the neighbour."), ("P-1002", "P-1002 is in the depot — since Monday.")];
const ADDRESSES: [(&str, &str); 2] =
    [(";office", "Example Parcels, Käferweg 5"), (";depot", "Depot 7, Hafenstraße 12")];
const HEAVY: f64 = 30.0;

/// What the hook of an event makes of its payload.
pub(super) fn hook(event: EventKind, payload: &Map<String, Value>) -> Value {
    match event {
        EventKind::Transcript => transcript(text(payload, "transcript")),
        EventKind::Dictation => dictation(text(payload, "text")),
        EventKind::PreToolUse => pre_tool_use(payload),
        EventKind::PostToolUse => match payload.get("result") {
            Some(result) => {
                let mut redacted = result.clone();
                redact(&mut redacted);
                if redacted == *result { json!({}) } else { json!({ "updatedResult": redacted }) }
            }
            None => json!({}),
        },
        EventKind::TurnComplete => json!({}),
    }
}

fn transcript(said: &str) -> Value {
    let lower = said.to_lowercase();
    if lower.starts_with("cancel all") {
        return json!({
            "decision": "block",
            "responseText": "I never cancel every parcel at once.",
            "reason": "asked to cancel all",
        });
    }
    if lower.starts_with("collect a parcel") {
        let block = json!({ "type": "text", "text": said });
        return json!({
            "decision": "handled",
            "responseText": "It will be collected today.",
            "view": { "blocks": [block] },
        });
    }
    match PARCELS.iter().find(|(number, _)| said.contains(number)) {
        Some((_, status)) => json!({ "additionalContext": status }),
        None => json!({}),
    }
}

fn dictation(text: &str) -> Value {
    if text == "Collect now." {
        return json!({ "decision": "handled", "responseText": "It will be collected now." });
    }
    let whole = ADDRESSES.iter().fold(text.to_owned(), |text, (short, whole)| text.replace(short, whole));
    if whole == text { json!({}) } else { json!({ "updatedText": whole }) }
}

fn pre_tool_use(payload: &Map<String, Value>) -> Value {
    let Some(args) = payload.get("args").and_then(Value::as_object) else { return json!({}) };
    if text(payload, "toolName") != "send_parcel" {
        return json!({});
    }
    if text(args, "to") == "the moon" {
        return json!({ "decision": "block", "responseText": "Nothing is sent there.", "reason": "too far" });
    }
    if args.get("kilograms").and_then(Value::as_f64).is_some_and(|kilograms| kilograms > HEAVY) {
        return json!({ "requireConfirmation": true, "reason": "A heavy parcel costs more." });
    }
    if args.contains_key("service") {
        return json!({});
    }
    let mut whole = args.clone();
    whole.insert("service".to_owned(), json!("standard"));
    json!({ "updatedArgs": whole })
}

/// Takes door codes out of every text.
fn redact(value: &mut Value) {
    match value {
        Value::String(text) => *text = text.replace("door code 4711#", "door code [hidden]"),
        Value::Array(items) => items.iter_mut().for_each(redact),
        Value::Object(members) => members.values_mut().for_each(redact),
        _ => {}
    }
}

/// What a tool of the agent answers.
pub(super) fn tool(name: &str, arguments: &Map<String, Value>) -> String {
    if name == "send_parcel" {
        return format!("To {}: collected today.", text(arguments, "to"));
    }
    let known = PARCELS.iter().find(|(number, _)| *number == text(arguments, "number"));
    known.map_or("No such parcel.", |(_, status)| status).to_owned()
}

fn text<'a>(members: &'a Map<String, Value>, name: &str) -> &'a str {
    members.get(name).and_then(Value::as_str).unwrap_or_default()
}
