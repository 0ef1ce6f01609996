//! The report of `handler` for people.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use crate::abridge::tame;
use crate::explain::words::wrap;
use crate::handler::check::Severity;
use crate::handler::latency::Figures;
use crate::handler::{Checked, Finding, Report, Status};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const BAD: Style = AnsiColor::Red.on_default();
const WARN: Style = AnsiColor::Yellow.on_default();
const GOOD: Style = AnsiColor::Green.on_default();
/// Lines are no longer than this, unless a word is.
const WIDTH: usize = 110;

/// Writes the report, with escape codes for colour.
pub(super) fn write(report: &Report, strict: bool, out: &mut dyn Write) -> io::Result<()> {
    let Report { target, checks, latency, took_s, .. } = report;
    writeln!(out, "{BOLD}{}{BOLD:#}: {} checks, {took_s:.1} s", tame(target), checks.len())?;
    for severity in [Severity::Must, Severity::Should] {
        for checked in checks.iter().filter(|checked| checked.check.severity == severity) {
            if let Status::Broken { findings, left_out } = &checked.status {
                broken(checked, findings, *left_out, out)?;
            }
        }
    }
    section(out, "Notes", checks, |checked| {
        checked.notes.iter().map(|note| (checked.check.id.to_owned(), note.clone())).collect()
    })?;
    if !latency.is_empty() {
        table(latency, out)?;
    }
    // Many checks say nothing for one and the same reason.
    let by_reason = |of: fn(&Status) -> Option<&String>| {
        let mut reasons: Vec<(&String, Vec<&str>)> = Vec::new();
        for checked in checks {
            let Some(reason) = of(&checked.status) else { continue };
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, ids)) => ids.push(checked.check.id),
                None => reasons.push((reason, vec![checked.check.id])),
            }
        }
        reasons
    };
    let groups = [
        (
            "Not applicable",
            by_reason(|status| match status {
                Status::NotApplicable { reason } => Some(reason),
                _ => None,
            }),
        ),
        (
            "Not reached",
            by_reason(|status| match status {
                Status::NotReached { reason } => Some(reason),
                _ => None,
            }),
        ),
    ];
    for (title, reasons) in groups {
        if !reasons.is_empty() {
            writeln!(out, "\n{BOLD}{title}{BOLD:#}")?;
        }
        for (reason, ids) in reasons {
            lines(out, &format!("{reason}: {}", ids.join(", ")), "  ", "    ")?;
        }
    }
    last_lines(report, strict, out)
}

fn last_lines(report: &Report, strict: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    let beside = [
        (if strict { 0 } else { report.broken(Severity::Should) }, "of severity should are broken"),
        (report.count(|status| matches!(status, Status::NotApplicable { .. })), "not applicable"),
        (report.count(|status| matches!(status, Status::NotReached { .. })), "not reached"),
    ];
    let beside: Vec<_> = beside
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if !beside.is_empty() {
        writeln!(out, "{}", beside.join(", "))?;
    }
    let passed = report.count(|status| matches!(status, Status::Passed));
    let style = if super::exit_code(report, strict) == 0 { GOOD } else { BAD };
    writeln!(out, "{style}{passed} passed, {} failed{style:#}", super::failed(report, strict))
}

fn broken(checked: &Checked, findings: &[Finding], left_out: usize, out: &mut dyn Write) -> io::Result<()> {
    let check = checked.check;
    let style = if check.severity == Severity::Must { BAD } else { WARN };
    let grounds: Vec<_> = check.rests_on.iter().map(ToString::to_string).collect();
    writeln!(
        out,
        "\n{style}BROKEN{style:#} {BOLD}{}{BOLD:#} ({}; {})",
        check.id,
        check.severity.name(),
        grounds.join(", ")
    )?;
    for line in wrap(check.sentence, "  ", "  ", WIDTH) {
        writeln!(out, "{DIM}{line}{DIM:#}")?;
    }
    for finding in findings {
        lines(out, &told(finding), "  ", "    ")?;
        lines(out, &format!("costs: {}", finding.cost), "    ", "    ")?;
    }
    match left_out {
        0 => Ok(()),
        more => writeln!(out, "  {more} more"),
    }
}

fn told(finding: &Finding) -> String {
    let Finding { place, on, message, times, .. } = finding;
    let on =
        if on.is_empty() || message.contains(on.as_str()) { String::new() } else { format!(" (on {on})") };
    let times = if *times > 1 { format!(" ({times} times)") } else { String::new() };
    format!("{place}: {message}{on}{times}")
}

/// Findings as plain text.
pub(super) fn in_words(findings: &[Finding], left_out: usize) -> String {
    let mut all: Vec<_> =
        findings.iter().map(|finding| tame(&format!("{}; costs: {}", told(finding), finding.cost))).collect();
    if left_out > 0 {
        all.push(format!("{left_out} more"));
    }
    all.join("\n")
}

fn section(
    out: &mut dyn Write,
    title: &str,
    checks: &[Checked],
    of: impl Fn(&Checked) -> Vec<(String, String)>,
) -> io::Result<()> {
    let entries: Vec<_> = checks.iter().flat_map(of).collect();
    if entries.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}{title}{BOLD:#}")?;
    for (name, text) in entries {
        lines(out, &format!("{name}: {text}"), "  ", "    ")?;
    }
    Ok(())
}

fn lines(out: &mut dyn Write, text: &str, first: &str, rest: &str) -> io::Result<()> {
    wrap(&tame(text), first, rest, WIDTH).iter().try_for_each(|line| writeln!(out, "{line}"))
}

fn table(latency: &[Figures], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{BOLD}Latency{BOLD:#} in ms; what is left of the budget by 19 of 20 calls")?;
    writeln!(
        out,
        "{DIM}  {:<16}{:>8}{:>7}{:>10}{:>10}{:>10}{:>9}{:>7}{DIM:#}",
        "hook", "at once", "calls", "p50", "p95", "maximum", "budget", "left"
    )?;
    for Figures { place, at_once, calls, p50_ms, p95_ms, max_ms, budget_ms, left, .. } in latency {
        let left = (left * 100.0).round();
        writeln!(
            out,
            "  {place:<16}{at_once:>8}{calls:>7}{p50_ms:>10.2}{p95_ms:>10.2}{max_ms:>10.2}{budget_ms:>9}{left:>6}%"
        )?;
    }
    Ok(())
}
