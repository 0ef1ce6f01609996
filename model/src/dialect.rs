//! The hook designs that the specification covers.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A hook design: a choice of rules, readings and wire over the shared kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// VoiceOS hooks: MCP tools with reserved names, hard shared budgets, always fail open.
    Voiceos,
    /// Matrices hooks: an ordered list on a profile, fail closed by default, parked waits.
    Matrices,
}

impl Dialect {
    /// Both dialects.
    pub const ALL: [Self; 2] = [Self::Voiceos, Self::Matrices];

    /// The name used in scripts, options and reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Voiceos => "voiceos",
            Self::Matrices => "matrices",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for Dialect {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|dialect| dialect.name() == name)
            .ok_or_else(|| format!("`{name}` is no dialect; expected voiceos or matrices"))
    }
}
