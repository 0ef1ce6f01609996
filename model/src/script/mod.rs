//! The language of the vectors: a script says what is installed, what fires, what each hook
//! answers and when, and what people do; a transcript says, step by step, what was observed.
//!
//! Both are plain data. Steps are externally tagged (`{"fire": {…}}`), unknown members are
//! errors, and every script starts from a fresh host. Ids that a candidate makes up (deliveries,
//! waits) are renumbered in order of appearance before transcripts are compared.

pub mod ids;
pub mod matrices;
pub(crate) mod present;
pub mod repeat;
pub mod voiceos;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Dialect;

/// One script: steps of one dialect, run on a fresh host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Script {
    /// Steps for a VoiceOS host.
    Voiceos(voiceos::Script),
    /// Steps for a Matrices platform.
    Matrices(matrices::Script),
}

impl Script {
    /// Whose steps these are.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        match self {
            Self::Voiceos(_) => Dialect::Voiceos,
            Self::Matrices(_) => Dialect::Matrices,
        }
    }

    /// How many steps there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::Voiceos(script) => script.steps.len(),
            Self::Matrices(script) => script.steps.len(),
        }
    }

    /// How many steps there are, those within others included.
    #[must_use]
    pub fn all_steps(&self) -> usize {
        match self {
            Self::Voiceos(script) => script.steps.iter().map(voiceos::Step::all_steps).sum(),
            Self::Matrices(script) => script.steps.iter().map(matrices::Step::all_steps).sum(),
        }
    }

    /// Whether there are no steps.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What was observed: one observation a step, `{"steps": [{…}, …]}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Transcript {
    /// Of a VoiceOS script.
    Voiceos(Steps<voiceos::Observation>),
    /// Of a Matrices script.
    Matrices(Steps<matrices::Observation>),
}

/// The observations of a script, in the order of its steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Steps<O> {
    /// One observation a step.
    pub steps: Vec<O>,
}

impl Transcript {
    /// Reads a transcript of `dialect`, so that what is empty and what is absent come out alike.
    ///
    /// # Errors
    /// The value is no transcript; the message says where and why.
    pub fn read(dialect: Dialect, value: &Value) -> Result<Self, serde_json::Error> {
        Ok(match dialect {
            Dialect::Voiceos => Self::Voiceos(Steps::deserialize(value)?),
            Dialect::Matrices => Self::Matrices(Steps::deserialize(value)?),
        })
    }

    /// The observations as JSON, one a step.
    #[must_use]
    pub fn steps(&self) -> Vec<Value> {
        fn values<O: Serialize>(steps: &[O]) -> Vec<Value> {
            // Observations have string keys only, so they always serialize.
            steps.iter().map(|step| serde_json::to_value(step).unwrap_or_default()).collect()
        }
        match self {
            Self::Voiceos(transcript) => values(&transcript.steps),
            Self::Matrices(transcript) => values(&transcript.steps),
        }
    }
}
