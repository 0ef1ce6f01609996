//! The mutants: implementations that break one rule, through the seams of the model.
//!
//! The suite is judged by what it catches. A vector *decides* a clause if some mutant of that clause
//! changes its transcript, or, where the clause is a reading, if another alternative does.

mod kernel;
mod matrices;
mod voiceos;

use hookproof_model::kernel::{Answer, Reply};
use hookproof_model::{Dialect, Rules};

/// Rules that a mutant or the specification runs by.
pub type AnyRules = dyn Rules + Send + Sync;

/// One mutant.
#[derive(Clone, Copy)]
pub struct Mutant {
    /// Its name, for `--mutant` and in diagnoses.
    pub name: &'static str,
    /// The clauses that it breaks, the one it is made for first.
    pub clauses: &'static [&'static str],
    /// What it does.
    pub does: &'static str,
    /// Where the fault was seen in the field; empty where it was not.
    pub seen: &'static str,
    /// Its rules.
    pub rules: &'static AnyRules,
}

impl Mutant {
    /// Every mutant.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        [kernel::MUTANTS].into_iter().chain(voiceos::MUTANTS).chain(matrices::MUTANTS).flatten()
    }

    /// The mutant of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::all().find(|mutant| mutant.name == name)
    }

    /// The clauses that it breaks in a dialect: those that can bind there.
    pub fn clauses_in(&self, dialect: Dialect) -> impl Iterator<Item = &'static str> + use<> {
        let other = match dialect {
            Dialect::Voiceos => "MX-",
            Dialect::Matrices => "VO-",
        };
        self.clauses.iter().copied().filter(move |clause| !clause.starts_with(other))
    }

    /// Whether it breaks anything in a dialect.
    #[must_use]
    pub fn binds(&self, dialect: Dialect) -> bool {
        self.clauses_in(dialect).next().is_some()
    }

    /// The first clause that it breaks in a dialect.
    #[must_use]
    pub fn clause(&self, dialect: Dialect) -> &'static str {
        self.clauses_in(dialect).next().or(self.clauses.first().copied()).unwrap_or_default()
    }
}

impl std::fmt::Debug for Mutant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mutant")
            .field("name", &self.name)
            .field("clauses", &self.clauses)
            .finish_non_exhaustive()
    }
}

/// A decoded answer with something changed.
fn altered(reply: Option<Reply>, change: impl FnOnce(&mut Answer)) -> Option<Reply> {
    match reply {
        Some(Reply::Answered(mut answer)) => {
            change(&mut answer);
            Some(Reply::Answered(answer))
        }
        reply => reply,
    }
}

/// Declares mutants: a name, its clauses, what it does, where it was seen, and the one rule that it
/// overrides, in the seam of the kernel or of a dialect.
macro_rules! mutants {
    ($($name:literal breaks $clauses:tt, $does:literal, seen $seen:literal: $ty:ident in $seam:ident { $($rule:tt)* })+) => {
        pub(super) const MUTANTS: &[$crate::mutant::Mutant] = &[$($crate::mutant::Mutant {
            name: $name, clauses: &$clauses, does: $does, seen: $seen, rules: &$ty,
        }),+];
        $(
            struct $ty;
            $crate::mutant::mutants!(@$seam $ty { $($rule)* });
        )+
    };
    (@kernel $ty:ident { $($rule:tt)* }) => {
        impl hookproof_model::kernel::Rules for $ty { $($rule)* }
        impl hookproof_model::voiceos::Rules for $ty {}
        impl hookproof_model::matrices::Rules for $ty {}
    };
    (@voiceos $ty:ident { $($rule:tt)* }) => {
        impl hookproof_model::kernel::Rules for $ty {}
        impl hookproof_model::voiceos::Rules for $ty { $($rule)* }
        impl hookproof_model::matrices::Rules for $ty {}
    };
    (@matrices $ty:ident { $($rule:tt)* }) => {
        impl hookproof_model::kernel::Rules for $ty {}
        impl hookproof_model::voiceos::Rules for $ty {}
        impl hookproof_model::matrices::Rules for $ty { $($rule)* }
    };
}
use mutants;
