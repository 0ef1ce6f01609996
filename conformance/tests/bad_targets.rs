//! Targets that do not serve the contract: each is answered by one sentence that names it and what it did
//! instead, in bounded time and memory, and no process is left behind.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking; the lint knows test functions only"
)]

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::{Json, Router};
use hookproof::candidate::http::Http;
use hookproof::candidate::mcp::{Era, Mcp};
use hookproof::candidate::{Candidate, CandidateError, MAX_ANSWER};
use pretty_assertions::assert_eq;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::timeout;

// --- Servers -------------------------------------------------------------------------------------------------

/// Hands every connection, from which a request has been read, to `serve`.
async fn server<F: Future<Output = ()> + Send + 'static>(
    serve: impl Fn(TcpStream, usize) -> F + Send + 'static,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        for n in 0.. {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = [0; 4096];
            let _ = stream.read(&mut request).await;
            tokio::spawn(serve(stream, n));
        }
    });
    url
}

/// Answers every request with these bytes, and closes.
async fn answering(bytes: &'static str) -> String {
    server(move |mut stream, _| async move {
        let _ = stream.write_all(bytes.as_bytes()).await;
    })
    .await
}

/// Writes `head`, then zeros for as long as they are taken; counts them.
async fn endless(head: &'static str) -> (String, Arc<AtomicUsize>) {
    let written = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&written);
    let url = server(move |mut stream, _| {
        let count = Arc::clone(&count);
        async move {
            let _ = stream.write_all(head.as_bytes()).await;
            let zeros = vec![b'0'; 1 << 16];
            while let Ok(length) = stream.write(&zeros).await {
                count.fetch_add(length, Ordering::Relaxed);
            }
        }
    });
    (url.await, written)
}

async fn closed_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

/// An MCP server over HTTP that answers by method: stateless, and in both eras.
async fn mcp_server(answer: fn(&str, &Value) -> Value) -> String {
    let post = move |_: HeaderMap, Json(request): Json<Value>| async move {
        let Some(id) = request.get("id") else { return StatusCode::ACCEPTED.into_response() };
        let method = request["method"].as_str().unwrap();
        let mut response = match method {
            "initialize" => json!({ "result": {
                "protocolVersion": "2025-11-25",
                "capabilities": { "tools": {} },
                "serverInfo": { "name": "bad", "version": "1" },
            } }),
            "server/discover" => json!({ "result": {
                "resultType": "complete",
                "supportedVersions": ["2026-07-28"],
                "capabilities": { "tools": {} },
            } }),
            method => answer(method, &request["params"]),
        };
        response["jsonrpc"] = json!("2.0");
        response["id"] = id.clone();
        Json(response).into_response()
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().route("/", axum::routing::post(post));
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    url
}

fn tools(names: &[&str]) -> Value {
    let tools: Vec<_> =
        names.iter().map(|name| json!({ "name": name, "inputSchema": { "type": "object" } })).collect();
    json!({ "result": { "tools": tools } })
}

const BOTH: [&str; 2] = ["hookproof_about", "hookproof_run"];

// --- Commands ------------------------------------------------------------------------------------------------

async fn shell(script: &str) -> Result<Mcp, CandidateError> {
    Mcp::over_stdio("sh", &["-c".to_owned(), script.to_owned()], Era::Initialize).await
}

/// An MCP server in a shell, which does `on_call` when a tool is called, and `at_end` when its input ends.
fn speaking(on_call: &str, at_end: &str) -> String {
    let both = tools(&BOTH)["result"].to_string();
    format!(
        r#"answer() {{ printf '{{"jsonrpc":"2.0","id":%s,"result":%s}}\n' "$1" "$2"; }}
while read -r line; do
  id=$(printf '%s' "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
  case "$line" in
    *'"initialize"'*) answer "$id" '{{"protocolVersion":"2025-06-18","capabilities":{{}},"serverInfo":{{"name":"sh","version":"1"}}}}';;
    *'"tools/list"'*) answer "$id" '{both}';;
    *'"tools/call"'*) {on_call};;
  esac
done
{at_end}"#
    )
}

