//! The report for people: what explains the failures first, then each failure, then the totals.

mod failure;

pub(super) use failure::{diagnosis, in_words as failure_in_words};

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use hookproof_model::reading::{Flip, Readings};
use hookproof_model::{Dialect, run};

use super::{Run, Section, declared};
use crate::about::About;
use crate::abridge::tame;
use crate::diagnosis::Explanation;
use crate::verdict::{CaseResult, Failure, Report, Verdict};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const BAD: Style = AnsiColor::Red.on_default();
const GOOD: Style = AnsiColor::Green.on_default();
const ODD: Style = AnsiColor::Yellow.on_default();

/// How many cases of a kind are told in full unless all are asked for.
const IN_FULL: usize = 10;
/// How many clauses in question are named.
const CLAUSES: usize = 8;

/// Writes the report. It carries escape codes for colour: whoever hands `out` in takes them out where they
/// are not wanted.
///
/// # Errors
/// `out` fails.
pub fn write(run: &Run, show_all: bool, out: &mut dyn Write) -> io::Result<()> {
    for section in &run.sections {
        write_section(section, show_all, out)?;
        writeln!(out)?;
    }
    for problem in &run.problems {
        writeln!(out, "{BAD}{}{BAD:#}", tame(problem))?;
    }
    if run.interrupted {
        writeln!(out, "{ODD}interrupted: this is what came so far{ODD:#}")?;
    }
    let style = if run.exit_code() == 0 { GOOD } else { BAD };
    writeln!(out, "{style}{}{style:#}", run.totals())
}

fn write_section(section: &Section, show_all: bool, out: &mut dyn Write) -> io::Result<()> {
    let report = &section.report;
    write_header(section, out)?;
    if let Some(problem) = &report.unreachable {
        return writeln!(out, "  {BAD}could not be asked:{BAD:#} {}", tame(problem));
    }
    write_explanations(report, out)?;
    write_failures(section, show_all, out)?;
    let errored = report.results.iter().filter_map(|result| match &result.verdict {
        Verdict::Errored(sentence) => {
            Some(format!("{BAD}ERRORED{BAD:#} {}: {}", result.case.id, tame(sentence)))
        }
        _ => None,
    });
    write_lines(errored.collect(), show_all, out)?;
    let expected = report.results.iter().filter_map(|result| match &result.verdict {
        Verdict::ExpectedFailure(_, reason) => {
            Some(format!("{ODD}EXPECTED{ODD:#} {}: {}", result.case.id, tame(reason)))
        }
        _ => None,
    });
    write_lines(expected.collect(), show_all, out)?;
    write_not_applicable(report, out)?;
    write_readings(report, show_all, out)?;
    write_counts(report, out)
}

/// Which target, what it says of itself, by which readings it is judged, with which seed.
fn write_header(section: &Section, out: &mut dyn Write) -> io::Result<()> {
    let report = &section.report;
    write!(out, "{BOLD}{}{BOLD:#}", tame(&section.name))?;
    if section.name != report.target {
        write!(out, " ({})", tame(&report.target))?;
    }
    if let Some(About { name, version, .. }) = &report.about {
        let words: Vec<_> = name.iter().chain(version).map(|word| tame(word)).collect();
        if !words.is_empty() {
            write!(out, ": {}", words.join(" "))?;
        }
    }
    writeln!(out)?;
    write!(out, "  {}, seed {}", counted(report.results.len(), "case"), report.seed)?;
    let Some(about) = &report.about else { return writeln!(out) };
    let readings: Vec<_> =
        Dialect::ALL.into_iter().flat_map(|dialect| declared(&about.readings, dialect)).collect();
    match readings.as_slice() {
        [] => writeln!(out, ", judged by the default readings"),
        readings => writeln!(out, ", judged by {} and otherwise the default readings", readings.join(", ")),
    }
}

