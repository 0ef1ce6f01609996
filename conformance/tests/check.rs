//! `hookproof check`: what it finds, where, and what it takes without harm.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "check/hostile.rs"]
mod hostile;
#[path = "check/mended.rs"]
mod mended;
#[path = "check/planted.rs"]
mod planted;
mod support;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use hookproof_model::matrices::defaults;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};
use support::{Ran, command, hookproof};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/check");

fn source(kind: &str, name: &str) -> String {
    fs::read_to_string(Path::new(FOLDER).join(format!("{kind}s")).join(name)).unwrap()
}

/// Checks a text that is handed over on standard input.
fn piped(kind: &str, options: &[&str], bytes: &[u8]) -> Ran {
    let mut child = command(&["check", kind, "-"])
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may have read enough before all is written.
    let _ = child.stdin.take().unwrap().write_all(bytes);
    Ran::from(child.wait_with_output().unwrap())
}

/// The one fault of a text: line, column, clause.
#[track_caller]
fn only_fault(kind: &str, options: &[&str], text: &str) -> (u64, u64, String, Value) {
    let ran = piped(kind, &[options, &["--format", "json"]].concat(), text.as_bytes()).exits(1);
    let document = ran.json();
    let faults = document.pointer("/files/0/faults").and_then(Value::as_array).unwrap();
    assert_eq!(faults.len(), 1, "{faults:#?}");
    let fault = faults.first().unwrap();
    let member = |name: &str| fault.get(name).unwrap();
    let number = |name: &str| member(name).as_u64().unwrap();
    (number("line"), number("column"), member("clause").as_str().unwrap().to_owned(), fault.clone())
}

/// A text with one part exchanged.
#[track_caller]
fn planted(kind: &str, name: &str, part: &str, by: &str) -> String {
    let text = source(kind, name);
    assert_eq!(text.matches(part).count(), 1, "{part}");
    text.replace(part, by)
}

fn all(kind: &str) -> Vec<String> {
    let entries = fs::read_dir(Path::new(FOLDER).join(format!("{kind}s"))).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path().display().to_string()).collect();
    files.sort();
    files
}

#[rstest]
#[case("manifest", 5)]
#[case("profile", 3)]
fn what_real_ones_look_like_is_accepted(#[case] kind: &str, #[case] count: usize) {
    let files = all(kind);
    let args: Vec<_> = ["check", kind].into_iter().chain(files.iter().map(String::as_str)).collect();
    let ran = hookproof(&args).exits(0);
    assert_eq!(files.len(), count);
    assert_eq!(ran.last_line(), format!("{count} accepted, 0 rejected"));
    assert_eq!(ran.stderr, "");
}

#[test]
fn a_fault_is_told_with_line_mark_clause_and_what_to_write_instead() {
    let text = planted("manifest", "chat-roster.json", "2.4.1", "v2.4");
    let ran = piped("manifest", &[], text.as_bytes()).exits(1);
    assert_eq!(
        ran.stdout,
        r#"standard input:4:14: VO-MAN-9: `version` is a version that starts with N.N.N; found "v2.4"
    4 |   "version": "v2.4",
      |              ^^^^^^
      instead: "version": "2.4.0"

0 accepted, 1 rejected (1 fault)
"#
    );
}

#[test]
fn the_readme_shows_what_is_printed() {
    let mut command = command(&["check", "manifest", "manifest.json"]);
    let ran = Ran::from(command.current_dir(Path::new(FOLDER).join("readme")).output().unwrap()).exits(1);
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).unwrap();
    assert!(readme.contains(&format!("$ hookproof check manifest manifest.json\n{}```", ran.stdout)));
}

