//! What a clause stands on, in words: the quotation and its place, what it follows from, or why it
//! had to be chosen.

use hookproof_model::Dialect;
use hookproof_model::clause::{Basis, Clause, Ground};

use super::words;
use crate::vector::RestsOn;

/// The grounds of a clause, one sentence each; those of one dialect if one is named.
#[must_use]
pub fn of(clause: &Clause, dialect: Option<Dialect>) -> Vec<String> {
    let speaks =
        |ground: &&Ground| dialect.is_none() || ground.dialect.is_none() || ground.dialect == dialect;
    clause.grounds.iter().filter(speaks).map(|ground| sentence(clause, ground, dialect)).collect()
}

/// The place of a source that an anchor names.
#[must_use]
pub fn named(rests_on: &RestsOn) -> Option<String> {
    let RestsOn { source: Some(source), section, phrase, .. } = rests_on else { return None };
    Some(quotation(source_name(source), section.as_deref(), phrase.as_deref()))
}

fn sentence(clause: &Clause, ground: &Ground, dialect: Option<Dialect>) -> String {
    let basis = match &ground.basis {
        Basis::Stated { source, section, phrase } => {
            quotation(&source.to_string(), Some(section), Some(phrase))
        }
        Basis::Derived { from, how } => {
            let how = if how.is_empty() { String::new() } else { format!(": {how}") };
            format!("follows from {}{how}", words::list(from))
        }
        Basis::Reading => {
            let open = clause.readings().find(|reading| {
                let of = ground.dialect.or(dialect);
                of.is_none_or(|dialect| reading.dialect == dialect)
            });
            let question = open.map(|reading| format!(": {}", reading.question)).unwrap_or_default();
            format!("a reading, since the sources leave it open{question}")
        }
        Basis::Convention { why } => format!("a convention: {why}"),
        Basis::Tool => "binds this project's own commands, never a candidate".to_owned(),
    };
    let of = match ground.dialect {
        Some(speaks) if dialect.is_none() => format!("{speaks}: "),
        _ => String::new(),
    };
    let part = if ground.part.is_empty() { String::new() } else { format!("({}) ", ground.part) };
    format!("{of}{part}{basis}")
}

fn quotation(source: &str, section: Option<&str>, phrase: Option<&str>) -> String {
    let section = section.map(|section| format!(", section {section}")).unwrap_or_default();
    let phrase = phrase.map(|phrase| format!(": “{phrase}”")).unwrap_or_default();
    format!("{source}{section}{phrase}")
}

/// A source's name in vectors as a reader knows it.
fn source_name(source: &str) -> &str {
    match source {
        "voiceos-hooks" => "VoiceOS hooks page",
        "voiceos-wire-facts" => "VoiceOS wire facts",
        "matrices-hooks" => "Matrices hooks page",
        other => other,
    }
}
