//! Running cases against a candidate: renaming, asking, comparing, diagnosing.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use futures::stream::{self, StreamExt};
use hookproof_model::kernel::FailurePolicy;
use hookproof_model::matrices::Point;
use hookproof_model::matrices::defaults::convention_json;
use hookproof_model::matrices::profile::{self, Processor};
use hookproof_model::reading::{MatricesReadings, Readings};
use hookproof_model::run;
use hookproof_model::script::{Script, Transcript};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::about::{About, Clock};
use crate::abridge::bounded;
use crate::candidate::Candidate;
use crate::capability;
use crate::compare::{Difference, Mask, compare};
use crate::diagnosis::{self, Dictionary};
use crate::rename::{self, Renaming};
use crate::verdict::{Case, CaseResult, Failure, Report, Verdict};

/// How many scripts are under way at once unless said otherwise.
pub const DEFAULT_CONCURRENCY: usize = 8;
/// How long a candidate may take over one script unless said otherwise.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// How to run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The seed of renaming and fresh scripts.
    pub seed: u64,
    /// How many scripts are under way at once; never more than the candidate declares.
    pub concurrency: usize,
    /// How long a candidate may take over one script, and over `about`.
    pub timeout: Duration,
    /// Whether to stop at the first case that fails or errors.
    pub fail_fast: bool,
    /// Whether names and texts are exchanged before each run.
    pub rename: bool,
}

impl Default for Options {
    fn default() -> Self {
        let (concurrency, timeout) = (DEFAULT_CONCURRENCY, DEFAULT_TIMEOUT);
        Self { seed: 0, concurrency, timeout, fail_fast: false, rename: true }
    }
}

/// Puts every case to a candidate. `progress` is told of each result as it comes.
pub async fn check(
    candidate: &dyn Candidate,
    cases: Vec<Case>,
    options: &Options,
    progress: &(dyn Fn(&CaseResult) + Sync),
) -> Report {
    check_until(candidate, cases, options, progress, std::future::pending()).await
}

/// As [`check`], until `stop` is done: then what is under way is dropped, and what came so far is
/// the report.
pub async fn check_until(
    candidate: &dyn Candidate,
    cases: Vec<Case>,
    options: &Options,
    progress: &(dyn Fn(&CaseResult) + Sync),
    stop: impl Future<Output = ()>,
) -> Report {
    let mut stop = std::pin::pin!(stop);
    let began = Instant::now();
    let mut report = Report {
        target: candidate.to_string(),
        about: None,
        unreachable: None,
        seed: options.seed,
        results: Vec::new(),
        explanations: Vec::new(),
        took: Duration::ZERO,
    };
    let about = tokio::select! {
        biased;
        () = &mut stop => return Report { took: began.elapsed(), ..report },
        about = about(candidate, options.timeout) => about,
    };
    let about = match about {
        Ok(about) => about,
        Err(problem) => {
            let unreachable = unreachable(report.target, cases, options, problem);
            return Report { took: began.elapsed(), ..unreachable };
        }
    };
    let judge = Judge::new(&about);
    let concurrency = options.concurrency.min(about.max_concurrency.unwrap_or(usize::MAX)).max(1);
    let asked = cases.into_iter().enumerate().map(|(index, case)| {
        let judge = &judge;
        async move { (index, judge.put(candidate, case, options).await) }
    });
    let mut running = stream::iter(asked).buffer_unordered(concurrency);
    let mut results = Vec::new();
    loop {
        let next = tokio::select! {
            biased;
            () = &mut stop => None,
            next = running.next() => next,
        };
        let Some((index, result)) = next else { break };
        progress(&result);
        let stops = options.fail_fast && matches!(result.verdict, Verdict::Failed(_) | Verdict::Errored(_));
        results.push((index, result));
        if stops {
            break;
        }
    }
    drop(running);
    results.sort_by_key(|(index, _)| *index);
    let mut dictionary = Dictionary::default();
    for (_, result) in &results {
        if let Verdict::Failed(failure) = &result.verdict {
            dictionary.add(result.case.dialect(), &failure.suspects);
        }
    }
    report.results = results.into_iter().map(|(_, result)| result).collect();
    report.explanations = dictionary.ranked();
    report.about = Some(about);
    report.took = began.elapsed();
    report
}

/// The report on a target that could not be asked at all: every case errored.
#[must_use]
pub fn unreachable(target: String, cases: Vec<Case>, options: &Options, problem: String) -> Report {
    let errored =
        |case| CaseResult { case, verdict: Verdict::Errored(problem.clone()), took: Duration::ZERO };
    Report {
        target,
        about: None,
        results: cases.into_iter().map(errored).collect(),
        unreachable: Some(problem),
        seed: options.seed,
        explanations: Vec::new(),
        took: Duration::ZERO,
    }
}

