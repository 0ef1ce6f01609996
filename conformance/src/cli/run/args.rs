//! The options of `hookproof run`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use hookproof_model::Dialect;
use hyper::Uri;

use super::target::Way;
use crate::candidate::mcp::Era;
use crate::capability;
use crate::case::{Filter, Selection};
use crate::cli::values::{duration, header};
use crate::report::Replay;
use crate::runner::{DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT};

const EXAMPLES: &str = "\
Examples:
  Check the reference candidate over HTTP, MCP over HTTP and MCP over stdio:
    hookproof run
  Check an implementation over HTTP, by what decides one clause:
    hookproof run --http http://127.0.0.1:8080 --filter HK-DECIDE-1
  Start it, check it over MCP, end it, for CI:
    hookproof run --start 'node host.js' --ready http://127.0.0.1:8080/ \\
      --mcp-http http://127.0.0.1:8080/mcp --junit report.xml --expect-failures known.toml
  Check one that speaks MCP over its standard streams:
    hookproof run --mcp-stdio -- python3 host.py

An adapter serves GET /hookproof/v1/about and POST /hookproof/v1/run, or the MCP tools hookproof_about
and hookproof_run.";

/// [`DEFAULT_TIMEOUT`] as the help shows it.
const TIMEOUT: &str = "10s";

/// Check an implementation: put every script to it and compare what it observed with the model.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    pub(super) target: Target,
    #[command(flatten)]
    pub(super) cases: Cases,
    #[command(flatten)]
    pub(super) running: Running,
    #[command(flatten)]
    pub(super) verdict: Strictness,
    #[command(flatten)]
    pub(super) report: ReportTo,
}

/// Without a target, the reference candidate is checked over every transport.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Target (without one: the reference candidate, over every transport)")]
pub(super) struct Target {
    /// The script contract over HTTP, served under URL
    #[arg(long, value_name = "URL", group = "way")]
    http: Option<String>,
    /// The script contract over MCP, Streamable HTTP
    #[arg(long, value_name = "URL", group = "way")]
    mcp_http: Option<String>,
    /// The script contract over MCP, standard streams of the command behind `--`
    #[arg(long, group = "way", requires = "command")]
    mcp_stdio: bool,
    /// The command of --mcp-stdio, with its arguments
    #[arg(last = true, value_name = "CMD ARGS", requires = "mcp_stdio")]
    command: Vec<String>,
    /// How MCP connections are established: `initialize` (up to 2025-11-25) or `stateless` (2026-07-28)
    #[arg(long, value_name = "ERA", default_value_t)]
    pub(super) mcp_era: Era,
    /// A header sent with every request, `Name: value`; repeatable. Reports leave values out
    #[arg(long = "header", value_name = "K:V", value_parser = header)]
    pub(super) headers: Vec<(String, String)>,
    /// A command that starts the candidate; split like a shell does, but run by none. It is ended, with its
    /// process group, after the run
    #[arg(long, value_name = "CMD", value_parser = command_line, requires = "ready", requires = "way", conflicts_with = "mcp_stdio")]
    start: Option<CommandLine>,
    /// The URL that answers once the started candidate is ready; waited for up to 30 s
    #[arg(long, value_name = "URL", value_parser = ready, requires = "start")]
    ready: Option<Uri>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Cases")]
pub(super) struct Cases {
    /// Only the case of this id; else cases by a glob over ids, a clause that they rest on or decide, or a piece of
    /// an id or title. Repeatable: any of them
    #[arg(long = "filter", value_name = "TEXT")]
    filters: Vec<Filter>,
    /// Only cases of this dialect: voiceos or matrices
    #[arg(long)]
    dialect: Option<Dialect>,
    /// How many scripts are drawn for this run from the seed
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(super) fresh: u64,
    /// The seed of names and of drawn scripts; drawn and printed unless given
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// A folder of vectors in place of those packed into this command
    #[arg(long, value_name = "DIR")]
    pub(super) vectors: Option<PathBuf>,
    /// Send scripts in their own words, so that a candidate's logs can be read beside the report
    #[arg(long, hide = true)]
    pub(super) no_rename: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Running")]
pub(super) struct Running {
    /// How many scripts are under way at once; never more than the candidate declares
    #[arg(long, value_name = "N", default_value_t = NonZeroUsize::new(DEFAULT_CONCURRENCY).unwrap_or(NonZeroUsize::MIN))]
    pub(super) concurrency: NonZeroUsize,
    /// How long the candidate may take over one case, such as 10s or 500ms
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = TIMEOUT)]
    pub(super) timeout: Duration,
    /// Stop at the first case that fails or errors unexpectedly
    #[arg(long)]
    pub(super) fail_fast: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Verdict")]
pub(super) struct Strictness {
    /// Failures that are known, each with a reason: a TOML file of [[expect]] tables with `reason` and one of `id`,
    /// `glob` and `clause`. An entry that matches no failing case fails the run
    #[arg(long, value_name = "FILE")]
    pub(super) expect_failures: Option<PathBuf>,
    /// Fail if the candidate does not declare this capability; repeatable
    #[arg(long, value_name = "CAPABILITY", value_parser = capabilities())]
    pub(super) require: Vec<String>,
    /// Fail if more cases than this are not applicable
    #[arg(long, value_name = "N")]
    pub(super) max_not_applicable: Option<usize>,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Report")]
pub(super) struct ReportTo {
    /// What is written to standard output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
    /// Write JUnit XML to this file as well
    #[arg(long, value_name = "FILE")]
    pub(super) junit: Option<PathBuf>,
    /// Tell every failure in full, not only the first 10, and every reading
    #[arg(long)]
    pub(super) show_all: bool,
}

/// The form of the report on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Format {
    /// For people
    #[default]
    Text,
    /// For programs: one document
    Json,
}

/// A command with its arguments, and as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CommandLine {
    pub(super) given: String,
    pub(super) command: String,
    pub(super) args: Vec<String>,
}

