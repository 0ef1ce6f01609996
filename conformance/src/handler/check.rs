//! What a check is. Each is declared beside the code that carries it out.

use serde::Serialize;

/// One thing that is checked of a hook or its server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Stable id: lower-kebab-case, never reused.
    pub id: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// What it rests on.
    pub rests_on: &'static [Ground],
    /// What holds if it passes, in one sentence.
    pub sentence: &'static str,
}

/// How much breaking a check matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It breaks a rule, or costs the hook its effect.
    Must,
    /// It is of no use, or goes well with one host only.
    Should,
}

/// What a check rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Ground {
    /// A clause of the ledger, by id.
    Clause(&'static str),
    /// The Model Context Protocol, by the part of its specification.
    Mcp(&'static str),
    /// The HTTP specification, by its subject.
    Http(&'static str),
}

impl Severity {
    /// `must` or `should`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
        }
    }
}

impl std::fmt::Display for Ground {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Clause(id) => f.write_str(id),
            Self::Mcp(part) => write!(f, "MCP {part}"),
            Self::Http(subject) => write!(f, "HTTP {subject}"),
        }
    }
}

/// Declares checks, and the list `CHECKS` of them.
macro_rules! checks {
    ($($name:ident = $id:literal, $severity:ident, [$($kind:ident($ground:literal)),+], $sentence:literal;)+) => {
        $(pub(crate) static $name: $crate::handler::check::Check = $crate::handler::check::Check {
            id: $id,
            severity: $crate::handler::check::Severity::$severity,
            rests_on: &[$($crate::handler::check::Ground::$kind($ground)),+],
            sentence: $sentence,
        };)+
        pub(crate) static CHECKS: &[&$crate::handler::check::Check] = &[$(&$name),+];
    };
}
pub(crate) use checks;
