//! One fault planted into a document that is accepted is found where it was planted.

use pretty_assertions::assert_eq;
use rstest::rstest;

use super::{only_fault, piped, planted};

/// The part of the file, what stands there instead, and then line, column, clause and what to write.
#[rstest]
#[case("chat-roster.json", r#""2.4.1""#, r#""v2.4""#, 4, 14, "VO-MAN-9", r#""version": "2.4.0""#)]
#[case("chat-roster.json", r#""network""#, r#""Net-Work""#, 16, 15, "VO-MAN-9", r#""kind": "network""#)]
#[case(
    "chat-roster.json",
    "set_status",
    "voiceos_hook_x",
    27,
    15,
    "VO-MAN-8",
    r#""name": "x"; a hook is declared under `hooks` and is no tool"#
)]
#[case(
    "sports-ticker.json",
    r#""kind": "notify""#,
    r#""kind": "transcript", "scope": "calls""#,
    11,
    38,
    "VO-MAN-7b",
    r#""scope": "agent""#
)]
#[case(
    "sports-ticker.json",
    r#"  "tools": ["#,
    r#"  "hooks": { "turnComplete": {} }, "tools": ["#,
    9,
    18,
    "VO-MAN-1",
    r#"{ "kind": "transcript", "scope": "agent" } under "permissions", beside the others"#
)]
#[case(
    "sports-ticker.json",
    r#""name": "live_scores", "#,
    "",
    19,
    5,
    "VO-MAN-9",
    r#""name": "create_order""#
)]
#[case(
    "ride-caller.json",
    r#""all""#,
    r#""agent""#,
    22,
    18,
    "VO-MAN-2",
    r#"{ "kind": "transcript", "scope": "all" } under "permissions""#
)]
#[case("ride-caller.json", r#""own""#, r#""any""#, 20, 30, "VO-MAN-6", r#""scope": "own""#)]
#[case("ride-caller.json", "turnComplete", "turn_complete", 23, 5, "VO-MAN-7a", r#""turnComplete": {}"#)]
#[case(
    "team-messenger.json",
    r#"["im.wuerzig.desktop"]"#,
    "[]",
    18,
    54,
    "VO-MAN-4",
    r#""apps": ["com.acme.desktop"]"#
)]
#[case(
    "team-messenger.json",
    r#""transcript": {}"#,
    r#""transcript": { "apps": [] }"#,
    18,
    37,
    "VO-MAN-5",
    r#""apps": ["com.acme.desktop"], or no `apps` for every app"#
)]
#[case(
    "notes-tool.json",
    r#""publisher": { "name": "Quire Notes", "id": "quire" },"#,
    "",
    1,
    1,
    "VO-MAN-9",
    r#""publisher": { "id": "acme", "name": "Acme" }"#
)]
#[case(
    "notes-tool.json",
    r#""uvx","#,
    r#""uvx" /* uv */,"#,
    4,
    54,
    "VO-MAN-9",
    "a comma between two members or items"
)]
fn a_planted_fault_of_a_manifest_is_found_at_its_line(
    #[case] name: &str,
    #[case] part: &str,
    #[case] by: &str,
    #[case] line: u64,
    #[case] column: u64,
    #[case] clause: &str,
    #[case] instead: &str,
) {
    let (at_line, at_column, of, fault) = only_fault("manifest", &[], &planted("manifest", name, part, by));
    assert_eq!((at_line, at_column, of.as_str()), (line, column, clause));
    assert_eq!(fault["instead"], instead);
}