impl Target {
    /// How the user's target is reached; `None`: the reference candidate is meant.
    pub(super) fn way(&self) -> Option<Way> {
        let stdio = || {
            self.command.split_first().map(|(command, args)| Way::McpStdio(command.clone(), args.to_vec()))
        };
        let http = self.http.clone().map(Way::Http);
        http.or_else(|| self.mcp_http.clone().map(Way::McpHttp)).or_else(stdio)
    }

    /// The command that starts the candidate, and the URL that tells that it has started.
    pub(super) fn start(&self) -> Option<(&CommandLine, &Uri)> {
        self.start.as_ref().zip(self.ready.as_ref())
    }
}

impl Cases {
    /// Which cases run.
    pub(super) fn selection(&self) -> Selection {
        Selection { filters: self.filters.clone(), dialect: self.dialect }
    }
}

impl Args {
    /// The options that reach the target again and put a case to it in the same way.
    pub(super) fn replay(&self) -> Replay {
        let Target { http, mcp_http, mcp_stdio, command, mcp_era, headers, start, ready } = &self.target;
        let mut options: Vec<String> = Vec::new();
        let mut add = |name: &str, value: &dyn std::fmt::Display| {
            options.extend([name.to_owned(), value.to_string()]);
        };
        if let Some((start, ready)) = start.as_ref().zip(ready.as_ref()) {
            add("--start", &start.given);
            add("--ready", ready);
        }
        if let Some(url) = http {
            add("--http", url);
        }
        if let Some(url) = mcp_http {
            add("--mcp-http", url);
        }
        for (name, _) in headers {
            // Values are often secrets, and reports are often published.
            add("--header", &format_args!("{name}: …"));
        }
        if *mcp_era != Era::default() {
            add("--mcp-era", mcp_era);
        }
        if let Some(folder) = &self.cases.vectors {
            add("--vectors", &folder.display());
        }
        if self.running.timeout != DEFAULT_TIMEOUT {
            add("--timeout", &humantime::format_duration(self.running.timeout).to_string().replace(' ', ""));
        }
        if self.cases.no_rename {
            options.push("--no-rename".to_owned());
        }
        if *mcp_stdio {
            options.push("--mcp-stdio".to_owned());
        }
        Replay { options, command: command.clone() }
    }
}

fn command_line(text: &str) -> Result<CommandLine, String> {
    let words = shlex::split(text).ok_or("a quotation is not closed")?;
    let (command, args) = words.split_first().ok_or("expected a command")?;
    Ok(CommandLine { given: text.to_owned(), command: command.clone(), args: args.to_vec() })
}

fn ready(text: &str) -> Result<Uri, String> {
    let uri: Uri = text.parse().map_err(|error| format!("not a URL: {error}"))?;
    if uri.scheme_str() == Some("http") && uri.host().is_some() {
        Ok(uri)
    } else {
        Err("expected an http:// URL".to_owned())
    }
}

fn capabilities() -> PossibleValuesParser {
    let names = capability::ALL.iter().map(|(name, ..)| *name);
    PossibleValuesParser::new(names.chain([capability::FAULT_POINTERS]))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    #[test]
    fn the_help_shows_the_default_timeout() {
        assert_eq!(duration(TIMEOUT), Ok(DEFAULT_TIMEOUT));
    }

    #[rstest]
    #[case("10s", Some(10_000))]
    #[case("500ms", Some(500))]
    #[case("1m 30s", Some(90_000))]
    #[case("10", None)]
    #[case("0s", None)]
    fn a_timeout_has_a_unit(#[case] text: &str, #[case] expected: Option<u64>) {
        assert_eq!(duration(text).ok(), expected.map(Duration::from_millis));
    }

    #[rstest]
    #[case("Authorization: Bearer a:b", Some(("Authorization", "Bearer a:b")))]
    #[case("X-Empty:", Some(("X-Empty", "")))]
    #[case(": value", None)]
    #[case("no colon", None)]
    fn a_header_is_split_at_its_first_colon(#[case] text: &str, #[case] expected: Option<(&str, &str)>) {
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(header(text).ok(), expected);
    }

    #[test]
    fn a_command_is_split_as_a_shell_would() {
        let line = command_line("node 'my host.js' --port 80").unwrap();
        assert_eq!(
            (line.command.as_str(), line.args),
            ("node", vec!["my host.js".to_owned(), "--port".to_owned(), "80".to_owned()])
        );
        assert!(command_line("node 'my").is_err());
        assert!(command_line("  ").is_err());
    }
}