#[test]
fn every_file_is_checked_whatever_becomes_of_the_others() {
    let folder = folder("every-file");
    let faulty = folder.join("faulty.json");
    fs::write(&faulty, planted("manifest", "sports-ticker.json", "0.9.0-beta.2", "next")).unwrap();
    let (faulty, missing) = (faulty.display().to_string(), folder.join("missing.json").display().to_string());
    let good = all("manifest").swap_remove(0);
    let directory = folder.display().to_string();
    let args = ["check", "manifest", &missing, &faulty, &directory, &good];

    let text = hookproof(&args).exits(2);
    assert_eq!(text.last_line(), "1 accepted, 1 rejected (1 fault), 2 unreadable");
    assert!(text.stdout.contains(&format!("{faulty}:4:14: VO-MAN-9: ")), "{}", text.stdout);
    assert!(text.stdout.contains(&format!("{good}: accepted")), "{}", text.stdout);
    for unreadable in [&missing, &directory] {
        assert!(
            text.stderr.contains(&format!("hookproof: {unreadable}: cannot be read: ")),
            "{}",
            text.stderr
        );
    }

    let document = hookproof(&[&args[..], &["--format", "json"]].concat()).exits(2).json();
    let accepted: Vec<_> =
        document["files"].as_array().unwrap().iter().map(|file| file["accepted"].as_bool()).collect();
    assert_eq!(accepted, [None, Some(false), None, Some(true)]);
    assert_eq!(
        document["totals"],
        json!({ "files": 4, "accepted": 1, "rejected": 1, "unreadable": 2, "faults": 1 })
    );
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("check-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn json_has_these_members_and_no_others() {
    let text = planted("manifest", "chat-roster.json", "2.4.1", "v2.4");
    let document =
        piped("manifest", &["--format", "json", "--reading", "VO-MAN-5=as-omitted"], text.as_bytes()).json();
    assert_eq!(
        document,
        json!({
            "kind": "manifest",
            "readings": { "voiceos": { "VO-MAN-5": "as-omitted" } },
            "files": [{
                "file": "standard input",
                "accepted": false,
                "faults": [{
                    "pointer": "/version", "line": 4, "column": 14, "clause": "VO-MAN-9",
                    "message": "`version` is a version that starts with N.N.N; found \"v2.4\"",
                    "instead": "\"version\": \"2.4.0\"",
                }],
                "left_out": 0, "counted_all": true,
            }],
            "totals": { "files": 1, "accepted": 0, "rejected": 1, "unreadable": 0, "faults": 1 },
        })
    );
    let accepted =
        piped("manifest", &["--format", "json"], source("manifest", "ride-caller.json").as_bytes());
    assert_eq!(
        accepted.exits(0).json()["files"][0],
        json!({
            "file": "standard input", "accepted": true, "callout": true,
            "hooks": [
                { "event": "dictation", "apps": ["com.pedalo.desktop", "com.apple.MobileSMS"] },
                { "event": "preToolUse" }, { "event": "postToolUse" }, { "event": "turnComplete" },
            ],
        })
    );
}

#[test]
fn the_install_sheet_flags_a_manifest_with_hooks_alone() {
    let ran = piped("manifest", &[], source("manifest", "chat-roster.json").as_bytes()).exits(0);
    assert!(ran.stdout.contains("hooks: transcript (in com.fernhill.desktop)\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("install sheet: flags them (callout)\n"), "{}", ran.stdout);
    let ran = piped("manifest", &[], source("manifest", "notes-tool.json").as_bytes()).exits(0);
    assert!(ran.stdout.contains("hooks: none\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("install sheet: flags nothing\n"), "{}", ran.stdout);
}

#[test]
fn the_effective_hooks_of_a_profile_without_hooks_are_the_defaults() {
    let text = source("profile", "defaults.json");
    let ran = piped("profile", &["--effective"], text.as_bytes()).exits(0);
    for hook in defaults::convention() {
        assert!(ran.stdout.contains(&format!("{} (default)", hook.id)), "{}", ran.stdout);
    }
    let path = folder("catalogue").join("catalogue.json");
    let hook = json!({ "id": "house-rule", "point": "before_input", "processor": { "kind": "client" } });
    fs::write(&path, json!([hook]).to_string()).unwrap();
    let path = path.display().to_string();
    let options = ["--effective", "--catalogue", &path, "--format", "json"];
    let document = piped("profile", &options, text.as_bytes()).exits(0).json();
    assert_eq!(
        document["files"][0]["effective"],
        json!([{
            "id": "house-rule", "point": "before_input", "processor": "client", "on_failure": "fail_closed",
            "async_timeout_ms": 86_400_000, "timeout_ms": 10_000, "is_default": true,
        }])
    );
    let none = piped("profile", &["--effective"], br#"{"configuration":{"hooks":[]}}"#).exits(0);
    assert!(none.stdout.contains("hooks: 0, of which 0 stand as defaults, opted out"), "{}", none.stdout);
}

#[test]
fn an_id_that_is_reserved_for_another_hook_has_a_place_where_that_is_a_fault() {
    let text = planted("profile", "shop.json", "\"tone\"", "\"default-approve-shell\"");
    let fault = only_fault("profile", &["--reading", "MX-DEF-10=reject"], &text);
    assert_eq!((fault.0, fault.1, fault.2.as_str()), (23, 15, "MX-DEF-10"));
}

#[rstest]
#[case::no_kind(&["check"], "Usage")]
#[case::no_file(&["check", "manifest"], "FILE")]
#[case::no_reading(&["check", "manifest", "-", "--reading", "MX-VAL-9=clamp"], "`MX-VAL-9` is no reading of the voiceos dialect")]
#[case::no_alternative(&["check", "profile", "-", "--reading", "MX-VAL-9=bend"], "clamp")]
#[case::no_catalogue(&["check", "profile", "-", "--catalogue", "none.json"], "none.json")]
#[case::effective_manifests(&["check", "manifest", "-", "--effective"], "--effective")]
fn what_cannot_be_checked_exits_2_and_says_why(#[case] args: &[&str], #[case] says: &str) {
    let ran = hookproof(args).exits(2);
    assert!(ran.stderr.contains(says), "{}", ran.stderr);
    assert_eq!(ran.stdout, "");
}
