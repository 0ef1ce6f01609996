//! `hookproof handler`: checks a hook, not a host.

mod input;
mod json;
mod junit;
mod text;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use globset::Glob;

use super::clauses::Format;
use super::run::create;
use super::values::{duration, header};
use super::{CliError, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE, interrupted, runtime, written};
use crate::handler::check::{Check, Severity};
use crate::handler::{self, Plan, Report, Status, Target};
use crate::report::progress::Doing;

const EXAMPLES: &str = "\
Examples:
  Check an MCP server with voiceos_hook_* tools, as a host would start it:
    hookproof handler --mcp-stdio -- node dist/server.js
  Hold it against its manifest, and send payloads of your own as well:
    hookproof handler --manifest manifest.json --input payloads.json --mcp-stdio -- node dist/server.js
  Over Streamable HTTP, for CI:
    hookproof handler --mcp-http http://127.0.0.1:8080/mcp --junit report.xml
  Check a webhook of Matrices:
    hookproof handler --url http://localhost:8080/hook --input inputs.json
  What is checked, and by which clause:
    hookproof handler --list

A file for --input is one JSON object, or a list of them: payloads with an `event`, or for a webhook HookInputs
with a `point`.

Exit codes:
  0    no check of severity must is broken (with --strict: none at all)
  1    some are
  2    usage or input; nothing could be judged, or not everything within the time limit
  130  interrupted";

/// Check a hook: an MCP server with VoiceOS hooks, or a webhook of Matrices
///
/// Calls it as a host would, and as one should not, and tells for each check that is broken what was found, what was
/// expected, and what it costs.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    target: Way,
    /// The integration's manifest: validated first, then held against what the server offers
    #[arg(long, value_name = "FILE", conflicts_with = "url")]
    manifest: Option<PathBuf>,
    /// Only hooks of this event or point, such as preToolUse or before_tool_call; repeatable
    #[arg(long = "event", value_name = "NAME")]
    events: Vec<String>,
    /// Payloads or HookInputs of your own, sent beside the built-in ones; repeatable
    #[arg(long = "input", value_name = "FILE")]
    inputs: Vec<PathBuf>,
    /// A header sent with every request, `Name: value`; repeatable
    #[arg(long = "header", value_name = "K:V", value_parser = header)]
    headers: Vec<(String, String)>,
    /// Only checks of these ids; a glob such as `answer-*`; repeatable
    #[arg(long = "only", value_name = "ID", value_parser = selection)]
    only: Vec<Selection>,
    /// How long everything may take
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "2m")]
    timeout: Duration,
    /// How long one answer is waited for; budgets are shorter
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    answer_timeout: Duration,
    /// How many calls are measured of each hook
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    calls: u32,
    /// Fail on broken checks of severity should, too
    #[arg(long)]
    strict: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write JUnit XML to this file as well
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// Write the whole exchange to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// List every check instead
    #[arg(long, group = "way")]
    list: bool,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Target")]
#[group(skip)]
struct Way {
    /// An MCP server over the standard streams of the command behind `--`
    #[arg(long, group = "way", requires = "command")]
    mcp_stdio: bool,
    /// An MCP server over Streamable HTTP
    #[arg(long, value_name = "URL", group = "way")]
    mcp_http: Option<String>,
    /// A webhook of Matrices
    #[arg(long, value_name = "URL", group = "way")]
    url: Option<String>,
    /// The command of --mcp-stdio, with its arguments
    #[arg(last = true, value_name = "CMD ARGS", requires = "mcp_stdio")]
    command: Vec<String>,
}

