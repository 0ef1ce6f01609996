use std::time::Duration;

use hookproof_model::matrices::Point::{AfterOutput, AfterToolCall, BeforeInput, BeforeToolCall};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::json;

use super::*;

fn response(status: u16, body: &[u8]) -> Response {
    Response {
        status: StatusCode::from_u16(status).unwrap(),
        content_type: "application/json; charset=utf-8".to_owned(),
        content_encoding: String::new(),
        location: None,
        body: body.to_vec(),
        ending: Ending::Whole,
        head_took: Duration::from_millis(1),
        took: Duration::from_millis(2),
    }
}

fn judged(point: Point, came: &Came) -> (bool, Vec<&'static str>) {
    let judged = judge(point, &json!({ "input": { "to": "x", "amount": 3 } }), came);
    let counts = judged.counts.is_ok();
    // What costs the answer its effect is said to, and nothing else is.
    let lost = judged.flaws.iter().any(|flaw| flaw.cost == cost::no_answer(point));
    assert_eq!(counts, !lost, "{:?}", judged.flaws);
    (counts, judged.flaws.iter().map(|flaw| flaw.check.id).collect())
}

fn flaws(point: Point, response: Response) -> (bool, Vec<&'static str>) {
    judged(point, &Came::Response(Box::new(response)))
}

#[rstest]
#[case(BeforeInput, r#"{"decision":"defer"}"#, true, &[])]
#[case(BeforeInput, r#" {"decision":"defer","reason":"seen","updatedText":""} "#, true, &[])]
#[case(BeforeToolCall, r#"{"decision":"allow","updatedInput":{"amount":1,"to":"y","more":[]}}"#, true, &[])]
#[case(BeforeToolCall, r#"{"decision":"deny","reason":"too much"}"#, true, &[])]
#[case(AfterToolCall, r#"{"decision":"defer","updatedOutput":[1]}"#, true, &[])]
#[case(BeforeInput, "{}", false, &["webhook-decision-given"])]
#[case(BeforeInput, r#"{"Decision":"defer"}"#, false, &["webhook-decision-given", "webhook-members-known"])]
#[case(BeforeInput, r#"{"decision":"block"}"#, false, &["webhook-decision-known"])]
#[case(BeforeInput, r#"{"decision":"Deny"}"#, false, &["webhook-decision-known"])]
#[case(BeforeInput, r#"{"decision":1}"#, false, &["webhook-member-types"])]
#[case(BeforeInput, r#"{"decision":"defer","reason":{}}"#, false, &["webhook-member-types"])]
#[case(BeforeInput, r#"{"decision":"defer","reason":null}"#, false, &["webhook-member-types"])]
#[case(BeforeInput, r#"{"decision":"deny","reason":{}}"#, true, &["webhook-member-types"])]
#[case(AfterOutput, r#"{"decision":"deny"}"#, true, &["webhook-deny-reason"])]
#[case(AfterOutput, r#"{"decision":"deny","reason":" "}"#, true, &["webhook-deny-reason"])]
#[case(AfterOutput, r#"{"decision":"defer","updated_text":"x"}"#, true, &["webhook-members-known"])]
#[case(BeforeToolCall, r#"{"decision":"defer","updatedText":"x"}"#, false, &["webhook-rewrite-fits"])]
#[case(AfterToolCall, r#"{"decision":"allow","updatedText":"x"}"#, false, &["webhook-rewrite-fits"])]
#[case(BeforeInput, r#"{"decision":"defer","updatedText":"x","updatedInput":{}}"#, false, &["webhook-one-rewrite"])]
#[case(BeforeInput, r#"{"decision":"defer","updatedOutput":"x","updatedInput":{}}"#, false, &["webhook-one-rewrite"])]
#[case(BeforeInput, r#"{"decision":"defer","updatedText":["x"]}"#, false, &["webhook-member-types"])]
#[case(BeforeToolCall, r#"{"decision":"defer","updatedInput":"x"}"#, false, &["webhook-member-types"])]
#[case(BeforeToolCall, r#"{"decision":"defer","updatedInput":{"to":"x"}}"#, true, &["webhook-whole-input"])]
#[case(BeforeInput, r#"{"decision":"defer","updatedText":null}"#, false, &["webhook-member-types"])]
#[case(BeforeInput, r#"{"decision":"defer","updatedOutput":null}"#, false, &["webhook-rewrite-fits"])]
#[case(AfterToolCall, r#"{"decision":"defer","updatedOutput":null}"#, true, &["webhook-null-rewrite"])]
#[case(
    AfterToolCall, r#"{"decision":"defer","updatedOutput":null,"updatedText":null}"#, false,
    &["webhook-rewrite-fits"]
)]
#[case(BeforeToolCall, r#"{"decision":"deny","reason":"x","updatedInput":1}"#, true, &["webhook-deny-without-rewrite"])]
#[case(BeforeToolCall, r#"{"decision":"deny","reason":"x","updatedText":null}"#, true, &["webhook-null-rewrite"])]
#[case(BeforeInput, "ok", false, &["webhook-json"])]
#[case(BeforeInput, "[]", false, &["webhook-json"])]
#[case(BeforeInput, "null", false, &["webhook-json"])]
#[case(BeforeInput, r#"{"decision":"defer","a":NaN}"#, false, &["webhook-json"])]
#[case(BeforeInput, r#"{"decision":"defer"}{"decision":"defer"}"#, false, &["webhook-json"])]
#[case(BeforeInput, "\u{feff}{\"decision\":\"defer\"}", false, &["webhook-body-unicode"])]
#[case(BeforeInput, r#"{"decision":"defer","reason":"\ud800"}"#, false, &["webhook-body-unicode"])]
#[case(BeforeInput, r#"{"decision":"allow","decision":"defer"}"#, false, &["webhook-members-once"])]
#[case(AfterToolCall, r#"{"decision":"defer","updatedOutput":{"a":1,"a":2}}"#, false, &["webhook-members-once"])]
#[case(BeforeInput, "", false, &["webhook-body-not-empty"])]
fn every_flaw_of_a_body_is_found_and_no_other(
    #[case] point: Point,
    #[case] body: &str,
    #[case] counts: bool,
    #[case] found: &[&str],
) {
    assert_eq!(flaws(point, response(200, body.as_bytes())), (counts, found.to_vec()));
}

