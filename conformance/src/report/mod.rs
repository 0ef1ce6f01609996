//! What a run found, told as text, as JSON and as JUnit; and the exit code that follows from it.

pub mod json;
pub mod junit;
pub mod progress;
pub mod text;

use hookproof_model::Dialect;
use hookproof_model::reading::Readings;
use serde_json::{Value, json};

use crate::cli::{EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE};
use crate::verdict::{Case, Counts, Report};

/// A run over one target or several.
#[derive(Debug)]
pub struct Run {
    /// One section a target, in the order in which they ran.
    pub sections: Vec<Section>,
    /// Where the vectors come from: a folder, or the digest of those packed into the command.
    pub vectors: String,
    /// What fails the run beside its cases: stale expectations, unmet requirements; one sentence each.
    pub problems: Vec<String>,
    /// Whether the run was interrupted before its end.
    pub interrupted: bool,
}

/// What came of one target.
#[derive(Debug)]
pub struct Section {
    /// What the target is called in reports.
    pub name: String,
    /// What came of it.
    pub report: Report,
    /// How one of its cases is run again.
    pub replay: Replay,
}

/// The options that reach a target again, as they stand on a command line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Replay {
    /// Those before the seed.
    pub options: Vec<String>,
    /// A command that stands behind `--`, with its arguments.
    pub command: Vec<String>,
}

impl Run {
    /// How many cases came out how, over all targets.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.sections.iter().map(|section| section.report.counts()).fold(Counts::default(), Counts::plus)
    }

    /// The exit code: 130 interrupted; 2 nothing ran or everything errored; 1 something failed or errored
    /// beyond what was expected, or a problem beside the cases; else 0.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        let counts = self.counts();
        if self.interrupted {
            EXIT_INTERRUPTED
        } else if counts.errored == counts.ran() {
            EXIT_USAGE
        } else if counts.failed + counts.errored > 0 || !self.problems.is_empty() {
            EXIT_FAILED
        } else {
            EXIT_OK
        }
    }

    /// The last line of a report.
    #[must_use]
    pub fn totals(&self) -> String {
        let counts = self.counts();
        let skipped = match counts.not_applicable + counts.expected {
            0 => String::new(),
            skipped => format!(", {skipped} skipped"),
        };
        format!("{} passed, {} failed{skipped}", counts.passed, counts.failed + counts.errored)
    }
}

impl Counts {
    /// How many cases were put to a candidate.
    #[must_use]
    pub const fn ran(&self) -> usize {
        self.passed + self.failed + self.errored + self.expected
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            passed: self.passed + other.passed,
            failed: self.failed + other.failed,
            errored: self.errored + other.errored,
            not_applicable: self.not_applicable + other.not_applicable,
            expected: self.expected + other.expected,
        }
    }
}

impl Replay {
    /// The command that runs just this case again as it ran under this seed.
    #[must_use]
    pub fn command(&self, case: &Case, seed: u64) -> String {
        // As many scripts are drawn as it takes to draw this one.
        let fresh = case.fresh_number().map_or(0, |number| number.saturating_add(1));
        let own = ["--seed", &seed.to_string(), "--fresh", &fresh.to_string(), "--filter", &case.id]
            .map(str::to_owned);
        let mut words = vec!["hookproof".to_owned(), "run".to_owned()];
        words.extend(self.options.iter().cloned().chain(own));
        if !self.command.is_empty() {
            words.push("--".to_owned());
            words.extend(self.command.iter().cloned());
        }
        // A word with a zero byte cannot have come from a command line.
        let quoted = |word: &String| shlex::try_quote(word).map_or_else(|_| word.clone(), Into::into);
        words.iter().map(quoted).collect::<Vec<_>>().join(" ")
    }
}

/// One step of a case's script, from zero.
fn step_of(case: &Case, step: usize) -> Option<Value> {
    let mut script = json!(case.script);
    let steps = script.get_mut(case.dialect().name())?.get_mut("steps")?;
    steps.get_mut(step).map(Value::take)
}

