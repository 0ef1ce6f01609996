//! Targets reached by MCP over HTTP, in both eras.

use std::sync::atomic::Ordering;

use hookproof::candidate::mcp::{Era, Mcp};
use hookproof::candidate::{Candidate, CandidateError, MAX_ANSWER};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};

use crate::error;
use crate::servers::{answering, by, endless, initialized, mcp_server, tools};

#[rstest]
#[case::nothing("", "closed the connection without an answer to {asked}")]
#[case::another_protocol(
    "SSH-2.0-OpenSSH_9.2\r\n",
    "answered {asked} with what is not HTTP: invalid HTTP version parsed"
)]
#[case::an_error(
    "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 4\r\n\r\noops",
    "answered {asked} with the status 500"
)]
#[case::a_redirect(
    "HTTP/1.1 302 Found\r\nlocation: /login\r\ncontent-length: 0\r\n\r\n",
    "answered {asked} with what is not MCP: `HTTP 302 Found:`"
)]
#[case::a_page(
    "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 15\r\n\r\n<!doctype html>",
    "answered {asked} with `text/html`, which MCP does not use"
)]
#[tokio::test]
async fn what_a_server_that_speaks_no_mcp_answers_is_named(
    #[case] bytes: &'static str,
    #[case] problem: &str,
    #[values(Era::Initialize, Era::Stateless)] era: Era,
) {
    let url = answering(bytes).await;
    let asked = if era == Era::Initialize { "initialize" } else { "server/discover" };
    let error = error(Mcp::over_http(&url, &[], era).await);
    assert_eq!(error.to_string(), format!("{url}: {}", problem.replace("{asked}", asked)));
}

#[rstest]
#[case::json("application/json", "answered initialize with more than 16777216 bytes; no more are read")]
#[case::an_event(
    "text/event-stream",
    "closed the connection before it answered initialize, or sent an event of more than 16777216 bytes"
)]
#[tokio::test]
async fn an_endless_answer_of_an_mcp_server_is_read_to_the_limit_and_no_further(
    #[case] kind: &str,
    #[case] problem: &str,
) {
    let (url, written) = endless(format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\n\r\ndata: ")).await;
    assert_eq!(error(Mcp::over_http(&url, &[], Era::Initialize).await), CandidateError::new(url, problem));
    assert!(written.load(Ordering::Relaxed) < MAX_ANSWER + (16 << 20));
}

#[rstest]
#[case::others(|method: &str| by(method, tools(&["a", "b"])), "speaks MCP, but has no tool `hookproof_run` (it has: a, b)")]
#[case::none(|method: &str| by(method, tools(&[])), "speaks MCP, but has no tool `hookproof_run` (it has: none)")]
#[case::one_of_two(
    |method: &str| by(method, tools(&["hookproof_run"])),
    "speaks MCP, but has no tool `hookproof_about` (it has: hookproof_run)"
)]
#[case::one_page_for_ever(
    |method: &str| by(method, json!({ "result": { "tools": [], "nextCursor": "again" } })),
    "speaks MCP, but has no tool `hookproof_run` on the first 100 pages of its list (it has: none)"
)]
#[case::an_error(
    |method: &str| by(method, json!({ "error": { "code": -32601, "message": "tools are out" } })),
    "answered tools/list with the error -32601: `tools are out`"
)]
#[tokio::test]
async fn an_mcp_server_without_the_two_tools_is_named(
    #[case] answer: fn(&str) -> Value,
    #[case] problem: &str,
    #[values(Era::Initialize, Era::Stateless)] era: Era,
) {
    let url = mcp_server(answer).await;
    let error = error(Mcp::over_http(&url, &[], era).await);
    assert_eq!(error.to_string(), format!("{url}: {problem}"));
}

#[rstest]
#[case::no_handshake(
    Era::Initialize,
    |_: &str| json!({ "error": { "code": -32601, "message": "no such method" } }),
    "answered initialize with the error -32601: `no such method`"
)]
#[case::no_discovery(
    Era::Stateless,
    |_: &str| json!({ "error": { "code": -32601, "message": "no such method" } }),
    "answered server/discover with the error -32601: `no such method`"
)]
#[case::a_stateless_version_after_a_handshake(
    Era::Initialize,
    |_: &str| initialized("2026-07-28"),
    "speaks MCP 2026-07-28, which does not belong to the era `initialize`"
)]
#[case::an_unknown_version(
    Era::Initialize,
    |_: &str| initialized("2001-01-01"),
    "speaks MCP 2001-01-01, which does not belong to the era `initialize`"
)]
#[case::another_version(
    Era::Stateless,
    |_: &str| json!({ "error": { "code": -32022, "message": "no", "data": { "supported": ["2025-11-25"] } } }),
    "speaks MCP 2025-11-25, not 2026-07-28"
)]
#[case::another_result(
    Era::Stateless,
    |_: &str| json!({ "result": { "surprise": 1 } }),
    "answered server/discover with the result of something else"
)]
#[tokio::test]
async fn a_server_of_another_era_is_named(
    #[case] era: Era,
    #[case] answer: fn(&str) -> Value,
    #[case] problem: &str,
) {
    let url = mcp_server(answer).await;
    assert_eq!(error(Mcp::over_http(&url, &[], era).await), CandidateError::new(url, problem));
}

#[rstest]
#[case::an_error(
    |method: &str| by(method, json!({ "result": {
        "isError": true, "content": [{ "type": "text", "text": "no" }],
    } })),
    "answered hookproof_run with the error `no`"
)]
#[case::no_text(
    |method: &str| by(method, json!({ "result": { "content": [] } })),
    "answered hookproof_run without a text as the first content item"
)]
#[case::an_image_first(
    |method: &str| by(method, json!({ "result": { "content": [
        { "type": "image", "data": "", "mimeType": "image/png" }, { "type": "text", "text": "{}" },
    ] } })),
    "answered hookproof_run without a text as the first content item"
)]
#[case::no_json(
    |method: &str| by(method, json!({ "result": { "content": [{ "type": "text", "text": "well" }] } })),
    "answered with what is not JSON (expected value at line 1 column 1): `well`"
)]
#[case::another_result(
    |method: &str| by(method, json!({ "result": { "surprise": 1 } })),
    "answered hookproof_run with the result of something else"
)]
#[case::endless_json(
    |method: &str| by(method, json!({ "endless": "application/json" })),
    "answered hookproof_run with more than 16777216 bytes; no more are read"
)]
#[case::an_endless_event(
    |method: &str| by(method, json!({ "endless": "text/event-stream" })),
    "closed the connection before it answered hookproof_run, or sent an event of more than 16777216 bytes"
)]
#[tokio::test]
async fn what_a_tool_answers_instead_of_json_is_named(
    #[case] answer: fn(&str) -> Value,
    #[case] problem: &str,
) {
    let url = mcp_server(answer).await;
    let mcp = Mcp::over_http(&url, &[], Era::Initialize).await.unwrap();
    assert_eq!(mcp.run("{}").await.unwrap_err().to_string(), format!("{url}: {problem}"));
}
