//! Walks a script step by step, in plain sentences: who is asked, what it sees, what it answers
//! when, what changes, and which clauses are in question.
//!
//! Every fact comes from the model while it runs the script: its observations, what its rules said
//! (`witness`), and on a platform its audit trail. Nothing here says a rule a second time.

mod firing;
pub mod ground;
mod matrices;
mod question;
mod text;
pub mod timeline;
mod voiceos;
mod witness;
pub mod words;

use hookproof_model::clause::{Clause, LEDGER_VERSION};
use hookproof_model::kernel::Spec;
use hookproof_model::reading::Readings;
use hookproof_model::script::{Script, Steps, Transcript};
use hookproof_model::{Dialect, RunError, run};
use serde::Serialize;
use serde_json::Value;

use self::firing::Told;
pub use self::question::{Departure, Depends};
use self::timeline::Timeline;
use crate::mutant::{AnyRules, Mutant};
use crate::vector::{RestsOn, Vector};

/// The widest line of an explanation.
pub const WIDTH: usize = 80;

/// What is explained.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The vector's id, if it is one.
    pub id: Option<String>,
    /// What it shows, in one line; empty for a bare script.
    pub title: String,
    /// What happens.
    pub script: Script,
    /// What an anchor rests on.
    pub rests_on: Vec<RestsOn>,
    /// What a vector expects.
    pub expected: Option<Transcript>,
}

/// A script, walked through.
#[derive(Debug, Clone, Serialize)]
pub struct Explanation {
    /// The vector's id; `null` for a bare script.
    pub id: Option<String>,
    /// What it shows, in one line.
    pub title: String,
    /// Whose script it is.
    pub dialect: Dialect,
    /// The version that citations carry.
    pub ledger: &'static str,
    /// The readings that are not the default ones.
    pub readings: Readings,
    /// The mutant that carries it out; `null` for the specification.
    pub by: Option<By>,
    /// What an anchor rests on.
    pub rests_on: Vec<Cited>,
    /// Every step.
    pub steps: Vec<StepExplained>,
    /// The alternatives of readings that would change the transcript.
    pub depends_on: Vec<Depends>,
    /// Where this is not what the vector expects.
    pub differs_from_vector: Option<Departure>,
}

/// A mutant as an explanation names it.
#[derive(Debug, Clone, Serialize)]
pub struct By {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub does: &'static str,
    /// The clauses that it breaks.
    pub clauses: &'static [&'static str],
}

/// One step, walked through.
#[derive(Debug, Clone, Serialize)]
pub struct StepExplained {
    /// Which, from one.
    pub step: usize,
    /// What it does, as a phrase.
    pub does: String,
    /// What happens, as sentences.
    pub sentences: Vec<String>,
    /// Its firings as time lines.
    pub timelines: Vec<Drawn>,
    /// The clauses that it decides.
    pub clauses: Vec<Cited>,
    /// Where the mutant departs from the specification.
    pub departs: Option<Departure>,
    /// The model's observation.
    pub observed: Value,
}

/// A time line as it is printed.
#[derive(Debug, Clone, Serialize)]
pub struct Drawn {
    /// The firing's name, where a step shows several.
    pub title: String,
    /// Its lines, of at most [`WIDTH`] characters.
    pub lines: Vec<String>,
}

/// A clause in question.
#[derive(Debug, Clone, Serialize)]
pub struct Cited {
    /// Its id with the ledger's version.
    pub clause: String,
    /// The rule.
    pub statement: &'static str,
    /// What it stands on, one sentence a ground.
    pub grounds: Vec<String>,
    /// The mutants and readings that would have observed another thing.
    pub decided_by: Vec<String>,
}

/// How one step is told, before clauses are added.
#[derive(Debug, Default)]
struct Telling {
    does: String,
    sentences: Vec<String>,
    timelines: Vec<(String, Timeline)>,
}

impl Telling {
    fn add(&mut self, title: &str, told: &Told) {
        self.sentences.extend(told.sentences());
        self.timelines.extend(told.timeline().map(|timeline| (title.to_owned(), timeline)));
    }
}