fn error<T>(result: Result<T, CandidateError>) -> CandidateError {
    result.err().expect("this target serves nothing")
}

// --- HTTP ----------------------------------------------------------------------------------------------------

#[rstest]
#[case::nothing("", "closed the connection without an answer")]
#[case::another_protocol(
    "SSH-2.0-OpenSSH_9.2\r\n",
    "answered with what is not HTTP: invalid HTTP version parsed"
)]
#[case::an_error(
    "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 9\r\n\r\nno\nwonder",
    "answered 500 Internal Server Error to POST /hookproof/v1/run, with the body `no wonder`"
)]
#[case::an_error_that_breaks_off(
    "HTTP/1.1 404 Not Found\r\ncontent-length: 9\r\n\r\nhalf",
    "answered 404 Not Found to POST /hookproof/v1/run, with the body `half`"
)]
#[case::a_redirect(
    "HTTP/1.1 302 Found\r\nlocation: /login\r\ncontent-length: 0\r\n\r\n",
    "answered 302 Found to POST /hookproof/v1/run (to `/login`; redirects are not followed), with the body nothing"
)]
#[case::no_content(
    "HTTP/1.1 204 No Content\r\n\r\n",
    "answered 204 No Content to POST /hookproof/v1/run, with the body nothing"
)]
#[case::a_page(
    "HTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n<!doctype html>",
    "answered with what is not JSON (expected value at line 1 column 1): `<!doctype html>`"
)]
#[case::an_empty_body(
    "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
    "answered with what is not JSON (EOF while parsing a value at line 1 column 0): nothing"
)]
#[case::half_a_body(
    "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"steps\"",
    "broke off in the middle of its answer, after 8 bytes: end of file before message length reached"
)]
#[case::a_promise_of_a_gibibyte(
    "HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n0",
    "promised an answer of 1073741824 bytes; at most 67108864 are read"
)]
#[tokio::test]
async fn what_a_server_answers_instead_is_named(#[case] bytes: &'static str, #[case] problem: &str) {
    let url = answering(bytes).await;
    let error = Http::connect(&url, &[]).unwrap().run("{}").await.unwrap_err();
    assert_eq!(error.to_string(), format!("{url}: {problem}"));
}

#[tokio::test]
async fn a_long_body_of_an_error_is_quoted_in_part() {
    let (url, written) = endless("HTTP/1.1 500 Internal Server Error\r\n\r\n").await;
    let error = Http::connect(&url, &[]).unwrap().about().await.unwrap_err();
    let quoted = "0".repeat(200);
    let problem =
        format!("answered 500 Internal Server Error to GET /hookproof/v1/about, with the body `{quoted}…`");
    assert_eq!(error, CandidateError { target: url, problem });
    assert!(written.load(Ordering::Relaxed) < 16 << 20);
}

#[tokio::test]
async fn an_endless_answer_is_read_to_the_limit_and_no_further() {
    let (url, written) = endless("HTTP/1.1 200 OK\r\n\r\n").await;
    let error = Http::connect(&url, &[]).unwrap().about().await.unwrap_err();
    assert_eq!(error.problem, "answered with more than 67108864 bytes; no more are read");
    // What the sockets' buffers take comes on top.
    assert!(written.load(Ordering::Relaxed) < MAX_ANSWER + (16 << 20));
}

#[tokio::test]
async fn a_call_that_is_given_up_closes_its_connection_and_the_next_succeeds() {
    let closed = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&closed);
    let url = server(move |mut stream, n| {
        let count = Arc::clone(&count);
        async move {
            if n > 0 {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n42").await;
            }
            let _ = stream.read(&mut [0; 1]).await;
            count.fetch_add(1, Ordering::Relaxed);
        }
    })
    .await;
    let http = Http::connect(&url, &[]).unwrap();
    assert!(timeout(Duration::from_millis(100), http.about()).await.is_err());
    assert_eq!(http.about().await.unwrap(), 42);
    assert_eq!(closed.load(Ordering::Relaxed), 1);
}