/// Asks a candidate what it is.
///
/// # Errors
/// It could not be asked, or its answer is no `about`: one sentence.
pub async fn about(candidate: &dyn Candidate, timeout: Duration) -> Result<About, String> {
    let value = match tokio::time::timeout(timeout, candidate.about()).await {
        Ok(answer) => answer.map_err(|error| error.to_string())?,
        Err(_) => return Err(format!("{candidate}: no answer to about within {timeout:?}")),
    };
    let about: About = serde_json::from_value(value)
        .map_err(|error| format!("{candidate}: its answer to about cannot be used: {error}"))?;
    about
        .readings
        .validate()
        .map_err(|error| format!("{candidate}: its readings exclude each other: {error}"))?;
    if let Some(catalogue) = &about.catalogue {
        check_catalogue(catalogue).map_err(|problem| {
            format!("{candidate}: its catalogue of default hooks breaks MX-DEF-1: {problem}")
        })?;
    }
    if let Some(unknown) = about.capabilities.iter().flatten().find(|name| !capability::is_known(name)) {
        return Err(format!("{candidate}: it declares the capability `{unknown}`, which there is not"));
    }
    Ok(about)
}

/// MX-DEF-1: ids and matches of the default hooks are a platform's own, the rest is stated.
fn check_catalogue(catalogue: &[Value]) -> Result<(), String> {
    let hooks = profile::parse_catalogue(&MatricesReadings::default(), catalogue)
        .map_err(|faults| faults.into_iter().map(|fault| fault.message).collect::<Vec<_>>().join("; "))?;
    if hooks.len() != 6 {
        return Err(format!("six hooks are installed by default; it has {}", hooks.len()));
    }
    for hook in hooks {
        let stated = hook.point == Point::BeforeToolCall
            && hook.processor == Processor::Client
            && hook.async_timeout == profile::MAX_ASYNC_TIMEOUT
            && hook.policy == FailurePolicy::FailClosed;
        if !stated {
            return Err(format!(
                "`{}` is to run at before_tool_call with a client processor, wait 24 hours and be fail_closed",
                hook.id
            ));
        }
    }
    Ok(())
}

/// What a candidate is judged by.
struct Judge<'a> {
    about: &'a About,
    mask: Mask,
    /// Words that are not exchanged, since the candidate brings them.
    kept: BTreeSet<String>,
}

impl<'a> Judge<'a> {
    fn new(about: &'a About) -> Self {
        let declares =
            |name: &str| about.capabilities.as_ref().is_none_or(|declared| declared.contains(name));
        let kept = rename::words_of(&Value::Array(about.catalogue.clone().unwrap_or_default()));
        Self { about, mask: Mask::new(about.clock, declares(capability::FAULT_POINTERS)), kept }
    }

    /// The capabilities that a case needs and the candidate does not declare.
    fn lacks(&self, case: &Case, script: &Value, transcript: &Transcript) -> Vec<String> {
        let mut lacking = Vec::new();
        if self.about.dialects.as_ref().is_some_and(|dialects| !dialects.contains(&case.dialect())) {
            lacking.push(format!("dialect {}", case.dialect()));
        }
        if let Some(declared) = &self.about.capabilities {
            let steps = Value::Array(transcript.steps());
            let needs = capability::needs(script, &steps);
            lacking.extend(
                needs.iter().filter(|need| !declared.contains(**need)).map(|need| (*need).to_owned()),
            );
        }
        lacking
    }

    /// Puts one case to the candidate.
    async fn put(&self, candidate: &dyn Candidate, case: Case, options: &Options) -> CaseResult {
        let began = Instant::now();
        let verdict = match self.prepare(&case, options) {
            Err(verdict) => *verdict,
            Ok(prepared) => {
                match tokio::time::timeout(options.timeout, candidate.run(&prepared.json)).await {
                    Err(_) => {
                        Verdict::Errored(format!("{candidate}: no answer within {:?}", options.timeout))
                    }
                    Ok(Err(error)) => Verdict::Errored(error.to_string()),
                    Ok(Ok(answer)) => self.judge(&prepared, &answer),
                }
            }
        };
        CaseResult { case, verdict, took: began.elapsed() }
    }

