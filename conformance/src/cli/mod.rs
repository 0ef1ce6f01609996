//! The command line: one file a verb.

mod check;
mod clauses;
mod explain;
mod handler;
mod new;
mod readings;
mod run;
mod serve;
mod values;
mod vectors;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tokio::runtime::{Builder, Runtime};

/// Nothing failed or errored beyond what was expected.
pub const EXIT_OK: u8 = 0;
/// Something failed or errored, or an expectation is stale.
pub const EXIT_FAILED: u8 = 1;
/// Usage, input, environment; nothing ran; everything errored.
pub const EXIT_USAGE: u8 = 2;
/// Interrupted.
pub const EXIT_INTERRUPTED: u8 = 130;

const EXAMPLES: &str = "\
Examples:
  hookproof run                                 check the reference candidate over every transport
  hookproof run --http http://127.0.0.1:8080    check an implementation over HTTP
  hookproof handler --mcp-stdio -- node my.js   check a hook: an MCP server, or with --url a webhook
  hookproof serve --http 127.0.0.1:8080         serve the reference candidate
  hookproof explain VECTOR                      walk through a script, step by step
  hookproof clauses                             list every clause of the specification
  hookproof new adapter --lang python DIR       begin an adapter for an implementation
  hookproof check manifest manifest.json        find the faults of a manifest, with what to write instead

Exit codes:
  0    nothing failed or errored beyond what was expected
  1    something did, an expectation is stale, or a requirement is not met
  2    usage, input or environment; nothing ran, or everything errored
  130  interrupted";

/// The command.
#[derive(Debug, Parser)]
#[command(
    name = "hookproof", version, about, after_help = EXAMPLES, propagate_version = true, arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Run(Box<run::Args>),
    Handler(Box<handler::Args>),
    Serve(serve::Args),
    Explain(explain::Args),
    Clauses(clauses::Args),
    Check(check::Args),
    Vectors(vectors::Args),
    New(new::Args),
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
        Verb::Run(args) => run::run(*args),
        Verb::Handler(args) => handler::run(*args),
        Verb::Serve(args) => serve::run(args),
        Verb::Explain(args) => explain::run(args),
        Verb::Clauses(args) => clauses::run(args),
        Verb::Check(args) => check::run(args),
        Verb::Vectors(args) => vectors::run(args),
        Verb::New(args) => new::run(args),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("hookproof: {error}");
            ExitCode::from(EXIT_USAGE)
        }
    }
}

/// The runtime of a verb that talks to others.
fn runtime() -> Result<Runtime, CliError> {
    let runtime = Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| CliError::new(format_args!("cannot start the runtime: {error}")))
}

/// Done once the user, or whoever supervises the process, asks it to stop.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let asked = |kind| async move {
            match signal(kind) {
                Ok(mut signal) => {
                    signal.recv().await;
                }
                // A signal that cannot be listened to ends the process by itself.
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            () = asked(SignalKind::interrupt()) => {}
            () = asked(SignalKind::terminate()) => {}
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}

/// What writing to standard output came to: a reader that has gone is none of our trouble.
fn written(result: io::Result<()>) -> Result<(), CliError> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(CliError::new(format_args!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_options_fit_together() {
        Cli::command().debug_assert();
    }
}
