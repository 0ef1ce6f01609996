//! The report for programs: one JSON document.
//!
//! Members keep their names and meanings; new ones may be added.
//!
//! | member | what |
//! |---|---|
//! | `hookproof` | the version of this command |
//! | `ledger` | the version of the clauses |
//! | `vectors` | the folder they were read from, or the digest of those packed into the command |
//! | `exit_code` | as the command exits |
//! | `interrupted` | whether the run ended before its end |
//! | `problems` | what fails the run beside its cases, one sentence each |
//! | `counts` | over all targets: `passed`, `failed`, `errored`, `not_applicable`, `expected_failure` |
//! | `targets` | one a target, in the order in which they ran |
//!
//! Of each target:
//!
//! | member | what |
//! |---|---|
//! | `name`, `target` | what it is called, and how it was reached |
//! | `about` | what it says of itself; `null` if it could not be asked |
//! | `unreachable` | why it could not be asked; else `null` |
//! | `seed` | of renaming and fresh scripts |
//! | `took_ms` | how long the run took |
//! | `readings` | by dialect and clause, every reading by which it was judged |
//! | `counts` | as above |
//! | `explanations` | what explains the failures, the best first: `name`, `kind` (`mutant` or `reading`), `clauses`, `does`, `explains`, `of` |
//! | `not_applicable` | by capability, how many cases needed it in vain |
//! | `cases` | every case, in order |
//!
//! Of each case: `id`, `title`, `origin` (`anchor`, `corpus`, `fresh`), `dialect`, `verdict` (`passed`, `failed`,
//! `errored`, `not_applicable`, `expected_failure`), `clauses` (those its author names), `took_ms`, and
//!
//! | member | of which verdict | what |
//! |---|---|---|
//! | `diagnosis` | failed, expected | `suspects` (`name`, `kind`, `clause`) and `clauses` in question |
//! | `step` | failed, expected | the first step that differs, from zero |
//! | `script_step` | failed, expected | that step of the script; `null` if there is none |
//! | `expected`, `observed` | failed, expected | what the model expects of it and what the candidate observed |
//! | | | an observation of more than 256 KiB is shortened: long texts and lists to their beginning and a digest |
//! | `unreadable` | failed, expected | why the observation cannot be read, if it cannot |
//! | `error` | errored | one sentence |
//! | `lacks` | not applicable | the capabilities that it needs and that are not declared |
//! | `reason` | expected | why the failure is expected |
//! | `replay` | failed, errored, expected | the command that runs just this case again |

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use hookproof_model::reading::Readings;
use hookproof_model::{Dialect, clause};
use serde::Serialize;
use serde_json::Value;

use super::{Run, Section, step_of, text};
use crate::about::About;
use crate::diagnosis::{Explanation, Suspect};
use crate::verdict::{CaseResult, Counts, Failure, Origin, Verdict};

/// Writes the report.
///
/// # Errors
/// `out` fails.
pub fn write(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let document = Document {
        hookproof: env!("CARGO_PKG_VERSION"),
        ledger: clause::LEDGER_VERSION,
        vectors: &run.vectors,
        exit_code: run.exit_code(),
        interrupted: run.interrupted,
        problems: &run.problems,
        counts: run.counts().into(),
        targets: run.sections.iter().map(target).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}

#[derive(Serialize)]
struct Document<'a> {
    hookproof: &'a str,
    ledger: &'a str,
    vectors: &'a str,
    exit_code: u8,
    interrupted: bool,
    problems: &'a [String],
    counts: CountsOut,
    targets: Vec<TargetOut<'a>>,
}

#[derive(Serialize)]
struct CountsOut {
    passed: usize,
    failed: usize,
    errored: usize,
    not_applicable: usize,
    expected_failure: usize,
}

#[derive(Serialize)]
struct TargetOut<'a> {
    name: &'a str,
    target: &'a str,
    about: Option<&'a About>,
    unreachable: Option<&'a str>,
    seed: u64,
    took_ms: u64,
    readings: BTreeMap<&'static str, BTreeMap<&'static str, &'static str>>,
    counts: CountsOut,
    explanations: Vec<ExplanationOut<'a>>,
    not_applicable: BTreeMap<&'a str, usize>,
    cases: Vec<CaseOut<'a>>,
}

#[derive(Serialize)]
struct ExplanationOut<'a> {
    name: &'a str,
    kind: &'static str,
    clauses: &'a [&'static str],
    does: &'static str,
    explains: usize,
    of: usize,
}

