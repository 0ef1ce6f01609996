//! What no well-meaning author writes: each has a declared outcome, and none does harm.

use std::fs;

use hookproof::document;
use hookproof_model::MAX_FAULTS;
use hookproof_model::matrices::{defaults, profile};
use hookproof_model::reading::Readings;
use hookproof_model::voiceos::manifest;
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::support::{Ran, hookproof};
use super::{folder, only_fault, piped};

/// A whole document around a value that no clause is about.
fn around(kind: &str, value: &str) -> String {
    let rest = match kind {
        "manifest" => {
            r#""schemaVersion":1,"id":"a.b","version":"1.0.0","name":"n","summary":"s","publisher":{"id":"p","name":"p"},"runtime":{"kind":"hosted"},"tools":[{"name":"t"}]"#
        }
        _ => r#""configuration":{"hooks":[]}"#,
    };
    format!("{{\n{rest},\n\"extra\":{value}}}")
}

/// Hostile values, and the column of the third line at which they are refused, with a word of the reason.
#[rstest]
#[case::deep_enough("[".repeat(126) + &"]".repeat(126), None)]
#[case::too_deep("[".repeat(127) + &"]".repeat(127), Some((135, "recursion limit")))]
#[case::far_too_deep("[".repeat(10_000), Some((135, "recursion limit")))]
#[case::deep_objects("{\"a\":".repeat(10_000), Some((639, "recursion limit")))]
#[case::beyond_doubles("1e999".to_owned(), Some((13, "number out of range")))]
#[case::below_doubles("-1e999".to_owned(), Some((14, "number out of range")))]
#[case::many_digits("9".repeat(1 << 20), Some(((1 << 20) + 8, "number out of range")))]
#[case::small("1e-999".to_owned(), None)]
#[case::a_mebibyte(format!("\"{}\"", "x".repeat(1 << 20)), None)]
#[case::high_surrogate(r#""\ud83d""#.to_owned(), Some((16, "hex escape")))]
#[case::low_surrogate(r#""\ude00""#.to_owned(), Some((15, "surrogate")))]
#[case::pair(r#""\ud83d\ude00""#.to_owned(), None)]
fn hostile_values_have_a_declared_outcome(
    #[values("manifest", "profile")] kind: &str,
    #[case] value: String,
    #[case] refused: Option<(u64, &str)>,
) {
    let text = around(kind, &value);
    let Some((at, reason)) = refused else {
        piped(kind, &[], text.as_bytes()).exits(0);
        return;
    };
    let (line, column, clause, fault) = only_fault(kind, &[], &text);
    assert_eq!((line, column), (3, at), "{fault}");
    assert_eq!(clause, if kind == "manifest" { "VO-MAN-9" } else { "MX-VAL-1" });
    assert!(fault["message"].as_str().unwrap().contains(reason), "{fault}");
}

#[test]
fn control_characters_are_taken_escaped_and_refused_raw() {
    let readings = Readings::default();
    let catalogue = defaults::convention();
    for control in ('\0'..'\u{20}').chain('\u{7f}'..'\u{a0}') {
        let raw = format!("\"a{control}\"");
        let escaped = format!("\"a\\u{:04x}\"", u32::from(control));
        for (kind, value, is_taken) in [
            ("manifest", &raw, control > '\u{1f}'),
            ("manifest", &escaped, true),
            ("profile", &raw, control > '\u{1f}'),
            ("profile", &escaped, true),
        ] {
            let text = around(kind, value);
            let findings = match kind {
                "manifest" => document::manifest(&readings.voiceos, text.as_bytes()).err(),
                _ => document::profile(&readings.matrices, &catalogue, text.as_bytes()).err(),
            };
            assert_eq!(findings.is_none(), is_taken, "{kind} {control:?} {findings:?}");
            for finding in findings.iter().flat_map(|findings| &findings.told) {
                assert_eq!((finding.line, finding.column), (3, 11), "{control:?}");
                assert!(!finding.excerpt.line.contains(control), "{finding:?}");
            }
        }
    }
}

#[rstest]
#[case("manifest", "VO-MAN-9")]
#[case("profile", "MX-VAL-1")]
fn what_is_hardly_a_text_is_told_as_such(#[case] kind: &str, #[case] clause: &str) {
    for (bytes, place, says) in [
        (&b""[..], (1, 1), "found an empty text"),
        (b" \n\n", (1, 1), "found an empty text"),
        (b"\xef\xbb\xbf{}", (1, 1), "it begins with a byte order mark (U+FEFF)"),
        (b"{\n\"a\": \"\xff\"}", (2, 7), "is not UTF-8: found the byte 0xff at offset 8"),
        (b"\xff\xfe{\0}\0", (1, 1), "is not UTF-8: found the byte 0xff at offset 0"),
        (b"[]", (1, 1), "is a JSON object; found []"),
        (b"{\n  \"a\": 1,\n}", (3, 1), "trailing comma"),
        (b"{\n\"a\": 1\n", (2, 7), "EOF while parsing an object"),
    ] {
        let ran = piped(kind, &["--format", "json"], bytes).exits(1);
        let fault = ran.json()["files"][0]["faults"][0].clone();
        assert_eq!((&fault["line"], &fault["column"]), (&json!(place.0), &json!(place.1)), "{fault}");
        assert_eq!(fault["clause"], clause);
        let message = fault["message"].as_str().unwrap();
        assert!(message.contains(says), "{message}");
        assert!(!message.contains(" at line "), "{message}");
        assert_ne!(fault["instead"], "");
    }
}

