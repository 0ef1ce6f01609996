//! What is observed of a step.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::kernel::{Failure, Millis};
use crate::script::voiceos::FaultSeen;

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
