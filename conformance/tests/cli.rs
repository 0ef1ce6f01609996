//! The command line: what it exits with, what it prints, and where.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use axum::Router;
use axum::routing::{get, post};
use hookproof::reference::{Contract, Reference};
use hookproof_model::kernel::Spec;
use hookproof_model::reading::Readings;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};
use support::{Ran, Served, candidate, command, hookproof, serve};

const MUTANT: &[&str] = &["--mutant", "last-decision-wins"];
/// A case that the mutant fails, and one that it passes.
const FAILS: &str = "vo-the-first-decision-in-install-order-wins";
const PASSES: &str = "vo-a-declined-call-does-not-execute";

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn the_reference_passes_over_every_transport() {
    let ran = hookproof(&["run", "--fresh", "20", "--format", "json"]).exits(0);
    let report = ran.json();
    let targets = report["targets"].as_array().unwrap();
    assert_eq!(targets.len(), 3);
    for target in targets {
        assert_eq!(target["counts"]["passed"], json!(target["cases"].as_array().unwrap().len()));
    }
}

#[rstest]
#[case::no_verb(&[], "Usage")]
#[case::two_targets(&["run", "--http", "http://a", "--mcp-http", "http://b"], "cannot be used with")]
#[case::no_command(&["run", "--mcp-stdio"], "required")]
#[case::a_command_without_its_option(&["run", "--", "node"], "--mcp-stdio")]
#[case::no_ready(&["run", "--http", "http://a", "--start", "node"], "--ready")]
#[case::no_url_to_reach_what_is_started(&["run", "--start", "node", "--ready", "http://a"], "--http")]
#[case::no_unit(&["run", "--timeout", "10"], "time unit")]
#[case::no_header(&["run", "--header", "Authorization"], "Name: value")]
#[case::no_capability(&["run", "--require", "flying"], "fault_pointers")]
#[case::no_dialect(&["run", "--dialect", "smoke"], "voiceos or matrices")]
#[case::no_era(&["run", "--mcp-era", "ice"], "stateless")]
#[case::no_glob(&["run", "--filter", "mx-[a"], "is no glob")]
#[case::no_such_folder(&["run", "--vectors", "no/such/folder"], "no/such/folder")]
#[case::no_folder_for_junit(&["run", "--junit", "no/such/folder/report.xml"], "no/such/folder/report.xml")]
#[case::no_expectations(&["run", "--expect-failures", "none.toml"], "none.toml")]
#[case::nothing_to_serve(&["serve"], "--mcp-stdio")]
#[case::no_mutant(&["serve", "--http", "127.0.0.1:0", "--mutant", "none"], "last-decision-wins")]
#[case::no_reading(&["serve", "--http", "127.0.0.1:0", "--reading", "VO-NO-1=x"], "`VO-NO-1` is no reading")]
#[case::no_alternative(&["serve", "--http", "127.0.0.1:0", "--reading", "VO-ORDER-1=x"], "by-id")]
#[case::readings_that_exclude_each_other(
    &["serve", "--http", "127.0.0.1:0", "--reading", "VO-ORDER-2=concurrent"], "HK-REWRITE-2 = original")]
