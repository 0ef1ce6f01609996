//! `hookproof check`: the faults of manifests and profiles, and what to write instead.

mod effective;
mod json;
mod text;

use std::fs::File;
use std::io::{self, BufWriter, Read, Write as _};
use std::path::{Path, PathBuf};

use hookproof_model::Dialect;
use hookproof_model::matrices::defaults::{self, Installed};
use hookproof_model::matrices::profile::{self, ProfileHook};
use hookproof_model::reading::{MatricesReadings, Readings};
use hookproof_model::voiceos::manifest::{self, Manifest};

use super::clauses::Format;
use super::readings::readings;
use super::{CliError, EXIT_FAILED, EXIT_OK, EXIT_USAGE, written};
use crate::document::{self, Findings};

const EXAMPLES: &str = "\
Examples:
  hookproof check manifest manifest.json
  hookproof check manifest integrations/*.json --format json | jq '.files[].faults[]?'
  hookproof check manifest manifest.json --reading VO-MAN-10=reject  unknown members are faults, too
  hookproof check profile profile.json --effective                   the hooks that it ends up with
  curl -s https://… | hookproof check profile -

Exit codes:
  0  nothing is at fault
  1  something is
  2  usage, or a file that cannot be read; the others are checked all the same";

/// Find the faults of a manifest or a profile
///
/// Prints for each fault the file, line and column, the clause that it breaks, what was found and what was
/// expected, and what to write instead.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Manifests of VoiceOS integrations: which hooks they declare, and whether the install sheet flags them
    #[command(after_help = EXAMPLES)]
    Manifest {
        #[command(flatten)]
        shared: Shared,
    },
    /// Matrices profiles, as they are sent to create one
    #[command(after_help = EXAMPLES)]
    Profile {
        #[command(flatten)]
        shared: Shared,
        /// Print the hooks that the profile ends up with, defaults included
        #[arg(long)]
        effective: bool,
        /// The platform's defaults, a JSON list of hooks, instead of the six of the convention
        #[arg(long, value_name = "FILE")]
        catalogue: Option<PathBuf>,
    },
}

#[derive(Debug, clap::Args)]
struct Shared {
    /// Files to check, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Take this alternative of a reading; may be given several times
    #[arg(long = "reading", value_name = "CLAUSE=ALTERNATIVE")]
    readings: Vec<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// All that is told.
struct Report {
    kind: &'static str,
    readings: Readings,
    files: Vec<Checked>,
}

/// What came of one file.
struct Checked {
    name: String,
    outcome: Outcome,
}

enum Outcome {
    /// It cannot be read.
    Unreadable(String),
    /// It is at fault.
    Rejected(Findings),
    Manifest(Manifest),
    /// The hooks, and whether they are to be told.
    Profile(Installed, bool),
}

/// Checks, prints, and gives the exit code.
///
/// # Errors
/// There is no such reading, or the catalogue cannot be used.
pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let (report, format) = match args.what {
        What::Manifest { shared } => {
            let readings = readings(Some(Dialect::Voiceos), &shared.readings)?;
            let check = |bytes: &[u8]| document::manifest(&readings.voiceos, bytes).map(Outcome::Manifest);
            let files = checked(&shared.files, manifest::MAX_BYTES, check)?;
            (Report { kind: "manifest", readings, files }, shared.format)
        }
        What::Profile { shared, effective, catalogue } => {
            let readings = readings(Some(Dialect::Matrices), &shared.readings)?;
            let catalogue = match catalogue {
                None => defaults::convention(),
                Some(path) => read_catalogue(&readings.matrices, &path)?,
            };
            let check = |bytes: &[u8]| {
                let installed = document::profile(&readings.matrices, &catalogue, bytes)?;
                Ok(Outcome::Profile(installed, effective))
            };
            let files = checked(&shared.files, profile::MAX_BYTES, check)?;
            (Report { kind: "profile", readings, files }, shared.format)
        }
    };
    let written_out = match format {
        Format::Text => {
            let mut out = Vec::new();
            text::write(&report, &mut out).and_then(|()| anstream::stdout().write_all(&out))
        }
        Format::Json => json::write(&report, &mut BufWriter::new(io::stdout().lock())),
    };
    written(written_out)?;
    for file in &report.files {
        if let Outcome::Unreadable(reason) = &file.outcome {
            eprintln!("hookproof: {}: {reason}", crate::abridge::tame(&file.name));
        }
    }
    Ok(report.exit_code())
}

impl Report {
    fn count(&self, of: impl Fn(&Outcome) -> bool) -> usize {
        self.files.iter().filter(|file| of(&file.outcome)).count()
    }

    fn rejected(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Rejected(_)))
    }

    fn unreadable(&self) -> usize {
        self.count(|outcome| matches!(outcome, Outcome::Unreadable(_)))
    }

    fn accepted(&self) -> usize {
        self.files.len() - self.rejected() - self.unreadable()
    }

    /// Whether the faults of every file were counted to the end.
    fn counted_all(&self) -> bool {
        self.files
            .iter()
            .all(|file| !matches!(&file.outcome, Outcome::Rejected(findings) if !findings.counted_all))
    }

    /// The faults of all files, those left out included.
    fn faults(&self) -> usize {
        let of = |file: &Checked| match &file.outcome {
            Outcome::Rejected(findings) => findings.told.len() + findings.left_out,
            _ => 0,
        };
        self.files.iter().map(of).sum()
    }

    fn exit_code(&self) -> u8 {
        match (self.unreadable(), self.rejected()) {
            (0, 0) => EXIT_OK,
            (0, _) => EXIT_FAILED,
            _ => EXIT_USAGE,
        }
    }
}

fn checked(
    files: &[PathBuf],
    max_bytes: usize,
    check: impl Fn(&[u8]) -> Result<Outcome, Findings>,
) -> Result<Vec<Checked>, CliError> {
    if files.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        return Err(CliError::new("standard input can be read once; found `-` more than once"));
    }
    let checked = |path: &PathBuf| {
        let is_stdin = path.as_os_str() == "-";
        let bytes = if is_stdin { read(io::stdin().lock(), max_bytes) } else { read_file(path, max_bytes) };
        let outcome = match bytes {
            Err(error) => Outcome::Unreadable(format!("cannot be read: {error}")),
            Ok(bytes) => check(&bytes).unwrap_or_else(Outcome::Rejected),
        };
        let name = if is_stdin { "standard input".to_owned() } else { path.display().to_string() };
        Checked { name, outcome }
    };
    Ok(files.iter().map(checked).collect())
}

/// The bytes of a file; of one that has more than is allowed, one more.
pub(super) fn read_file(path: &Path, max_bytes: usize) -> io::Result<Vec<u8>> {
    read(File::open(path)?, max_bytes)
}

/// One byte more than is allowed is enough to see that there is too much.
fn read(from: impl Read, max_bytes: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(max_bytes as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn read_catalogue(readings: &MatricesReadings, path: &Path) -> Result<Vec<ProfileHook>, CliError> {
    let refused = |reason: String| CliError::new(format_args!("--catalogue {}: {reason}", path.display()));
    let bytes =
        read_file(path, profile::MAX_BYTES).map_err(|error| refused(format!("cannot be read: {error}")))?;
    if bytes.len() > profile::MAX_BYTES {
        return Err(refused(format!("has more than {} MiB", profile::MAX_BYTES >> 20)));
    }
    let hooks: Vec<_> = serde_json::from_slice(&bytes)
        .map_err(|error| refused(format!("expected a JSON list of hooks; {error}")))?;
    profile::parse_catalogue(readings, &hooks).map_err(|faults| {
        let told: Vec<_> = faults
            .iter()
            .map(|fault| format!("{}: {} ({})", fault.pointer, fault.message, fault.clause))
            .collect();
        refused(told.join("; "))
    })
}
