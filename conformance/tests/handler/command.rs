//! The command line: what it exits with, what it prints, and what it writes.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use pretty_assertions::assert_eq;
use serde_json::Value;

use crate::integration::{MANIFEST, SERVE};
use crate::ran::{Ran, hookproof};
use crate::support::trial;

/// What needs one call and little time.
const ANSWERS: [&str; 2] = ["--only=answer-*", "--event=dictation"];

type Case = (&'static str, fn());

const CASES: &[Case] = &[
    ("a sound integration exits with 0 and the last line says so", || {
        let ran = handler("none", &["--only=answer-*"]).exits(0);
        assert_eq!(ran.last_line(), "21 passed, 0 failed");
    }),
    ("a broken should exits with 0, and with --strict with 1", || {
        let only = ["--only=answer-size", "--event=dictation"];
        let ran = handler("big-answer", &only).exits(0);
        assert!(ran.stdout.contains("BROKEN answer-size (should; HK-LIMIT-1)"), "{}", ran.stdout);
        assert!(ran.stdout.contains("dictation: the text has 1"), "{}", ran.stdout);
        assert!(ran.stdout.contains("costs: a host that bounds what it reads"), "{}", ran.stdout);
        assert!(ran.stdout.contains("1 of severity should are broken"), "{}", ran.stdout);
        assert_eq!(ran.last_line(), "0 passed, 0 failed");
        let ran = handler("big-answer", &[only.as_slice(), &["--strict"]].concat()).exits(1);
        assert_eq!(ran.last_line(), "0 passed, 1 failed");
    }),
    ("a broken must exits with 1", || {
        let ran = handler("not-json", &ANSWERS).exits(1);
        assert!(ran.stdout.contains("BROKEN answer-json (must; VO-SRV-4, VO-WIRE-4)"), "{}", ran.stdout);
    }),
    ("nothing that could be judged exits with 2", || {
        let ran = hookproof(&["handler", "--mcp-stdio", "--", "hookproof-no-such-command"]).exits(2);
        assert!(ran.stdout.contains("BROKEN mcp-starts"), "{}", ran.stdout);
        assert!(ran.stdout.contains("the server did not greet the client: mcp-"), "{}", ran.stdout);
        assert_eq!(ran.last_line(), "0 passed, 1 failed");
    }),
    ("what the time limit cut off exits with 2", || {
        let only = ["--only=mcp-starts", "--only=latency-alone", "--event=dictation"];
        let limit = ["--timeout=1s", "--calls=100000"];
        let ran = handler("none", &[only.as_slice(), &limit].concat()).exits(2);
        assert!(ran.stdout.contains("the time limit of 1s was reached: latency-alone"), "{}", ran.stdout);
    }),
    ("an unknown check is refused", || {
        refused(&["--only=answer-jason"], "no check has such an id; `hookproof handler --list` lists them")
    }),
    ("an unknown event is refused", || {
        refused(&["--event=keyPress"], "expected one of transcript, dictation, preToolUse")
    }),
    ("no target is refused", || {
        let ran = hookproof(&["handler"]).exits(2);
        assert_eq!(
            ran.stderr.trim(),
            "hookproof: no target; expected --mcp-stdio -- CMD, --mcp-http URL, --url URL or --list"
        );
    }),
    ("a command without --mcp-stdio is refused", || {
        assert!(hookproof(&["handler", "--", "node"]).exits(2).stderr.contains("--mcp-stdio"));
    }),
    ("two targets are refused", || {
        let ran = hookproof(&["handler", "--mcp-http=http://a/", "--url=http://b/"]).exits(2);
        assert!(ran.stderr.contains("cannot be used with"), "{}", ran.stderr);
    }),
    ("inputs that are not there are refused", || {
        refused(&["--input=no-such.json"], "--input no-such.json: cannot be read: No such file")
    }),
    ("inputs that are no JSON are refused", || {
        refused_file(
            "--input",
            "{\"event\":",
            "expected a JSON object or a list of them; EOF while parsing a value at line 1 column 9",
        )
    }),
    ("inputs that are no objects are refused", || {
        refused_file("--input", "7", "expected a JSON object or a list of them")
    }),
    ("inputs of an unknown event are refused", || {
        let told = "input 2: `event` is \"keyPress\"; expected one of transcript, dictation, preToolUse, postToolUse, turnComplete";
        refused_file("--input", r#"[{"event":"dictation"},{"event":"keyPress"}]"#, told);
    }),
    ("inputs without an event are refused", || {
        refused_file("--input", r#"{"point":"before_input"}"#, "input 1: `event` is nothing; expected one of")
    }),
    ("a manifest that is not there is refused", || {
        refused(&["--manifest=no-such.json"], "--manifest no-such.json: cannot be read: No such file")
    }),
    ("a folder for the report that is not there is refused", || {
        refused(&["--junit=no-such/report.xml"], "no-such/report.xml: No such file")
    }),
    ("a rejected manifest is told with its line and column", || {
        let folder = folder("rejected");
        let manifest =
            file(&folder, "manifest.json", &MANIFEST.replace("\"schemaVersion\": 1", "\"schemaVersion\": 2"));
        let ran =
            handler("none", &["--only=manifest-accepted", "--only=hooks-offered", "--manifest", &manifest])
                .exits(1);
        let told = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            told.contains(&format!("manifest: {manifest}:2:20: VO-MAN-9: `schemaVersion` is 1; found 2")),
            "{}",
            ran.stdout
        );
        assert!(told.contains("costs: the integration is not installed"), "{}", ran.stdout);
    }),
    ("the JSON document has every check and the totals", || {
        let ran = handler("big-answer", &["--format=json", "--only=answer-*", "--event=dictation"]).exits(0);
        let document = ran.json();
        assert_eq!(document["checks"].as_array().unwrap().len(), 21);
        let size =
            document["checks"].as_array().unwrap().iter().find(|check| check["id"] == "answer-size").unwrap();
        assert_eq!((&size["status"], &size["severity"]), (&"broken".into(), &"should".into()));
        assert_eq!(size["findings"][0]["place"], "dictation");
        let totals = serde_json::json!({
            "passed": 20, "broken_must": 0, "broken_should": 1, "not_applicable": 0, "not_reached": 0
        });
        assert_eq!(document["totals"], totals);
        assert_eq!((&document["exit_code"], &document["strict"]), (&0.into(), &false.into()));
    }),
    ("the JUnit report has a test case for each check", the_junit_report_has_a_test_case_for_each_check),
    ("the record holds every message", the_record_holds_every_message),
    ("--list names every check once", || {
        let ran = hookproof(&["handler", "--list", "--format=json"]).exits(0);
        let document = ran.json();
        let ids: Vec<_> =
            document.as_array().unwrap().iter().map(|check| check["id"].as_str().unwrap()).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
        let text = hookproof(&["handler", "--list"]).exits(0).stdout;
        for id in ids {
            assert!(text.lines().any(|line| line.split_whitespace().next() == Some(id)), "{id}");
        }
    }),
];

pub(crate) fn trials() -> Vec<Trial> {
    CASES.iter().map(|(name, run)| trial(*name, run)).collect()
}

/// Checks the integration on rmcp with a fault.
fn handler(fault: &str, options: &[&str]) -> Ran {
    let this = std::env::current_exe().unwrap();
    let target = ["--mcp-stdio", "--", this.to_str().unwrap()];
    hookproof(&[&["handler"], options, &target, &SERVE, &[fault]].concat())
}

#[track_caller]
fn refused(options: &[&str], told: &str) {
    let ran = handler("none", options).exits(2);
    assert!(ran.stderr.contains(told), "expected `{told}` in:\n{}", ran.stderr);
    assert_eq!(ran.stdout, "");
}

#[track_caller]
fn refused_file(option: &str, text: &str, told: &str) {
    let folder = folder("refused");
    let path = file(&folder, &format!("{:x}.json", text.len()), text);
    refused(&[option, &path], &format!("{option} {path}: {told}"));
}

fn the_junit_report_has_a_test_case_for_each_check() {
    let folder = folder("junit");
    let path = folder.join("report.xml");
    let junit = format!("--junit={}", path.display());
    handler("big-answer", &["--only=answer-*", "--event=dictation", "--strict", &junit]).exits(1);
    let xml = fs::read_to_string(&path).unwrap();
    assert!(xml.starts_with("<?xml"), "{xml}");
    assert_eq!(xml.matches("<testcase ").count(), 21);
    assert_eq!(xml.matches("<failure ").count(), 1);
    assert!(xml.contains(r#"tests="21""#) && xml.contains(r#"failures="1""#), "{xml}");
    assert!(xml.contains(r#"<testcase name="answer-size" classname="should""#), "{xml}");
}

fn the_record_holds_every_message() {
    let folder = folder("record");
    let path = folder.join("record.jsonl");
    let record = format!("--record={}", path.display());
    handler("none", &["--only=latency-alone", "--event=dictation", "--calls=7", &record]).exits(0);
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (header, footer) = (&lines[0], &lines[lines.len() - 1]);
    assert_eq!((&header["record"], &header["format"]), (&"hookproof handler".into(), &1.into()));
    assert_eq!((&footer["end"], &footer["lines"]), (&true.into(), &(lines.len() - 1).into()));
    let calls: Vec<_> = lines.iter().filter(|line| line["message"]["method"] == "tools/call").collect();
    assert_eq!(calls.len(), 7);
    for call in calls {
        assert_eq!(
            (&call["way"], &call["message"]["params"]["name"]),
            (&"sent".into(), &"voiceos_hook_dictation".into())
        );
        let replies = lines.iter().filter(|line| {
            line["way"] == "received"
                && line["link"] == call["link"]
                && line["message"]["id"] == call["message"]["id"]
        });
        assert_eq!(replies.count(), 1, "{call}");
    }
}

/// A folder of this trial's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("handler").join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}