/// The checks that an id or a glob names.
#[derive(Debug, Clone)]
struct Selection(Vec<&'static str>);

fn selection(text: &str) -> Result<Selection, String> {
    let glob = Glob::new(text).map_err(|error| format!("`{text}` is no glob: {error}"))?.compile_matcher();
    let ids: Vec<_> =
        handler::all_checks().iter().map(|check| check.id).filter(|id| glob.is_match(id)).collect();
    if ids.is_empty() {
        Err("no check has such an id; `hookproof handler --list` lists them".to_owned())
    } else {
        Ok(Selection(ids))
    }
}

impl Way {
    fn target(&self) -> Option<Target> {
        let command = || {
            self.command.split_first().map(|(command, args)| Target::McpStdio(command.clone(), args.to_vec()))
        };
        let http = self.mcp_http.clone().map(Target::McpHttp);
        http.or_else(|| self.url.clone().map(Target::Webhook)).or_else(command)
    }
}

/// Checks, prints, and gives the exit code.
///
/// # Errors
/// A file, the URL or a header cannot be used.
pub(super) fn run(args: Args) -> Result<u8, CliError> {
    if args.list {
        list(args.format)?;
        return Ok(EXIT_OK);
    }
    let Some(target) = args.target.target() else {
        return Err(CliError::new(
            "no target; expected --mcp-stdio -- CMD, --mcp-http URL, --url URL or --list",
        ));
    };
    let places = handler::places(&target);
    if let Some(unknown) = args.events.iter().find(|event| !places.contains(&event.as_str())) {
        let known = places.join(", ");
        return Err(CliError::new(format_args!("--event {unknown}: expected one of {known}")));
    }
    let is_webhook = matches!(target, Target::Webhook(_));
    let inputs =
        args.inputs.iter().map(|path| input::read(path, is_webhook)).collect::<Result<Vec<_>, _>>()?;
    // Before the examination, so that a folder that is not there does not cost one.
    let junit = args.junit.as_deref().map(|path| Ok((path, create(path)?))).transpose()?;
    let record = args.record.as_deref().map(create).transpose()?;
    let doing = Doing::new(&target.to_string());
    let plan = Plan {
        events: args.events.clone(),
        inputs: inputs.concat(),
        manifest: args.manifest.as_deref().map(input::manifest).transpose()?,
        headers: args.headers.clone(),
        only: args.only.iter().flat_map(|selection| selection.0.iter().copied()).collect(),
        patience: args.answer_timeout,
        limit: args.timeout,
        calls: args.calls as usize,
        progress: Arc::new(move |what| doing.now(what)),
    };
    let runtime = runtime()?;
    let report = runtime.block_on(async {
        tokio::select! {
            biased;
            () = interrupted() => None,
            report = handler::examine(&target, &plan, record) => Some(report),
        }
    });
    drop(plan);
    runtime.shutdown_timeout(Duration::from_secs(1));
    let Some(report) = report else {
        eprintln!("hookproof: interrupted");
        return Ok(EXIT_INTERRUPTED);
    };
    let report = report.map_err(|problem| CliError::new(format_args!("{target}: {problem}")))?;
    if let Some((path, mut file)) = junit {
        let failed = |error| CliError::new(format_args!("{}: {error}", path.display()));
        junit::write(&report, args.strict, &mut file).map_err(failed)?;
    }
    let mut out = Vec::new();
    match args.format {
        Format::Text => {
            written(text::write(&report, args.strict, &mut out))?;
            written(anstream::stdout().write_all(&out))?;
        }
        Format::Json => {
            written(json::write(&report, args.strict, &mut out))?;
            written(io::stdout().write_all(&out))?;
        }
    }
    Ok(exit_code(&report, args.strict))
}

fn exit_code(report: &Report, strict: bool) -> u8 {
    if !report.reached_anything() {
        return EXIT_USAGE;
    }
    if failed(report, strict) > 0 {
        return EXIT_FAILED;
    }
    if report.count(|status| matches!(status, Status::NotReached { .. })) > 0 { EXIT_USAGE } else { EXIT_OK }
}

/// How many broken checks fail the run.
fn failed(report: &Report, strict: bool) -> usize {
    report.broken(Severity::Must) + if strict { report.broken(Severity::Should) } else { 0 }
}

fn list(format: Format) -> Result<(), CliError> {
    let checks = handler::all_checks();
    if let Format::Json = format {
        let text = serde_json::to_string_pretty(&checks).map_err(CliError::new)?;
        return written(writeln!(io::stdout(), "{text}"));
    }
    let mut out = Vec::new();
    for Check { id, severity, rests_on, sentence } in checks {
        let grounds: Vec<_> = rests_on.iter().map(ToString::to_string).collect();
        written(writeln!(out, "{id:<30} {:<7} {}", severity.name(), grounds.join(", ")))?;
        for line in crate::explain::words::wrap(sentence, "    ", "    ", 100) {
            written(writeln!(out, "{line}"))?;
        }
    }
    written(io::stdout().write_all(&out))
}
