//! What a processor does, and when.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Step;
use crate::kernel::Millis;
use crate::script::present::{is_false, present};

/// What a url or agent processor does when a HookInput is delivered to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "AnswerMembers", into = "AnswerMembers")]
#[cfg_attr(feature = "schema", schemars(with = "AnswerMembers"))]
pub struct Answer {
    /// When, since the delivery. Without meaning for `never`.
    pub after_ms: Millis,
    /// What.
    pub says: Says,
}

/// What a Matrices processor does.
#[derive(Debug, Clone, PartialEq)]
pub enum Says {
    /// Status 200 with this value as JSON body.
    Result(Value),
    /// Status 200 with exactly this body.
    Body(String),
    /// Status 200 with these bytes as body, base64.
    BytesB64(String),
    /// This status, without a body.
    Status(u16),
    /// Status 307 to this URL, where a deferring processor listens.
    Redirect(String),
    /// Nothing ever arrives.
    Never,
    /// The connection is refused.
    Refused,
    /// The connection breaks before the answer is complete.
    Reset,
    /// Status 202: accepted, to be answered later. The work is parked.
    Pending,
    /// An agent processor runs these steps within its own run, then defers.
    AgentRun(Vec<Step>),
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MatricesAnswer", extend("minProperties" = 1, "maxProperties" = 2)))]
#[serde(deny_unknown_fields)]
struct AnswerMembers {
    #[serde(default)]
    after_ms: Millis,
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes_b64: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    redirect: Option<String>,
    #[serde(default, skip_serializing_if = "is_false")]
    never: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    refused: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    reset: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pending: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent_run: Option<Vec<Step>>,
}

impl TryFrom<AnswerMembers> for Answer {
    type Error = &'static str;

    fn try_from(members: AnswerMembers) -> Result<Self, Self::Error> {
        let mut given = [
            members.result.map(Says::Result),
            members.body.map(Says::Body),
            members.bytes_b64.map(Says::BytesB64),
            members.status.map(Says::Status),
            members.redirect.map(Says::Redirect),
            members.never.then_some(Says::Never),
            members.refused.then_some(Says::Refused),
            members.reset.then_some(Says::Reset),
            members.pending.then_some(Says::Pending),
            members.agent_run.map(Says::AgentRun),
        ]
        .into_iter()
        .flatten();
        match (given.next(), given.next()) {
            (Some(says), None) => Ok(Self { after_ms: members.after_ms, says }),
            _ => Err("an answer has exactly one of result, body, bytes_b64, status, redirect, never, \
                      refused, reset, pending, agent_run"),
        }
    }
}

impl From<Answer> for AnswerMembers {
    fn from(answer: Answer) -> Self {
        let mut members = Self { after_ms: answer.after_ms, ..Self::default() };
        match answer.says {
            Says::Result(value) => members.result = Some(value),
            Says::Body(body) => members.body = Some(body),
            Says::BytesB64(bytes) => members.bytes_b64 = Some(bytes),
            Says::Status(status) => members.status = Some(status),
            Says::Redirect(url) => members.redirect = Some(url),
            Says::Never => members.never = true,
            Says::Refused => members.refused = true,
            Says::Reset => members.reset = true,
            Says::Pending => members.pending = true,
            Says::AgentRun(steps) => members.agent_run = Some(steps),
        }
        members
    }
}
