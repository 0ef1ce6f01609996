//! The wire: payloads as hooks are sent them, and what their answers mean. VO-WIRE-1 to 13,
//! VO-FOLD-1 to 3, VO-FOLD-7, VO-FOLD-8, VO-CONF-2.

use serde_json::{Map, Value, json};

use super::event::EventKind;
use crate::kernel::json::{self, Twice};
use crate::kernel::{Answer, Decision, Failure, Reply};
use crate::reading::VoiceosReadings;
use crate::reading::shared::NullRewrite;
use crate::reading::voiceos::{
    ContentItems, DuplicateMembers, EmptyAnswer, EndingText, HandledToolCall, LoneSurrogate,
    StructuredContent, UnknownDecision, WrongType,
};
use crate::script::voiceos::{App, Event, Says};

/// VO-WIRE-1, VO-WIRE-2: the members of an event's payload that no hook changes. The member that
/// hooks rewrite ([`EventKind::subject`]) is put in for each call.
#[must_use]
pub fn frame(event: &Event, frontmost: Option<&App>) -> Map<String, Value> {
    let (kind, mut frame) = match event {
        Event::Transcript(event) => (EventKind::Transcript, members(event)),
        Event::Dictation(event) => (EventKind::Dictation, members(event)),
        Event::PreToolUse(event) => (EventKind::PreToolUse, members(event)),
        Event::PostToolUse(event) => (EventKind::PostToolUse, members(event)),
        Event::TurnComplete(event) => (EventKind::TurnComplete, members(event)),
    };
    frame.remove("integration");
    frame.remove(kind.subject());
    frame.insert("hookApiVersion".to_owned(), json!(1));
    frame.insert("event".to_owned(), json!(kind.name()));
    let app = match kind {
        EventKind::Transcript | EventKind::PreToolUse => Some("frontmostApp"),
        EventKind::Dictation => Some("targetApp"),
        EventKind::PostToolUse | EventKind::TurnComplete => None,
    };
    if let (Some(name), Some(app)) = (app, frontmost) {
        frame.insert(name.to_owned(), Value::Object(members(app)));
    }
    frame
}

fn members(value: &impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(value) {
        Ok(Value::Object(members)) => members,
        _ => Map::new(),
    }
}

/// The payload of one call: the frame with the value that the hook is handed.
#[must_use]
pub fn payload(kind: EventKind, frame: &Map<String, Value>, sees: &Value) -> Value {
    let mut payload = frame.clone();
    if !kind.subject().is_empty() {
        payload.insert(kind.subject().to_owned(), sees.clone());
    }
    Value::Object(payload)
}

/// What an answer means; `None` if none ever arrives.
#[must_use]
pub fn decode(readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
    let decoded = match says {
        Says::Never => return None,
        // An SDK turns a handler's null into an empty result.
        Says::Result(Value::Null) | Says::Mutates(Value::Null) => Ok(Answer::default()),
        Says::Result(value) | Says::Mutates(value) => decode_text(readings, kind, &value.to_string()),
        Says::Text(text) => decode_text(readings, kind, text),
        Says::Content(items) => decode_content(readings, kind, items),
        Says::CallResult(result) => decode_call_result(readings, kind, result),
        Says::ToolError(_) => Err(Failure::ToolError),
        Says::Disconnect => Err(Failure::Disconnect),
        Says::Unregistered => Err(Failure::Unregistered),
    };
    Some(match decoded {
        Ok(answer) => Reply::Answered(Box::new(answer)),
        Err(failure) => Reply::Failed(failure),
    })
}

/// VO-WIRE-3, VO-WIRE-12, VO-WIRE-13: a whole CallToolResult, by MCP's schema.
fn decode_call_result(
    readings: &VoiceosReadings,
    kind: EventKind,
    result: &Map<String, Value>,
) -> Result<Answer, Failure> {
    match result.get("isError") {
        None | Some(Value::Bool(false)) => {}
        Some(Value::Bool(true)) => return Err(Failure::ToolError),
        Some(_) => return Err(Failure::ProtocolError),
    }
    let items = match result.get("content") {
        None => &[],
        Some(Value::Array(items)) => items.as_slice(),
        Some(_) => return Err(Failure::ProtocolError),
    };
    let content = texts(items)?;
    match (result.get("structuredContent"), readings.structured_content) {
        (Some(Value::Object(members)), StructuredContent::Preferred) => {
            decode_result(readings, kind, members.clone())
        }
        (Some(Value::Object(members)), StructuredContent::WhereNoText) if content.is_empty() => {
            decode_result(readings, kind, members.clone())
        }
        (Some(Value::Object(_)) | None, _) => decode_content(readings, kind, items),
        (Some(_), _) => Err(Failure::ProtocolError),
    }
}

/// VO-WIRE-5, VO-WIRE-9: which of several content items counts.
fn decode_content(readings: &VoiceosReadings, kind: EventKind, items: &[Value]) -> Result<Answer, Failure> {
    match (readings.content_items, texts(items)?.as_slice()) {
        (ContentItems::ExtraIsFailure, _) if items.len() > 1 => Err(Failure::WrongShape),
        (_, []) => empty(readings, Failure::WrongShape),
        (ContentItems::Joined, texts) => decode_text(readings, kind, &texts.concat()),
        (_, [first, ..]) => decode_text(readings, kind, first),
    }
}

