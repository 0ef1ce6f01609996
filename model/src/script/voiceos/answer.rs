//! What a hook does, and when.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::kernel::Millis;
use crate::script::present::{is_false, present};

/// What a hook does when it is called: after so many milliseconds, one of the members of [`Says`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "AnswerMembers", into = "AnswerMembers")]
#[cfg_attr(feature = "schema", schemars(with = "AnswerMembers"))]
pub struct Answer {
    /// When, since it was called. Without meaning for `never`.
    pub after_ms: Millis,
    /// What.
    pub says: Says,
}

/// What a VoiceOS hook does.
#[derive(Debug, Clone, PartialEq)]
pub enum Says {
    /// Its handler returns this value, which arrives as one text item.
    Result(Value),
    /// One text item with exactly this text.
    Text(String),
    /// These content items.
    Content(Vec<Value>),
    /// This whole CallToolResult, of which content items are one member.
    CallResult(Map<String, Value>),
    /// A result with `isError: true` and this text.
    ToolError(String),
    /// Nothing ever arrives.
    Never,
    /// The connection breaks.
    Disconnect,
    /// The server says that it has no such tool.
    Unregistered,
    /// In process: it overwrites what it was handed, then returns this value.
    Mutates(Value),
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "VoiceosAnswer", extend("minProperties" = 1, "maxProperties" = 2)))]
#[serde(deny_unknown_fields)]
struct AnswerMembers {
    #[serde(default)]
    after_ms: Millis,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<Vec<Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call_result: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool_error: Option<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    never: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    disconnect: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    unregistered: bool,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    mutates: Option<Value>,
}

impl TryFrom<AnswerMembers> for Answer {
    type Error = &'static str;

    fn try_from(members: AnswerMembers) -> Result<Self, Self::Error> {
        let mut given = [
            members.result.map(Says::Result),
            members.text.map(Says::Text),
            members.content.map(Says::Content),
            members.call_result.map(Says::CallResult),
            members.tool_error.map(Says::ToolError),
            members.never.then_some(Says::Never),
            members.disconnect.then_some(Says::Disconnect),
            members.unregistered.then_some(Says::Unregistered),
            members.mutates.map(Says::Mutates),
        ]
        .into_iter()
        .flatten();
        match (given.next(), given.next()) {
            (Some(says), None) => Ok(Self { after_ms: members.after_ms, says }),
            _ => Err("an answer has exactly one of result, text, content, call_result, tool_error, \
                      never, disconnect, unregistered, mutates"),
        }
    }
}

impl From<Answer> for AnswerMembers {
    fn from(answer: Answer) -> Self {
        let mut members = Self { after_ms: answer.after_ms, ..Self::default() };
        match answer.says {
            Says::Result(value) => members.result = Some(value),
            Says::Text(text) => members.text = Some(text),
            Says::Content(items) => members.content = Some(items),
            Says::CallResult(result) => members.call_result = Some(result),
            Says::ToolError(text) => members.tool_error = Some(text),
            Says::Never => members.never = true,
            Says::Disconnect => members.disconnect = true,
            Says::Unregistered => members.unregistered = true,
            Says::Mutates(value) => members.mutates = Some(value),
        }
        members
    }
}
