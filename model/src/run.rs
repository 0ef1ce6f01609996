//! Running a script: from steps to a transcript, by the specification or by one of its mutants.

use std::collections::BTreeSet;

use crate::kernel::Spec;
use crate::reading::{Flip, Readings, UnknownReading};
use crate::script::{Script, Steps, Transcript};
use crate::{Fault, kernel, matrices, voiceos};

/// Every rule of the specification: those of a firing and those of both dialects.
pub trait Rules: kernel::Rules + voiceos::Rules + matrices::Rules {}

impl<R: kernel::Rules + voiceos::Rules + matrices::Rules + ?Sized> Rules for R {}

/// The most steps that a script may have, those within others included: it bounds what a script can cost.
pub const MAX_STEPS: usize = 1000;

/// Why a script cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// The readings exclude each other.
    #[error("{0}")]
    Readings(#[from] UnknownReading),
    /// There are more steps than a script may have.
    #[error("a script has at most {MAX_STEPS} steps, those within others included; found {0}")]
    TooManySteps(usize),
    /// The script's catalogue of default hooks is faulty.
    #[error("the script's catalogue is faulty: {}", .0.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>().join("; "))]
    Catalogue(Vec<Fault>),
}

/// Runs a script on a fresh host, by the specification.
///
/// # Errors
/// The readings exclude each other, or the script's catalogue is faulty.
pub fn run(script: &Script, readings: &Readings) -> Result<Transcript, RunError> {
    run_by(&Spec, script, readings)
}

/// Runs a script on a fresh host, by these rules.
///
/// # Errors
/// As [`run`].
pub fn run_by<R: Rules + ?Sized>(
    rules: &R,
    script: &Script,
    readings: &Readings,
) -> Result<Transcript, RunError> {
    readings.validate()?;
    let steps = script.all_steps();
    if steps > MAX_STEPS {
        return Err(RunError::TooManySteps(steps));
    }
    Ok(match script {
        Script::Voiceos(script) => {
            let mut host = voiceos::Host::new(rules, readings.voiceos);
            Transcript::Voiceos(Steps { steps: script.steps.iter().map(|step| host.step(step)).collect() })
        }
        Script::Matrices(script) => {
            let catalogue = script.catalogue.as_deref();
            let platform = matrices::Platform::new(rules, readings.matrices, catalogue);
            let mut platform = platform.map_err(RunError::Catalogue)?;
            Transcript::Matrices(Steps {
                steps: script.steps.iter().map(|step| platform.step(step)).collect(),
            })
        }
    })
}

/// The flips of readings that change the transcript of a script, with it.
///
/// # Errors
/// As [`run`].
pub fn flips_that_matter(script: &Script, readings: &Readings) -> Result<Vec<Flip>, RunError> {
    let transcript = run(script, readings)?;
    let changes = |flip: &Flip| run(script, &readings.flipped(*flip)).as_ref() != Ok(&transcript);
    Ok(readings.flips(script.dialect()).filter(changes).collect())
}

/// The clauses of the readings that matter to a script.
///
/// # Errors
/// As [`run`].
pub fn readings_that_matter(
    script: &Script,
    readings: &Readings,
) -> Result<BTreeSet<&'static str>, RunError> {
    Ok(flips_that_matter(script, readings)?.into_iter().map(|flip| flip.id).collect())
}
