//! The command line: one file a verb.

mod clauses;
mod explain;
mod run;
mod serve;
mod vectors;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Nothing failed or errored beyond what was expected.
pub const EXIT_OK: u8 = 0;
/// Something failed or errored, or an expectation is stale.
pub const EXIT_FAILED: u8 = 1;
/// Usage, input, environment; nothing ran; everything errored.
pub const EXIT_USAGE: u8 = 2;
/// Interrupted.
pub const EXIT_INTERRUPTED: u8 = 130;

/// The command.
#[derive(Debug, Parser)]
#[command(name = "hookproof", version, about, propagate_version = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Run(run::Args),
    Serve(serve::Args),
    Explain(explain::Args),
    Clauses(clauses::Args),
    Vectors(vectors::Args),
}

/// What keeps a verb from doing its work: exit code 2 and one message that says what was found, what
/// was expected and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct CliError(pub String);

impl CliError {
    /// An error with this message.
    pub fn new(message: impl std::fmt::Display) -> Self {
        Self(message.to_string())
    }
}

/// Runs the command by its arguments.
#[must_use]
pub fn main() -> ExitCode {
    let result = match Cli::parse().verb {
        Verb::Run(args) => run::run(args),
        Verb::Serve(args) => serve::run(args),
        Verb::Explain(args) => explain::run(args),
        Verb::Clauses(args) => clauses::run(args),
        Verb::Vectors(args) => vectors::run(args),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("hookproof: {error}");
            ExitCode::from(EXIT_USAGE)
        }
    }
}
