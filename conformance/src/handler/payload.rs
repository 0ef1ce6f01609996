//! What VoiceOS hooks are sent: for each event a payload with nothing optional, one with everything, and one
//! as a later version of the contract may have it. All are put together by the model (VO-WIRE-1, VO-WIRE-2).

use hookproof_model::script::voiceos::{
    App, DictationEvent, Event, InputSource, PostToolUseEvent, PreToolUseEvent, Receipt, ToolStatus,
    ToolUsed, TranscriptEvent,
};
use hookproof_model::voiceos::EventKind;
use hookproof_model::voiceos::wire::{frame, payload};
use serde_json::{Map, Value, json};

/// A tool of the integration, and arguments that it takes.
#[derive(Debug, Clone)]
pub(crate) struct OwnTool {
    pub(crate) name: String,
    pub(crate) args: Map<String, Value>,
}

/// Builds payloads that fit one integration.
#[derive(Debug, Clone)]
pub(crate) struct Payloads {
    pub(crate) tool: OwnTool,
    /// An app that the manifest names, where it names any.
    pub(crate) app: String,
}

impl Default for Payloads {
    fn default() -> Self {
        let args = Map::from_iter([("title".to_owned(), json!("Groceries"))]);
        Self { tool: OwnTool { name: "create_item".to_owned(), args }, app: "com.example.editor".to_owned() }
    }
}

impl Payloads {
    /// Only what every payload of the event has.
    pub(crate) fn minimal(&self, event: EventKind) -> Value {
        self.text(event, "Hello there.")
    }

    /// A payload with nothing optional, around this text.
    pub(crate) fn text(&self, event: EventKind, text: &str) -> Value {
        let text = text.to_owned();
        let tool = self.tool.name.clone();
        let integration = String::new();
        let event = match event {
            EventKind::Transcript => Event::Transcript(TranscriptEvent {
                transcript: text,
                source: InputSource::Text,
                detected_language: None,
                audio_duration_ms: None,
                session_id: None,
            }),
            EventKind::Dictation => {
                Event::Dictation(DictationEvent { text, raw_transcript: None, detected_language: None })
            }
            EventKind::PreToolUse => Event::PreToolUse(PreToolUseEvent {
                integration,
                tool_name: tool,
                args: Map::from_iter([("text".to_owned(), Value::String(text))]),
            }),
            EventKind::PostToolUse => Event::PostToolUse(PostToolUseEvent {
                integration,
                tool_name: tool,
                args: Map::new(),
                result: json!({ "text": text }),
            }),
            EventKind::TurnComplete => Event::TurnComplete(Receipt {
                session_id: None,
                transcript: text.clone(),
                response_text: text,
                tools: Vec::new(),
            }),
        };
        whole(&event, None)
    }

    /// Everything that a payload of the event can have.
    pub(crate) fn full(&self, event: EventKind) -> Value {
        let session = Some("session-1".to_owned());
        let OwnTool { name: tool_name, args } = self.tool.clone();
        let integration = String::new();
        let event = match event {
            EventKind::Transcript => Event::Transcript(TranscriptEvent {
                transcript: "Could you tell me what is on for today?".to_owned(),
                source: InputSource::Voice,
                detected_language: Some("en".to_owned()),
                audio_duration_ms: Some(1840),
                session_id: session,
            }),
            EventKind::Dictation => Event::Dictation(DictationEvent {
                text: "See you at half past nine.".to_owned(),
                raw_transcript: Some("see you at uh half past nine".to_owned()),
                detected_language: Some("en".to_owned()),
            }),
            EventKind::PreToolUse => Event::PreToolUse(PreToolUseEvent { integration, tool_name, args }),
            EventKind::PostToolUse => Event::PostToolUse(PostToolUseEvent {
                integration,
                tool_name,
                args,
                result: json!({ "content": [{ "type": "text", "text": "Done." }], "items": [1, 2.5, null, true] }),
            }),
            EventKind::TurnComplete => Event::TurnComplete(Receipt {
                session_id: session,
                transcript: "Could you tell me what is on for today?".to_owned(),
                response_text: "Two meetings, at nine and at eleven.".to_owned(),
                tools: vec![
                    ToolUsed { tool: tool_name.clone(), status: ToolStatus::Done },
                    ToolUsed { tool: tool_name, status: ToolStatus::Failed },
                ],
            }),
        };
        let app = App { bundle_id: Some(self.app.clone()), name: Some("Editor".to_owned()) };
        whole(&event, Some(&app))
    }

    /// A full payload with members that no version has yet, at every level that the contract describes.
    pub(crate) fn future(&self, event: EventKind) -> Value {
        let mut payload = self.full(event);
        let added = json!({ "since": 2, "values": [null, "x"] });
        for within in ["frontmostApp", "targetApp"] {
            payload.get_mut(within).into_iter().for_each(|app| add(app, "hookproofAdded", added.clone()));
        }
        for tool in payload.get_mut("tools").and_then(Value::as_array_mut).into_iter().flatten() {
            add(tool, "hookproofAdded", added.clone());
        }
        add(&mut payload, "hookproofAdded", added);
        payload
    }

    /// Arguments or a result nested as deep as values of the contract go; the other events have none.
    pub(crate) fn deep(&self, event: EventKind, levels: usize) -> Option<Value> {
        let subject = match event {
            EventKind::PreToolUse | EventKind::PostToolUse => event.subject(),
            _ => return None,
        };
        let nested = (0..levels).fold(json!("deep"), |value, _| json!({ "a": value }));
        let mut payload = self.full(event);
        add(&mut payload, subject, nested);
        Some(payload)
    }
}

/// Gives an object a member, in place of one that it may have.
fn add(object: &mut Value, name: &str, value: Value) {
    if let Value::Object(members) = object {
        members.insert(name.to_owned(), value);
    }
}

/// The payload of an event as a host would send it.
fn whole(event: &Event, app: Option<&App>) -> Value {
    let kind = EventKind::of(event);
    let sees = match event {
        Event::Transcript(event) => event.transcript.clone().into(),
        Event::Dictation(event) => event.text.clone().into(),
        Event::PreToolUse(event) => Value::Object(event.args.clone()),
        Event::PostToolUse(event) => event.result.clone(),
        Event::TurnComplete(_) => Value::Null,
    };
    payload(kind, &frame(event, app), &sees)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn a_minimal_payload_has_nothing_optional() {
        let payload = Payloads::default().minimal(EventKind::Dictation);
        let expected = json!({ "hookApiVersion": 1, "event": "dictation", "text": "Hello there." });
        assert_eq!(payload, expected);
        let payload = Payloads::default().minimal(EventKind::PreToolUse);
        let expected = json!({
            "hookApiVersion": 1, "event": "preToolUse", "toolName": "create_item", "args": { "text": "Hello there." }
        });
        assert_eq!(payload, expected);
    }

    #[test]
    fn a_future_payload_has_unknown_members_wherever_the_contract_has_objects() {
        let payload = Payloads::default().future(EventKind::TurnComplete);
        assert!(payload["hookproofAdded"].is_object());
        assert!(payload["tools"][1]["hookproofAdded"].is_object());
        let payload = Payloads::default().future(EventKind::Dictation);
        assert!(payload["targetApp"]["hookproofAdded"].is_object());
    }
}
