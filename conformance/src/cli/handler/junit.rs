//! The report of `handler` for CI servers: JUnit XML, one test case a check.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, SerializeError, TestCase, TestCaseStatus, TestSuite};

use super::text;
use crate::handler::check::Severity;
use crate::handler::{Checked, Report, Status};

/// Writes the report.
pub(super) fn write(report: &Report, strict: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut document = quick_junit::Report::new("hookproof handler");
    let took = std::time::Duration::from_secs_f64(report.took_s);
    document.set_time(took);
    let mut suite = TestSuite::new(report.target.as_str());
    suite.set_time(took);
    suite.add_test_cases(report.checks.iter().map(|checked| test_case(checked, strict)));
    document.add_test_suite(suite);
    document.serialize(out).map_err(|error: SerializeError| io::Error::other(error))
}

fn test_case(checked: &Checked, strict: bool) -> TestCase {
    let Checked { check, status, notes } = checked;
    let skipped = |message: String| {
        let mut status = TestCaseStatus::skipped();
        status.set_message(message);
        status
    };
    let status = match status {
        Status::Passed => TestCaseStatus::success(),
        Status::Broken { findings, left_out } => {
            let told = text::in_words(findings, *left_out);
            if check.severity == Severity::Must || strict {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                let grounds: Vec<_> = check.rests_on.iter().map(ToString::to_string).collect();
                status.set_type(grounds.join(" "));
                status.set_message(check.sentence);
                status.set_description(told);
                status
            } else {
                skipped(format!("should: {told}"))
            }
        }
        Status::NotApplicable { reason } => skipped(format!("not applicable: {reason}")),
        Status::NotReached { reason } => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(format!("not reached: {reason}"));
            status
        }
    };
    let mut case = TestCase::new(check.id, status);
    case.set_classname(check.severity.name());
    if !notes.is_empty() {
        case.set_system_out(notes.join("\n"));
    }
    case
}