#[derive(Serialize)]
struct CaseOut<'a> {
    id: &'a str,
    title: &'a str,
    origin: &'static str,
    dialect: Dialect,
    verdict: &'static str,
    clauses: &'a [String],
    took_ms: u64,
    #[serde(flatten)]
    failure: Option<FailureOut<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lacks: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replay: Option<String>,
}

#[derive(Serialize)]
struct FailureOut<'a> {
    diagnosis: Diagnosis<'a>,
    step: usize,
    script_step: Option<Value>,
    expected: &'a Value,
    observed: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    unreadable: Option<&'a str>,
}

#[derive(Serialize)]
struct Diagnosis<'a> {
    suspects: Vec<SuspectOut>,
    clauses: &'a [&'static str],
}

#[derive(Serialize)]
struct SuspectOut {
    name: String,
    kind: &'static str,
    clause: &'static str,
}

fn target(section: &Section) -> TargetOut<'_> {
    let report = &section.report;
    let readings = report.about.as_ref().map(|about| about.readings).unwrap_or_default();
    TargetOut {
        name: &section.name,
        target: &report.target,
        about: report.about.as_ref(),
        unreachable: report.unreachable.as_deref(),
        seed: report.seed,
        took_ms: millis(report.took),
        readings: by_dialect(&readings),
        counts: report.counts().into(),
        explanations: report.explanations.iter().map(explanation).collect(),
        not_applicable: text::not_applicable(report),
        cases: report.results.iter().map(|result| case(section, result)).collect(),
    }
}

fn by_dialect(readings: &Readings) -> BTreeMap<&'static str, BTreeMap<&'static str, &'static str>> {
    let mut chosen: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for reading in Readings::list() {
        if let Some(alternative) = readings.get(reading.dialect, reading.id) {
            chosen.entry(reading.dialect.name()).or_default().insert(reading.id, alternative);
        }
    }
    chosen
}

fn explanation(explanation: &Explanation) -> ExplanationOut<'_> {
    ExplanationOut {
        name: &explanation.name,
        kind: if explanation.is_reading { "reading" } else { "mutant" },
        clauses: &explanation.clauses,
        does: explanation.does,
        explains: explanation.explains,
        of: explanation.of,
    }
}

fn case<'a>(section: &Section, result: &'a CaseResult) -> CaseOut<'a> {
    let CaseResult { case, verdict, took } = result;
    let replay = || Some(section.replay.command(case, section.report.seed));
    let out = CaseOut {
        id: &case.id,
        title: &case.title,
        origin: match case.origin {
            Origin::Anchor => "anchor",
            Origin::Corpus => "corpus",
            Origin::Fresh => "fresh",
        },
        dialect: case.dialect(),
        verdict: "passed",
        clauses: &case.clauses,
        took_ms: millis(*took),
        failure: None,
        error: None,
        lacks: None,
        reason: None,
        replay: None,
    };
    match verdict {
        Verdict::Passed => out,
        Verdict::Failed(failure) => {
            CaseOut { verdict: "failed", failure: Some(failed(result, failure)), replay: replay(), ..out }
        }
        Verdict::Errored(sentence) => {
            CaseOut { verdict: "errored", error: Some(sentence), replay: replay(), ..out }
        }
        Verdict::NotApplicable(lacks) => CaseOut { verdict: "not_applicable", lacks: Some(lacks), ..out },
        Verdict::ExpectedFailure(failure, reason) => CaseOut {
            verdict: "expected_failure",
            failure: Some(failed(result, failure)),
            reason: Some(reason),
            replay: replay(),
            ..out
        },
    }
}

fn failed<'a>(result: &CaseResult, failure: &'a Failure) -> FailureOut<'a> {
    let suspect = |suspect: &Suspect| SuspectOut {
        name: suspect.name(),
        kind: match suspect {
            Suspect::Mutant(_) => "mutant",
            Suspect::Reading(_) => "reading",
        },
        clause: suspect.clause(result.case.dialect()),
    };
    let Failure { difference, suspects, clauses } = failure;
    FailureOut {
        diagnosis: Diagnosis { suspects: suspects.iter().map(suspect).collect(), clauses },
        step: difference.step,
        script_step: step_of(&result.case, difference.step),
        expected: &difference.expected,
        observed: &difference.observed,
        unreadable: difference.unreadable.as_deref(),
    }
}

fn millis(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}

impl From<Counts> for CountsOut {
    fn from(counts: Counts) -> Self {
        let Counts { passed, failed, errored, not_applicable, expected } = counts;
        Self { passed, failed, errored, not_applicable, expected_failure: expected }
    }
}
