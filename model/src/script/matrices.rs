//! Scripts and observations of the Matrices dialect.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::present::{is_false, present};
pub use super::voiceos::{FaultSeen, Nothing};
use crate::kernel::{Failure, Millis};

/// Steps for a Matrices platform.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MatricesScript"))]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The default hooks that the platform has at first, as a profile would list them; absent:
    /// those that the candidate declares, else the six of the convention.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catalogue: Option<Vec<Value>>,
    /// In the order in which they are carried out.
    pub steps: Vec<Step>,
}

/// One step of a Matrices script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MatricesStep"))]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// A profile is created.
    CreateProfile(ProfileText),
    /// A profile is updated; members that the text does not mention stay.
    UpdateProfile(ProfileText),
    /// A profile is read.
    GetProfile(OfProfile),
    /// The platform gets another default hook, which reaches existing profiles.
    AddDefault(AddDefault),
    /// A thread is opened under a profile.
    OpenThread(OpenThread),
    /// A thread is cancelled.
    CancelThread(OfThread),
    /// Time passes.
    Advance(Advance),
    /// The threads that hold a wait are listed.
    WaitingThreads(Nothing),
    /// A wait is resolved.
    Resolve(Resolve),
    /// The audit trail of a thread is read.
    Audit(OfThread),
    /// Something happens at one of the four points.
    Fire(Fire),
}

/// A profile's raw text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProfileText {
    /// The label by which later steps name the profile.
    pub profile: String,
    /// The raw text.
    pub text: String,
}

/// Names a profile by its label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OfProfile {
    /// The label.
    pub profile: String,
}

/// A default hook that the platform introduces.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AddDefault {
    /// The hook, as a profile would list it.
    pub hook: Value,
}

/// A thread is opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OpenThread {
    /// The label by which later steps name the thread.
    pub thread: String,
    /// The label of its profile.
    pub profile: String,
}

/// Names a thread by its label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct OfThread {
    /// The label.
    pub thread: String,
}

/// Time passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Advance {
    /// How much.
    pub by_ms: Millis,
}

/// A wait is resolved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Resolve {
    /// The thread in the request's path.
    pub thread: String,
    /// The wait: `<firing>/<hook id>`, the label of the firing and the hook it is parked on. A name
    /// that belongs to no wait stands for an id that the platform never gave out.
    pub wait: String,
    /// The raw request body.
    pub body: String,
}

/// Something happens at a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MatricesFire"))]
#[serde(deny_unknown_fields)]
pub struct Fire {
    /// The label by which later steps name the firing.
    pub firing: String,
    /// The label of the thread in which it happens.
    pub thread: String,
    /// What happens.
    pub event: Event,
    /// What each url or agent hook answers, by hook id; one without an entry defers at once. A
    /// client hook parks the work by itself.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub answers: BTreeMap<String, Answer>,
    /// Control steps carried out while the firing runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub meanwhile: Vec<Meanwhile>,
}

/// An event, tagged by its point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MatricesEvent"))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Event {
    /// Before input reaches the agent.
    BeforeInput {
        /// The input.
        text: String,
    },
    /// Before a tool is called.
    BeforeToolCall {
        /// The tool.
        tool: String,
        /// Its input.
        input: Map<String, Value>,
    },
    /// After a tool was called.
    AfterToolCall {
        /// The tool.
        tool: String,
        /// Its output.
        output: Value,
    },
    /// After the agent's output, before it is persisted and returned.
    AfterOutput {
        /// The output.
        text: String,
    },
}

/// A control step carried out while a firing runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MatricesMeanwhile"))]
#[serde(deny_unknown_fields)]
pub struct Meanwhile {
    /// When, since the firing began. At equal times control steps come before answers; a step
    /// whose time has not come when the firing ends or parks is carried out then.
    pub at_ms: Millis,
    /// A control step; it neither fires, advances nor resolves anything.
    pub step: Box<Step>,
}

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

