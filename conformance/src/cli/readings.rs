//! `--reading CLAUSE=ALTERNATIVE`, as several verbs take it.

use hookproof_model::Dialect;
use hookproof_model::reading::{Reading, Readings};

use super::CliError;

/// The default readings but for the chosen ones: those of one dialect, or of each dialect that has them.
pub(super) fn readings(dialect: Option<Dialect>, chosen: &[String]) -> Result<Readings, CliError> {
    let mut readings = Readings::default();
    for choice in chosen {
        let refused = |reason: String| CliError::new(format_args!("--reading {choice}: {reason}"));
        let Some((clause, alternative)) = choice.split_once('=') else {
            let expected = "expected CLAUSE=ALTERNATIVE, as in VO-DL-4=late; `hookproof clauses` lists them";
            return Err(refused(expected.to_owned()));
        };
        let is_meant = |reading: &&Reading| {
            reading.id == clause && dialect.is_none_or(|dialect| reading.dialect == dialect)
        };
        let of_clause: Vec<_> = Readings::list().filter(is_meant).collect();
        if of_clause.is_empty() {
            let of = dialect.map_or_else(String::new, |dialect| format!(" of the {dialect} dialect"));
            return Err(refused(format!("`{clause}` is no reading{of}; `hookproof clauses` lists them")));
        }
        // A clause may be open in both dialects and have an alternative in one alone.
        let has = |reading: &&&Reading| reading.alternatives.contains(&alternative);
        let having: Vec<_> = of_clause.iter().filter(has).collect();
        for reading in if having.is_empty() { of_clause.iter().collect() } else { having } {
            readings.set(reading.dialect, clause, alternative).map_err(|error| refused(error.to_string()))?;
        }
    }
    readings.validate().map_err(|error| CliError::new(format_args!("--reading: {error}")))?;
    Ok(readings)
}
