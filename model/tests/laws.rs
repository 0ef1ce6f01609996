//! The laws (`clause/laws.rs`) hold, each under exactly its side conditions.
//!
//! Each is drawn twice: once in a pass that is the same every time and must reach what the law is
//! about (*sometimes*: the inserted hook really was asked, the swapped one really failed), and once
//! at random; `HOOKPROOF_CASES` sets how many cases of the second are drawn. Those about time are held
//! against every place around a deadline as well, one by one. Behind each law stand, by hand, the
//! cases that it does not speak of: what goes wrong without its side conditions.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests are tests"
)]

#[expect(dead_code, reason = "the laws count for themselves what they reach")]
mod common;

mod laws {
    mod boundaries;
    mod confirm;
    mod failing;
    mod faster;
    mod firings;
    mod harness;
    mod identity;
    mod neutral;
    mod replay;
    mod rules;
    mod scripts;
    mod split;
    mod suffix;
    mod unmatched;
}
