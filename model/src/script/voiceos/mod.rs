//! Scripts and observations of the VoiceOS dialect: steps here, events in `event`, what hooks
//! answer in `answer`, what is observed in `observation`.

mod answer;
mod event;
mod observation;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::kernel::Millis;
pub use answer::{Answer, Says};
pub use event::{
    DictationEvent, Event, InputSource, PostToolUseEvent, PreToolUseEvent, Receipt, ToolStatus, ToolUsed,
    TranscriptEvent,
};
pub use observation::{Call, Card, FaultSeen, HostError, LogEntry, Observation, Outcome, Shown, ToolRef};

/// Steps for a VoiceOS host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// In the order in which they are carried out.
    pub steps: Vec<Step>,
}

/// One step of a VoiceOS script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The user installs an integration.
    Install(Install),
    /// An installed integration is replaced by another version of itself, under the same id.
    Update(Install),
    /// The user removes an integration.
    Uninstall(Of),
    /// The `transcript` permission is taken from an installed integration.
    StripPermission(Of),
    /// The user moves the Transcript access toggle of an integration.
    SetTranscriptAccess(TranscriptAccess),
    /// The user decides whether a tool asks before it runs.
    SetPolicy(SetPolicy),
    /// The user locks or unlocks a tool.
    SetLock(SetLock),
    /// Another app comes to the front, or it is unknown which.
    Frontmost(Frontmost),
    /// The agent lists the tools that it can call.
    AgentTools(Nothing),
    /// The agent calls a tool: pre hook, card, tool, post hook, in one story.
    AgentCall(AgentCall),
    /// One event fires by itself.
    Fire(Fire),
    /// A turn begins; what fires until it ends goes into its receipt.
    BeginTurn(BeginTurn),
    /// A turn ends: turnComplete is sent with its receipt.
    EndTurn(EndTurn),
}

impl Step {
    /// How many steps this is, those within it included.
    pub(super) fn all_steps(&self) -> usize {
        let within = match self {
            Self::Fire(fire) => fire.meanwhile.iter().map(|meanwhile| meanwhile.step.all_steps()).sum(),
            _ => 0,
        };
        1 + within
    }
}

/// No arguments: `{}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Nothing {}

/// Names an integration by its manifest's id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Of {
    /// The manifest's id.
    pub integration: String,
}

/// An integration as it is handed to the host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Install {
    /// The manifest's raw text.
    pub manifest: String,
    /// The events whose hook tools its server offers; absent: those that the manifest declares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offers: Option<Vec<String>>,
    /// What its tools do when they run; a tool without an entry gives `{}`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, ToolStub>,
}

/// What a tool does when it runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ToolStub {
    /// It gives this result.
    Result(Value),
    /// It fails, and this is the raw result that says so.
    Fails(Value),
}

/// A move of the Transcript access toggle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TranscriptAccess {
    /// Whose toggle.
    pub integration: String,
    /// Where it stands from now on.
    pub on: bool,
}

/// The user's policy for one tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SetPolicy {
    /// Whose tool.
    pub integration: String,
    /// The manifest's name of the tool.
    pub tool: String,
    /// The policy from now on.
    pub policy: Policy,
}

/// Whether the user wants to be asked before a tool runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// The user has said nothing: the tool does not ask by itself.
    #[default]
    Unset,
    /// Ask before every run.
    Ask,
    /// The user has switched asking off for this tool.
    Never,
}

/// The lock pill of one tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SetLock {
    /// Whose tool.
    pub integration: String,
    /// The manifest's name of the tool.
    pub tool: String,
    /// Whether it is locked from now on.
    pub locked: bool,
}

/// The frontmost app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Frontmost {
    /// The app; absent where it is unknown, as it is on a fresh host.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub app: Option<App>,
}

/// An app, as payloads carry it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct App {
    /// Its bundle id, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle_id: Option<String>,
    /// Its name, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// One call of a tool by the agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AgentCall {
    /// Whose tool.
    pub integration: String,
    /// The name by which the agent calls it.
    pub tool: String,
    /// The arguments that the agent gives.
    pub args: Map<String, Value>,
    /// What the owner's preToolUse hook answers; absent: `{}` at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pre: Option<Answer>,
    /// What the owner's postToolUse hook answers; absent: `{}` at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<Answer>,
    /// What the user does if a card is shown.
    #[serde(default, skip_serializing_if = "User::is_approve")]
    pub user: User,
}

/// One event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Fire {
    /// What happens, with the members of the event's payload that do not come from the host.
    pub event: Event,
    /// What each integration's hook answers, by integration; one without an entry gives `{}` at once.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, Answer>,
    /// What the user does if a card is shown.
    #[serde(default, skip_serializing_if = "User::is_approve")]
    pub user: User,
    /// Control steps carried out while the firing runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub meanwhile: Vec<Meanwhile>,
}

/// What the user does when a confirmation card is shown.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum User {
    /// Approves the call as shown.
    #[default]
    Approve,
    /// Declines it.
    Decline,
    /// Edits the arguments in the card and approves.
    Edit(Map<String, Value>),
    /// Nobody is there to ask.
    Absent,
}

impl User {
    const fn is_approve(&self) -> bool {
        matches!(self, Self::Approve)
    }
}

/// A control step carried out while a firing runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Meanwhile {
    /// When, since the firing began. At equal times control steps come before answers; a step
    /// whose time has not come when the firing ends is carried out then, behind the outcome.
    pub at_ms: Millis,
    /// A control step; it does not fire anything.
    pub step: Box<Step>,
}

/// A turn begins.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct BeginTurn {
    /// The session that its receipt names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
}

/// A turn ends.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct EndTurn {
    /// What the agent answered, where it ran.
    #[serde(default)]
    pub response_text: String,
    /// What each integration's turnComplete hook answers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, Answer>,
}
