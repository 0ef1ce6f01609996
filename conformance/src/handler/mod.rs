//! Checking a hook, not a host: an MCP server with VoiceOS hooks, or a webhook of Matrices.
//!
//! | to find | look in |
//! |---|---|
//! | a check | the file of its subject in [`mcp`](self) or [`webhook`](self); `hookproof handler --list` names them all |
//! | what is found wrong with an answer | `envelope`, and for webhooks `webhook/answer` |
//! | what hooks are sent | `payload`, and for webhooks `webhook/input` |
//! | the exchange itself | `rpc` for MCP, `web` for HTTP |
//! | what it came to | [`Report`] |

pub mod check;
mod cost;
mod envelope;
mod findings;
pub mod latency;
mod mcp;
mod payload;
mod rpc;
mod web;
mod webhook;

use std::fs::File;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hookproof_model::matrices::Point;
use hookproof_model::voiceos::{EventKind, Manifest};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::time::timeout;

use self::check::{Check, Severity};
use self::findings::Findings;
use self::latency::Figures;
use self::rpc::record::Record;
use self::web::Web;

use crate::client::check_url;

pub use self::findings::{Checked, Finding, Status};

/// How a hook is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// An MCP server over the standard streams of this command with these arguments.
    McpStdio(String, Vec<String>),
    /// An MCP server over Streamable HTTP.
    McpHttp(String),
    /// A webhook of Matrices.
    Webhook(String),
}

/// What to check, and how.
#[derive(Clone)]
pub struct Plan {
    /// Only these events or points, by name; all if there are none.
    pub events: Vec<String>,
    /// Payloads or HookInputs to send beside those that are built in.
    pub inputs: Vec<Value>,
    /// What the integration declares, if it is known.
    pub manifest: Option<Declared>,
    /// Headers to send with every request.
    pub headers: Vec<(String, String)>,
    /// Only the checks of these ids; all if there are none.
    pub only: Vec<&'static str>,
    /// How long one answer is waited for.
    pub patience: Duration,
    /// How long everything may take.
    pub limit: Duration,
    /// How many calls are measured of each hook.
    pub calls: usize,
    /// Told of what is being done.
    pub progress: Arc<dyn Fn(&str) + Send + Sync>,
}

/// What an integration's manifest declares, or one sentence for each of its faults.
pub type Declared = Result<Manifest, Vec<String>>;

/// What an examination came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The target, as the user named it.
    pub target: String,
    /// Every check that was asked for.
    pub checks: Vec<Checked>,
    /// What was measured.
    pub latency: Vec<Figures>,
    /// How long it took, in seconds.
    pub took_s: f64,
    /// Whether the time limit ended it.
    pub cut_off: bool,
}

/// What every part of an examination shares.
pub(crate) struct Run<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) findings: &'a Findings,
    pub(crate) record: Arc<Record>,
    figures: &'a Mutex<Vec<Figures>>,
    ends: Instant,
}

impl Run<'_> {
    /// Whether a check was asked for.
    pub(crate) fn wants(&self, check: &Check) -> bool {
        self.plan.only.is_empty() || self.plan.only.contains(&check.id)
    }

    /// Whether any of these was.
    pub(crate) fn wants_any(&self, checks: &[&Check]) -> bool {
        checks.iter().any(|check| self.wants(check))
    }

    /// Whether an event or point was asked for.
    pub(crate) fn examines(&self, place: &str) -> bool {
        self.plan.events.is_empty() || self.plan.events.iter().any(|event| event == place)
    }

    /// How long one answer is waited for.
    pub(crate) fn patience(&self) -> Duration {
        self.at_most(self.plan.patience)
    }

    /// Such a time, or what the limit leaves of it: what is silent is told before the time is up.
    pub(crate) fn at_most(&self, time: Duration) -> Duration {
        time.min(self.ends.saturating_duration_since(Instant::now()).mul_f64(0.8))
    }

    /// Says what is being done.
    pub(crate) fn progress(&self, what: &str) {
        (self.plan.progress)(what);
    }

    /// Keeps what was measured.
    pub(crate) fn measured(&self, figures: Figures) {
        self.figures.lock().unwrap_or_else(PoisonError::into_inner).push(figures);
    }
}

