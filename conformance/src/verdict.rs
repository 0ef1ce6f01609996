//! What came of a case, and of a run.

use std::time::Duration;

use hookproof_model::Dialect;
use hookproof_model::script::Script;

use crate::about::About;
use crate::compare::Difference;
use crate::diagnosis::{Explanation, Suspect};

/// Where a case comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A vector whose expectation a person wrote.
    Anchor,
    /// A drawn vector.
    Corpus,
    /// Drawn for this run.
    Fresh,
}

/// One script to put to a candidate.
#[derive(Debug, Clone)]
pub struct Case {
    /// Stable id: the vector's, or `fresh-<number>` under the run's seed.
    pub id: String,
    /// What it shows, in one line.
    pub title: String,
    /// Where it comes from.
    pub origin: Origin,
    /// The script, in its own words.
    pub script: Script,
    /// The clauses that its author names.
    pub clauses: Vec<String>,
}

impl Case {
    /// Its dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.script.dialect()
    }
}

/// What came of a case.
#[derive(Debug, Clone)]
pub enum Verdict {
    /// The candidate observed what the model expects.
    Passed,
    /// It observed something else.
    Failed(Box<Failure>),
    /// It could not be asked, or broke the contract: one sentence.
    Errored(String),
    /// It does not declare these capabilities, which the case needs.
    NotApplicable(Vec<String>),
    /// It failed, as was expected for this reason.
    ExpectedFailure(Box<Failure>, String),
}

/// A difference with what explains it.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The first step that differs, in the case's own words.
    pub difference: Difference,
    /// The mutants and readings that would have observed the same.
    pub suspects: Vec<Suspect>,
    /// The clauses in question: those of the suspects, else those that the step decides.
    pub clauses: Vec<&'static str>,
}

/// A case with what came of it.
#[derive(Debug, Clone)]
pub struct CaseResult {
    /// The case.
    pub case: Case,
    /// What came of it.
    pub verdict: Verdict,
    /// How long the candidate took.
    pub took: Duration,
}

/// How many cases came out how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// As the model expects.
    pub passed: usize,
    /// Otherwise.
    pub failed: usize,
    /// Could not be asked.
    pub errored: usize,
    /// Not declared.
    pub not_applicable: usize,
    /// Failed as expected.
    pub expected: usize,
}

/// What came of a run against one target.
#[derive(Debug)]
pub struct Report {
    /// The target, as the user named it.
    pub target: String,
    /// What it says of itself; `None` if it could not be asked.
    pub about: Option<About>,
    /// Why it could not be asked at all.
    pub unreachable: Option<String>,
    /// The seed of renaming and fresh scripts.
    pub seed: u64,
    /// Every case, in order.
    pub results: Vec<CaseResult>,
    /// What explains the failures, the best first.
    pub explanations: Vec<Explanation>,
    /// How long the run took.
    pub took: Duration,
}

impl Report {
    /// How many cases came out how.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for result in &self.results {
            match result.verdict {
                Verdict::Passed => counts.passed += 1,
                Verdict::Failed(_) => counts.failed += 1,
                Verdict::Errored(_) => counts.errored += 1,
                Verdict::NotApplicable(_) => counts.not_applicable += 1,
                Verdict::ExpectedFailure(..) => counts.expected += 1,
            }
        }
        counts
    }
}
