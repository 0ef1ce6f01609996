//! What VoiceOS hooks answer.

use hookproof_model::script::voiceos::Says;
use hookproof_model::voiceos::EventKind;
use serde_json::{Map, Value, json};

use crate::draw::Random;
use crate::draw::values::{object, text, value};

/// What a hook does; decisions only if it may decide.
pub(super) fn says(random: &mut Random, kind: EventKind, decides: bool) -> Says {
    match random.below(100) {
        0..72 => Says::Result(result(random, kind, decides)),
        72..76 => Says::Never,
        76..80 => Says::Disconnect,
        80..82 => Says::Unregistered,
        82..86 => Says::ToolError(result(random, kind, true).to_string()),
        86..88 => Says::Mutates(result(random, kind, decides)),
        88..94 => Says::Text(match random.below(8) {
            0 => String::new(),
            1 => "sorry, not today".to_owned(),
            2 => random.pick(&["false", "\"x\"", "[1]", "null", "{} {}"]).to_owned(),
            3 => format!("\u{feff}{}", result(random, kind, decides)),
            4 => r#"{"updatedText":"one","updatedText":"two"}"#.to_owned(),
            5 => r#"{"updatedText":"\ud800!","reason":"\udc00"}"#.to_owned(),
            6 => r#"{"updatedText":"caf\u00e9 \ud83d\ude80"}"#.to_owned(),
            _ => format!("log line\n{}", result(random, kind, decides)),
        }),
        94..96 => Says::CallResult(call_result(random, kind)),
        _ => {
            let first = json!({ "type": "text", "text": result(random, kind, decides).to_string() });
            Says::Content(match random.below(5) {
                0 => vec![],
                1 => vec![json!({ "type": "image", "data": "AA==", "mimeType": "image/png" }), first],
                2 => vec![first, json!({ "type": "text", "text": "{}" })],
                3 => vec![json!({ "text": "no type" })],
                _ => vec![first],
            })
        }
    }
}

/// A whole CallToolResult, its HookResult in the text, beside it, or in both.
fn call_result(random: &mut Random, kind: EventKind) -> Map<String, Value> {
    let (text, structured) = (result(random, kind, true), result(random, kind, true));
    let text = json!({ "type": "text", "text": text.to_string() });
    let answer = match random.below(6) {
        0 => json!({ "content": [], "structuredContent": structured }),
        1 => json!({ "structuredContent": structured }),
        2 => json!({ "content": [text], "isError": true }),
        3 => json!({ "content": [text], "isError": false }),
        4 => json!({ "content": "text" }),
        _ => json!({ "content": [text], "structuredContent": structured }),
    };
    if let Value::Object(members) = answer { members } else { Map::new() }
}

/// A HookResult, with members that belong to the event and, now and then, others.
fn result(random: &mut Random, kind: EventKind, decides: bool) -> Value {
    if random.chance(3) {
        return Value::Null;
    }
    let mut result = json!({});
    let mut set = |name: &str, value: Value| {
        if let Value::Object(members) = &mut result {
            members.insert(name.to_owned(), value);
        }
    };
    if random.chance(if decides { 45 } else { 8 }) {
        let decision = if decides {
            random.weighted(&[(8, "continue"), (14, "block"), (14, "handled"), (2, "stop"), (1, "Block")])
        } else {
            random.weighted(&[(8, "continue"), (1, "stop")])
        };
        set("decision", json!(decision));
    }
    if random.chance(45) {
        let (name, rewrite) = match kind {
            EventKind::PreToolUse => ("updatedArgs", Value::Object(object(random))),
            EventKind::PostToolUse => ("updatedResult", value(random)),
            _ => ("updatedText", json!(text(random))),
        };
        let rewrite = if random.chance(5) {
            random.pick(&[Some(0), None]).map_or(Value::Null, |n| json!(n))
        } else {
            rewrite
        };
        set(name, rewrite);
    }
    if random.chance(if kind == EventKind::PreToolUse { 40 } else { 3 }) {
        let asks = match random.below(10) {
            0 => json!(false),
            1 => json!("true"),
            2 => json!(1),
            3 => Value::Null,
            _ => json!(true),
        };
        set("requireConfirmation", asks);
    }
    if random.chance(if kind == EventKind::Transcript { 25 } else { 3 }) {
        set("additionalContext", json!(text(random)));
    }
    if random.chance(if decides { 25 } else { 5 }) {
        set("responseText", json!(text(random)));
    }
    if random.chance(8) {
        set(
            "view",
            if random.chance(85) { json!({ "blocks": [{ "text": text(random) }] }) } else { json!("card") },
        );
    }
    if random.chance(15) {
        set("reason", if random.chance(93) { json!(text(random)) } else { json!(7) });
    }
    if random.chance(4) {
        set("updatedText", json!("not for this event"));
    }
    if random.chance(5) {
        set("futureMember", json!({ "a": 1 }));
    }
    result
}
