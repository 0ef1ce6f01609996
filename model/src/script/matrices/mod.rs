//! Scripts and observations of the Matrices dialect: steps here, what hooks answer in `answer`, what is
//! observed in `observation`.

mod answer;
mod observation;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use super::voiceos::{FaultSeen, Nothing};
use crate::kernel::Millis;
pub use answer::{Answer, Says};
pub use observation::{
    AgentRun, AuditEntry, Call, Fired, HookSeen, Observation, Outcome, Place, PlatformError, Resumed, Wait,
};

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

impl Step {
    /// How many steps this is, those within it included.
    pub(super) fn all_steps(&self) -> usize {
        let Self::Fire(fire) = self else { return 1 };
        let meanwhile: usize = fire.meanwhile.iter().map(|meanwhile| meanwhile.step.all_steps()).sum();
        let of_agents = fire.answers.values().map(|answer| match &answer.says {
            Says::AgentRun(steps) => steps.iter().map(Self::all_steps).sum(),
            _ => 0,
        });
        1 + meanwhile + of_agents.sum::<usize>()
    }
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
    /// When, since the firing began, by the firing's own clock, which stands still while an agent
    /// processor of it runs steps of its own. At equal times control steps come before answers. A
    /// step is carried out at its time as long as anything is on its way in the step that fires,
    /// be it of another firing; what is left over when nothing is any more is carried out then,
    /// behind every outcome.
    pub at_ms: Millis,
    /// A control step; it neither fires, advances nor resolves anything.
    pub step: Box<Step>,
}
