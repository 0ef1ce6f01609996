//! The five events, as scripts give them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// An event, tagged by its name; members are named as in its payload.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Event {
    /// Final input to the agent.
    Transcript(TranscriptEvent),
    /// Dictated text, just before it is pasted.
    Dictation(DictationEvent),
    /// Before one of an integration's own tools executes.
    PreToolUse(PreToolUseEvent),
    /// After it ran.
    PostToolUse(PostToolUseEvent),
    /// A turn is torn down.
    TurnComplete(Receipt),
}

/// Final input to the agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TranscriptEvent {
    /// The input.
    pub transcript: String,
    /// How it was given.
    pub source: InputSource,
    /// ISO 639-1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detected_language: Option<String>,
    /// Length of the recording in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audio_duration_ms: Option<u64>,
    /// The session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
}

/// How input to the agent was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum InputSource {
    /// Spoken.
    Voice,
    /// Typed.
    Text,
}

/// Dictated text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DictationEvent {
    /// Exactly what would be pasted.
    pub text: String,
    /// What was said, unpolished.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_transcript: Option<String>,
    /// ISO 639-1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detected_language: Option<String>,
}

/// A tool is about to run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PreToolUseEvent {
    /// The integration that owns the tool; not part of the payload.
    pub integration: String,
    /// The manifest's name of the tool.
    pub tool_name: String,
    /// Its arguments.
    pub args: Map<String, Value>,
}

/// A tool has run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PostToolUseEvent {
    /// The integration that owns the tool; not part of the payload.
    pub integration: String,
    /// The manifest's name of the tool.
    pub tool_name: String,
    /// The arguments it ran with.
    pub args: Map<String, Value>,
    /// Its raw result.
    pub result: Value,
}

/// The receipt of a turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Receipt {
    /// The session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The turn's input.
    pub transcript: String,
    /// The turn's response.
    pub response_text: String,
    /// The tools of the turn, in order.
    pub tools: Vec<ToolUsed>,
}

/// One tool of a receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ToolUsed {
    /// The manifest's name of the tool.
    pub tool: String,
    /// How it ended.
    pub status: ToolStatus,
}

/// How a tool of a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ToolStatus {
    /// It ran.
    Done,
    /// It failed.
    Failed,
}
