//! What is observed of a step.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::kernel::{Failure, Millis};
use crate::script::present::present;

/// What was observed of one step. Members that do not apply are absent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "VoiceosObservation"))]
pub struct Observation {
    /// `install`, `update`: whether the host took the manifest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<bool>,
    /// `install`, `update`: the events for which its manifest declares hooks, in the events' order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hooks: Option<Vec<String>>,
    /// `install`, `update`: whether the install sheet calls out that the integration has hooks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub callout: Option<bool>,
    /// Why a manifest was not taken; compared only for candidates that can name pointers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultSeen>,
    /// Every hook call, in the order in which they were made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// When the firing ended, since it began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_ms: Option<Millis>,
    /// What came of the firing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The confirmation cards shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cards: Vec<Card>,
    /// What the user was shown in the notch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_sees: Option<Shown>,
    /// `agent_call`: the result that the model reads.
    #[serde(deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub model_sees: Option<Value>,
    /// Failures and reasons, in the order of the calls they belong to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logged: Vec<LogEntry>,
    /// `agent_call`: whether the tool's server was contacted for the tool itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contacted: Option<bool>,
    /// `agent_tools`: the tools that the agent can call, sorted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tools: Option<Vec<ToolRef>>,
    /// A step that the host refused, by kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<HostError>,
    /// What was observed of the control steps carried out meanwhile, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meanwhile: Vec<Observation>,
}

/// A fault of a manifest, by where it is and which clause it breaks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct FaultSeen {
    /// JSON Pointer of the member, or of the parent of a missing one.
    pub pointer: String,
    /// The clause.
    pub clause: String,
}

/// One call of a hook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "VoiceosCall"))]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The integration that was called.
    pub hook: String,
    /// The tool name it was called by.
    pub tool: String,
    /// The whole payload, parsed from `payload_json`.
    pub payload: Value,
    /// When, since the firing began.
    pub at_ms: Millis,
}

/// What came of a firing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "VoiceosOutcome"))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Outcome {
    /// transcript: the agent stream opens with this text. postToolUse: the model reads this result.
    WentOn {
        /// The text or result.
        value: Value,
        /// transcript: what hooks added for the model, in chain order.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        context: Vec<String>,
    },
    /// dictation: this text is pasted.
    Pasted {
        /// The text.
        text: String,
    },
    /// preToolUse: the tool runs with these arguments.
    Executed {
        /// The arguments.
        args: Map<String, Value>,
    },
    /// A hook blocked it: the agent does not run, nothing is pasted, the tool does not run.
    Blocked {},
    /// transcript: a hook answered the turn.
    Handled {},
    /// dictation: a hook consumed the text, nothing is pasted.
    Consumed {},
    /// preToolUse: the user declined.
    Declined {},
    /// preToolUse: a confirmation was needed and nobody was there to ask.
    NotRun {},
    /// preToolUse: as `not_run`, but the call waits for somebody (VO-CONF-8, parks).
    Parked {},
    /// turnComplete: sent to every subscriber, not awaited.
    Sent {},
}

/// A confirmation card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// The manifest's name of the tool.
    pub tool: String,
    /// The arguments that it shows.
    pub args: Map<String, Value>,
}

/// What the user was shown in the notch.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Shown {
    /// The hook's `responseText`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The hook's `view`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<Value>,
}

/// One line of the host's log about a hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "VoiceosLogEntry"))]
#[serde(deny_unknown_fields)]
pub struct LogEntry {
    /// The integration.
    pub hook: String,
    /// How it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// The reason it gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A tool as the agent knows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ToolRef {
    /// Whose tool.
    pub integration: String,
    /// The manifest's name of it.
    pub tool: String,
}

/// Why the host refused a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum HostError {
    /// No integration of this id is installed.
    UnknownIntegration,
    /// No such tool, or none that the agent may see.
    UnknownTool,
    /// The tool is there, but not for the agent (VO-HIDE-2, forbidden).
    Forbidden,
    /// An integration of this id is installed already.
    AlreadyInstalled,
    /// `end_turn` without `begin_turn`.
    NoTurn,
    /// `begin_turn` within a turn.
    TurnOpen,
    /// The step fires something, so it cannot be carried out meanwhile.
    NotAControlStep,
}
