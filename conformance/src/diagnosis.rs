//! Diagnosis by dictionary: which mutant, or which other reading, behaves as the candidate did.
//!
//! Every mutant and every alternative reading is run on the failing script in process. Those whose
//! transcript is what was observed explain the failure; over all failures, those that explain the
//! most come first.

use std::collections::BTreeMap;
use std::fmt;

use hookproof_model::kernel::Spec;
use hookproof_model::reading::{Flip, Readings};
use hookproof_model::script::{Script, Transcript};
use hookproof_model::{Dialect, run_by};
use serde_json::Value;

use crate::compare::{Mask, compare};
use crate::mutant::{AnyRules, Mutant};

/// Something that behaves in a known, wrong way.
#[derive(Debug, Clone, Copy)]
pub enum Suspect {
    /// A mutant.
    Mutant(&'static Mutant),
    /// An alternative of a reading that the candidate did not declare.
    Reading(Flip),
}

impl Suspect {
    /// Every suspect for a script of this dialect, mutants first.
    pub fn all(dialect: Dialect, readings: &Readings) -> impl Iterator<Item = Self> + use<> {
        let binding = Mutant::all().filter(move |mutant| mutant.binds(dialect));
        binding.map(Self::Mutant).chain(readings.flips(dialect).map(Self::Reading))
    }

    /// Its name: a mutant's, or `CLAUSE=alternative`.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Mutant(mutant) => mutant.name.to_owned(),
            Self::Reading(flip) => flip.to_string(),
        }
    }

    /// The clause that it breaks, or that it reads otherwise.
    #[must_use]
    pub fn clause(&self, dialect: Dialect) -> &'static str {
        match self {
            Self::Mutant(mutant) => mutant.clause(dialect),
            Self::Reading(flip) => flip.id,
        }
    }

    /// What it would have observed.
    #[must_use]
    pub fn transcript(&self, script: &Script, readings: &Readings) -> Option<Transcript> {
        match self {
            Self::Mutant(mutant) => run_by(mutant.rules, script, readings).ok(),
            Self::Reading(flip) => run_by(&Spec as &AnyRules, script, &readings.flipped(*flip)).ok(),
        }
    }
}

/// The suspects that change the transcript of a script: the clauses that it decides.
#[must_use]
pub fn deciding(script: &Script, readings: &Readings) -> Vec<Suspect> {
    let Ok(expected) = hookproof_model::run(script, readings) else { return Vec::new() };
    Suspect::all(script.dialect(), readings)
        .filter(|suspect| {
            suspect.transcript(script, readings).is_some_and(|transcript| transcript != expected)
        })
        .collect()
}

/// The suspects that explain what was observed of a failing script.
#[must_use]
pub fn explain(script: &Script, readings: &Readings, observed: &Value, mask: Mask) -> Vec<Suspect> {
    let explains = |suspect: &Suspect| {
        let transcript = suspect.transcript(script, readings);
        transcript.is_some_and(|transcript| compare(&transcript, observed, mask).is_ok())
    };
    Suspect::all(script.dialect(), readings).filter(explains).collect()
}

/// How much of all failures a suspect explains.
#[derive(Debug, Clone)]
pub struct Explanation {
    /// The suspect's name.
    pub name: String,
    /// The clauses that it breaks, in the dialects in which it explains failures.
    pub clauses: Vec<&'static str>,
    /// What it does; empty for a reading.
    pub does: &'static str,
    /// Whether it is a reading that the candidate could declare.
    pub is_reading: bool,
    /// How many failures it explains.
    pub explains: usize,
    /// How many failures there are of the dialects it can explain.
    pub of: usize,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, clauses, explains, of, .. } = self;
        let verb = if self.is_reading { "reads" } else { "behaves as" };
        write!(f, "{verb} `{name}` ({}) in {explains} of {of} failures", clauses.join(", "))
    }
}

/// What explains the failures of a run, the best first.
#[derive(Debug, Default)]
pub struct Dictionary {
    failures: BTreeMap<Dialect, usize>,
    found: BTreeMap<String, (Explanation, BTreeMap<Dialect, usize>, usize)>,
}

impl Dictionary {
    /// Takes in one failure and the suspects that explain it.
    pub fn add(&mut self, dialect: Dialect, suspects: &[Suspect]) {
        *self.failures.entry(dialect).or_default() += 1;
        for suspect in suspects {
            let order = self.found.len();
            let (explanation, by_dialect, _) = self.found.entry(suspect.name()).or_insert_with(|| {
                let (does, is_reading) = match suspect {
                    Suspect::Mutant(mutant) => (mutant.does, false),
                    Suspect::Reading(_) => ("", true),
                };
                let explanation = Explanation {
                    name: suspect.name(),
                    clauses: Vec::new(),
                    does,
                    is_reading,
                    explains: 0,
                    of: 0,
                };
                (explanation, BTreeMap::new(), order)
            });
            explanation.explains += 1;
            *by_dialect.entry(dialect).or_default() += 1;
            let clause = suspect.clause(dialect);
            if !explanation.clauses.contains(&clause) {
                explanation.clauses.push(clause);
            }
        }
    }

    /// The explanations, those of the most failures first; of equals, the one found first.
    #[must_use]
    pub fn ranked(&self) -> Vec<Explanation> {
        let mut ranked: Vec<_> = self
            .found
            .values()
            .map(|(explanation, by_dialect, order)| {
                let of = by_dialect.keys().filter_map(|dialect| self.failures.get(dialect)).sum();
                (Explanation { of, ..explanation.clone() }, *order)
            })
            .collect();
        ranked.sort_by_key(|(explanation, order)| (std::cmp::Reverse(explanation.explains), *order));
        ranked.into_iter().map(|(explanation, _)| explanation).collect()
    }
}
