//! One failure: the case, what it is diagnosed to, the step, the difference, the command to see it again.

use std::io::{self, Write};

use anstream::adapter::strip_str;
use serde_json::Value;
use similar::{ChangeTag, TextDiff};

use super::super::step_of;
use super::{BAD, BOLD, DIM, GOOD};
use crate::abridge::{abridge, tame};
use crate::diagnosis::Suspect;
use crate::verdict::{Case, Failure};

/// Unchanged lines around a change.
const CONTEXT: usize = 3;
/// The most lines of one difference.
const LINES: usize = 120;
/// The most suspects that are named.
const SUSPECTS: usize = 4;
/// The most characters of a step.
const STEP: usize = 2_000;

/// Writes one failure.
pub(super) fn write(case: &Case, failure: &Failure, replay: &str, out: &mut dyn Write) -> io::Result<()> {
    let difference = &failure.difference;
    writeln!(out, "{BAD}FAILED{BAD:#} {BOLD}{}{BOLD:#}", case.id)?;
    writeln!(out, "  {}", tame(&case.title))?;
    writeln!(out, "  {}", diagnosis(case, failure))?;
    let steps = case.script.len();
    match step_of(case, difference.step) {
        Some(step) => {
            let step = tame(&abridge(&step).to_string());
            let cut: String = step.chars().take(STEP).collect();
            let more = if cut.len() < step.len() { "…" } else { "" };
            writeln!(out, "  step {} of {steps}: {cut}{more}", difference.step + 1)?;
        }
        None => writeln!(out, "  step {}, of which there are only {steps}", difference.step + 1)?,
    }
    if let Some(reason) = &difference.unreadable {
        writeln!(out, "  what was observed cannot be read: {}", tame(reason))?;
    }
    write_difference(&difference.expected, &difference.observed, out)?;
    writeln!(out, "  replay: {}", tame(replay))
}

/// One failure as a text without colours.
pub(in crate::report) fn in_words(case: &Case, failure: &Failure, replay: &str) -> String {
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = write(case, failure, replay, &mut text);
    strip_str(&String::from_utf8_lossy(&text)).to_string()
}

/// What is known of the fault.
pub(in crate::report) fn diagnosis(case: &Case, failure: &Failure) -> String {
    if failure.suspects.is_empty() {
        return match failure.clauses.as_slice() {
            [] => "no clause in question: nothing known differs at this step".to_owned(),
            clauses => format!("clauses in question: {}", clauses.join(", ")),
        };
    }
    let named = failure.suspects.iter().map(|suspect| {
        let (name, clause) = (suspect.name(), suspect.clause(case.dialect()));
        match suspect {
            Suspect::Mutant(_) => format!("behaves as `{name}` ({clause})"),
            Suspect::Reading(_) => format!("reads `{name}`"),
        }
    });
    let named: Vec<_> = named.take(SUSPECTS).collect();
    let more = match failure.suspects.len() - named.len() {
        0 => String::new(),
        more => format!(", or {more} more"),
    };
    named.join(", or ") + &more
}

/// Writes what was expected against what was observed: the changed lines and a few around them.
fn write_difference(expected: &Value, observed: &Value, out: &mut dyn Write) -> io::Result<()> {
    let [expected, observed] = [expected, observed].map(|value| format!("{:#}\n", abridge(value)));
    let difference = TextDiff::from_lines(&expected, &observed);
    writeln!(out, "    {BAD}--- expected{BAD:#}\n    {GOOD}+++ observed{GOOD:#}")?;
    let mut lines = 0;
    for hunk in difference.unified_diff().context_radius(CONTEXT).iter_hunks() {
        writeln!(out, "    {DIM}{}{DIM:#}", hunk.header())?;
        for change in hunk.iter_changes() {
            lines += 1;
            if lines > LINES {
                continue;
            }
            let line = tame(change.value().trim_end());
            match change.tag() {
                ChangeTag::Equal => writeln!(out, "     {line}")?,
                ChangeTag::Delete => writeln!(out, "    {BAD}-{line}{BAD:#}")?,
                ChangeTag::Insert => writeln!(out, "    {GOOD}+{line}{GOOD:#}")?,
            }
        }
    }
    if lines > LINES {
        writeln!(out, "    {DIM}and {} lines more; --format json has all{DIM:#}", lines - LINES)?;
    }
    Ok(())
}
