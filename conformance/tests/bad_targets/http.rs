//! Targets reached over plain HTTP, and what both HTTP transports refuse alike.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hookproof::candidate::http::Http;
use hookproof::candidate::mcp::{Era, Mcp};
use hookproof::candidate::{Candidate, CandidateError, MAX_ANSWER};
use pretty_assertions::assert_eq;
use rstest::rstest;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use crate::error;
use crate::servers::{answering, closed_port, endless, server};

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
    "promised an answer of 1073741824 bytes; at most 16777216 are read"
)]
#[tokio::test]
async fn what_a_server_answers_instead_is_named(#[case] bytes: &'static str, #[case] problem: &str) {
    let url = answering(bytes).await;
    let error = Http::connect(&url, &[]).unwrap().run("{}").await.unwrap_err();
    assert_eq!(error.to_string(), format!("{url}: {problem}"));
}

#[tokio::test]
async fn a_long_body_of_an_error_is_quoted_in_part() {
    let (url, written) = endless("HTTP/1.1 500 Internal Server Error\r\n\r\n".to_owned()).await;
    let error = Http::connect(&url, &[]).unwrap().about().await.unwrap_err();
    let quoted = "0".repeat(200);
    let problem =
        format!("answered 500 Internal Server Error to GET /hookproof/v1/about, with the body `{quoted}…`");
    assert_eq!(error, CandidateError { target: url, problem });
    assert!(written.load(Ordering::Relaxed) < 16 << 20);
}

#[tokio::test]
async fn an_endless_answer_is_read_to_the_limit_and_no_further() {
    let (url, written) = endless("HTTP/1.1 200 OK\r\n\r\n".to_owned()).await;
    let error = Http::connect(&url, &[]).unwrap().about().await.unwrap_err();
    assert_eq!(error.problem, "answered with more than 16777216 bytes; no more are read");
    // What the sockets' buffers take comes on top.
    assert!(written.load(Ordering::Relaxed) < MAX_ANSWER + (16 << 20));
}

#[tokio::test]
async fn a_call_that_is_given_up_closes_its_connection_and_the_next_succeeds() {
    let closed = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&closed);
    let url = server(move |mut stream, _, n| {
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

#[tokio::test]
async fn headers_are_sent_along() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let requests = Arc::clone(&seen);
    let url = server(move |_, request, _| {
        requests.lock().unwrap().push(request);
        std::future::ready(())
    })
    .await;
    let headers = [("X-Key".to_owned(), "open sesame".to_owned())];
    error(Http::connect(&url, &headers).unwrap().about().await);
    error(Mcp::over_http(&url, &headers, Era::Initialize).await);
    let requests = seen.lock().unwrap();
    assert_eq!(requests.len(), 2);
    assert!(requests.iter().all(|request| request.contains("\r\nx-key: open sesame\r\n")), "{requests:?}");
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
