//! The report of `check` for people.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use hookproof_model::matrices::defaults::Installed;
use hookproof_model::voiceos::EventKind;
use hookproof_model::voiceos::loading;
use hookproof_model::voiceos::manifest::{Declared, Manifest};

use super::{Outcome, Report, effective};
use crate::abridge::tame;
use crate::document::{Finding, Findings};

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const BAD: Style = AnsiColor::Red.on_default();
const GOOD: Style = AnsiColor::Green.on_default();

/// Writes the report, with escape codes for colour.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    for file in &report.files {
        let name = tame(&file.name);
        match &file.outcome {
            // Told on standard error.
            Outcome::Unreadable(_) => continue,
            Outcome::Rejected(findings) => write_findings(&name, findings, out)?,
            Outcome::Manifest(manifest) => {
                writeln!(out, "{BOLD}{name}{BOLD:#}: {GOOD}accepted{GOOD:#}")?;
                write_manifest(manifest, out)?;
            }
            Outcome::Profile(installed, show) => {
                writeln!(out, "{BOLD}{name}{BOLD:#}: {GOOD}accepted{GOOD:#}")?;
                write_profile(installed, *show, out)?;
            }
        }
        writeln!(out)?;
    }
    let style = if report.exit_code() == 0 { GOOD } else { BAD };
    let faults = match report.faults() {
        0 => String::new(),
        1 => " (1 fault)".to_owned(),
        count if report.counted_all() => format!(" ({count} faults)"),
        count => format!(" ({count} faults or more)"),
    };
    let unreadable = match report.unreadable() {
        0 => String::new(),
        count => format!(", {count} unreadable"),
    };
    writeln!(
        out,
        "{style}{} accepted, {} rejected{faults}{unreadable}{style:#}",
        report.accepted(),
        report.rejected()
    )
}

fn write_findings(name: &str, findings: &Findings, out: &mut dyn Write) -> io::Result<()> {
    for (index, finding) in findings.told.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let Finding { line, column, clause, message, instead, excerpt, .. } = finding;
        writeln!(out, "{BOLD}{name}:{line}:{column}{BOLD:#}: {BAD}{clause}{BAD:#}: {}", tame(message))?;
        let number = format!("{line:>5}");
        writeln!(out, "{DIM}{number} |{DIM:#} {}", excerpt.line)?;
        writeln!(out, "{DIM}{:5} |{DIM:#} {BAD}{}{BAD:#}", "", excerpt.mark)?;
        writeln!(out, "      instead: {}", tame(instead))?;
    }
    match findings.left_out {
        0 => Ok(()),
        more => {
            let or_more = if findings.counted_all { "" } else { ", or still more" };
            writeln!(out, "\n{BOLD}{name}{BOLD:#}: {more} more{or_more}")
        }
    }
}

fn write_manifest(manifest: &Manifest, out: &mut dyn Write) -> io::Result<()> {
    let hook = |(event, declared): (&EventKind, &Declared)| {
        let apps = declared.apps.as_ref().map(|apps| format!(" (in {})", effective::listed(apps)));
        format!("{}{}", event.name(), apps.unwrap_or_default())
    };
    let hooks: Vec<_> = manifest.hooks.iter().map(hook).collect();
    let hooks = if hooks.is_empty() { "none".to_owned() } else { hooks.join(", ") };
    writeln!(out, "  hooks: {hooks}")?;
    let callout = if loading::calls_out(manifest) { "flags them (callout)" } else { "flags nothing" };
    writeln!(out, "  install sheet: {callout}")
}

fn write_profile(installed: &Installed, show: bool, out: &mut dyn Write) -> io::Result<()> {
    let count = installed.hooks.len();
    let defaults = installed.hooks.iter().filter(|(_, is_default)| *is_default).count();
    let opted_out = if installed.opted_out { ", opted out of the defaults" } else { "" };
    writeln!(out, "  hooks: {count}, of which {defaults} stand as defaults{opted_out}")?;
    if show && count > 0 {
        for line in effective::table(installed) {
            writeln!(out, "  {}", line.trim_end())?;
        }
    }
    Ok(())
}
