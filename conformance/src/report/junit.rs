//! The report for CI servers: JUnit XML, one test suite a target, one test case a case.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, SerializeError, TestCase, TestCaseStatus, TestSuite};

use super::{Run, Section, text};
use crate::verdict::{CaseResult, Verdict};

/// Writes the report. Problems beside the cases are a suite of their own, so that no server takes the run for
/// passed.
///
/// # Errors
/// `out` fails.
pub fn write(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let mut document = quick_junit::Report::new("hookproof");
    document.set_time(run.sections.iter().map(|section| section.report.took).sum());
    document.add_test_suites(run.sections.iter().map(suite));
    if !run.problems.is_empty() {
        let mut suite = TestSuite::new("hookproof");
        suite.add_test_cases(run.problems.iter().map(|problem| {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_message(problem.as_str());
            TestCase::new("requirements", status)
        }));
        document.add_test_suite(suite);
    }
    document.serialize(out).map_err(|error: SerializeError| io::Error::other(error))
}

fn suite(section: &Section) -> TestSuite {
    let mut suite = TestSuite::new(section.name.as_str());
    suite.set_time(section.report.took);
    suite.add_property(("target", section.report.target.as_str()));
    suite.add_property(("seed", section.report.seed.to_string().as_str()));
    suite.add_test_cases(section.report.results.iter().map(|result| test_case(section, result)));
    suite
}

fn test_case(section: &Section, result: &CaseResult) -> TestCase {
    let replay = || section.replay.command(&result.case, section.report.seed);
    let status = match &result.verdict {
        Verdict::Passed => TestCaseStatus::success(),
        Verdict::Failed(failure) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(failure.clauses.join(" "));
            status.set_message(text::diagnosis(&result.case, failure));
            status.set_description(text::failure_in_words(&result.case, failure, &replay()));
            status
        }
        Verdict::Errored(sentence) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(sentence.as_str());
            status.set_description(format!("{sentence}\nreplay: {}", replay()));
            status
        }
        Verdict::NotApplicable(lacks) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(format!("not applicable, for want of {}", lacks.join(", ")));
            status
        }
        Verdict::ExpectedFailure(_, reason) => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(format!("failed as expected: {reason}"));
            status
        }
    };
    let mut case = TestCase::new(result.case.id.as_str(), status);
    case.set_classname(format!("{}.{}", section.name, result.case.dialect()));
    case.set_time(result.took);
    case.add_property(("title", result.case.title.as_str()));
    case
}
