//! The harness bites: it names what is broken, and is not taken in by candidates that only look right.

mod support;

use std::collections::HashMap;

use hookproof::vector;
use rstest::rstest;
use serde_json::{Value, json};
use support::{Served, candidate, hookproof};

#[rstest]
#[case("last-decision-wins", &["HK-DECIDE-1"])]
#[case("every-hook-sees-the-original", &["HK-REWRITE-2"])]
#[case("late-answers-count", &["MX-DL-1", "VO-DL-3"])]
fn a_mutant_is_named_first_and_its_clause_before_it(#[case] mutant: &str, #[case] clauses: &[&str]) {
    let served = Served::http(&["--mutant", mutant]);
    let ran = hookproof(&["run", "--http", &served.url]).exits(1);
    let first = ran.stdout.lines().skip_while(|line| *line != "What explains the failures").nth(1);
    let first = first.expect("an explanation");
    let (named, explanation) = first.trim().split_once(": ").expect("clause: explanation");
    let mut named: Vec<_> = named.split(", ").collect();
    named.sort_unstable();
    assert_eq!(named, clauses);
    let failures = ran.last_line().split_once(" passed, ").expect("totals").1;
    let failures = failures.strip_suffix(" failed").expect("nothing skipped");
    assert_eq!(explanation, format!("behaves as `{mutant}` in {failures} of {failures} failures"));
}

#[test]
fn a_candidate_that_answers_nothing_to_everything_fails_everything() {
    let url = candidate(json!({}), |_| json!({}));
    let ran = hookproof(&["run", "--http", &url, "--format", "json"]).exits(1);
    assert_eq!(ran.json()["counts"]["passed"], 0);
}

#[test]
fn a_candidate_that_echoes_the_script_fails_everything() {
    let url = candidate(json!({}), |script| {
        let dialects = script.as_object().expect("an object");
        dialects.values().next().cloned().expect("a dialect")
    });
    let ran = hookproof(&["run", "--http", &url, "--format", "json"]).exits(1);
    assert_eq!(ran.json()["counts"]["passed"], 0);
}

#[test]
fn a_candidate_that_answers_from_a_table_of_the_vectors_fails() {
    let vectors = vector::packed().expect("they can be read");
    let table: HashMap<String, Value> = vectors
        .iter()
        .map(|vector| (json!(vector.file.script).to_string(), vector.file.transcript.clone()))
        .collect();
    // Renaming keeps the shape of a script, so a sly table looks scripts up by their shape.
    let by_shape: HashMap<String, Value> =
        table.iter().map(|(script, transcript)| (shape(script), transcript.clone())).collect();
    let count = vectors.len();
    let url = candidate(json!({}), move |script| {
        let script = script.to_string();
        let known = table.get(&script).or_else(|| by_shape.get(&shape(&script)));
        known.cloned().unwrap_or_else(|| json!({ "steps": [] }))
    });
    let ran = hookproof(&["run", "--http", &url, "--format", "json"]).exits(1);
    let passed = ran.json()["counts"]["passed"].as_u64().expect("a count");
    assert!(passed < count as u64 / 2, "{passed} of {count} vectors are answered from a table");
}

/// A script without its letters.
fn shape(script: &str) -> String {
    script.chars().map(|c| if c.is_ascii_alphabetic() { 'x' } else { c }).collect()
}
