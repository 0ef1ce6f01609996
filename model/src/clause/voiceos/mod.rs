//! The clauses of the VoiceOS dialect, one file an idea.

mod confirmation;
mod deadline;
mod event;
mod fold;
mod handler;
mod loading;
mod manifest;
mod selection;
mod wire;

use super::Clause;

pub(super) const CLAUSES: &[&[Clause]] = &[
    event::CLAUSES,
    manifest::CLAUSES,
    loading::CLAUSES,
    selection::CLAUSES,
    wire::CLAUSES,
    fold::CLAUSES,
    deadline::CLAUSES,
    confirmation::CLAUSES,
    handler::CLAUSES,
];
