//! Texts that are no profile: MX-VAL-1, 14, 15, 17.

use super::{MIB, refused};
use crate::support::*;

/// Texts that are no profile, and the pointer of the first fault.
fn no_profiles() -> Vec<(String, &'static str)> {
    let deep =
        |open: &str, close: &str, depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
    let within = |member: &str| {
        let hook = format!(r#"{{"id":"h","point":"before_input","processor":{{"kind":"client"}},{member}}}"#);
        format!(r#"{{"configuration":{{"hooks":[{hook}]}}}}"#)
    };
    let list = |hooks: &str| format!(r#"{{"configuration":{{"hooks":{hooks}}}}}"#);
    let huge = format!(r#"{{"configuration":{{"hooks":[]}},"notes":"{}"}}"#, "x".repeat(4 * MIB));
    let roots = [
        "",
        " \n",
        "no JSON",
        "\u{feff}{}",
        "{}{}",
        "{} {}",
        "{,}",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "{\"a\":1",
        "// {}",
        "\u{0}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\t\"}",
        "{\"a\":1e999}",
        "{\"a\":01}",
        "{\"a\":.5}",
        "null",
        "true",
        "1",
        "1.5",
        "\"{}\"",
        "[]",
        "[{}]",
        "configuration: {}",
        "<xml/>",
    ];
    let mut all: Vec<_> = roots.map(|text| (text.to_owned(), "")).into();
    all.extend([
        (huge.clone(), ""),
        (" ".repeat(4 * MIB + 1), ""),
        ("{}".to_owned() + &" ".repeat(4 * MIB - 1), ""),
        (deep("[", "]", 10_000), ""),
        (deep("{\"a\":", "}", 10_000), ""),
        ("[".repeat(10_000), ""),
        ("{\"configuration\":".repeat(10_000), ""),
        (list(&deep("[", "]", 10_000)), ""),
        (within(&format!("\"more\":{}", deep("[", "]", 10_000))), ""),
        (
            within(&format!(
                r#""match":{{"where":[{{"path":"text","operator":"eq","value":{}}}]}}"#,
                deep("[", "]", 10_000)
            )),
            "",
        ),
    ]);
    for other in ["null", "true", "1", "\"{}\"", "[]", "[{\"hooks\":[]}]"] {
        all.push((format!(r#"{{"configuration":{other}}}"#), "/configuration"));
    }
    for other in ["null", "true", "0", "\"[]\"", "{}", "{\"0\":{}}"] {
        all.push((list(other), "/configuration/hooks"));
    }
    for other in ["null", "true", "1", "\"h\"", "[]"] {
        all.push((list(&format!("[{other}]")), "/configuration/hooks/0"));
    }
    all.extend([
        (within(r#""id":"h""#), "/configuration/hooks/0/id"),
        (within(r#""more":{"a":1,"a":2}"#), "/configuration/hooks/0/more/a"),
        (r#"{"configuration":{"hooks":[]},"configuration":{}}"#.to_owned(), "/configuration"),
        (within(r#""match":null"#), "/configuration/hooks/0/match"),
        (within(r#""match":{"where":{}}"#), "/configuration/hooks/0/match/where"),
        (within(r#""match":{"where":[null]}"#), "/configuration/hooks/0/match/where/0"),
        (within(r#""onFailure":null"#), "/configuration/hooks/0/onFailure"),
        (within(r#""asyncTimeoutMs":"1""#), "/configuration/hooks/0/asyncTimeoutMs"),
        (within(r#""asyncTimeoutMs":1e300"#), "/configuration/hooks/0/asyncTimeoutMs"),
        (within(r#""timeoutMs":-1"#), "/configuration/hooks/0/timeoutMs"),
    ]);
    all
}

#[test]
fn a_text_that_is_no_profile_changes_nothing_and_is_told_where() {
    let texts = no_profiles();
    let bad: Vec<_> = texts
        .iter()
        .flat_map(|(text, _)| [create("new", text), update("p", text), update("q", text)])
        .collect();
    let came = refused(&readings(&[]), &bad);
    for ((text, pointer), seen) in texts.iter().zip(came.chunks(3)) {
        for seen in seen {
            let shown = text.chars().take(120).collect::<String>();
            assert_eq!((seen.accepted, seen.error, &seen.hooks), (Some(false), None, &None), "{shown}");
            assert!(seen.faults.iter().any(|fault| fault.pointer == *pointer), "{shown}: {:?}", seen.faults);
            assert!(seen.faults.iter().all(|fault| fault.clause.starts_with("MX-")), "{shown}");
        }
    }
}

/// The longest text and the deepest that are still read, so that nothing above fails too early.
#[test]
fn a_profile_may_be_long_and_deep_up_to_its_limits() {
    let long = "{}".to_owned() + &" ".repeat(4 * MIB - 2);
    let deep = format!(r#"{{"more":{}{}}}"#, "[".repeat(100), "]".repeat(100));
    let seen = observed(&readings(&[]), vec![create("long", &long), create("deep", &deep)]);
    assert!(seen.iter().all(|seen| seen.accepted == Some(true)));
}
