//! Parked work, step by step: MX-WAIT-1 to 12, and what deadlines and audit have to do with it.
//!
//! The platform is held against a reference that keeps lists and was written from the clauses alone
//! (`reference.rs`): on drawn sequences of deeds, which shrink (`state_machine.rs`), and on every
//! sequence over a small alphabet (`exhaustive.rs`), where the plain formulation has to say the same.
//! That a parked chain is a stored firing is held in `stored.rs`; what takes a story to tell stands in
//! `scenes.rs`.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests are tests"
)]

mod deeds;
mod exhaustive;
#[path = "../laws/harness.rs"]
mod harness;
mod moves;
mod reference;
mod scenes;
mod state_machine;
mod stored;