#[rstest]
#[case::a_closed_port(closed_port().await, "could not be connected to: Connection refused")]
#[case::an_unknown_name(format!("http://{}.invalid", "x".repeat(64)), "could not be connected to: failed to lookup")]
#[tokio::test]
async fn who_is_not_there_is_named(#[case] url: String, #[case] problem: &str) {
    let plain = Http::connect(&url, &[]).unwrap().about().await.unwrap_err();
    let mcp = error(Mcp::over_http(&url, &[], Era::Initialize).await);
    for error in [plain, mcp] {
        assert!(error.to_string().starts_with(&format!("{url}: {problem}")), "{error}");
    }
}

#[rstest]
#[case::no_url("localhost:8080", "expected an http:// or https:// URL, found the scheme `localhost`")]
#[case::a_path("/tmp/x", "not a URL: relative URL without a base")]
#[case::credentials("http://me:pass@host", "credentials in the URL are not sent; send a header instead")]
#[case::a_query(
    "http://host/?a=b",
    "the URL has a query or a fragment; expected the base that paths are added to"
)]
#[cfg_attr(
    not(feature = "tls"),
    case::tls(
        "https://host",
        "this build speaks no TLS; build it with `--features tls`, or name an http:// URL"
    )
)]
#[tokio::test]
async fn a_url_that_cannot_be_used_is_refused_before_anything_is_sent(
    #[case] url: &str,
    #[case] problem: &str,
) {
    let expected = CandidateError::new(url, problem);
    assert_eq!(Http::connect(url, &[]).err(), Some(expected.clone()));
    assert_eq!(error(Mcp::over_http(url, &[], Era::Stateless).await), expected);
}

#[rstest]
#[case::a_name("x y", "1", "`x y` is no header name")]
#[case::a_value("x-key", "a\nb", "the value of the header `x-key` cannot be sent")]
#[tokio::test]
async fn a_header_that_cannot_be_sent_is_refused(
    #[case] name: &str,
    #[case] value: &str,
    #[case] problem: &str,
) {
    let headers = [(name.to_owned(), value.to_owned())];
    assert_eq!(Http::connect("http://host", &headers).err().unwrap().problem, problem);
    assert_eq!(error(Mcp::over_http("http://host", &headers, Era::Initialize).await).problem, problem);
}

// --- MCP over HTTP -------------------------------------------------------------------------------------------

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
#[case::json("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")]
#[case::an_event("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: ")]
#[tokio::test]
async fn an_endless_answer_of_an_mcp_server_is_read_to_the_limit_and_no_further(#[case] head: &'static str) {
    let (url, written) = endless(head).await;
    let mcp = timeout(Duration::from_secs(10), Mcp::over_http(&url, &[], Era::Initialize)).await;
    let error = error(mcp.expect("the end of the transport ends the call"));
    assert_eq!(error.target, url);
    assert!(written.load(Ordering::Relaxed) < MAX_ANSWER + (16 << 20), "{error}");
}

#[rstest]
#[case::others(|_: &str, _: &Value| tools(&["a", "b"]), "speaks MCP, but has no tool `hookproof_run` (it has: a, b)")]
#[case::none(|_: &str, _: &Value| tools(&[]), "speaks MCP, but has no tool `hookproof_run` (it has: none)")]
#[case::one_of_two(
    |_: &str, _: &Value| tools(&["hookproof_run"]),
    "speaks MCP, but has no tool `hookproof_about` (it has: hookproof_run)"
)]
#[case::one_page_for_ever(
    |_: &str, _: &Value| json!({ "result": { "tools": [], "nextCursor": "again" } }),
    "speaks MCP, but has no tool `hookproof_run` on the first 100 pages of its list (it has: none)"
)]
#[case::an_error(
    |_: &str, _: &Value| json!({ "error": { "code": -32601, "message": "tools are out" } }),
    "answered tools/list with the error -32601: `tools are out`"
)]
#[tokio::test]
async fn an_mcp_server_without_the_two_tools_is_named(
    #[case] answer: fn(&str, &Value) -> Value,
    #[case] problem: &str,
    #[values(Era::Initialize, Era::Stateless)] era: Era,
) {
    let url = mcp_server(answer).await;
    let error = error(Mcp::over_http(&url, &[], era).await);
    assert_eq!(error.to_string(), format!("{url}: {problem}"));
}

