//! What a hook's answer says: the clauses VO-WIRE, and the table of powers in the wire facts.

use serde_json::{Map, Value};

use super::json;
use super::kind::Kind;
use crate::kernel::{Answer, Decision, Failure, Reply};
use crate::reading::VoiceosReadings;
use crate::reading::shared::NullRewrite;
use crate::reading::voiceos::{
    ContentItems, DuplicateMembers, EmptyAnswer, EndingText, HandledToolCall, LoneSurrogate,
    StructuredContent, UnknownDecision, WrongType,
};
use crate::script::voiceos::Says;

/// What arrives from a hook that `says` this; `None` where nothing ever does.
pub(super) fn arrives(readings: &VoiceosReadings, kind: Kind, says: &Says) -> Option<Reply> {
    let answer = match says {
        Says::Never => return None,
        Says::Disconnect => Err(Failure::Disconnect),
        Says::Unregistered => Err(Failure::Unregistered),
        // VO-WIRE-3.
        Says::ToolError(_) => Err(Failure::ToolError),
        // Of a handler that returns nothing, `{}` arrives (wire facts, section Result).
        Says::Result(Value::Null) | Says::Mutates(Value::Null) => Ok(Answer::default()),
        // HK-ISOLATE-1: what it did to its input reaches nobody.
        Says::Result(value) | Says::Mutates(value) => text(readings, kind, &value.to_string()),
        Says::Text(said) => text(readings, kind, said),
        Says::Content(items) => content(readings, kind, items),
        Says::CallResult(result) => call_result(readings, kind, result),
    };
    Some(answer.map_or_else(Reply::Failed, |answer| Reply::Answered(answer.into())))
}

/// VO-WIRE-12. MCP gives each of the three members its type, and none has to be there.
fn call_result(
    readings: &VoiceosReadings,
    kind: Kind,
    members: &Map<String, Value>,
) -> Result<Answer, Failure> {
    let structured = match members.get("structuredContent") {
        None => None,
        Some(Value::Object(members)) => Some(members),
        Some(_) => return Err(Failure::ProtocolError),
    };
    let (Value::Array(items), Value::Bool(is_error)) = (
        members.get("content").cloned().unwrap_or_else(|| Value::Array(vec![])),
        members.get("isError").cloned().unwrap_or(Value::Bool(false)),
    ) else {
        return Err(Failure::ProtocolError);
    };
    // VO-WIRE-3.
    if is_error {
        return Err(Failure::ToolError);
    }
    if !items.iter().all(is_content) {
        return Err(Failure::ProtocolError);
    }
    let has_text = items.iter().any(|item| text_of(item).is_some());
    match (readings.structured_content, structured) {
        (StructuredContent::Preferred, Some(members)) => result(readings, kind, members),
        (StructuredContent::WhereNoText, Some(members)) if !has_text => result(readings, kind, members),
        _ => content(readings, kind, &items),
    }
}

/// VO-WIRE-9. Whatever is no content at all is a failure, wherever it stands; what is other content
/// than text is ignored.
fn content(readings: &VoiceosReadings, kind: Kind, items: &[Value]) -> Result<Answer, Failure> {
    if !items.iter().all(is_content) {
        return Err(Failure::ProtocolError);
    }
    if readings.content_items == ContentItems::ExtraIsFailure && items.len() > 1 {
        return Err(Failure::WrongShape);
    }
    let texts: Vec<_> = items.iter().filter_map(text_of).collect();
    match (readings.content_items, texts.first()) {
        (_, None) => nothing(readings, Failure::WrongShape),
        (ContentItems::Joined, _) => text(readings, kind, &texts.concat()),
        (ContentItems::FirstText | ContentItems::ExtraIsFailure, Some(first)) => text(readings, kind, first),
    }
}

/// An item says of what type it is, and one of text has one.
fn is_content(item: &Value) -> bool {
    let kind = item.get("type").and_then(Value::as_str);
    kind.is_some_and(|kind| kind != "text" || text_of(item).is_some())
}

/// The text of an item, if it is a text item.
fn text_of(item: &Value) -> Option<&str> {
    let is_text = item.get("type").and_then(Value::as_str) == Some("text");
    item.get("text").filter(|_| is_text)?.as_str()
}

/// VO-WIRE-5: `null`, empty text and no content.
fn nothing(readings: &VoiceosReadings, failure: Failure) -> Result<Answer, Failure> {
    match readings.empty_answer {
        EmptyAnswer::Continue => Ok(Answer::default()),
        EmptyAnswer::Failure => Err(failure),
    }
}

