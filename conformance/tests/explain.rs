//! `hookproof explain`: its sentences, time lines and citations, for every packed vector.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use hookproof::explain::{Explanation, Subject, WIDTH, explain};
use hookproof::mutant::Mutant;
use hookproof::vector::{Vector, packed};
use hookproof_model::reading::Readings;
use hookproof_model::run_by;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

fn vector(id: &str) -> Vector {
    packed().unwrap().into_iter().find(|vector| vector.id() == id).unwrap()
}

fn explained(vector: &Vector, by: Option<&'static Mutant>) -> Explanation {
    explain(&Subject::from(vector), &Readings::default(), by).unwrap()
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn command(args: &[&str], stdin: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hookproof"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_chain_of_rewrites_is_told_in_order_of_time() {
    let explanation = explained(&vector("vo-transcript-rewrites-compose"), None);
    let fire = &explanation.steps[2];
    assert_eq!(fire.does, "fire transcript \"put bluebird on the list\" (voice)");
    assert_eq!(
        fire.sentences,
        [
            "At 0 ms, dev.northwind.glossary (voiceos_hook_transcript) is asked, until 500 ms. \
             It sees the value as it came.",
            "  After 30 ms it answers {\"updatedText\":\"put Bluebird (NW-17) on the list\"}: \
             continue, with a rewrite. The value becomes \"put Bluebird (NW-17) on the list\".",
            "At 30 ms, com.twofold.lists (voiceos_hook_transcript) is asked, until 500 ms. \
             It sees the rewritten value \"put Bluebird (NW-17) on the list\".",
            "  After 45 ms it answers {\"updatedText\":\"put Bluebird (NW-17) on the list “Weekly”\"}: \
             continue, with a rewrite. The value becomes \"put Bluebird (NW-17) on the list “Weekly”\".",
            "At 75 ms the firing is over: the agent goes on with \
             \"put Bluebird (NW-17) on the list “Weekly”\".",
        ]
    );
    assert!(fire.clauses.iter().any(|cited| cited.clause == "HK-REWRITE-2@0.1"
        && cited.decided_by.contains(&"every-hook-sees-the-original".to_owned())));
    let text = explanation.to_string();
    let quotation = "VO-FOLD-2@0.1 continue with the event's rewrite member applies the rewrite. \
                     - (updatedText) VoiceOS hooks page, section Writing handlers: \
                     “transcript / dictation rewrite”";
    assert!(on_one_line(&text).contains(quotation), "{text}");
}

#[test]
fn a_wait_is_told_over_the_steps_that_it_spans() {
    let text = explained(&vector("mx-a-wait-lasts-24-hours-unless-declared"), None).to_string();
    let told = on_one_line(&text);
    let mut rest = told.as_str();
    for phrase in [
        "At 0 ms, sign-off (client, fail_closed) is asked.",
        "The work is parked on x/sign-off, at the longest until 24 h.",
        "Step 6: let 2 ms pass",
        "Firing x goes on",
        "At 24 h, its wait expires: it counts as deny.",
        "the firing is over: denied",
    ] {
        let (_, behind) =
            rest.split_once(phrase).unwrap_or_else(|| panic!("{phrase} does not follow in\n{text}"));
        rest = behind;
    }
}

#[test]
fn every_packed_vector_is_explained_within_its_width() {
    for vector in packed().unwrap() {
        let explanation = explained(&vector, None);
        let id = vector.id();
        assert_eq!(explanation.steps.len(), vector.file.script.len(), "{id}");
        assert_eq!(explanation.differs_from_vector, None, "{id}");
        for step in &explanation.steps {
            assert!(!step.does.is_empty(), "{id}: step {}", step.step);
            for line in step.timelines.iter().flat_map(|drawn| &drawn.lines) {
                assert!(line.chars().count() <= WIDTH - 2, "{id}: {line}");
                assert!(!line.contains("too many moments"), "{id}: {line}");
            }
        }
        let text = explanation.to_string();
        for step in 1..=explanation.steps.len() {
            assert!(text.contains(&format!("\nStep {step}: ")), "{id}: step {step}");
        }
        assert!(!text.contains('\u{1b}'), "{id}");
    }
}

/// Everybody who was called is named, at the moment of the call, and so is everything that was seen.
#[test]
fn every_call_of_every_vector_is_told() {
    for vector in packed().unwrap() {
        for step in explained(&vector, None).steps {
            let told = step.sentences.join("\n");
            let fired = step.observed.get("fired").unwrap_or(&step.observed);
            for call in fired["calls"].as_array().into_iter().flatten() {
                let hook = call["hook"].as_str().unwrap();
                assert!(told.contains(&format!("{hook} (")), "{}: {hook} in\n{told}", vector.id());
            }
            assert_eq!(
                told.contains("the firing is over") || told.contains("receipt is sent"),
                ended(&step.observed),
                "{}: {told}",
                vector.id()
            );
        }
    }
}

/// What is told of decisions is what came of the firings, whichever of several went on in a step.
#[test]
fn the_work_is_told_to_be_denied_where_it_is() {
    for vector in packed().unwrap() {
        for step in explained(&vector, None).steps {
            let resumed = step.observed["resumed"].as_array().into_iter().flatten();
            let fired = resumed.map(|resumed| &resumed["fired"]).chain(step.observed.get("fired"));
            let denied = fired
                .chain([&step.observed])
                .filter(|fired| {
                    ["denied", "withheld", "blocked"].iter().any(|name| fired["outcome"].get(name).is_some())
                })
                .count();
            let told = step.sentences.join(" ");
            let count = |phrase: &str| told.matches(phrase).count();
            let both = count("it counts as deny. That decides: deny.");
            let told_denied =
                count("it counts as deny.") + count("ecides: deny.") - both + count("That decides: block.");
            assert_eq!(
                told_denied,
                denied,
                "{} step {}: {}",
                vector.id(),
                step.step,
                step.sentences.join("\n")
            );
        }
    }
}

fn ended(observed: &Value) -> bool {
    let resumed = observed["resumed"].as_array().into_iter().flatten();
    let mut meanwhile = observed["meanwhile"].as_array().into_iter().flatten();
    observed.get("outcome").is_some()
        || meanwhile.any(ended)
        || observed["fired"].get("outcome").is_some()
        || resumed.clone().any(|resumed| resumed["fired"].get("outcome").is_some())
}

#[test]
fn what_is_told_is_what_the_model_observes_by_every_mutant() {
    let vectors = packed().unwrap();
    for vector in vectors.iter().step_by(vectors.len() / 24) {
        for mutant in Mutant::all() {
            let explanation = explained(vector, Some(mutant));
            let transcript = run_by(mutant.rules, &vector.file.script, &Readings::default()).unwrap();
            let observed: Vec<_> = explanation.steps.iter().map(|step| step.observed.clone()).collect();
            assert_eq!(observed, transcript.steps(), "{} by {}", vector.id(), mutant.name);
            assert!(!explanation.to_string().is_empty());
            let departs = explanation.steps.iter().any(|step| step.departs.is_some());
            assert_eq!(
                departs,
                explanation.differs_from_vector.is_some(),
                "{} by {}",
                vector.id(),
                mutant.name
            );
        }
    }
}

#[test]
fn a_bare_script_is_read_from_standard_input() {
    let script = json!({ "matrices": { "steps": [{ "advance": { "by_ms": 60_000 } }] } }).to_string();
    let output = command(&["explain", "-"], &script);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "\nStep 1: let 1 min pass\n\nNo other reading would change this transcript.\n"
    );
    let output = command(&["explain", "-", "--format", "json"], &script);
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["steps"][0]["does"], "let 1 min pass");
    assert_eq!(document["id"], Value::Null);
}

