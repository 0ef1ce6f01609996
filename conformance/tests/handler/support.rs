//! What the trials share: an examination in this process, and what it came to.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use globset::Glob;
use hookproof::document;
use hookproof::handler::{self, Plan, Report, Status, Target};
use hookproof_model::reading::VoiceosReadings;
use libtest_mimic::Trial;
use pretty_assertions::assert_eq;
use serde_json::Value;

/// The checks whose outcome depends on how busy the machine is.
pub(crate) const LATENCY: &str = "latency-*";

/// A fault, and how it shows.
pub(crate) struct Planted {
    /// Its name, which the server is given.
    pub(crate) fault: &'static str,
    /// Which checks are carried out, as globs.
    pub(crate) only: &'static [&'static str],
    /// Every check of these that is broken, and a part of what is said of it.
    pub(crate) broken: &'static [(&'static str, &'static str)],
}

/// An examination that is about to be made.
pub(crate) struct Examination {
    target: Target,
    plan: Plan,
}

impl Examination {
    pub(crate) fn of(target: Target) -> Self {
        let plan = Plan {
            events: Vec::new(),
            inputs: Vec::new(),
            manifest: None,
            headers: Vec::new(),
            only: Vec::new(),
            patience: Duration::from_secs(5),
            limit: Duration::from_secs(100),
            calls: 20,
            progress: Arc::new(|_| {}),
        };
        Self { target, plan }
    }

    /// Only the checks that these globs name.
    pub(crate) fn only(mut self, globs: &[&str]) -> Self {
        self.plan.only = named(globs);
        self
    }

    /// All checks but those that these globs name.
    pub(crate) fn without(mut self, globs: &[&str]) -> Self {
        let left_out = named(globs);
        self.plan.only = all().into_iter().filter(|id| !left_out.contains(id)).collect();
        self
    }

    pub(crate) fn manifest(mut self, json: &str) -> Self {
        let parsed = document::manifest(&VoiceosReadings::default(), json.as_bytes());
        let told = |finding: document::Finding| finding.message;
        self.plan.manifest = Some(parsed.map_err(|findings| findings.told.into_iter().map(told).collect()));
        self
    }

    pub(crate) fn inputs(mut self, json: &str) -> Self {
        self.plan.inputs = serde_json::from_str::<Vec<Value>>(json).unwrap();
        self
    }

    pub(crate) fn events(mut self, events: &[&str]) -> Self {
        self.plan.events = events.iter().map(|event| (*event).to_owned()).collect();
        self
    }

    pub(crate) fn patience(mut self, patience: Duration) -> Self {
        self.plan.patience = patience;
        self
    }

    /// Makes it.
    pub(crate) fn report(self) -> Report {
        within_a_runtime(self.examine())
    }

    pub(crate) async fn examine(self) -> Report {
        handler::examine(&self.target, &self.plan, None).await.unwrap()
    }
}

/// The ids of the checks that globs name; each must name some.
fn named(globs: &[&str]) -> Vec<&'static str> {
    let mut ids = Vec::new();
    for glob in globs {
        let matcher = Glob::new(glob).unwrap().compile_matcher();
        let named: Vec<_> = all().into_iter().filter(|id| matcher.is_match(id)).collect();
        assert!(!named.is_empty(), "no check is named {glob}");
        ids.extend(named);
    }
    ids
}

fn all() -> Vec<&'static str> {
    handler::all_checks().iter().map(|check| check.id).collect()
}

pub(crate) fn within_a_runtime<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let result = runtime.block_on(future);
    runtime.shutdown_timeout(Duration::from_secs(1));
    result
}

/// This binary, started as the server that these words name.
pub(crate) fn this(words: &[&str]) -> Target {
    let this = std::env::current_exe().unwrap().to_str().unwrap().to_owned();
    Target::McpStdio(this, words.iter().map(|word| (*word).to_owned()).collect())
}

/// Held by every trial that others may run beside, and alone by one that they would disturb.
static MACHINE: RwLock<()> = RwLock::new(());

pub(crate) fn trial(name: impl Into<String>, run: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        let _shared = MACHINE.read().unwrap_or_else(PoisonError::into_inner);
        run();
        Ok(())
    })
}

/// A trial that measures time.
pub(crate) fn trial_alone(name: impl Into<String>, run: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        let _alone = MACHINE.write().unwrap_or_else(PoisonError::into_inner);
        run();
        Ok(())
    })
}

/// Fails unless no check of latency is broken. A machine that others use may be slow for once.
#[track_caller]
pub(crate) fn answers_in_time(examination: impl Fn() -> Examination) {
    let attempt = || examination().only(&[LATENCY]).report();
    let mut report = attempt();
    for _ in 0..2 {
        if !broken(&report).is_empty() {
            report = attempt();
        }
    }
    is_clean(&report);
    assert_eq!(report.latency.len(), 2 * 4, "each hook with a budget, alone and together");
}

/// Every check that is broken, with what is said of it.
pub(crate) fn broken(report: &Report) -> BTreeMap<&'static str, String> {
    let told = |status: &Status| match status {
        Status::Broken { findings, .. } => {
            let told = findings.iter().map(|finding| format!("{}: {}", finding.place, finding.message));
            Some(told.collect::<Vec<_>>().join("\n"))
        }
        _ => None,
    };
    report.checks.iter().filter_map(|checked| Some((checked.check.id, told(&checked.status)?))).collect()
}

/// The beginning of what is said of each check, for who reads why a trial failed.
pub(crate) fn shown(broken: &BTreeMap<&'static str, String>) -> String {
    let line =
        |(id, told): (&&str, &String)| format!("{id}: {}\n", told.chars().take(400).collect::<String>());
    broken.iter().map(line).collect()
}

/// Every check that was not reached, and why.
pub(crate) fn not_reached(report: &Report) -> BTreeMap<&'static str, &str> {
    let reasons = report.checks.iter().filter_map(|checked| match &checked.status {
        Status::NotReached { reason } => Some((checked.check.id, reason.as_str())),
        _ => None,
    });
    reasons.collect()
}

pub(crate) fn notes(report: &Report) -> Vec<(&'static str, &str)> {
    let notes = report
        .checks
        .iter()
        .flat_map(|checked| checked.notes.iter().map(|note| (checked.check.id, note.as_str())));
    notes.collect()
}

/// Fails unless everything that was asked for was judged and holds.
#[track_caller]
pub(crate) fn is_clean(report: &Report) {
    let found = broken(report);
    assert!(found.is_empty(), "broken:\n{}", shown(&found));
    assert_eq!(not_reached(report), BTreeMap::new(), "not reached");
    assert!(report.reached_anything());
}

/// Fails unless exactly the checks that a fault is there for are broken, each for the reason that is meant.
#[track_caller]
pub(crate) fn is_found(report: &Report, planted: &Planted) {
    let found = broken(report);
    let ids = |ids: Vec<&'static str>| ids.into_iter().collect::<BTreeSet<_>>();
    let expected = ids(planted.broken.iter().map(|(id, _)| *id).collect());
    assert_eq!(ids(found.keys().copied().collect()), expected, "{}", shown(&found));
    for (id, told) in planted.broken {
        let found = found.get(id).map(String::as_str).unwrap_or_default();
        assert!(found.contains(told), "{id}: expected `{told}` in:\n{found}");
    }
    assert!(!report.cut_off, "cut off after {} s", report.took_s);
}