    fn prepare(&self, case: &Case, options: &Options) -> Result<Prepared, Box<Verdict>> {
        let mut script = case.script.clone();
        // A script that brings no catalogue gets the convention's, so that its names are exchanged
        // like all others; a candidate with a catalogue of its own has it already.
        let own = match &mut script {
            Script::Matrices(script) if script.catalogue.is_none() => {
                if self.about.catalogue.is_none() {
                    script.catalogue = Some(convention_json());
                }
                self.about.catalogue.clone()
            }
            _ => None,
        };
        let plain = json!(script);
        let renaming = if options.rename {
            Renaming::of(&plain, case_seed(options.seed, &case.id), &self.kept)
        } else {
            Renaming::default()
        };
        let renamed = renaming.there(&plain);
        let problem = |problem: String| Box::new(Verdict::Errored(format!("{}: {problem}", case.id)));
        let mut script: Script =
            serde_json::from_value(renamed.clone()).map_err(|error| problem(error.to_string()))?;
        if let (Script::Matrices(script), Some(own)) = (&mut script, own) {
            script.catalogue = Some(own);
        }
        let readings = self.about.readings;
        let expected = run(&script, &readings).map_err(|error| problem(error.to_string()))?;
        let mut lacking = self.lacks(case, &renamed, &expected);
        if self.about.clock == Clock::Real && self.is_close(&script, &expected) {
            lacking.push("clock virtual".to_owned());
        }
        if !lacking.is_empty() {
            return Err(Box::new(Verdict::NotApplicable(lacking)));
        }
        Ok(Prepared { json: renamed.to_string(), script, expected, renaming, readings })
    }

    /// Whether a script cannot be put to a clock on the wall: time passes by itself in it, or answers a
    /// little sooner or later would come to something else.
    fn is_close(&self, script: &Script, expected: &Transcript) -> bool {
        /// How far a timer may be off, in milliseconds.
        const SLACK: i64 = 25;
        let plain = json!(script);
        if plain.to_string().contains("\"advance\":") {
            return true;
        }
        [-SLACK, SLACK].into_iter().any(|slack| {
            let mut shifted = plain.clone();
            shift(&mut shifted, slack);
            let shifted = serde_json::from_value(shifted)
                .ok()
                .and_then(|script| run(&script, &self.about.readings).ok());
            shifted.is_none_or(|shifted| compare(expected, &json!(shifted), self.mask).is_err())
        })
    }

    fn judge(&self, prepared: &Prepared, answer: &Value) -> Verdict {
        let Err(difference) = compare(&prepared.expected, answer, self.mask) else { return Verdict::Passed };
        let Prepared { script, readings, renaming, .. } = prepared;
        let suspects = diagnosis::explain(script, readings, answer, self.mask);
        let mut clauses: Vec<_> = suspects.iter().map(|suspect| suspect.clause(script.dialect())).collect();
        if clauses.is_empty() {
            clauses = decided_at(script, readings, &prepared.expected, difference.step);
        }
        let mut seen = BTreeSet::new();
        clauses.retain(|clause| seen.insert(*clause));
        let difference = Difference {
            expected: renaming.back(&difference.expected),
            // The large answers of many failures together would not fit into memory.
            observed: bounded(renaming.back(&difference.observed)),
            ..difference
        };
        Verdict::Failed(Box::new(Failure { difference, suspects, clauses }))
    }
}

struct Prepared {
    json: String,
    script: Script,
    expected: Transcript,
    renaming: Renaming,
    readings: Readings,
}

/// The clauses that a step decides: those whose mutants or alternatives change it.
fn decided_at(script: &Script, readings: &Readings, expected: &Transcript, step: usize) -> Vec<&'static str> {
    let expected = expected.steps();
    let changes = |suspect: &diagnosis::Suspect| {
        let transcript = suspect.transcript(script, readings);
        transcript.is_some_and(|transcript| transcript.steps().get(step) != expected.get(step))
    };
    let suspects = diagnosis::Suspect::all(script.dialect(), readings).filter(changes);
    suspects.map(|suspect| suspect.clause(script.dialect())).collect()
}

/// Lets every answer of a script come so much later.
fn shift(value: &mut Value, by: i64) {
    match value {
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                match member.as_i64() {
                    Some(after) if name == "after_ms" => *member = json!(after.saturating_add(by).max(0)),
                    _ => shift(member, by),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| shift(item, by)),
        _ => {}
    }
}

/// The seed of one case: the same whichever other cases run.
fn case_seed(seed: u64, id: &str) -> u64 {
    let digest = Sha256::new().chain_update(seed.to_le_bytes()).chain_update(id).finalize();
    digest.iter().take(8).fold(0, |seed, byte| (seed << 8) | u64::from(*byte))
}