fn answers(method: &str, result: Value) -> Value {
    if method == "tools/list" { tools(&BOTH) } else { json!({ "result": result }) }
}

#[rstest]
#[case::an_error(
    |method: &str, _: &Value| answers(method, json!({ "isError": true, "content": [{ "type": "text", "text": "no" }] })),
    "answered hookproof_run with the error `no`"
)]
#[case::no_text(
    |method: &str, _: &Value| answers(method, json!({ "content": [] })),
    "answered hookproof_run without a text as the first content item"
)]
#[case::an_image_first(
    |method: &str, _: &Value| answers(method, json!({ "content": [
        { "type": "image", "data": "", "mimeType": "image/png" }, { "type": "text", "text": "{}" },
    ] })),
    "answered hookproof_run without a text as the first content item"
)]
#[case::no_json(
    |method: &str, _: &Value| answers(method, json!({ "content": [{ "type": "text", "text": "well" }] })),
    "answered with what is not JSON (expected value at line 1 column 1): `well`"
)]
#[tokio::test]
async fn what_a_tool_answers_instead_of_json_is_named(
    #[case] answer: fn(&str, &Value) -> Value,
    #[case] problem: &str,
) {
    let url = mcp_server(answer).await;
    let mcp = Mcp::over_http(&url, &[], Era::Initialize).await.unwrap();
    assert_eq!(mcp.run("{}").await.unwrap_err().to_string(), format!("{url}: {problem}"));
}

// --- MCP over standard streams -------------------------------------------------------------------------------

#[tokio::test]
async fn a_command_that_does_not_exist_is_named() {
    let error = error(Mcp::over_stdio("hookproof-no-such-command", &["-v".to_owned()], Era::default()).await);
    let text = error.to_string();
    assert!(text.starts_with("hookproof-no-such-command -v: could not be started: No such file"), "{text}");
}

#[rstest]
#[case::ends("exit 3", "ended (exit status: 3) without an answer")]
#[case::ends_with_last_words(
    "for n in 1 2 3 4; do echo line $n >&2; done; exit 1",
    "ended (exit status: 1) without an answer; the end of its standard error: `line 2 / line 3 / line 4`"
)]
#[case::reads_then_ends("read -r line; exit 0", "ended (exit status: 0) without an answer")]
#[case::is_killed("kill -9 $$", "ended (signal: 9 (SIGKILL)) without an answer")]
#[case::prints_a_banner(
    "echo Listening on 8080; exit 0",
    "ended (exit status: 0) without an answer; on its standard output, where only messages belong: \
     `Listening on 8080`"
)]
#[case::floods(
    "exec yes",
    "wrote over 1048576 bytes to its standard output that are no messages; on its standard output, where only \
     messages belong: `y`"
)]
#[case::writes_an_endless_line(
    "printf '{'; exec cat /dev/zero",
    "wrote a line of more than 67108864 bytes; no more is read"
)]
#[case::closes_its_output(
    "exec >&-; read -r line; sleep 2",
    "closed the connection before it answered initialize"
)]
#[case::refuses(
    r#"read -r line; echo '{"jsonrpc":"2.0","id":0,"error":{"code":-1,"message":"not you"}}'; sleep 9"#,
    "answered initialize with the error -1: `not you`"
)]
#[tokio::test]
async fn what_a_command_that_speaks_no_mcp_does_is_named(#[case] script: &str, #[case] problem: &str) {
    let error = error(shell(script).await);
    assert_eq!(error, CandidateError::new(format!("sh -c {script}"), problem));
}