#[rstest]
#[case("manifest", manifest::MAX_BYTES)]
#[case("profile", profile::MAX_BYTES)]
fn a_document_of_the_limit_is_read_and_one_byte_more_is_not(#[case] kind: &str, #[case] max: usize) {
    let mut text = around(kind, "0");
    text.push_str(&" ".repeat(max - text.len()));
    piped(kind, &[], text.as_bytes()).exits(0);
    text.push(' ');
    let (line, column, _, fault) = only_fault(kind, &[], &text);
    assert_eq!((line, column), (1, 1));
    assert!(fault["message"].as_str().unwrap().contains("at most 4194304 bytes (4 MiB)"), "{fault}");
}

#[test]
fn of_a_file_of_100_mb_no_more_than_the_limit_is_read() {
    let path = folder("large").join("large.json");
    fs::File::create(&path).unwrap().set_len(100_000_000).unwrap();
    let path = path.display().to_string();
    let ran = hookproof(&["check", "profile", &path]).exits(1);
    assert!(ran.stdout.contains("MX-VAL-T: a profile has at most 4194304 bytes"), "{}", ran.stdout);
    fs::remove_file(path).unwrap();
    // It never ends, and so does not do to be read whole.
    #[cfg(unix)]
    hookproof(&["check", "manifest", "/dev/zero"]).exits(1);
}

/// Each of the values that the limit has room for is a fault, in 700 MB of address space.
#[cfg(target_os = "linux")]
#[test]
fn the_limit_bounds_the_memory_of_millions_of_faults() {
    for (kind, text) in [
        ("profile", format!(r#"{{"configuration":{{"hooks":[{}{{}}]}}}}"#, "{},".repeat(1_300_000))),
        ("manifest", around("manifest", &format!("0,\"permissions\":[{}1]", "1,".repeat(1_900_000)))),
    ] {
        let path = folder("faults").join(format!("{kind}.json"));
        fs::write(&path, text).unwrap();
        let script = r#"ulimit -v 700000 && exec "$0" check "$2" "$1""#;
        let mut shell = std::process::Command::new("sh");
        let output =
            shell.args(["-c", script, env!("CARGO_BIN_EXE_hookproof")]).arg(&path).arg(kind).output();
        let ran = Ran::from(output.unwrap()).exits(1);
        assert_eq!(ran.last_line(), "0 accepted, 1 rejected (1000 faults or more)");
    }
}

/// The most values that the limit has room for, and an endless file, in 400 MB of address space.
#[cfg(target_os = "linux")]
#[test]
fn the_limit_bounds_the_memory() {
    let path = folder("memory").join("values.json");
    fs::write(&path, around("manifest", &format!("[{}0]", "0,".repeat(2_000_000)))).unwrap();
    let script = r#"ulimit -v 400000 && exec "$0" check manifest "$1" /dev/zero"#;
    let mut shell = std::process::Command::new("sh");
    let output = shell.args(["-c", script, env!("CARGO_BIN_EXE_hookproof")]).arg(&path).output().unwrap();
    let ran = Ran::from(output).exits(1);
    assert_eq!(ran.last_line(), "1 accepted, 1 rejected (1 fault)");
}

#[test]
fn thousands_of_faults_are_counted_and_the_first_are_told() {
    let hooks: Vec<_> = (0..50_000).map(|number| format!("\"e{number}\":{{}}")).collect();
    let text = around(
        "manifest",
        &format!(
            "0,\"permissions\":[{{\"kind\":\"transcript\",\"scope\":\"all\"}}],\"hooks\":{{{}}}",
            hooks.join(",")
        ),
    );
    let ran = piped("manifest", &["--format", "json"], text.as_bytes()).exits(1);
    let file = ran.json()["files"][0].clone();
    assert_eq!(file["faults"].as_array().unwrap().len(), document::MAX_FINDINGS);
    assert_eq!(file["left_out"], MAX_FAULTS - document::MAX_FINDINGS);
    assert_eq!(file["counted_all"], false);
    let told = piped("manifest", &[], text.as_bytes()).exits(1);
    assert_eq!(told.last_line(), "0 accepted, 1 rejected (1000 faults or more)");
    assert!(told.stdout.lines().all(|line| line.chars().count() < 200));
}

#[test]
fn what_a_document_says_does_not_steer_the_terminal_or_fill_it() {
    let long = "\\u001b[2J\u{9b}\u{202e}".to_owned() + &"é".repeat(1 << 20);
    let profile = format!(
        r#"{{"configuration":{{"hooks":[{{"id":"a","point":"{long}","match":{{"tools":["{long}*a"],"where":[{{"path":"p","operator":"{long}","value":1}}]}},"processor":{{"kind":"url","url":"{long}"}},"onFailure":"{long}"}}]}}}}"#
    );
    assert!(profile.len() > profile::MAX_BYTES, "the limit first");
    let profile = profile.replace(&"é".repeat(1 << 20), &"é".repeat(1 << 17));
    let manifest = around("manifest", &format!(r#"0,"id":"{long}","hooks":{{"{long}":1}}"#));
    let manifest = manifest.replace(&"é".repeat(1 << 20), &"é".repeat(1 << 19));
    for (kind, text, faults) in [("profile", profile, 5), ("manifest", manifest, 3)] {
        let ran = piped(kind, &[], text.as_bytes()).exits(1);
        assert!(ran.stdout.ends_with(&format!("({faults} faults)\n")), "{}", ran.stdout);
        assert!(ran.stdout.len() < 8_000, "{}", ran.stdout.len());
        assert!(!ran.stdout.contains(|c: char| c.is_control() && c != '\n' || c == '\u{202e}'));
    }
}