/// VO-WIRE-4, VO-WIRE-10b, VO-WIRE-11.
fn text(readings: &VoiceosReadings, kind: Kind, text: &str) -> Result<Answer, Failure> {
    if text.is_empty() {
        return nothing(readings, Failure::Unparsable);
    }
    let text = match readings.lone_surrogate {
        LoneSurrogate::Failure => text.to_owned(),
        LoneSurrogate::Replaced => json::mended(text),
    };
    // A lone surrogate is no text that could be read.
    let read = json::read(&text).ok_or(Failure::Unparsable)?;
    let twice = !json::given_twice(&read, "").is_empty();
    if twice && readings.duplicate_members == DuplicateMembers::Failure {
        return Err(Failure::Unparsable);
    }
    match json::meaning(&read) {
        Value::Null => nothing(readings, Failure::WrongShape),
        Value::Object(members) => result(readings, kind, &members),
        _ => Err(Failure::WrongShape),
    }
}

/// A HookResult. VO-WIRE-7, VO-WIRE-8: it is asked for what belongs to the event, and what else it
/// has is never looked at.
fn result(readings: &VoiceosReadings, kind: Kind, members: &Map<String, Value>) -> Result<Answer, Failure> {
    if kind == Kind::TurnComplete {
        // VO-FOLD-8b.
        return Ok(Answer::default());
    }
    // VO-FOLD-18: where a hook may end the event, it may say something to the user.
    let is_shown = match readings.ending_text {
        EndingText::EveryEvent => kind != Kind::PostToolUse,
        EndingText::TranscriptOnly => kind == Kind::Transcript,
    };
    let only_if = |belongs: bool, name: &str| members.get(name).filter(|_| belongs);
    let context = only_if(kind == Kind::Transcript, "additionalContext");
    Ok(Answer {
        decision: decision(readings, kind, members)?,
        rewrite: rewrite(readings, kind, members)?,
        // VO-CONF-2.
        confirm: only_if(kind == Kind::PreToolUse, "requireConfirmation") == Some(&Value::Bool(true)),
        context: of_type(readings, context, string)?,
        response_text: of_type(readings, only_if(is_shown, "responseText"), string)?,
        view: of_type(readings, only_if(is_shown, "view"), glance)?,
        reason: of_type(readings, members.get("reason"), string)?,
    })
}

/// VO-WIRE-6a: a member, where it is there.
fn of_type<T>(
    readings: &VoiceosReadings,
    member: Option<&Value>,
    typed: fn(&Value) -> Option<T>,
) -> Result<Option<T>, Failure> {
    let Some(member) = member else { return Ok(None) };
    match (typed(member), readings.wrong_type) {
        (None, WrongType::DiscardResult) => Err(Failure::WrongShape),
        (found, _) => Ok(found),
    }
}

fn string(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn object(value: &Value) -> Option<Value> {
    value.is_object().then(|| value.clone())
}

/// A view is an object with a list of blocks.
fn glance(value: &Value) -> Option<Value> {
    value.get("blocks")?.is_array().then(|| value.clone())
}

/// VO-FOLD-1, VO-FOLD-3, VO-WIRE-6b.
fn decision(
    readings: &VoiceosReadings,
    kind: Kind,
    members: &Map<String, Value>,
) -> Result<Decision, Failure> {
    // VO-FOLD-8a.
    if kind == Kind::PostToolUse {
        return Ok(Decision::Defer);
    }
    let named = of_type(readings, members.get("decision"), string)?;
    match named.as_deref() {
        None | Some("continue") => Ok(Decision::Defer),
        Some("block") => Ok(Decision::Deny),
        Some("handled") if kind == Kind::PreToolUse => handled_tool_call(readings),
        Some("handled") => Ok(Decision::Handled),
        Some(_) => match readings.unknown_decision {
            UnknownDecision::DiscardResult => Err(Failure::WrongShape),
            UnknownDecision::AsContinue => Ok(Decision::Defer),
        },
    }
}

/// VO-FOLD-7.
fn handled_tool_call(readings: &VoiceosReadings) -> Result<Decision, Failure> {
    match readings.handled_tool_call {
        HandledToolCall::Continue => Ok(Decision::Defer),
        HandledToolCall::Block => Ok(Decision::Deny),
        HandledToolCall::DiscardResult => Err(Failure::WrongShape),
    }
}

/// VO-FOLD-2, HK-REWRITE-3.
fn rewrite(
    readings: &VoiceosReadings,
    kind: Kind,
    members: &Map<String, Value>,
) -> Result<Option<Value>, Failure> {
    let absent = readings.null_rewrite == NullRewrite::Absent;
    let member = |name: &str| members.get(name).filter(|value| !(absent && value.is_null()));
    match kind {
        Kind::Transcript | Kind::Dictation => {
            Ok(of_type(readings, member("updatedText"), string)?.map(Value::String))
        }
        Kind::PreToolUse => of_type(readings, member("updatedArgs"), object),
        Kind::PostToolUse => Ok(member("updatedResult").cloned()),
        Kind::TurnComplete => Ok(None),
    }
}
