//! Putting the cases to the targets, one after the other, until all is done or the user stops it.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{Notify, watch};
use tokio::time::timeout;

use super::args::Args;
use super::start::Started;
use super::target::{References, Way};
use crate::cli::{CliError, interrupted};
use crate::expectation::Expectations;
use crate::report::Section;
use crate::report::progress::Progress;
use crate::runner::{self, Options};
use crate::verdict::{Case, CaseResult, Report, Verdict};

/// What is put to the targets, and how.
pub(super) struct Check<'a> {
    pub(super) args: &'a Args,
    pub(super) cases: &'a [Case],
    pub(super) options: &'a Options,
    pub(super) expectations: &'a Expectations,
}

/// What came of the targets.
pub(super) struct Checked {
    pub(super) sections: Vec<Section>,
    pub(super) interrupted: bool,
    /// Whether every case was put to every target, so that what did not fail can be told.
    pub(super) is_whole: bool,
}

impl Check<'_> {
    /// Checks the targets; one that is to be started is started before and ended behind.
    pub(super) async fn run(&self) -> Result<Checked, CliError> {
        let stop = Stop::listen();
        let Some((command, url)) = self.args.target.start() else { return self.targets(&stop).await };
        let mut started = Started::start(command)?;
        let ready = tokio::select! {
            biased;
            () = stop.asked() => Ok(()),
            ready = started.ready(url) => ready,
        };
        let checked = match ready {
            Ok(()) => self.targets(&stop).await,
            Err(error) => Err(error),
        };
        started.end().await;
        checked
    }

    async fn targets(&self, stop: &Stop) -> Result<Checked, CliError> {
        let references;
        let targets: Vec<(String, Way)> = match self.args.target.way() {
            Some(way) => vec![(way.name(), way)],
            None => {
                references = References::start().await?;
                references.ways.iter().map(|(name, way)| ((*name).to_owned(), way.clone())).collect()
            }
        };
        let mut sections = Vec::new();
        let mut halted = false;
        for (name, way) in targets {
            if halted || stop.is_asked() {
                break;
            }
            let report;
            (report, halted) = self.target(&name, &way, stop).await;
            sections.push(Section { name, report, replay: self.args.replay() });
        }
        let interrupted = stop.is_asked();
        let reached = sections.iter().all(|section| section.report.unreachable.is_none());
        Ok(Checked { sections, interrupted, is_whole: reached && !halted && !interrupted })
    }

    /// What came of one target, and whether a failure put an end to it.
    async fn target(&self, name: &str, way: &Way, stop: &Stop) -> (Report, bool) {
        let Self { args, cases, options, expectations } = self;
        let unreachable =
            |cases: &[Case], problem| runner::unreachable(way.name(), cases.to_vec(), options, problem);
        let connecting = timeout(options.timeout, way.connect(&args.target.headers, args.target.mcp_era));
        let connected = tokio::select! {
            biased;
            () = stop.asked() => return (unreachable(&[], "interrupted".to_owned()), false),
            connected = connecting => connected,
        };
        let candidate = match connected {
            Ok(Ok(candidate)) => candidate,
            Ok(Err(error)) => return (unreachable(cases, error.to_string()), args.running.fail_fast),
            Err(_) => {
                let problem = format!("{}: no connection within {:?}", way.name(), options.timeout);
                return (unreachable(cases, problem), args.running.fail_fast);
            }
        };
        let progress = Progress::new(name, cases.len());
        let (failed, halt) = (AtomicUsize::new(0), Notify::new());
        let note = |result: &CaseResult| {
            let fails = match &result.verdict {
                Verdict::Failed(failure) => !expectations.excuse(&result.case, failure),
                Verdict::Errored(_) => true,
                _ => false,
            };
            let failed = failed.fetch_add(usize::from(fails), Ordering::Relaxed) + usize::from(fails);
            if fails && args.running.fail_fast {
                halt.notify_one();
            }
            progress.advance(failed);
        };
        let until = async {
            tokio::select! {
                () = stop.asked() => {}
                () = halt.notified() => {}
            }
        };
        let report = runner::check_until(&*candidate, cases.to_vec(), options, &note, until).await;
        candidate.close().await;
        drop(progress);
        let halted = args.running.fail_fast && (failed.into_inner() > 0 || report.unreachable.is_some());
        (report, halted)
    }
}

/// Whether the user, or a supervisor, has asked to stop.
struct Stop(watch::Receiver<bool>);

impl Stop {
    fn listen() -> Self {
        let (tell, told) = watch::channel(false);
        tokio::spawn(async move {
            interrupted().await;
            tell.send_replace(true);
        });
        Self(told)
    }

    fn is_asked(&self) -> bool {
        *self.0.borrow()
    }

    async fn asked(&self) {
        if self.0.clone().wait_for(|asked| *asked).await.is_err() {
            // Nobody listens any more, so nobody can ask.
            std::future::pending().await
        }
    }
}
