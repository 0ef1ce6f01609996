//! Scripts and observations of the VoiceOS dialect.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::present::{is_false, present};
use crate::kernel::{Failure, Millis};

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
    /// whose time has not come when the firing ends is carried out then.
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
            _ => Err("an answer has exactly one of result, text, content, tool_error, never, \
                      disconnect, unregistered, mutates"),
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
            Says::ToolError(text) => members.tool_error = Some(text),
            Says::Never => members.never = true,
            Says::Disconnect => members.disconnect = true,
            Says::Unregistered => members.unregistered = true,
            Says::Mutates(value) => members.mutates = Some(value),
        }
        members
    }
}

/// What was observed of one step. Members that do not apply are absent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "VoiceosObservation"))]
pub struct Observation {
    /// `install`, `update`: whether the host took the manifest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<bool>,
    /// `install`, `update`: the events whose hooks are loaded from now on, in the events' order.
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
    /// `end_turn` without `begin_turn`, or `begin_turn` within a turn.
    NoTurn,
    /// The step fires something, so it cannot be carried out meanwhile.
    NotAControlStep,
}
