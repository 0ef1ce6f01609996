//! Mutants of the VoiceOS dialect, by what they break.

mod call;
mod host;
mod manifest;
mod wire;

use super::Mutant;

pub(super) const MUTANTS: [&[Mutant]; 4] = [manifest::MUTANTS, host::MUTANTS, wire::MUTANTS, call::MUTANTS];