/// What explains the failures, the clause first.
fn write_explanations(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    if failures(report).next().is_none() {
        return Ok(());
    }
    writeln!(out, "\n{BOLD}What explains the failures{BOLD:#}")?;
    let telling = telling(report);
    for explanation in &telling {
        let Explanation { name, clauses, does, is_reading, explains, of } = explanation;
        let (clauses, of) = (clauses.join(", "), counted(*of, "failure"));
        let verb = if *is_reading { "reads" } else { "behaves as" };
        let does = if *is_reading { "If that is meant, declare the reading in `about`." } else { does };
        writeln!(out, "  {BOLD}{clauses}{BOLD:#}: {verb} `{name}` in {explains} of {of}")?;
        writeln!(out, "    {DIM}{does}{DIM:#}")?;
    }
    match report.explanations.len() - telling.len() {
        0 => {}
        1 => writeln!(out, "  {DIM}One more explains some of the same failures.{DIM:#}")?,
        more => writeln!(out, "  {DIM}{more} more explain some of the same failures.{DIM:#}")?,
    }
    write_unexplained(report, out)
}

/// The explanations worth naming: those of every failure of their dialects, and those of a failure that none
/// before them explains.
fn telling(report: &Report) -> Vec<&Explanation> {
    let mut explained = BTreeSet::new();
    let adds = |explanation: &&Explanation| {
        let before = explained.len();
        let explains = |failure: &Failure| failure.suspects.iter().any(|it| it.name() == explanation.name);
        explained.extend(failures(report).enumerate().filter(|(_, (_, it))| explains(it)).map(|(at, _)| at));
        explanation.explains == explanation.of || explained.len() > before
    };
    report.explanations.iter().filter(adds).collect()
}

/// The failures that no suspect explains, by the clauses that their steps decide.
fn write_unexplained(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let unexplained: Vec<_> =
        failures(report).map(|(_, failure)| failure).filter(|failure| failure.suspects.is_empty()).collect();
    if unexplained.is_empty() {
        return Ok(());
    }
    let mut clauses: BTreeMap<&str, usize> = BTreeMap::new();
    for clause in unexplained.iter().flat_map(|failure| &failure.clauses) {
        *clauses.entry(clause).or_default() += 1;
    }
    let mut clauses: Vec<_> = clauses.into_iter().collect();
    clauses.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let named = clauses.iter().take(CLAUSES).map(|(clause, count)| format!("{clause} in {count}"));
    let named = named.collect::<Vec<_>>().join(", ");
    let named = if named.is_empty() { "no clause".to_owned() } else { named };
    let more = match clauses.len().saturating_sub(CLAUSES) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let count = counted(unexplained.len(), "failure");
    writeln!(out, "  {BOLD}No known fault{BOLD:#} explains {count}; in question: {named}{more}")
}

fn write_failures(section: &Section, show_all: bool, out: &mut dyn Write) -> io::Result<()> {
    let report = &section.report;
    let in_full = if show_all { usize::MAX } else { IN_FULL };
    // What is explained most narrowly comes first, and of that the smallest case.
    let mut failures: Vec<_> = failures(report).collect();
    failures.sort_by_cached_key(|(result, failure)| {
        let suspects = if failure.suspects.is_empty() { usize::MAX } else { failure.suspects.len() };
        (suspects, serde_json::to_string(&result.case.script).map_or(usize::MAX, |script| script.len()))
    });
    for (result, failure) in failures.iter().take(in_full) {
        let replay = section.replay.command(&result.case, report.seed);
        writeln!(out)?;
        failure::write(&result.case, failure, &replay, out)?;
    }
    let mut briefly = 0;
    for (result, failure) in failures.iter().skip(in_full) {
        if briefly == 0 {
            writeln!(out)?;
        }
        let (id, title) = (&result.case.id, &result.case.title);
        writeln!(out, "{BAD}FAILED{BAD:#} {id}: {title} ({})", failure.clauses.join(", "))?;
        briefly += 1;
    }
    if briefly > 0 {
        writeln!(out, "{DIM}{briefly} failures in one line each; --show-all shows all in full{DIM:#}")?;
    }
    Ok(())
}

