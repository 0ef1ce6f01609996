//! How a law is held against what is drawn, and how it is known that it was.

use std::cell::RefCell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseResult, TestRng, TestRunner};

const CASES: u32 = 1_000;

/// How often each thing was seen that is to be seen sometimes.
pub(crate) struct Sometimes(BTreeMap<&'static str, usize>);

impl Sometimes {
    pub(crate) fn expecting(what: &[&'static str]) -> Self {
        Self(what.iter().map(|what| (*what, 0)).collect())
    }

    /// Notes whether this was seen.
    pub(crate) fn saw(&mut self, what: &'static str, seen: bool) {
        *self.0.get_mut(what).unwrap_or_else(|| panic!("`{what}` is not on the list")) += usize::from(seen);
    }
}

/// Holds a law against drawn cases: a pass that is the same each time and sees all of `sometimes`,
/// and one at random.
pub(crate) fn holds<S: Strategy>(
    drawn: &S,
    sometimes: &[&'static str],
    law: impl Fn(S::Value, &mut Sometimes) -> TestCaseResult,
) {
    let seen = RefCell::new(Sometimes::expecting(sometimes));
    let law = |value| law(value, &mut seen.borrow_mut());
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    if let Err(failure) = TestRunner::new_with_rng(config(CASES), rng).run(drawn, law) {
        panic!("{failure}");
    }
    let counts = seen.borrow().0.clone();
    let never: Vec<_> = counts.iter().filter(|(_, times)| **times == 0).map(|(what, _)| what).collect();
    assert!(never.is_empty(), "in {CASES} cases never: {never:#?}\nall: {counts:#?}");
    let cases = std::env::var("HOOKPROOF_CASES")
        .map_or(CASES, |cases| cases.parse().expect("HOOKPROOF_CASES is a number of cases"));
    if let Err(failure) = TestRunner::new(config(cases)).run(drawn, law) {
        panic!("{failure}");
    }
}

fn config(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        max_local_rejects: cases.saturating_mul(100),
        ..Config::default()
    }
}
