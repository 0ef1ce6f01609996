//! Expected failures: what a candidate is known to fail, each with the reason.
//!
//! ```toml
//! [[expect]]
//! clause = "HK-REWRITE-2"
//! reason = "Hooks see the original until the dispatcher is rewritten."
//!
//! [[expect]]
//! glob = "mx-a-wait-*"
//! reason = "Waits are not built yet."
//! ```
//!
//! An entry that matches no failing case is stale, and a stale entry fails the run: the file only ever
//! says what is so.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use globset::GlobMatcher;
use hookproof_model::clause::Clause;
use serde::Deserialize;
use toml::Spanned;

use crate::case;
use crate::diagnosis::Dictionary;
use crate::verdict::{Case, Failure, Report, Verdict};

/// A file of expected failures, and which of its entries have been met.
#[derive(Debug, Default)]
pub struct Expectations {
    entries: Vec<Expectation>,
}

#[derive(Debug)]
struct Expectation {
    place: Place,
    what: What,
    reason: String,
    is_met: bool,
}

/// The cases that an entry speaks of.
#[derive(Debug)]
enum What {
    Id(String),
    Glob(GlobMatcher),
    /// Failures that put this clause in question.
    Clause(&'static str),
}

/// Where an entry, or a fault, stands.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    path: PathBuf,
    line: usize,
}

/// A file of expected failures that cannot be used: where and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct ExpectationError {
    place: Place,
    reason: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    expect: Vec<Spanned<Entry>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: Option<String>,
    glob: Option<String>,
    clause: Option<String>,
    reason: String,
}

impl Expectations {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, is no TOML, has an unknown key, or an entry without a reason or without exactly
    /// one of `id`, `glob` and `clause`.
    pub fn read(path: &Path) -> Result<Self, ExpectationError> {
        let text = fs::read_to_string(path).map_err(|error| {
            let place = Place { path: path.to_path_buf(), line: 0 };
            ExpectationError { place, reason: error.to_string() }
        })?;
        Self::parse(path, &text)
    }

    /// Reads the text of the file at `path`.
    ///
    /// # Errors
    /// As [`Expectations::read`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, ExpectationError> {
        let place = |offset: usize| Place { path: path.to_path_buf(), line: line_of(text, offset) };
        let file: File = toml::from_str(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            let reason = error.message().lines().collect::<Vec<_>>().join("; ");
            ExpectationError { place: place(offset), reason }
        })?;
        let entries = file.expect.into_iter().map(|entry| {
            let place = place(entry.span().start);
            Expectation::read(entry.into_inner(), &place)
                .map_err(|reason| ExpectationError { place: place.clone(), reason })
        });
        Ok(Self { entries: entries.collect::<Result<_, _>>()? })
    }

    /// Whether a failure of this case is expected.
    #[must_use]
    pub fn excuse(&self, case: &Case, failure: &Failure) -> bool {
        self.entries.iter().any(|entry| entry.what.matches(case, failure))
    }

    /// Turns the expected failures of a report into such, and explains the rest anew.
    pub fn apply(&mut self, report: &mut Report) {
        for result in &mut report.results {
            let Verdict::Failed(failure) = &result.verdict else { continue };
            let mut reason = None;
            for entry in &mut self.entries {
                if entry.what.matches(&result.case, failure) {
                    entry.is_met = true;
                    reason.get_or_insert_with(|| entry.reason.clone());
                }
            }
            if let Some(reason) = reason {
                result.verdict = Verdict::ExpectedFailure(failure.clone(), reason);
            }
        }
        let mut dictionary = Dictionary::default();
        for result in &report.results {
            if let Verdict::Failed(failure) = &result.verdict {
                dictionary.add(result.case.dialect(), &failure.suspects);
            }
        }
        report.explanations = dictionary.ranked();
    }

    /// The entries that matched no failing case, one sentence each.
    ///
    /// `left` are the cases that the run left out by its filters: an entry that may speak of one of them is
    /// not judged.
    #[must_use]
    pub fn stale(&self, left: &[Case]) -> Vec<String> {
        let is_stale = |entry: &&Expectation| !entry.is_met && !entry.what.may_be_among(left);
        self.entries.iter().filter(is_stale).map(Expectation::to_string).collect()
    }
}

