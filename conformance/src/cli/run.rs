//! `hookproof run`: checks an implementation and reports.

mod args;
mod check;
mod start;
mod target;

use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

pub(super) use self::args::Args;
use self::args::Format;
use self::check::{Check, Checked};
use super::{CliError, runtime, written};
use crate::expectation::Expectations;
use crate::report::{self, Run, Section};
use crate::runner::Options;
use crate::vector::{self, Vector};
use crate::verdict::Case;

/// How long what is still under way may take once the run is over.
const LEAVING: Duration = Duration::from_secs(1);

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let seed = args.cases.seed.unwrap_or_else(draw_seed);
    let (cases, left, vectors) = cases(&args, seed)?;
    let mut expectations = match &args.verdict.expect_failures {
        Some(path) => Expectations::read(path).map_err(CliError::new)?,
        None => Expectations::default(),
    };
    // Before the run, so that a folder that is not there does not cost one.
    let junit = args.report.junit.as_deref().map(|path| Ok((path, create(path)?))).transpose()?;
    let options = Options {
        seed,
        concurrency: args.running.concurrency.get(),
        timeout: args.running.timeout,
        // Only here it is known which failures are expected.
        fail_fast: false,
        rename: !args.cases.no_rename,
    };
    let runtime = runtime()?;
    let check = Check { args: &args, cases: &cases, options: &options, expectations: &expectations };
    let checked = runtime.block_on(check.run());
    runtime.shutdown_timeout(LEAVING);
    let Checked { mut sections, interrupted, is_whole } = checked?;
    for section in &mut sections {
        expectations.apply(&mut section.report);
    }
    let mut problems = Vec::new();
    if is_whole {
        problems.extend(expectations.stale(&left));
    }
    problems.extend(sections.iter().flat_map(|section| unmet(&args, section)));
    let mut run = Run { sections, vectors, problems, interrupted };
    if run.counts().ran() == 0 && !interrupted {
        run.problems.push("nothing ran: every case is not applicable".to_owned());
    }
    if let Some((path, mut file)) = junit {
        let failed = |error| CliError::new(format_args!("{}: {error}", path.display()));
        report::junit::write(&run, &mut file).map_err(failed)?;
    }
    print(&args, &run)?;
    Ok(run.exit_code())
}

/// The cases that run, those that the filters leave out, and where the vectors come from.
fn cases(args: &Args, seed: u64) -> Result<(Vec<Case>, Vec<Case>, String), CliError> {
    let (vectors, source) = match &args.cases.vectors {
        Some(folder) => (vector::read_folder(folder), folder.display().to_string()),
        None => (vector::packed(), vector::digest()),
    };
    let vectors = vectors.map_err(CliError::new)?;
    if args.cases.vectors.is_some() {
        // Those packed into this command have been verified by its tests.
        vectors.iter().try_for_each(Vector::verify).map_err(CliError::new)?;
    }
    let mut cases: Vec<_> = vectors.into_iter().map(Case::of_vector).collect();
    cases.extend((0..args.cases.fresh).map(|number| Case::fresh(seed, number)));
    let selection = args.cases.selection();
    let (cases, left) = selection.part(cases);
    if cases.is_empty() {
        return Err(CliError::new(format_args!(
            "nothing selected: {}; `hookproof vectors list` lists the vectors",
            selection.describe()
        )));
    }
    Ok((cases, left, source))
}

/// The requirements that a target does not meet. One that could not be asked has failed already.
fn unmet(args: &Args, section: &Section) -> Vec<String> {
    let Section { name, report, .. } = section;
    let mut unmet = Vec::new();
    if let Some(declared) = report.about.as_ref().and_then(|about| about.capabilities.as_ref()) {
        let missing = args.verdict.require.iter().filter(|required| !declared.contains(*required));
        unmet.extend(missing.map(|required| {
            format!("{name}: the capability `{required}` is required, but `about` does not declare it")
        }));
    }
    let count = report.counts().not_applicable;
    if let Some(most) = args.verdict.max_not_applicable.filter(|most| count > *most) {
        unmet.push(format!("{name}: {count} cases are not applicable; --max-not-applicable allows {most}"));
    }
    unmet
}

/// A file to write a report to.
pub(super) fn create(path: &Path) -> Result<File, CliError> {
    File::create(path).map_err(|error| CliError::new(format_args!("{}: {error}", path.display())))
}

fn print(args: &Args, run: &Run) -> Result<(), CliError> {
    let mut text = Vec::new();
    match args.report.format {
        Format::Text => {
            written(report::text::write(run, args.report.show_all, &mut text))?;
            // Takes the colours out where they are not wanted: NO_COLOR, no terminal.
            written(anstream::stdout().write_all(&text))
        }
        Format::Json => {
            written(report::json::write(run, &mut text))?;
            written(io::stdout().write_all(&text))
        }
    }
}

/// A seed from the randomness of the operating system, short enough to be typed.
fn draw_seed() -> u64 {
    RandomState::new().hash_one(std::process::id()) >> 32
}
