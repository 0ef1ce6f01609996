//! What a candidate says of itself: the answer to `about` of the script contract.

use std::collections::BTreeSet;

use hookproof_model::Dialect;
use hookproof_model::reading::Readings;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A candidate's description of itself. Every member may be left out; what is left out claims
/// everything, so that a small adapter need not list what it can do.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, rename_all = "snake_case")]
pub struct About {
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The dialects it speaks; absent: both.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dialects: Option<BTreeSet<Dialect>>,
    /// What it can do beyond firing hooks; absent: everything. See [`crate::capability`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capabilities: Option<BTreeSet<String>>,
    /// The readings it takes, by dialect and clause; absent: the defaults.
    #[schemars(with = "std::collections::BTreeMap<String, std::collections::BTreeMap<String, String>>")]
    pub readings: Readings,
    /// Its own catalogue of default hooks, as a profile would list them; absent: the convention's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub catalogue: Option<Vec<Value>>,
    /// Whether its times are those of the script or those of a clock on the wall.
    pub clock: Clock,
    /// The most scripts it takes at once; absent: no bound of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_concurrency: Option<usize>,
}

/// Whose clock a candidate runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// The script's: times are exact and compared.
    #[default]
    Virtual,
    /// The wall's: times are not compared.
    Real,
}
