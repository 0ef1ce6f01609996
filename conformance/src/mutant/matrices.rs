//! Mutants of the Matrices dialect, by what they break.

mod defaults;
mod matching;
mod profile;
mod wait;
mod wire;

use super::Mutant;

pub(super) const MUTANTS: [&[Mutant]; 5] =
    [profile::MUTANTS, defaults::MUTANTS, matching::MUTANTS, wire::MUTANTS, wait::MUTANTS];
