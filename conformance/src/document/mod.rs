//! Checking a manifest or a profile: the model's faults, each with its place in the text.
//!
//! The model decides what is at fault and says where by JSON Pointer; a second parser, which keeps where
//! everything stands, finds the line and the column.

mod excerpt;
mod place;

use std::ops::Range;

use hookproof_model::kernel::json::{self, Twice};
use hookproof_model::matrices::defaults::{self, Installed};
use hookproof_model::matrices::profile::{self, ProfileHook};
use hookproof_model::reading::{MatricesReadings, VoiceosReadings};
use hookproof_model::voiceos::manifest::{self, Manifest};
use hookproof_model::{Fault, MAX_FAULTS};
use serde::Serialize;

use crate::explain::words;
use excerpt::Lines;
use place::Places;

pub use excerpt::Excerpt;

/// The most findings that are told of one document.
pub const MAX_FINDINGS: usize = 200;

/// Faults that lie in a member's name and not in its value.
const OF_NAMES: [&str; 2] = ["VO-MAN-7a", "VO-MAN-10"];
/// The clauses of a member that is given twice.
const TWICE: [&str; 2] = ["VO-MAN-12", "MX-VAL-17"];

/// One fault and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// JSON Pointer of the member, or of the parent of a missing one.
    pub pointer: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// The clause that it breaks.
    pub clause: &'static str,
    /// What was found and what was expected.
    pub message: String,
    /// What to write instead.
    pub instead: String,
    /// The line itself.
    #[serde(skip)]
    pub excerpt: Excerpt,
}

/// What is wrong with a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    /// The first [`MAX_FINDINGS`] of the model's, in the order of their places.
    pub told: Vec<Finding>,
    /// How many more were counted.
    pub left_out: usize,
    /// Whether that is all; the model counts no more than [`hookproof_model::MAX_FAULTS`].
    pub counted_all: bool,
}

/// Checks a manifest.
///
/// # Errors
/// What is wrong with it.
pub fn manifest(readings: &VoiceosReadings, bytes: &[u8]) -> Result<Manifest, Findings> {
    let text = text(bytes, "manifest", "VO-MAN-9", manifest::MAX_BYTES)?;
    manifest::parse(readings, &text).map_err(|faults| locate(&text, faults, manifest::MAX_BYTES))
}

/// Checks a profile that is created on a platform with these defaults, and says which hooks it ends up with.
///
/// # Errors
/// What is wrong with it.
pub fn profile(
    readings: &MatricesReadings,
    catalogue: &[ProfileHook],
    bytes: &[u8],
) -> Result<Installed, Findings> {
    let text = text(bytes, "profile", "MX-VAL-1", profile::MAX_BYTES)?;
    profile::parse(readings, catalogue, &text)
        .map(|given| defaults::create(readings, catalogue, given))
        .map_err(|faults| locate(&text, faults, profile::MAX_BYTES))
}

/// The text of a document. One that is too long need be no text to be told so.
fn text(bytes: &[u8], name: &str, clause: &'static str, max_bytes: usize) -> Result<String, Findings> {
    let text = String::from_utf8_lossy(bytes).into_owned();
    match std::str::from_utf8(bytes) {
        Err(error) if bytes.len() <= max_bytes => {
            let offset = error.valid_up_to();
            let byte = bytes.get(offset).copied().unwrap_or_default();
            let message = format!("the {name} is not UTF-8: found the byte 0x{byte:02x} at offset {offset}");
            let instead = "the same text saved as UTF-8".to_owned();
            let fault = Fault { pointer: String::new(), clause, message, instead };
            let at = vec![(offset..offset + '\u{fffd}'.len_utf8(), fault)];
            Err(Findings { told: placed(&text, at), left_out: 0, counted_all: true })
        }
        _ => Ok(text),
    }
}

/// Finds where faults stand.
fn locate(text: &str, mut faults: Vec<Fault>, max_bytes: usize) -> Findings {
    let counted_all = faults.len() < MAX_FAULTS;
    let left_out = faults.len().saturating_sub(MAX_FINDINGS);
    faults.truncate(MAX_FINDINGS);
    Findings { told: placed(text, ranges(text, faults, max_bytes)), left_out, counted_all }
}

/// Faults with the parts of the text that they are about.
fn ranges(text: &str, faults: Vec<Fault>, max_bytes: usize) -> Vec<(Range<usize>, Fault)> {
    if text.len() > max_bytes {
        return faults.into_iter().map(|fault| (0..0, fault)).collect();
    }
    if let Err(error) = json::parse(text, Twice::LastCounts) {
        let range = place::of_error(text, &error);
        // The place is told beside the message.
        let tail = format!(" at line {} column {}", error.line(), error.column());
        let bare = |fault: Fault| Fault { message: fault.message.replace(&tail, ""), ..fault };
        return faults.into_iter().map(|fault| (range.clone(), bare(fault))).collect();
    }
    let places = Places::of(text);
    let found = places.find(faults.iter().map(|fault| fault.pointer.as_str()));
    let twice = places.twice();
    let mut at = Vec::new();
    for (fault, place) in faults.into_iter().zip(found) {
        let of_name = place.name.filter(|_| OF_NAMES.contains(&fault.clause));
        let range = of_name.unwrap_or(place.value);
        let is_double = TWICE.contains(&fault.clause);
        let again: Vec<_> =
            twice.iter().filter(|given| is_double && given.pointer == fault.pointer).collect();
        if again.is_empty() {
            at.push((range, fault));
            continue;
        }
        for place::Given { name, first, again, .. } in again {
            let before = Lines::of(text, &[first.start]).first().map_or(1, |(line, _)| *line);
            let name = words::quoted(name);
            let message = format!("the member {name} is given twice; the first is on line {before}");
            at.push((again.clone(), Fault { message, ..fault.clone() }));
        }
    }
    at
}

/// Findings in the order of their places.
fn placed(text: &str, mut faults: Vec<(Range<usize>, Fault)>) -> Vec<Finding> {
    faults.sort_by_key(|(range, _)| range.start);
    let starts: Vec<_> = faults.iter().map(|(range, _)| range.start).collect();
    let places = Lines::of(text, &starts);
    let finding = |((range, fault), (line, column)): ((Range<usize>, Fault), (usize, usize))| {
        let Fault { pointer, clause, message, instead } = fault;
        Finding { pointer, line, column, clause, message, instead, excerpt: Excerpt::of(text, range) }
    };
    faults.into_iter().zip(places).map(finding).collect()
}
