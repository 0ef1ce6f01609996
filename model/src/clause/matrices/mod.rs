//! The clauses of the Matrices dialect, one file an idea.

mod audit;
mod defaults;
mod delivery;
mod fold;
mod matching;
mod profile;
mod wait;

use super::Clause;

pub(super) const CLAUSES: &[&[Clause]] = &[
    profile::CLAUSES,
    matching::CLAUSES,
    fold::CLAUSES,
    delivery::CLAUSES,
    defaults::CLAUSES,
    wait::CLAUSES,
    audit::CLAUSES,
];