/// Every check there is: those of MCP servers, then those of webhooks.
#[must_use]
pub fn all_checks() -> Vec<&'static Check> {
    [mcp::all_checks(), webhook::CHECKS.concat()].concat()
}

/// Checks a hook, and writes the exchange to `record` if there is one.
///
/// # Errors
/// Nothing could be sent: the URL or a header cannot be used, or the record cannot be written.
pub async fn examine(target: &Target, plan: &Plan, record: Option<File>) -> Result<Report, String> {
    let name = target.to_string();
    if let Target::McpHttp(url) | Target::Webhook(url) = target {
        check_url(url)?;
    }
    let record = Arc::new(record.map_or_else(Record::none, |file| Record::to(file, &name)));
    let began = Instant::now();
    let (findings, figures) = (Findings::default(), Mutex::default());
    let run = Run {
        plan,
        findings: &findings,
        record: record.clone(),
        figures: &figures,
        ends: began + plan.limit,
    };
    let (checks, cut_off) = match target {
        Target::McpStdio(..) | Target::McpHttp(_) => {
            let server = match target {
                Target::McpStdio(command, args) => mcp::Server::Command(command.clone(), args.clone()),
                Target::McpHttp(url) | Target::Webhook(url) => {
                    mcp::Server::Url(Arc::new(Web::new(url, &plan.headers)?))
                }
            };
            let cut_off = mcp::examine(run, &server).await;
            (mcp::checks(&server), cut_off)
        }
        Target::Webhook(url) => {
            let web = Web::new(url, &plan.headers)?;
            (webhook::CHECKS.concat(), timeout(plan.limit, webhook::examine(run, url, &web)).await.is_err())
        }
    };
    if cut_off {
        findings.stop(format!("the time limit of {:?} was reached", plan.limit));
    }
    let wanted: Vec<_> =
        checks.into_iter().filter(|check| plan.only.is_empty() || plan.only.contains(&check.id)).collect();
    let report = Report {
        target: name,
        checks: findings.results(&wanted),
        latency: std::mem::take(&mut figures.lock().unwrap_or_else(PoisonError::into_inner)),
        took_s: (began.elapsed().as_secs_f64() * 1e3).round() / 1e3,
        cut_off,
    };
    let written = record.finish(&json!({ "cut_off": cut_off, "broken": report.broken(Severity::Must) }));
    written.map_err(|error| format!("the record cannot be written: {error}"))?;
    Ok(report)
}

impl Report {
    /// How many checks of this severity are broken.
    #[must_use]
    pub fn broken(&self, severity: Severity) -> usize {
        let broken = |checked: &&Checked| {
            checked.check.severity == severity && matches!(checked.status, Status::Broken { .. })
        };
        self.checks.iter().filter(broken).count()
    }

    /// How many checks came to this.
    #[must_use]
    pub fn count(&self, is: impl Fn(&Status) -> bool) -> usize {
        self.checks.iter().filter(|checked| is(&checked.status)).count()
    }

    /// Whether anything of the target could be judged.
    #[must_use]
    pub fn reached_anything(&self) -> bool {
        let is_any = |is: fn(&Status) -> bool| self.count(is) > 0;
        let is_passed = |status: &Status| matches!(status, Status::Passed);
        let is_broken = |status: &Status| matches!(status, Status::Broken { .. });
        let is_not_reached = |status: &Status| matches!(status, Status::NotReached { .. });
        is_any(is_passed) || is_any(is_broken) && !is_any(is_not_reached)
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::McpStdio(command, args) => {
                f.write_str(command)?;
                args.iter().try_for_each(|arg| write!(f, " {arg}"))
            }
            Self::McpHttp(url) | Self::Webhook(url) => f.write_str(url),
        }
    }
}

/// The names of the events that a target can have, or of the points.
#[must_use]
pub fn places(target: &Target) -> Vec<&'static str> {
    match target {
        Target::Webhook(_) => Point::ALL.map(Point::name).to_vec(),
        Target::McpStdio(..) | Target::McpHttp(_) => EventKind::ALL.map(EventKind::name).to_vec(),
    }
}