impl Expectation {
    fn read(entry: Entry, place: &Place) -> Result<Self, String> {
        let Entry { id, glob, clause, reason } = entry;
        let what = match (id, glob, clause) {
            (Some(id), None, None) => What::Id(id),
            (None, Some(glob), None) => What::Glob(case::glob(&glob)?),
            (None, None, Some(clause)) => match Clause::by_id(&clause) {
                Some(clause) => What::Clause(clause.id),
                None => return Err(format!("there is no clause `{clause}`; `hookproof clauses` lists them")),
            },
            _ => return Err("expected exactly one of `id`, `glob` and `clause`".to_owned()),
        };
        if reason.trim().is_empty() {
            return Err("the reason is empty; say why the failure is expected".to_owned());
        }
        Ok(Self { place: place.clone(), what, reason, is_met: false })
    }
}

impl What {
    fn matches(&self, case: &Case, failure: &Failure) -> bool {
        match self {
            Self::Id(id) => case.id == *id,
            Self::Glob(glob) => glob.is_match(&case.id),
            Self::Clause(clause) => failure.clauses.contains(clause),
        }
    }

    /// Whether one of these cases, of which nothing was observed, might match.
    fn may_be_among(&self, cases: &[Case]) -> bool {
        match self {
            Self::Id(id) => cases.iter().any(|case| case.id == *id),
            Self::Glob(glob) => cases.iter().any(|case| glob.is_match(&case.id)),
            Self::Clause(_) => !cases.is_empty(),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, what, reason, .. } = self;
        let what = match what {
            What::Id(id) => format!("the case `{id}`"),
            What::Glob(glob) => format!("a case that fits `{}`", glob.glob()),
            What::Clause(clause) => format!("a failure of {clause}"),
        };
        write!(f, "{place}: stale: {what} was expected ({reason}) and there is none; remove the entry")
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if self.line > 0 { write!(f, ":{}", self.line) } else { Ok(()) }
    }
}

/// The line of a byte, from one.
fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::an_unknown_key(
        "[[expect]]\nid = 'a'\nreason = 'r'\nwhen = 'now'\n",
        "known.toml:4: unknown field `when`"
    )]
    #[case::no_reason("\n[[expect]]\nid = 'a'\n", "known.toml:2: missing field `reason`")]
    #[case::an_empty_reason("[[expect]]\nid = 'a'\nreason = ' '\n", "known.toml:1: the reason is empty")]
    #[case::nothing_named("[[expect]]\nreason = 'r'\n", "known.toml:1: expected exactly one of")]
    #[case::two_things_named(
        "[[expect]]\nid = 'a'\nglob = 'a*'\nreason = 'r'\n",
        "known.toml:1: expected exactly one"
    )]
    #[case::no_such_clause(
        "[[expect]]\nclause = 'HK-NO-1'\nreason = 'r'\n",
        "known.toml:1: there is no clause `HK-NO-1`"
    )]
    #[case::no_glob("[[expect]]\nglob = '[a'\nreason = 'r'\n", "known.toml:1: `[a` is no glob")]
    #[case::no_toml("[[expect]]\nid = \n", "known.toml:2: ")]
    #[case::another_table("[[expected]]\nid = 'a'\nreason = 'r'\n", "known.toml:1: unknown field `expected`")]
    fn a_faulty_file_is_refused_with_its_line(#[case] text: &str, #[case] expected: &str) {
        let error = Expectations::parse(Path::new("known.toml"), text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
        assert_eq!(error.lines().count(), 1);
    }

    #[test]
    fn an_entry_that_nothing_met_is_stale() {
        let text = "[[expect]]\nid = 'mx-a'\nreason = 'later'\n";
        let expectations = Expectations::parse(Path::new("known.toml"), text).unwrap();
        let [stale] = expectations.stale(&[]).try_into().unwrap();
        assert_eq!(
            stale,
            "known.toml:1: stale: the case `mx-a` was expected (later) and there is none; remove the entry"
        );
    }
}