#[tokio::test]
async fn a_banner_before_the_messages_does_no_harm() {
    let script = format!("echo Welcome; {}", speaking("exit 0", ""));
    shell(&script).await.unwrap().close().await;
}

#[tokio::test]
async fn a_command_that_dies_in_the_middle_of_a_call_is_named() {
    let script = speaking("echo 'thread panicked: boom' >&2; exit 101", "");
    let mcp = shell(&script).await.unwrap();
    let problem = "ended (exit status: 101) without an answer; the end of its standard error: \
                   `thread panicked: boom`";
    assert_eq!(mcp.run("{}").await.unwrap_err().problem, problem);
    assert_eq!(mcp.run("{}").await.unwrap_err().problem, problem);
}

#[cfg(target_os = "linux")]
mod processes {
    use std::path::PathBuf;
    use std::time::Instant;

    use pretty_assertions::assert_eq;

    use super::*;

    /// A file into which a script writes the number of a process.
    struct Pid(PathBuf);

    impl Pid {
        fn file(name: &str) -> Self {
            Self(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id())))
        }

        /// A background process, whose number is written down.
        fn fork(&self) -> String {
            format!("sleep 60 & echo $! > '{}'", self.0.display())
        }

        /// Whether the process is there and no corpse that nobody has buried yet.
        fn lives(&self) -> bool {
            let pid = std::fs::read_to_string(&self.0).unwrap();
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
            stat.rsplit(") ").next().is_some_and(|state| state.starts_with(['R', 'S', 'D', 'T']))
        }

        async fn is_gone_soon(&self) -> bool {
            for _ in 0..100 {
                if !self.lives() {
                    return true;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            false
        }
    }

    impl Drop for Pid {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    #[tokio::test]
    async fn a_command_that_never_answers_is_killed_with_its_children_when_given_up() {
        let pid = Pid::file("never-answers");
        let silent = format!("{}; wait", pid.fork());
        assert!(timeout(Duration::from_millis(300), shell(&silent)).await.is_err());
        assert!(pid.is_gone_soon().await);
    }

    #[tokio::test]
    async fn a_dropped_client_leaves_no_process() {
        let pid = Pid::file("dropped");
        let mcp = shell(&format!("{}\n{}", pid.fork(), speaking(":", "wait"))).await.unwrap();
        assert!(pid.lives());
        drop(mcp);
        assert!(pid.is_gone_soon().await);
    }

    #[tokio::test]
    async fn a_command_that_leaves_when_its_input_ends_is_not_waited_for_and_its_children_end() {
        let pid = Pid::file("leaves");
        let mcp = shell(&format!("{}\n{}", pid.fork(), speaking(":", "exit 0"))).await.unwrap();
        let since = Instant::now();
        mcp.close().await;
        assert!(since.elapsed() < Duration::from_secs(2), "{:?}", since.elapsed());
        assert!(pid.is_gone_soon().await);
    }

    #[tokio::test]
    async fn a_command_that_stays_is_asked_to_end_and_then_made_to() {
        let (asked, pid) = (Pid::file("asked"), Pid::file("stays"));
        let at_end = format!("trap 'echo TERM > {}' TERM; while :; do sleep 0.1; done", asked.0.display());
        let mcp = shell(&format!("{}\n{}", pid.fork(), speaking(":", &at_end))).await.unwrap();
        let since = Instant::now();
        mcp.close().await;
        let took = since.elapsed().as_secs_f64();
        assert!((5.5..8.0).contains(&took), "{took}");
        assert!(pid.is_gone_soon().await);
        assert_eq!(std::fs::read_to_string(&asked.0).unwrap(), "TERM\n");
    }
}
