//! Short names for grounds, so that the tables of clauses read like the ledger.

use super::{Basis, Ground, Source};
use crate::Dialect;

/// It stands on the VoiceOS hooks page.
pub(super) const fn voiceos_page(section: &'static str, phrase: &'static str) -> Ground {
    stated(Source::VoiceosHooks, section, phrase)
}

/// It stands among the VoiceOS wire facts.
pub(super) const fn wire_facts(section: &'static str, phrase: &'static str) -> Ground {
    stated(Source::VoiceosWireFacts, section, phrase)
}

/// It stands on the Matrices hooks page.
pub(super) const fn matrices_page(section: &'static str, phrase: &'static str) -> Ground {
    stated(Source::MatricesHooks, section, phrase)
}

/// It follows from the clauses of these ids.
pub(super) const fn derived(from: &'static [&'static str], how: &'static str) -> Ground {
    whole(Basis::Derived { from, how })
}

/// The project had to choose.
pub(super) const fn convention(why: &'static str) -> Ground {
    whole(Basis::Convention { why })
}

/// The sources leave it open.
pub(super) const READING: Ground = whole(Basis::Reading);

/// It binds this project's own commands.
pub(super) const TOOL: Ground = whole(Basis::Tool);

impl Ground {
    /// The same ground, for a part of the statement.
    pub(super) const fn part(self, part: &'static str) -> Self {
        Self { part, ..self }
    }

    /// The same ground, for one dialect.
    pub(super) const fn only(self, dialect: Dialect) -> Self {
        Self { dialect: Some(dialect), ..self }
    }
}

const fn stated(source: Source, section: &'static str, phrase: &'static str) -> Ground {
    whole(Basis::Stated { source, section, phrase })
}

const fn whole(basis: Basis) -> Ground {
    Ground { dialect: None, part: "", basis }
}
