//! The rules of the Matrices dialect against tables and naive walks that say its clauses in other words.
//!
//! Nothing here takes an expectation from a rule: patterns are spelled out into the names that they stand
//! for, operators are looked up in a table of kinds and ranks, chains are walked by hand, defaults are kept
//! in plain lists, and the audit trail is read back into what happened.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests are tests"
)]

mod audit;
mod bad_input;
mod chain;
mod defaults;
#[path = "../laws/harness.rs"]
mod harness;
mod matching;
mod operators;
mod support;