/// What was observed of one step. Members that do not apply are absent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MatricesObservation"))]
#[serde(default, deny_unknown_fields)]
pub struct Observation {
    /// `create_profile`, `update_profile`, `add_default`: whether the platform took it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accepted: Option<bool>,
    /// `create_profile`, `update_profile`, `get_profile`: the hooks that the profile has now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hooks: Option<Vec<HookSeen>>,
    /// Why a profile was not taken; compared only for candidates that can name pointers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultSeen>,
    /// `fire`: what was observed of the firing until it ended or parked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fired: Option<Fired>,
    /// Earlier firings that this step set going again, in the order in which they went on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resumed: Vec<Resumed>,
    /// `waiting_threads`: the threads that hold a wait, by label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<BTreeMap<String, Vec<Wait>>>,
    /// `audit`: the thread's entries, oldest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<Vec<AuditEntry>>,
    /// A step that the platform refused, by kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<PlatformError>,
    /// What was observed of the control steps carried out meanwhile, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meanwhile: Vec<Observation>,
}

/// A hook as a profile has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HookSeen {
    /// Its id.
    pub id: String,
    /// Its point.
    pub point: String,
    /// The kind of its processor: url, agent or client.
    pub processor: String,
    /// Its failure policy: `fail_closed` or `fail_open`.
    pub on_failure: String,
    /// How long it may be waited for, where it parks the work.
    pub async_timeout_ms: Millis,
}

/// What was observed of a firing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Fired {
    /// Every delivery of a HookInput, in the order in which they were made.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<Call>,
    /// When the firing ended, since it began; absent while it is parked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_ms: Option<Millis>,
    /// What came of it; absent while it is parked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// The wait it is parked on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parked: Option<Wait>,
    /// What was observed of the steps that agent processors ran within their own runs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub agent_runs: Vec<AgentRun>,
}

/// An agent processor's own run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct AgentRun {
    /// The agent hook.
    pub hook: String,
    /// One observation a step of its run.
    pub steps: Vec<Observation>,
}

/// What was observed of an earlier firing that went on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Resumed {
    /// The firing's label.
    pub firing: String,
    /// What came of it from here on.
    pub fired: Fired,
}

/// One delivery of a HookInput.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MatricesCall"))]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The hook's id.
    pub hook: String,
    /// The whole HookInput. Its `deliveryId` is compared only in that equal ids stay equal and
    /// different ones different; its `threadId` is the thread's label.
    pub payload: Value,
    /// When, since the firing began.
    pub at_ms: Millis,
}

/// A wait that holds work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Wait {
    /// Its name in scripts: `<firing>/<hook id>`.
    pub wait: String,
    /// The hook that is waited for.
    pub hook: String,
}

/// What came of a firing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "MatricesOutcome"))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Outcome {
    /// The work goes on with this value.
    WentOn {
        /// The composed text, input or output.
        value: Value,
    },
    /// The work does not happen (`before_input`, `before_tool_call`).
    Denied {},
    /// The output is neither persisted nor returned (`after_tool_call`, `after_output`).
    Withheld {
        /// What stands in its place.
        place: Place,
    },
    /// The thread was cancelled; the work does not happen.
    Cancelled {},
}

/// What stands in the place of a withheld output (MX-FOLD-9b).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// An error that says so.
    Error,
    /// `null`.
    Null,
    /// Nothing.
    Absent,
}

/// One `hook_decision` of the audit trail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AuditEntry {
    /// The hook's id.
    pub hook_id: String,
    /// Its place in the profile's list.
    pub index: u32,
    /// The point.
    pub point: String,
    /// The kind of its processor.
    pub processor: String,
    /// What it decided: defer, allow, deny (or failed, parked, by reading).
    pub decision: String,
    /// From the delivery to the decision; with a virtual clock exact, else not compared.
    pub latency_ms: Millis,
    /// The reason it gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How it failed: an adapter reads this off the reason that names the failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
    /// Whether its rewrite entered the composed value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rewrote: Option<bool>,
    /// The delivery it answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery_id: Option<String>,
}

/// Why the platform refused a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlatformError {
    /// No profile has this label.
    UnknownProfile,
    /// No thread has this label.
    UnknownThread,
    /// The thread was cancelled.
    ThreadCancelled,
    /// The label is taken.
    LabelTaken,
    /// The thread never held this wait.
    UnknownWait,
    /// The wait was resolved before.
    AlreadyResolved,
    /// The wait has expired.
    Expired,
    /// The wait went with its thread.
    Cancelled,
    /// One error for all four (MX-WAIT-5, one-conflict).
    Conflict,
    /// The body is no HookResult for the point.
    NotAResult,
    /// The default is not a hook, or its id is taken by another default.
    BadDefault,
    /// The step cannot be carried out meanwhile.
    NotAControlStep,
}
