use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::EventKind::{Dictation, PostToolUse, PreToolUse, Transcript, TurnComplete};
use super::*;

fn flaws(event: EventKind, result: Value) -> (bool, Vec<&'static str>) {
    let payload = json!({ "args": { "count": 3 } });
    let judged = judge(event, &payload, result.as_object().unwrap());
    (judged.counts.is_ok(), judged.flaws.iter().map(|flaw| flaw.check.id).collect())
}

fn text(text: &str) -> Value {
    json!({ "content": [{ "type": "text", "text": text }] })
}

#[rstest]
#[case(Transcript, "{}", true, &[])]
#[case(Transcript, r#"{"decision":"handled","responseText":"Done.","view":{"blocks":[]}}"#, true, &[])]
#[case(Transcript, r#"{"decision":"handled"}"#, true, &["answer-handled-text"])]
#[case(Transcript, r#"{"decision":"block","reason":"no"}"#, true, &["answer-block-text"])]
#[case(Transcript, r#"{"decision":"deny"}"#, false, &["answer-decision-known"])]
#[case(Transcript, r#"{"decision":1}"#, false, &["answer-member-types"])]
#[case(Transcript, r#"{"updated_text":"x"}"#, true, &["answer-members-known"])]
#[case(Transcript, r#"{"updatedArgs":{}}"#, true, &["answer-members-belong"])]
#[case(Transcript, r#"{"updatedText":null}"#, false, &["answer-null-rewrite"])]
#[case(Transcript, r#"{"decision":"handled","responseText":"x","updatedText":"y"}"#, true, &["answer-rewrite-counts"])]
#[case(Transcript, r#"{"view":{}}"#, false, &["answer-member-types"])]
#[case(Transcript, r#"{"reason":"a","reason":"b"}"#, true, &["answer-members-once"])]
#[case(Transcript, r#"{"reason":"\ud800"}"#, false, &["answer-well-formed-unicode"])]
#[case(Transcript, "ok", false, &["answer-json"])]
#[case(Transcript, r#"{"a":NaN}"#, false, &["answer-json"])]
#[case(Transcript, "true", false, &["answer-json"])]
#[case(Transcript, "null", true, &["answer-empty-object"])]
#[case(Transcript, "", true, &["answer-empty-object"])]
#[case(Dictation, r#"{"decision":"handled","responseText":"Done."}"#, true, &[])]
#[case(PreToolUse, r#"{"requireConfirmation":true,"reason":"many"}"#, true, &[])]
#[case(PreToolUse, r#"{"requireConfirmation":false}"#, true, &[])]
#[case(PreToolUse, r#"{"requireConfirmation":"true"}"#, true, &["answer-confirmation-true"])]
#[case(PreToolUse, r#"{"decision":"handled","responseText":"x"}"#, true, &["answer-decision-fits"])]
#[case(PreToolUse, r#"{"updatedArgs":{"other":1}}"#, true, &["answer-whole-args"])]
#[case(PreToolUse, r#"{"updatedArgs":"x"}"#, false, &["answer-member-types"])]
#[case(PostToolUse, r#"{"updatedResult":[1]}"#, true, &[])]
#[case(PostToolUse, r#"{"updatedResult":null}"#, true, &["answer-null-rewrite"])]
#[case(PostToolUse, r#"{"decision":"block"}"#, true, &["answer-decision-fits"])]
#[case(PostToolUse, r#"{"decision":"continue"}"#, true, &[])]
#[case(TurnComplete, r#"{"updatedText":"x"}"#, true, &["answer-members-belong"])]
fn every_flaw_of_a_text_is_found_and_no_other(
    #[case] event: EventKind,
    #[case] answer: &str,
    #[case] counts: bool,
    #[case] found: &[&str],
) {
    assert_eq!(flaws(event, text(answer)), (counts, found.to_vec()));
}

#[rstest]
#[case(json!({ "content": [], "isError": true }), false, &["answer-no-tool-error"])]
#[case(json!({ "content": [{ "type": "text", "text": "{}" }, { "type": "text", "text": "{}" }] }), true, &["answer-one-text"])]
#[case(json!({ "content": [] }), true, &["answer-one-text"])]
#[case(json!({ "content": [{ "type": "text" }] }), false, &["answer-one-text"])]
#[case(json!({ "content": "{}" }), false, &["answer-call-result", "answer-one-text"])]
#[case(json!({ "content": [{ "type": "text", "text": "{}" }], "isError": "no" }), false, &["answer-call-result"])]
#[case(
    json!({ "content": [{ "type": "text", "text": "{}" }], "structuredContent": {} }), true,
    &["answer-no-structured-content"]
)]
fn every_flaw_of_a_result_is_found(#[case] result: Value, #[case] counts: bool, #[case] found: &[&str]) {
    assert_eq!(flaws(Transcript, result), (counts, found.to_vec()));
}

#[test]
fn what_is_long_is_measured() {
    let long = json!({ "additionalContext": "é".repeat(2001) }).to_string();
    assert_eq!(flaws(Transcript, text(&long)).1, ["answer-context-length"]);
    let big = json!({ "reason": "x".repeat(1 << 20) }).to_string();
    assert_eq!(flaws(Transcript, text(&big)).1, ["answer-size"]);
}