#[rstest]
#[case(&["explain", "mx-the-first-nondefer-decision-wins"], "the nearest: mx-the-first-non-defer-decision-wins")]
#[case(&["explain", "mx-"], "begins several ids")]
#[case(&["explain", "no/such/file.json"], "no/such/file.json: /: ")]
#[case(&["explain", "-"], "standard input: /: not JSON")]
#[case(&["explain", "mx-status-204", "--by", "last-decision-win"], "the nearest: last-decision-wins")]
#[case(&["explain", "mx-status-204", "--reading", "MX-DL-3"], "expected CLAUSE=ALTERNATIVE")]
#[case(&["explain", "mx-status-204", "--reading", "MX-DL-3=perhaps"], "expected one of: in-time, late")]
#[case(&["explain", "vo-nothing-means", "--reading", "VO-ORDER-2=concurrent"], "implies HK-REWRITE-2")]
fn what_cannot_be_explained_is_told_with_exit_code_2(#[case] args: &[&str], #[case] message: &str) {
    let output = command(args, "{");
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains(message), "{told}");
}

#[test]
fn another_reading_is_told_as_it_is_read() {
    let id = "vo-a-transcript-answer-at-500-ms-counts-and-at-501-ms-does-not";
    let output = command(&["explain", id, "--reading", "VO-DL-4=late"], "");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("read with VO-DL-4 = late"), "{told}");
    assert!(told.contains("This is not what the vector expects"), "{told}");
    let by_default = String::from_utf8(command(&["explain", id], "").stdout).unwrap();
    assert!(by_default.contains("- late (here in-time): step"), "{by_default}");
}