impl From<&Vector> for Subject {
    fn from(vector: &Vector) -> Self {
        Self {
            id: Some(vector.id().to_owned()),
            title: vector.file.title.clone(),
            script: vector.file.script.clone(),
            rests_on: vector.file.rests_on.clone(),
            expected: Some(vector.transcript.clone()),
        }
    }
}

/// Walks through a script as the specification carries it out by these readings, or a mutant.
///
/// # Errors
/// The readings exclude each other, or the script's catalogue is faulty.
pub fn explain(
    subject: &Subject,
    readings: &Readings,
    by: Option<&'static Mutant>,
) -> Result<Explanation, RunError> {
    let script = &subject.script;
    let dialect = script.dialect();
    let specified = run(script, readings)?;
    let rules: &AnyRules = by.map_or(&Spec, |mutant| mutant.rules);
    let (tellings, transcript) = tell(rules, readings, script)?;
    let rests_on: Vec<_> = subject.rests_on.iter().filter_map(|rests_on| rests(rests_on, dialect)).collect();
    let by_step = question::by_step(script, readings)?;
    let observations = transcript.steps();
    let steps = tellings.into_iter().zip(observations).zip(by_step).enumerate();
    let steps = steps.map(|(place, ((telling, observed), mut clauses))| {
        let several = telling.timelines.len() > 1;
        let timelines = telling.timelines.into_iter().map(|(title, timeline)| Drawn {
            title: if several { title } else { String::new() },
            lines: timeline.draw(WIDTH - 2),
        });
        // First what an anchor rests on, then the ledger's order.
        let first = subject.rests_on.iter().filter_map(|rests_on| Clause::by_id(&rests_on.clause));
        let in_order: Vec<_> = first.chain(Clause::all()).collect();
        let cited = in_order.into_iter().filter_map(|clause| {
            let suspects = clauses.remove(clause.id)?;
            Some(cite(clause, dialect, suspects))
        });
        StepExplained {
            step: place + 1,
            does: telling.does,
            sentences: telling.sentences,
            timelines: timelines.collect(),
            clauses: cited.collect(),
            departs: None,
            observed,
        }
    });
    let mut steps: Vec<_> = steps.collect();
    if let Some(departure) = question::departure(&specified, &transcript)
        && let Some(step) = steps.get_mut(departure.step - 1)
    {
        step.departs = Some(departure);
    }
    let expected = subject.expected.as_ref();
    Ok(Explanation {
        id: subject.id.clone(),
        title: subject.title.clone(),
        dialect,
        ledger: LEDGER_VERSION,
        readings: *readings,
        by: by.map(|mutant| By { name: mutant.name, does: mutant.does, clauses: mutant.clauses }),
        rests_on,
        steps,
        depends_on: question::depends(script, readings)?,
        differs_from_vector: expected.and_then(|expected| question::departure(expected, &transcript)),
    })
}

/// Tells every step, with the transcript that this gives.
fn tell(
    rules: &AnyRules,
    readings: &Readings,
    script: &Script,
) -> Result<(Vec<Telling>, Transcript), RunError> {
    Ok(match script {
        Script::Voiceos(script) => {
            let (tellings, steps) = voiceos::tell(rules, readings.voiceos, script).into_iter().unzip();
            (tellings, Transcript::Voiceos(Steps { steps }))
        }
        Script::Matrices(script) => {
            let (tellings, steps) = matrices::tell(rules, readings.matrices, script)?.into_iter().unzip();
            (tellings, Transcript::Matrices(Steps { steps }))
        }
    })
}

fn cite(clause: &Clause, dialect: Dialect, decided_by: Vec<String>) -> Cited {
    let grounds = ground::of(clause, Some(dialect));
    Cited { clause: clause.citation(), statement: clause.statement, grounds, decided_by }
}

/// A clause that an anchor rests on, with the place that the anchor names before those of the ledger.
fn rests(rests_on: &RestsOn, dialect: Dialect) -> Option<Cited> {
    let mut cited = cite(Clause::by_id(&rests_on.clause)?, dialect, Vec::new());
    if let Some(named) = ground::named(rests_on)
        && !cited.grounds.iter().any(|ground| ground.ends_with(&named))
    {
        cited.grounds.insert(0, named);
    }
    Some(cited)
}
