//! The clauses: every rule of the specification as data.
//!
//! A clause has a stable id that is never reused, one sentence, and the grounds it stands on:
//! where a source states it, which clauses it follows from, which reading it is, or why a
//! convention was needed. It is cited with the ledger's version: `HK-DECIDE-1@0.1`.
//!
//! Whether a clause is *modelled* is no flag here: it is, if some vector decides it.

mod ground;
mod kernel;
mod laws;
mod matrices;
mod voiceos;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Dialect;
use crate::reading::{Reading, Readings};

/// The version that citations carry: major and minor version of this crate.
pub const LEDGER_VERSION: &str = "0.1";

/// One rule of the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Clause {
    /// Stable id: `HK-` for what both dialects share, `VO-` for VoiceOS, `MX-` for Matrices.
    pub id: &'static str,
    /// The rule, in one or two sentences.
    pub statement: &'static str,
    /// What it rests on: one ground a part or a dialect.
    pub grounds: &'static [Ground],
}

/// What a clause, or a part of it, rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Ground {
    /// The dialect it speaks for, where a kernel clause rests on different grounds in each.
    pub dialect: Option<Dialect>,
    /// The part of the statement it carries; empty for the whole.
    pub part: &'static str,
    /// The ground itself.
    pub basis: Basis,
}

/// How a clause came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// A source says it.
    Stated {
        /// Which document.
        source: Source,
        /// The heading under which it says so.
        section: &'static str,
        /// At most eight words of it, verbatim.
        phrase: &'static str,
    },
    /// It follows from other clauses.
    Derived {
        /// Their ids.
        from: &'static [&'static str],
        /// How, in one sentence; empty where it is plain.
        how: &'static str,
    },
    /// The sources leave it open; the alternatives are in [`crate::reading`] under the clause's id.
    Reading,
    /// The project had to choose a name, a table or a limit; an adapter maps its own onto it.
    Convention {
        /// Why a choice was needed.
        why: &'static str,
    },
    /// It binds this project's own commands, never a candidate.
    Tool,
}

/// How strongly a clause binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// A source says it.
    Stated,
    /// It follows from other clauses.
    Derived,
    /// One of several ways to read the sources.
    Reading,
    /// A name, table or limit of this project's.
    Convention,
    /// Binds this project's own commands.
    Tool,
}

/// Whom a clause binds, and so what can show that it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Binds {
    /// Implementations: some vector decides it.
    Hosts,
    /// Implementations, as a property of many scripts: property tests check it, no one vector can.
    Laws,
    /// Implementations under real concurrency, which no script can bring about.
    Live,
    /// Hooks, not those who call them.
    Hooks,
    /// This project's own vectors and commands.
    Project,
}

/// A document that clauses rest on. The documents are not part of this project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The VoiceOS hooks page.
    VoiceosHooks,
    /// Facts about VoiceOS's wire format, gathered from its public SDK and integrations.
    VoiceosWireFacts,
    /// The Matrices hooks page; its four tables did not survive extraction.
    MatricesHooks,
}

impl Basis {
    /// The strength that this ground gives.
    #[must_use]
    pub const fn strength(&self) -> Strength {
        match self {
            Self::Stated { .. } => Strength::Stated,
            Self::Derived { .. } => Strength::Derived,
            Self::Reading => Strength::Reading,
            Self::Convention { .. } => Strength::Convention,
            Self::Tool => Strength::Tool,
        }
    }
}

impl Clause {
    /// Every clause, in the order of the ledger.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        let dialects = voiceos::CLAUSES.iter().chain(matrices::CLAUSES).copied();
        [kernel::CLAUSES, laws::CLAUSES].into_iter().chain(dialects).flatten()
    }

    /// The clause of this id.
    #[must_use]
    pub fn by_id(id: &str) -> Option<&'static Self> {
        Self::all().find(|clause| clause.id == id)
    }

    /// The dialects whose candidates it can bind.
    #[must_use]
    pub fn dialects(&self) -> &'static [Dialect] {
        match self.id.get(..2) {
            Some("VO") => &[Dialect::Voiceos],
            Some("MX") => &[Dialect::Matrices],
            _ => &Dialect::ALL,
        }
    }

    /// Whom it binds.
    #[must_use]
    pub fn binds(&self) -> Binds {
        match self.id {
            id if id.starts_with("HK-LAW-") => Binds::Laws,
            id if id.starts_with("VO-SRV-") => Binds::Hooks,
            // Of two requests that race, a script can send only one first.
            "MX-WAIT-11" => Binds::Live,
            // How this project compares, and how far its vectors go.
            "HK-EQ-1" | "HK-LIMIT-1" => Binds::Project,
            _ if self.grounds.iter().all(|ground| ground.basis == Basis::Tool) => Binds::Project,
            _ => Binds::Hosts,
        }
    }

    /// The readings that this clause leaves to choose.
    pub fn readings(&self) -> impl Iterator<Item = &'static Reading> + use<> {
        let id = self.id;
        Readings::list().filter(move |reading| reading.id == id)
    }

    /// The strengths of its grounds, each once, the strongest first.
    #[must_use]
    pub fn strengths(&self) -> Vec<Strength> {
        let mut strengths: Vec<_> = self.grounds.iter().map(|ground| ground.basis.strength()).collect();
        strengths.sort_unstable();
        strengths.dedup();
        strengths
    }

    /// The id with the ledger's version, as a discussion cites it.
    #[must_use]
    pub fn citation(&self) -> String {
        format!("{}@{LEDGER_VERSION}", self.id)
    }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Stated => "stated",
            Self::Derived => "derived",
            Self::Reading => "reading",
            Self::Convention => "convention",
            Self::Tool => "tool",
        })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::VoiceosHooks => "VoiceOS hooks page",
            Self::VoiceosWireFacts => "VoiceOS wire facts",
            Self::MatricesHooks => "Matrices hooks page",
        })
    }
}