const DEFER: &[u8] = br#"{"decision":"defer"}"#;

#[rstest]
#[case(response(201, DEFER), true, &[])]
#[case(response(202, b""), true, &[])]
#[case(response(202, b"later"), true, &[])]
#[case(response(204, b""), false, &["webhook-body-not-empty"])]
#[case(response(500, DEFER), false, &["webhook-status"])]
#[case(response(404, b""), false, &["webhook-status"])]
#[case(response(307, b""), false, &["webhook-no-redirect"])]
#[case(Response { location: Some("/x".to_owned()), ..response(302, DEFER) }, false, &["webhook-no-redirect"])]
#[case(response(304, b""), false, &["webhook-no-redirect"])]
#[case(Response { content_type: "text/plain".to_owned(), ..response(200, DEFER) }, true, &["webhook-content-type"])]
#[case(Response { content_type: String::new(), ..response(200, DEFER) }, true, &["webhook-content-type"])]
#[case(Response { content_type: "text/html".to_owned(), ..response(200, b"<p>") }, false, &["webhook-json"])]
#[case(Response { content_encoding: "gzip".to_owned(), ..response(200, b"\x1f\x8b") }, false, &["webhook-body-not-encoded"])]
#[case(Response { content_encoding: "identity".to_owned(), ..response(200, DEFER) }, true, &[])]
#[case(response(200, b"\xff{}"), false, &["webhook-body-unicode"])]
#[case(
    Response { ending: Ending::TooLong, ..response(200, &[b' '; MAX_BODY + 1]) }, false, &["webhook-body-size"]
)]
#[case(
    Response { ending: Ending::Broken("broke off".to_owned()), ..response(200, b"") }, false, &["webhook-body-whole"]
)]
#[case(
    Response { ending: Ending::Never, took: Duration::from_secs(12), ..response(200, b"") }, false,
    &["webhook-body-in-time"]
)]
#[case(Response { took: Duration::from_secs(11), ..response(200, DEFER) }, false, &["webhook-body-in-time"])]
#[case(
    Response { head_took: Duration::from_secs(11), took: Duration::from_secs(11), ..response(200, DEFER) }, false,
    &["webhook-in-time"]
)]
#[case(Response { took: DEADLINE, ..response(200, DEFER) }, true, &[])]
fn every_flaw_of_a_response_is_found(
    #[case] response: Response,
    #[case] counts: bool,
    #[case] found: &[&str],
) {
    assert_eq!(flaws(BeforeInput, response), (counts, found.to_vec()));
}

#[rstest]
#[case(Came::Nothing { why: "closed the connection without an answer".to_owned(), refused: false })]
#[case(Came::Nothing { why: "could not be connected to: refused".to_owned(), refused: true })]
#[case(Came::Silence(Duration::from_secs(12)))]
fn what_is_no_response_is_no_answer(#[case] came: Came) {
    assert_eq!(judged(BeforeInput, &came), (false, vec!["webhook-answers"]));
}

#[test]
fn what_was_meant_is_said() {
    let message = |body: &str| {
        let came = Came::Response(Box::new(response(200, body.as_bytes())));
        judge(BeforeInput, &json!({}), &came).flaws.first().unwrap().message.clone()
    };
    assert_eq!(message(r#"{"decision":"block"}"#), "the decision is `block`; did you mean `deny`?");
    assert_eq!(
        message(r#"{"decision":"defer","updated_text":"x"}"#),
        "`updated_text` is no member of a HookResult; did you mean `updatedText`?"
    );
}

#[test]
fn base64_is_written_as_rfc_4648_has_it() {
    let all = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
    for (bytes, text) in all {
        assert_eq!(base64(bytes.as_bytes()), text);
    }
    assert_eq!(base64(b"\xef\xbb\xbf{}"), "77u/e30=");
    assert_eq!(base64(&[0xfb, 0xff, 0xbf]), "+/+/");
}
