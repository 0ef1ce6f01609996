//! Which clauses a step puts in question, and which readings a script depends on: both by running
//! it once for every mutant and every other reading.

use std::collections::BTreeMap;

use hookproof_model::kernel::json;
use hookproof_model::reading::Readings;
use hookproof_model::run::flips_that_matter;
use hookproof_model::script::{Script, Transcript, ids};
use hookproof_model::{RunError, run};
use serde::Serialize;
use serde_json::Value;

use super::words;
use crate::diagnosis::Suspect;

/// A step of another transcript that is not what was expected.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Departure {
    /// Which step, from one.
    pub step: usize,
    /// Where in its observation, as a JSON Pointer.
    pub pointer: String,
    /// What is expected there, in words.
    pub expected: String,
    /// What is found there, in words.
    pub found: String,
}

impl std::fmt::Display for Departure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { step, pointer, expected, found } = self;
        let pointer = if pointer.is_empty() { "/" } else { pointer };
        write!(f, "step {step}, {pointer}: {found} instead of {expected}")
    }
}

/// An alternative that would change the transcript.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Depends {
    /// The reading's clause, as it is cited.
    pub clause: String,
    /// What the sources leave open.
    pub question: &'static str,
    /// The alternative taken here.
    pub chosen: &'static str,
    /// The other one.
    pub alternative: &'static str,
    /// The first step that it changes.
    pub changes: Departure,
}

/// The suspects that would have observed another thing of each step, by their clauses.
pub(super) fn by_step(
    script: &Script,
    readings: &Readings,
) -> Result<Vec<BTreeMap<&'static str, Vec<String>>>, RunError> {
    let expected = canonical(&run(script, readings)?);
    let mut steps = vec![BTreeMap::<_, Vec<_>>::new(); expected.len()];
    for suspect in Suspect::all(script.dialect(), readings) {
        let Some(found) = suspect.transcript(script, readings) else { continue };
        for ((expected, found), clauses) in expected.iter().zip(canonical(&found)).zip(&mut steps) {
            if *expected != found {
                clauses.entry(suspect.clause(script.dialect())).or_default().push(suspect.name());
            }
        }
    }
    Ok(steps)
}

/// The other readings that change the transcript of a script.
pub(super) fn depends(script: &Script, readings: &Readings) -> Result<Vec<Depends>, RunError> {
    let expected = run(script, readings)?;
    let flips = flips_that_matter(script, readings)?;
    let depends = flips.into_iter().filter_map(|flip| {
        let found = run(script, &readings.flipped(flip)).ok()?;
        let clause = hookproof_model::clause::Clause::by_id(flip.id)?;
        let question = clause.readings().find(|reading| reading.dialect == flip.dialect)?.question;
        Some(Depends {
            clause: clause.citation(),
            question,
            chosen: readings.get(flip.dialect, flip.id)?,
            alternative: flip.alternative,
            changes: departure(&expected, &found)?,
        })
    });
    Ok(depends.collect())
}

/// The first step at which two transcripts differ, and where in it.
pub(super) fn departure(expected: &Transcript, found: &Transcript) -> Option<Departure> {
    let (expected, found) = (canonical(expected), canonical(found));
    let steps = expected.len().max(found.len());
    (0..steps).find_map(|step| {
        let absent = Value::Null;
        let (expected, found) = (expected.get(step).unwrap_or(&absent), found.get(step).unwrap_or(&absent));
        let mut differences = Vec::new();
        differ(Some(expected), Some(found), &mut String::new(), &mut differences);
        // What came of a firing tells more than how it came to it.
        let outcome = differences.iter().position(|difference| difference.0.contains("outcome"));
        let (pointer, expected, found) = differences.into_iter().nth(outcome.unwrap_or_default())?;
        Some(Departure { step: step + 1, pointer, expected, found })
    })
}

/// The observations in the form in which they are compared: ids renumbered, numbers by value.
fn canonical(transcript: &Transcript) -> Vec<Value> {
    let mut steps = Value::Array(transcript.steps());
    json::normalize(&mut steps);
    ids::renumber(&mut steps);
    match steps {
        Value::Array(steps) => steps,
        _ => Vec::new(),
    }
}

/// Every innermost place at which two values differ.
fn differ(
    expected: Option<&Value>,
    found: Option<&Value>,
    pointer: &mut String,
    out: &mut Vec<(String, String, String)>,
) {
    match (expected, found) {
        _ if expected == found => {}
        (Some(Value::Object(a)), Some(Value::Object(b))) if b.keys().any(|name| a.contains_key(name)) => {
            let names = a.keys().chain(b.keys().filter(|name| !a.contains_key(*name)));
            for name in names {
                within(pointer, &name.replace('~', "~0").replace('/', "~1"), |pointer| {
                    differ(a.get(name), b.get(name), pointer, out);
                });
            }
        }
        (Some(Value::Array(a)), Some(Value::Array(b))) if a.len() == b.len() => {
            for (place, (a, b)) in a.iter().zip(b).enumerate() {
                within(pointer, &place.to_string(), |pointer| differ(Some(a), Some(b), pointer, out));
            }
        }
        _ => out.push((pointer.clone(), shown(expected), shown(found))),
    }
}

fn within(pointer: &mut String, name: &str, visit: impl FnOnce(&mut String)) {
    let length = pointer.len();
    pointer.push('/');
    pointer.push_str(name);
    visit(pointer);
    pointer.truncate(length);
}

fn shown(value: Option<&Value>) -> String {
    match value {
        None => "nothing".to_owned(),
        Some(Value::Array(items)) if items.iter().all(Value::is_object) && !items.is_empty() => {
            format!("{} entries", items.len())
        }
        Some(value) => words::value(value),
    }
}