#[rstest]
#[case(
    "shop.json",
    "https://hooks",
    "http://hooks",
    9,
    46,
    "MX-VAL-10a",
    r#""url": "https://hooks.shop.example/redact""#
)]
#[case(
    "shop.json",
    r#""point": "before_input""#,
    r#""point": "beforeInput""#,
    8,
    18,
    "MX-VAL-16",
    r#""point": "before_input""#
)]
#[case("shop.json", "billing.*", "billing.*.read", 16, 42, "MX-VAL-4", r#""billing.*""#)]
#[case("shop.json", "3600000", "360000000", 20, 27, "MX-VAL-9", r#""asyncTimeoutMs": 86400000"#)]
#[case(
    "shop.json",
    r#""id": "tone""#,
    r#""id": "redact-cards""#,
    23,
    15,
    "MX-VAL-12b",
    r#""id": "redact-cards-3""#
)]
#[case(
    "defaults.json",
    r#""model": "small""#,
    r#""hooks": null"#,
    1,
    64,
    "MX-VAL-14",
    r#""hooks": [] for none, or no `hooks` for the defaults"#
)]
#[case(
    "local.json",
    "http://localhost:8787",
    "http://127.0.0.1:8787",
    5,
    46,
    "MX-VAL-10a",
    r#""url": "https://127.0.0.1:8787/watch""#
)]
fn a_planted_fault_of_a_profile_is_found_at_its_line(
    #[case] name: &str,
    #[case] part: &str,
    #[case] by: &str,
    #[case] line: u64,
    #[case] column: u64,
    #[case] clause: &str,
    #[case] instead: &str,
) {
    let (at_line, at_column, of, fault) = only_fault("profile", &[], &planted("profile", name, part, by));
    assert_eq!((at_line, at_column, of.as_str()), (line, column, clause));
    assert_eq!(fault["instead"], instead);
}

#[test]
fn members_that_the_specification_does_not_know_are_faults_only_where_that_is_read_so() {
    let icon = planted("manifest", "notes-tool.json", r#""hooks": {}"#, r#""hooks": {}, "ico\u001b": 1"#);
    piped("manifest", &[], icon.as_bytes()).exits(0);
    let (line, column, clause, fault) = only_fault("manifest", &["--reading", "VO-MAN-10=reject"], &icon);
    assert_eq!((line, column, clause.as_str()), (6, 16, "VO-MAN-10"));
    assert_eq!(fault["pointer"], "/ico\u{1b}");
    assert!(fault["message"].as_str().unwrap().contains(r#"hooks; found "ico\u{1b}""#), "{fault}");
}

#[test]
fn a_member_of_a_manifest_given_twice_is_found_where_it_stands_again() {
    let text = planted("manifest", "ride-caller.json", "\"flags\"", "\"name\": \"Pedalo 2\",\n  \"flags\"");
    piped("manifest", &[], text.as_bytes()).exits(0);
    let (line, column, clause, fault) = only_fault("manifest", &["--reading", "VO-MAN-12=reject"], &text);
    assert_eq!((line, column, clause.as_str()), (25, 3, "VO-MAN-12"));
    assert_eq!(fault["pointer"], "/name");
    assert_eq!(fault["message"], "the member \"name\" is given twice; the first is on line 5");
}

#[test]
fn a_member_of_a_profile_given_twice_is_found_where_it_stands_again() {
    let twice = r#""agent": "a", "agent": "b""#;
    let text = planted("profile", "shop.json", r#""agent": "tone-reviewer""#, twice);
    let (line, column, clause, fault) = only_fault("profile", &[], &text);
    assert_eq!((line, column, clause.as_str()), (25, 55, "MX-VAL-17"));
    assert_eq!(fault["pointer"], "/configuration/hooks/2/processor/agent");
    piped("profile", &["--reading", "MX-VAL-17=last-counts"], text.as_bytes()).exits(0);
}

#[test]
fn of_a_member_given_twice_the_last_one_is_meant() {
    let text = planted("manifest", "ride-caller.json", "\"flags\"", "\"version\": 2,\n  \"flags\"");
    let (line, column, clause, fault) = only_fault("manifest", &[], &text);
    assert_eq!((line, column, clause.as_str()), (25, 14, "VO-MAN-9"));
    assert_eq!(fault["instead"], "\"version\": \"1.0.0\"");
}