fn write_lines(lines: Vec<String>, show_all: bool, out: &mut dyn Write) -> io::Result<()> {
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let shown = if show_all { lines.len() } else { lines.len().min(IN_FULL) };
    for line in lines.iter().take(shown) {
        writeln!(out, "{line}")?;
    }
    if shown < lines.len() {
        writeln!(out, "{DIM}and {} more; --show-all shows all{DIM:#}", lines.len() - shown)?;
    }
    Ok(())
}

/// What was not put to the candidate, by what it would have had to declare.
fn write_not_applicable(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let lacking = not_applicable(report);
    if lacking.is_empty() {
        return Ok(());
    }
    let count = counted(report.counts().not_applicable, "case");
    let named: Vec<_> = lacking.iter().map(|(name, count)| format!("{name} in {count}")).collect();
    writeln!(out, "\n{ODD}NOT APPLICABLE{ODD:#} {count}, for want of {}", named.join(", "))
}

/// How many cases each capability that is not declared keeps from running.
pub(super) fn not_applicable(report: &Report) -> BTreeMap<&str, usize> {
    let mut lacking = BTreeMap::new();
    for result in &report.results {
        if let Verdict::NotApplicable(lacks) = &result.verdict {
            for capability in lacks {
                *lacking.entry(capability.as_str()).or_default() += 1;
            }
        }
    }
    lacking
}

/// The readings by which it was judged: those that the failing steps depend on, or all.
fn write_readings(report: &Report, show_all: bool, out: &mut dyn Write) -> io::Result<()> {
    let Some(about) = &report.about else { return Ok(()) };
    let chosen = &about.readings;
    let mut readings = BTreeSet::new();
    if show_all {
        readings.extend(Readings::list().map(|reading| (reading.dialect, reading.id)));
    } else {
        readings.extend(failures(report).flat_map(|(result, failure)| depends_on(result, failure, chosen)));
    }
    if readings.is_empty() {
        return Ok(());
    }
    let what =
        if show_all { "Judged by these readings" } else { "Readings that the failing steps depend on" };
    writeln!(out, "\n{what}")?;
    for dialect in Dialect::ALL {
        let of_dialect = readings.iter().filter(|(of, _)| *of == dialect);
        let named: Vec<_> =
            of_dialect.filter_map(|(_, id)| Some(format!("{id}={}", chosen.get(dialect, id)?))).collect();
        if !named.is_empty() {
            writeln!(out, "  {dialect}: {}", named.join(", "))?;
        }
    }
    Ok(())
}

/// The readings of which another alternative would expect something else of the step that failed.
fn depends_on(result: &CaseResult, failure: &Failure, readings: &Readings) -> Vec<(Dialect, &'static str)> {
    let (script, step) = (&result.case.script, failure.difference.step);
    let expected = |readings: &Readings| Some(run(script, readings).ok()?.steps().get(step)?.clone());
    let by_these = expected(readings);
    let differs = |flip: &Flip| expected(&readings.flipped(*flip)) != by_these;
    readings.flips(script.dialect()).filter(differs).map(|flip| (flip.dialect, flip.id)).collect()
}

fn write_counts(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let counts = report.counts();
    let others = [
        (counts.failed, "failed"),
        (counts.errored, "errored"),
        (counts.not_applicable, "not applicable"),
        (counts.expected, "failed as expected"),
    ];
    let others: String = others
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!(", {count} {what}"))
        .collect();
    let took = report.took.as_secs_f64();
    let gap = if others.is_empty() { "" } else { "\n" };
    writeln!(out, "{gap}  {} passed{others} in {took:.1} s", counts.passed)
}

fn failures(report: &Report) -> impl Iterator<Item = (&CaseResult, &Failure)> {
    report.results.iter().filter_map(|result| match &result.verdict {
        Verdict::Failed(failure) => Some((result, &**failure)),
        _ => None,
    })
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
