//! Which vectors decide which clauses.
//!
//! A vector *decides* a clause if some mutant of that clause, or another alternative of it, changes
//! its transcript. That a clause is *modelled* means that some vector decides it; nothing else says so.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use hookproof_model::Dialect;
use hookproof_model::reading::Readings;
use hookproof_model::script::Script;

use crate::diagnosis::{Suspect, deciding};
use crate::vector::Vector;

/// The deciding vectors of every clause.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Coverage {
    vectors: BTreeMap<&'static str, Vec<String>>,
    anchors: BTreeMap<String, Vec<String>>,
}

/// The clauses that a suspect breaks or reads otherwise, as far as they can bind in a dialect.
#[must_use]
pub fn clauses_of(suspect: &Suspect, dialect: Dialect) -> Vec<&'static str> {
    match suspect {
        Suspect::Mutant(mutant) => mutant.clauses_in(dialect).collect(),
        Suspect::Reading(flip) => vec![flip.id],
    }
}

/// The clauses that a script decides, by these readings.
#[must_use]
pub fn decided(script: &Script, readings: &Readings) -> BTreeSet<&'static str> {
    let dialect = script.dialect();
    deciding(script, readings).iter().flat_map(|suspect| clauses_of(suspect, dialect)).collect()
}

impl Coverage {
    /// Runs every mutant and every other reading on every vector, on all processors.
    #[must_use]
    pub fn of(vectors: &[Vector]) -> Self {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut found = Vec::new();
            while let Some(vector) = vectors.get(next.fetch_add(1, Ordering::Relaxed)) {
                found.push((vector, decided(&vector.file.script, &Readings::default())));
            }
            found
        };
        let threads = thread::available_parallelism().map_or(1, NonZero::get).min(vectors.len().max(1));
        let found = thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut found = work();
            for other in others {
                // A thread that ended otherwise has panicked, which this one then does, too.
                found.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            found
        });
        let mut coverage = Self::default();
        for (vector, clauses) in found {
            coverage.add(vector, &clauses);
        }
        let lists = coverage.vectors.values_mut().chain(coverage.anchors.values_mut());
        lists.for_each(|ids| ids.sort_unstable());
        coverage
    }

    fn add(&mut self, vector: &Vector, clauses: &BTreeSet<&'static str>) {
        for clause in clauses {
            self.vectors.entry(clause).or_default().push(vector.id().to_owned());
        }
        if vector.is_anchor() {
            let rests_on = vector.file.rests_on.iter().map(|rests_on| rests_on.clause.as_str());
            let clauses: BTreeSet<_> = clauses.iter().copied().chain(rests_on).collect();
            for clause in clauses {
                self.anchors.entry(clause.to_owned()).or_default().push(vector.id().to_owned());
            }
        }
    }

    /// The ids of the vectors that decide a clause, sorted.
    #[must_use]
    pub fn vectors(&self, clause: &str) -> &[String] {
        self.vectors.get(clause).map_or(&[], Vec::as_slice)
    }

    /// The ids of the anchors that rest on a clause or decide it, sorted.
    #[must_use]
    pub fn anchors(&self, clause: &str) -> &[String] {
        self.anchors.get(clause).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutant::Mutant;

    #[test]
    fn a_mutant_of_both_dialects_counts_for_the_clauses_that_can_bind() {
        let suspect = Suspect::Mutant(Mutant::named("late-answers-count").unwrap());
        let of = |dialect| clauses_of(&suspect, dialect);
        assert_eq!(of(Dialect::Voiceos), ["VO-DL-3", "VO-DL-6"]);
        assert_eq!(of(Dialect::Matrices), ["MX-DL-1"]);
    }
}