#[case::no_address(&["serve", "--http", "nowhere"], "cannot listen on `nowhere`")]
fn what_cannot_be_done_exits_2_and_says_why(#[case] args: &[&str], #[case] says: &str) {
    let ran = hookproof(args).exits(2);
    assert!(ran.stderr.contains(says), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
}

#[test]
fn nothing_selected_exits_2() {
    let ran = hookproof(&["run", "--filter", "no-such-case", "--dialect", "matrices"]).exits(2);
    assert_eq!(
        ran.stderr,
        "hookproof: nothing selected: no case of the matrices dialect fits `no-such-case`; `hookproof vectors list` lists the vectors\n"
    );
}

#[test]
fn a_target_that_cannot_be_reached_exits_2() {
    // The port is free again once the listener is gone.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}");
    let ran = hookproof(&["run", "--http", &url, "--filter", PASSES]).exits(2);
    assert!(ran.stdout.contains(&format!("could not be asked: {url}: ")), "{}", ran.stdout);
    assert_eq!(ran.last_line(), "0 passed, 1 failed");
}

#[test]
fn a_target_whose_every_answer_is_an_error_exits_2() {
    let router = Router::new().route("/hookproof/v1/about", get(|| async { "{}" }));
    let url = serve(router);
    let ran = hookproof(&["run", "--http", &url, "--fresh", "20"]).exits(2);
    assert!(ran.stdout.contains("ERRORED"), "{}", ran.stdout);
    assert!(ran.stdout.contains("404"), "{}", ran.stdout);
}

#[test]
fn a_case_that_takes_too_long_errors() {
    let url = serve(
        Router::new()
            .route("/hookproof/v1/about", get(|| async { "{}" }))
            .route("/hookproof/v1/run", post(|| async { tokio::time::sleep(Duration::from_secs(60)).await })),
    );
    let began = Instant::now();
    let ran = hookproof(&["run", "--http", &url, "--filter", PASSES, "--timeout", "200ms"]).exits(2);
    assert!(began.elapsed() < Duration::from_secs(10));
    assert!(ran.stdout.contains("no answer within 200ms"), "{}", ran.stdout);
}

#[test]
fn a_vector_file_against_the_schema_exits_2_with_file_pointer_and_reason() {
    let folder = folder("bad-vector");
    let vector = json!({
        "id": "bad", "title": "Bad", "script": { "matrices": { "steps": [{ "advance": { "by": 1 } }] } },
        "transcript": { "steps": [{}] },
    });
    let path = file(&folder, "bad.json", &vector.to_string());
    let ran = hookproof(&["run", "--vectors", &folder.display().to_string()]).exits(2);
    let says = ran.stderr.strip_prefix(&format!("hookproof: {path}: /script/matrices/steps/0/advance"));
    assert!(says.is_some_and(|reason| reason.contains("unknown field `by`")), "{}", ran.stderr);
}

#[test]
fn a_failure_is_told_with_case_diagnosis_step_difference_and_replay() {
    let served = Served::http(MUTANT);
    let ran = hookproof(&["run", "--http", &served.url, "--seed", "5", "--filter", FAILS]).exits(1);
    let text = &ran.stdout;
    for piece in [
        &format!("FAILED {FAILS}\n"),
        "behaves as `last-decision-wins` (HK-DECIDE-1)",
        "  step ",
        "    --- expected\n    +++ observed\n    @@ ",
        &format!("replay: hookproof run --http {} --seed 5 --fresh 0 --filter {FAILS}\n", served.url),
    ] {
        assert!(text.contains(piece), "{piece:?} is not in\n{text}");
    }
    assert_eq!(ran.last_line(), "0 passed, 1 failed");
}

#[test]
fn a_replay_command_runs_the_same_case_again() {
    let served = Served::http(MUTANT);
    let ran = hookproof(&["run", "--http", &served.url, "--format", "json"]).exits(1);
    let report = ran.json();
    let cases = report["targets"][0]["cases"].as_array().unwrap();
    for origin in ["anchor", "fresh"] {
        let failed = cases.iter().rfind(|case| case["origin"] == origin && case["verdict"] == "failed");
        let failed = failed.expect("the mutant fails cases of either origin");
        let words = shlex::split(failed["replay"].as_str().unwrap()).unwrap();
        let mut args: Vec<_> = words.iter().skip(1).map(String::as_str).collect();
        args.extend(["--format", "json"]);
        let again = hookproof(&args).exits(1).json();
        let [case] = again["targets"][0]["cases"].as_array().unwrap().as_slice() else {
            panic!("{again:#} is no replay of one case");
        };
        for member in ["id", "step", "script_step", "expected", "observed", "diagnosis"] {
            assert_eq!(case[member], failed[member], "{member}");
        }
    }
}

#[test]
fn at_most_ten_failures_are_told_in_full_unless_all_are_asked_for() {
    let url = candidate(json!({}), |_| json!({}));
    let args = ["run", "--http", &url, "--fresh", "0", "--dialect", "voiceos"];
    let ran = hookproof(&args).exits(1);
    assert_eq!(ran.stdout.matches("replay: ").count(), 10);
    assert!(ran.stdout.contains("--show-all shows all in full"));
    let all = hookproof(&[args.as_slice(), &["--show-all"]].concat()).exits(1);
    assert_eq!(all.stdout.matches("replay: ").count(), all.stdout.matches("FAILED ").count());
}

#[test]
fn fail_fast_stops_at_the_first_failure() {
    let url = candidate(json!({}), |_| json!({}));
    let ran = hookproof(&["run", "--http", &url, "--fail-fast", "--format", "json"]).exits(1);
    assert_eq!(ran.json()["counts"]["failed"], 1);
}

#[test]
fn a_pipe_gets_no_escape_codes_and_no_progress() {
    let served = Served::http(MUTANT);
    let ran = hookproof(&["run", "--http", &served.url, "--fresh", "0"]).exits(1);
    assert!(!ran.stdout.contains('\u{1b}'));
    assert_eq!(ran.stderr, "");
}

#[test]
fn no_color_outweighs_forced_colours() {
    let served = Served::http(MUTANT);
    let args = ["run", "--http", &served.url, "--filter", FAILS];
    let forced = Ran::from(command(&args).env("CLICOLOR_FORCE", "1").output().unwrap());
    assert!(forced.stdout.contains('\u{1b}'));
    let ran = command(&args).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").output().unwrap();
    assert!(!Ran::from(ran).stdout.contains('\u{1b}'));
}

#[test]
fn what_a_candidate_says_of_itself_moves_no_terminal() {
    let url = candidate(json!({ "name": "\u{1b}[2Jhost", "version": "1\n2" }), |_| json!({}));
    let ran = hookproof(&["run", "--http", &url, "--filter", PASSES]).exits(1);
    assert!(ran.stdout.starts_with(&format!("{url}: \\u{{1b}}[2Jhost 1\\n2\n")), "{}", ran.stdout);
}

#[rstest]
#[case::by_id("id = 'vo-the-first-decision-in-install-order-wins'")]
#[case::by_glob("glob = 'vo-*'")]
#[case::by_clause("clause = 'HK-DECIDE-1'")]
fn an_expected_failure_fails_no_run(#[case] entry: &str) {
    let served = Served::http(MUTANT);
    let name = entry.split_once(' ').unwrap().0;
    let known = file(
        &folder(&format!("expected-{name}")),
        "known.toml",
        &format!("[[expect]]\n{entry}\nreason = 'known'\n"),
    );
    let args =
        ["run", "--http", &served.url, "--filter", FAILS, "--filter", PASSES, "--expect-failures", &known];
    let ran = hookproof(&args).exits(0);
    assert_eq!(ran.last_line(), "1 passed, 0 failed, 1 skipped");
    assert!(ran.stdout.contains(&format!("EXPECTED {FAILS}: known")), "{}", ran.stdout);
}

#[test]
fn a_stale_expectation_fails_a_run_that_passed() {
    let served = Served::http(&[]);
    let entries = format!(
        "[[expect]]\nid = '{PASSES}'\nreason = 'known'\n\n[[expect]]\nid = '{FAILS}'\nreason = 'known'\n"
    );
    let known = file(&folder("stale"), "known.toml", &entries);
    let args =
        ["run", "--http", &served.url, "--fresh", "0", "--filter", PASSES, "--expect-failures", &known];
    let ran = hookproof(&args).exits(1);
    assert!(ran.stdout.contains(&format!("{known}:1: stale: the case `{PASSES}`")), "{}", ran.stdout);
    // The other entry speaks of a case that the filter leaves out.
    assert_eq!(ran.stdout.matches("stale").count(), 1 + known.matches("stale").count(), "{}", ran.stdout);
    assert_eq!(ran.last_line(), "1 passed, 0 failed");
}

#[test]
fn a_faulty_expectation_exits_2_with_file_and_line() {
    let known = file(&folder("faulty"), "known.toml", "[[expect]]\nid = 'a'\nreason = 'r'\nuntil = 'May'\n");
    let ran = hookproof(&["run", "--expect-failures", &known]).exits(2);
    assert!(
        ran.stderr.starts_with(&format!("hookproof: {known}:4: unknown field `until`")),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_is_not_declared_is_counted_listed_and_can_be_required() {
    let about = json!({ "capabilities": ["cards", "notch"], "dialects": ["voiceos"] });
    let url = candidate(about, |_| json!({}));
    let base = ["run", "--http", &url, "--fresh", "0", "--filter", "mx-*"];
    let ran = hookproof(&base).exits(2);
    assert!(
        ran.stdout.contains("NOT APPLICABLE") && ran.stdout.contains("dialect matrices in "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("nothing ran: every case is not applicable"), "{}", ran.stdout);
    let required =
        ["--require", "audit", "--require", "cards", "--max-not-applicable", "3", "--format", "json"];
    let ran = hookproof(&[base.as_slice(), &required].concat()).exits(2);
    let problems =
        ran.json()["problems"].as_array().unwrap().iter().map(Value::to_string).collect::<String>();
    assert!(problems.contains("the capability `audit` is required"), "{problems}");
    assert!(!problems.contains("`cards`"), "{problems}");
    assert!(problems.contains("--max-not-applicable allows 3"), "{problems}");
}

#[rstest]
#[case::a_capability(&["--require", "audit"], "the capability `audit` is required")]
#[case::too_many_left_out(&["--max-not-applicable", "1"], "cases are not applicable; --max-not-applicable allows 1")]
fn a_requirement_that_is_not_met_fails_a_run_that_passed(#[case] required: &[&str], #[case] says: &str) {
    let reference = Reference { rules: &Spec, readings: Readings::default() };
    let run = move |script: Value| reference.run(&script.to_string()).unwrap();
    let url = candidate(json!({ "name": "half a host", "capabilities": ["waits", "profiles"] }), run);
    let args = ["run", "--http", &url, "--fresh", "0", "--dialect", "matrices"];
    let ran = hookproof(&args).exits(0);
    assert!(ran.last_line().contains(" passed, 0 failed, "), "{}", ran.stdout);
    let ran = hookproof(&[args.as_slice(), required].concat()).exits(1);
    assert!(ran.stdout.contains(says), "{}", ran.stdout);
}

#[test]
fn junit_is_written_beside_the_report() {
    let served = Served::http(MUTANT);
    let path = folder("junit").join("report.xml").display().to_string();
    let args = ["run", "--http", &served.url, "--filter", FAILS, "--filter", PASSES, "--junit", &path];
    hookproof(&args).exits(1);
    let report = quick_junit::Report::deserialize_from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let [suite] = report.test_suites.as_slice() else { panic!("one suite a target") };
    assert_eq!((suite.tests, suite.failures, suite.errors), (2, 1, 0));
    let names: Vec<_> = suite.test_cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, [PASSES, FAILS]);
}

#[test]
fn readings_that_a_candidate_declares_are_what_it_is_judged_by() {
    let served = Served::http(&["--reading", "VO-ORDER-1=by-id"]);
    let ran = hookproof(&["run", "--http", &served.url, "--fresh", "50"]).exits(0);
    assert!(
        ran.stdout.contains("judged by VO-ORDER-1=by-id and otherwise the default readings"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_header_is_sent_and_its_value_kept_out_of_the_report() {
    let about = |headers: axum::http::HeaderMap| async move {
        if headers.get("x-key").is_some_and(|key| key == "se:cret") {
            Ok("{}")
        } else {
            Err(axum::http::StatusCode::FORBIDDEN)
        }
    };
    let router = Router::new()
        .route("/hookproof/v1/about", get(about))
        .route("/hookproof/v1/run", post(|| async { "{}" }));
    let url = serve(router);
    let args = ["run", "--http", &url, "--filter", PASSES];
    hookproof(&args).exits(2);
    let ran = hookproof(&[args.as_slice(), &["--header", "X-Key: se:cret"]].concat()).exits(1);
    assert!(!ran.stdout.contains("se:cret") && ran.stdout.contains("'X-Key: …'"), "{}", ran.stdout);
}

#[cfg(unix)]
#[test]
fn a_started_candidate_is_waited_for_and_ended_with_its_group() {
    let folder = folder("start");
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}");
    let pid = folder.join("pid").display().to_string();
    // The shell is the leader, the candidate what it has started.
    let script = format!(
        "sleep 0.3; '{}' serve --http 127.0.0.1:{port} & echo $! > '{pid}'; wait",
        env!("CARGO_BIN_EXE_hookproof")
    );
    let start = shlex::try_join(["sh", "-c", &script]).unwrap();
    let args = ["run", "--start", &start, "--ready", &format!("{url}/"), "--http", &url, "--filter", PASSES];
    let ran = hookproof(&args).exits(0);
    assert_eq!(ran.last_line(), "1 passed, 0 failed");
    let pid = fs::read_to_string(&pid).unwrap().trim().parse().unwrap();
    assert!(has_ended(pid), "the candidate is left behind");
}

#[cfg(unix)]
#[test]
fn a_started_candidate_that_ends_too_early_exits_2() {
    let args = ["run", "--start", "false", "--ready", "http://127.0.0.1:9/", "--http", "http://127.0.0.1:9"];
    let ran = hookproof(&args).exits(2);
    assert!(ran.stderr.contains("`false` ended (exit status: 1) before"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_reports_what_came_so_far() {
    use nix::sys::signal::{Signal, kill};

    let url = serve(
        Router::new()
            .route("/hookproof/v1/about", get(|| async { "{}" }))
            .route("/hookproof/v1/run", post(|| async { tokio::time::sleep(Duration::from_secs(60)).await })),
    );
    let args = ["run", "--http", &url, "--timeout", "60s", "--format", "json"];
    let run = command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let began = Instant::now();
    kill(nix::unistd::Pid::from_raw(i32::try_from(run.id()).unwrap()), Signal::SIGINT).unwrap();
    let ran = Ran::from(run.wait_with_output().unwrap()).exits(130);
    assert!(began.elapsed() < Duration::from_secs(10));
    assert_eq!(ran.json()["interrupted"], true);
}

/// Whether a process has ended, or does so soon.
#[cfg(unix)]
fn has_ended(pid: i32) -> bool {
    let runs = || nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), None).is_ok();
    let until = Instant::now() + Duration::from_secs(5);
    while runs() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    !runs()
}