/// The readings of a dialect that are not the default, as `CLAUSE=alternative`.
fn declared(readings: &Readings, dialect: Dialect) -> Vec<String> {
    let declared = Readings::list().filter(|reading| reading.dialect == dialect).filter_map(|reading| {
        let chosen = readings.get(dialect, reading.id)?;
        (reading.alternatives.first() != Some(&chosen)).then(|| format!("{}={chosen}", reading.id))
    });
    declared.collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;
    use crate::verdict::{CaseResult, Origin, Verdict};

    fn case(id: &str, origin: Origin) -> Case {
        let script = serde_json::from_value(json!({ "voiceos": { "steps": [] } })).unwrap();
        Case { id: id.to_owned(), title: String::new(), origin, script, clauses: Vec::new() }
    }

    fn run(verdicts: Vec<Verdict>) -> Run {
        let case = case("vo-a", Origin::Anchor);
        let results = verdicts.into_iter().map(|verdict| CaseResult {
            case: case.clone(),
            verdict,
            took: Duration::ZERO,
        });
        let report = Report {
            target: "here".to_owned(),
            about: None,
            unreachable: None,
            seed: 1,
            results: results.collect(),
            explanations: Vec::new(),
            took: Duration::ZERO,
        };
        let section = Section { name: "here".to_owned(), report, replay: Replay::default() };
        Run { sections: vec![section], vectors: String::new(), problems: Vec::new(), interrupted: false }
    }

    fn errored() -> Verdict {
        Verdict::Errored("no answer".to_owned())
    }

    fn not_applicable() -> Verdict {
        Verdict::NotApplicable(vec!["waits".to_owned()])
    }

    #[rstest]
    #[case::all_passed(vec![Verdict::Passed], 0, "1 passed, 0 failed")]
    #[case::one_errored(vec![Verdict::Passed, errored()], 1, "1 passed, 1 failed")]
    #[case::everything_errored(vec![errored(), errored()], 2, "0 passed, 2 failed")]
    #[case::everything_that_ran_errored(vec![errored(), not_applicable()], 2, "0 passed, 1 failed, 1 skipped")]
    #[case::nothing_ran(vec![not_applicable()], 2, "0 passed, 0 failed, 1 skipped")]
    #[case::skipped_beside_passed(vec![Verdict::Passed, not_applicable()], 0, "1 passed, 0 failed, 1 skipped")]
    fn the_exit_code_follows(#[case] verdicts: Vec<Verdict>, #[case] code: u8, #[case] totals: &str) {
        let run = run(verdicts);
        assert_eq!(run.exit_code(), code);
        assert_eq!(run.totals(), totals);
    }

    #[test]
    fn a_problem_fails_a_run_of_passed_cases() {
        let problems = vec!["stale".to_owned()];
        assert_eq!(Run { problems, ..run(vec![Verdict::Passed]) }.exit_code(), 1);
        assert_eq!(Run { interrupted: true, ..run(vec![Verdict::Passed]) }.exit_code(), 130);
    }

    #[test]
    fn a_replay_quotes_what_a_shell_would_split() {
        let options = ["--header", "X-Team: a b", "--mcp-stdio"].map(str::to_owned).to_vec();
        let replay = Replay { options, command: vec!["node".to_owned(), "my host.js".to_owned()] };
        assert_eq!(
            replay.command(&case("fresh-17", Origin::Fresh), 5),
            "hookproof run --header 'X-Team: a b' --mcp-stdio --seed 5 --fresh 18 --filter fresh-17 -- node 'my host.js'"
        );
        assert_eq!(
            Replay::default().command(&case("vo-a", Origin::Anchor), 5),
            "hookproof run --seed 5 --fresh 0 --filter vo-a"
        );
    }
}
