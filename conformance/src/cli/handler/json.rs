//! The report of `handler` as one JSON document.

use std::io::{self, Write};

use serde::Serialize;

use crate::handler::{Report, Status};

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    report: &'a Report,
    strict: bool,
    exit_code: u8,
    totals: Totals,
}

#[derive(Serialize)]
struct Totals {
    passed: usize,
    broken_must: usize,
    broken_should: usize,
    not_applicable: usize,
    not_reached: usize,
}

/// Writes the document.
pub(super) fn write(report: &Report, strict: bool, out: &mut dyn Write) -> io::Result<()> {
    use crate::handler::check::Severity;

    let totals = Totals {
        passed: report.count(|status| matches!(status, Status::Passed)),
        broken_must: report.broken(Severity::Must),
        broken_should: report.broken(Severity::Should),
        not_applicable: report.count(|status| matches!(status, Status::NotApplicable { .. })),
        not_reached: report.count(|status| matches!(status, Status::NotReached { .. })),
    };
    let document = Document { report, strict, exit_code: super::exit_code(report, strict), totals };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)
}