/// The texts of content items, where that is what they are.
fn texts(items: &[Value]) -> Result<Vec<&str>, Failure> {
    if !items.iter().all(|item| item.get("type").is_some_and(Value::is_string)) {
        return Err(Failure::ProtocolError);
    }
    let texts = items.iter().filter(|item| item.get("type").and_then(Value::as_str) == Some("text"));
    texts.map(|item| item.get("text").and_then(Value::as_str).ok_or(Failure::ProtocolError)).collect()
}

/// VO-WIRE-5: an answer that says nothing.
fn empty(readings: &VoiceosReadings, failure: Failure) -> Result<Answer, Failure> {
    match readings.empty_answer {
        EmptyAnswer::Continue => Ok(Answer::default()),
        EmptyAnswer::Failure => Err(failure),
    }
}

/// VO-WIRE-4, VO-WIRE-10, VO-WIRE-11: the text of a HookResult.
fn decode_text(readings: &VoiceosReadings, kind: EventKind, text: &str) -> Result<Answer, Failure> {
    if text.is_empty() {
        return empty(readings, Failure::Unparsable);
    }
    let twice = match readings.duplicate_members {
        DuplicateMembers::LastCounts => Twice::LastCounts,
        DuplicateMembers::Failure => Twice::Fault,
    };
    let value = match readings.lone_surrogate {
        LoneSurrogate::Failure => json::parse(text, twice),
        LoneSurrogate::Replaced => json::parse(&replace_lone_surrogates(text), twice),
    };
    match value.map_err(|_| Failure::Unparsable)? {
        Value::Null => empty(readings, Failure::WrongShape),
        Value::Object(members) => decode_result(readings, kind, members),
        _ => Err(Failure::WrongShape),
    }
}

/// VO-WIRE-6 to 8, VO-FOLD-1 to 3, 7, 8: the members of a HookResult that belong to the event.
fn decode_result(
    readings: &VoiceosReadings,
    kind: EventKind,
    mut members: Map<String, Value>,
) -> Result<Answer, Failure> {
    let mut answer = Answer::default();
    if kind == EventKind::TurnComplete {
        return Ok(answer);
    }
    let transcript = kind == EventKind::Transcript;
    let mut take = |name: &str, belongs: bool, fits: fn(&Value) -> bool| match members.remove(name) {
        Some(value) if belongs && fits(&value) => Ok(Some(value)),
        Some(_) if belongs && readings.wrong_type == WrongType::DiscardResult => Err(Failure::WrongShape),
        _ => Ok(None),
    };
    if let Some(decision) = take("decision", kind != EventKind::PostToolUse, Value::is_string)? {
        answer.decision = decide(readings, kind, decision.as_str().unwrap_or_default())?;
    }
    answer.reason = take("reason", true, Value::is_string)?.and_then(into_string);
    answer.context = take("additionalContext", transcript, Value::is_string)?.and_then(into_string);
    let shows =
        transcript || readings.ending_text == EndingText::EveryEvent && kind != EventKind::PostToolUse;
    answer.response_text = take("responseText", shows, Value::is_string)?.and_then(into_string);
    answer.view = take("view", shows, |view| view.get("blocks").is_some_and(Value::is_array))?;
    // VO-CONF-2: anything but true is no request, and spoils nothing.
    answer.confirm =
        take("requireConfirmation", kind == EventKind::PreToolUse, |_| true)? == Some(Value::Bool(true));
    if let Some(name) = kind.rewrite_member() {
        if readings.null_rewrite == NullRewrite::Absent && members.get(name) == Some(&Value::Null) {
            return Ok(answer);
        }
        let fits: fn(&Value) -> bool = match kind {
            EventKind::PreToolUse => Value::is_object,
            EventKind::PostToolUse => |_| true,
            _ => Value::is_string,
        };
        answer.rewrite = match members.remove(name) {
            Some(value) if fits(&value) => Some(value),
            Some(_) if readings.wrong_type == WrongType::DiscardResult => return Err(Failure::WrongShape),
            _ => None,
        };
    }
    Ok(answer)
}

fn into_string(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// VO-FOLD-3, VO-FOLD-7, VO-WIRE-6b: what a decision means for the event.
fn decide(readings: &VoiceosReadings, kind: EventKind, decision: &str) -> Result<Decision, Failure> {
    match decision {
        "continue" => Ok(Decision::Defer),
        "block" => Ok(Decision::Deny),
        "handled" if kind == EventKind::PreToolUse => match readings.handled_tool_call {
            HandledToolCall::Continue => Ok(Decision::Defer),
            HandledToolCall::Block => Ok(Decision::Deny),
            HandledToolCall::DiscardResult => Err(Failure::WrongShape),
        },
        "handled" => Ok(Decision::Handled),
        _ => match readings.unknown_decision {
            UnknownDecision::DiscardResult => Err(Failure::WrongShape),
            UnknownDecision::AsContinue => Ok(Decision::Defer),
        },
    }
}

/// VO-WIRE-10b, replaced: puts U+FFFD in the place of every escaped surrogate that has no partner.
fn replace_lone_surrogates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('\\') {
        let (before, escape) = rest.split_at(start);
        out.push_str(before);
        let (kept, length) = match (surrogate(escape), escape.get(6..).and_then(surrogate)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (escape.get(..12), 12),
            (Some(_), _) => (Some("\\ufffd"), 6),
            (None, _) => {
                let length = escape.char_indices().nth(2).map_or(escape.len(), |(end, _)| end);
                (escape.get(..length), length)
            }
        };
        out.push_str(kept.unwrap_or_default());
        rest = escape.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The surrogate that an escape at the beginning of `text` stands for.
fn surrogate(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok().filter(|unit| (0xd800..=0xdfff).contains(unit))
}
