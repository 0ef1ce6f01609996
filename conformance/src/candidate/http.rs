//! A candidate reached over HTTP: `GET /hookproof/v1/about` and `POST /hookproof/v1/run`.
//!
//! No timeout of its own: whoever drops a call closes its connection, and the next call opens another.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use hyper::{Method, Request, StatusCode};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use serde_json::Value;
use url::Url;

use super::fault::parse;
use super::{Candidate, CandidateError, MAX_ANSWER};
use crate::client::{self, Connector, check_headers, check_url, without_response};
use crate::words::{quote, root};

/// Shorter than the keep-alive of common servers (2 s and up), so that no request races with a server
/// that closes an idle connection.
const IDLE: Duration = Duration::from_secs(1);

/// The most that is read of the body of an error.
const MAX_ERROR: usize = 4 << 10;

/// A client of the script contract over HTTP. Calls may run at once; connections are pooled.
pub struct Http {
    target: String,
    about: String,
    run: String,
    headers: HeaderMap,
    client: Client<Connector, Full<Bytes>>,
}

impl Http {
    /// A client of the contract served under this URL, sending these headers with every request.
    ///
    /// # Errors
    /// The URL or a header cannot be used; nothing is sent yet.
    pub fn connect(url: &str, headers: &[(String, String)]) -> Result<Self, CandidateError> {
        let client = || -> Result<Self, String> {
            let base = check_base(url)?;
            let base = base.as_str().trim_end_matches('/');
            Ok(Self {
                target: url.to_owned(),
                about: format!("{base}/hookproof/v1/about"),
                run: format!("{base}/hookproof/v1/run"),
                headers: check_headers(headers)?,
                client: Client::builder(TokioExecutor::new())
                    .pool_timer(TokioTimer::new())
                    .pool_idle_timeout(IDLE)
                    .build(client::connector()?),
            })
        };
        client().map_err(|problem| CandidateError::new(url, problem))
    }

    async fn ask(&self, method: Method, uri: &str, body: Bytes) -> Result<Value, String> {
        let mut request = Request::builder().method(method.clone()).uri(uri);
        if let Some(headers) = request.headers_mut() {
            headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
            if method == Method::POST {
                headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            }
            headers.extend(self.headers.clone());
        }
        let request = request.body(Full::new(body)).map_err(|error| error.to_string())?;
        let response = self.client.request(request).await.map_err(|error| without_response(&error))?;
        let (head, body) = response.into_parts();
        if head.status == StatusCode::OK {
            return parse(&read_answer(body).await?);
        }
        let path = uri.rsplit_once("/hookproof/").map_or(uri, |(_, path)| path);
        let mut problem = format!("answered {} to {method} /hookproof/{path}", head.status);
        if let Some(place) = head.headers.get(LOCATION) {
            problem += &format!(" (to {}; redirects are not followed)", quote(place.as_bytes()));
        }
        Err(format!("{problem}, with the body {}", quote(&read_beginning(body).await)))
    }
}

impl fmt::Display for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.target)
    }
}

impl Candidate for Http {
    fn about(&self) -> BoxFuture<'_, Result<Value, CandidateError>> {
        Box::pin(async move {
            let answer = self.ask(Method::GET, &self.about, Bytes::new()).await;
            answer.map_err(|problem| CandidateError::new(self, problem))
        })
    }

    fn run<'a>(&'a self, script_json: &'a str) -> BoxFuture<'a, Result<Value, CandidateError>> {
        Box::pin(async move {
            let script = Bytes::copy_from_slice(script_json.as_bytes());
            let answer = self.ask(Method::POST, &self.run, script).await;
            answer.map_err(|problem| CandidateError::new(self, problem))
        })
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        // Idle connections close with the pool, or after a second.
        Box::pin(std::future::ready(()))
    }
}

/// A URL to which paths can be added.
pub(super) fn check_base(url: &str) -> Result<Url, String> {
    let parsed = check_url(url)?;
    if parsed.query().is_some() || parsed.fragment().is_some() {
        return Err("the URL has a query or a fragment; expected the base that paths are added to".to_owned());
    }
    Ok(parsed)
}

/// The whole body, of which no more than [`MAX_ANSWER`] is ever held.
async fn read_answer(mut body: Incoming) -> Result<Vec<u8>, String> {
    if let Some(promised) = body.size_hint().exact().filter(|promised| *promised > MAX_ANSWER as u64) {
        return Err(format!("promised an answer of {promised} bytes; at most {MAX_ANSWER} are read"));
    }
    let mut read = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| {
            format!("broke off in the middle of its answer, after {} bytes: {}", read.len(), root(&error))
        })?;
        let Some(data) = frame.data_ref() else { continue };
        if read.len() + data.len() > MAX_ANSWER {
            return Err(format!("answered with more than {MAX_ANSWER} bytes; no more are read"));
        }
        read.extend_from_slice(data);
    }
    Ok(read)
}

/// As much of a body as is quoted; a body that breaks off is as good as one that ends.
async fn read_beginning(mut body: Incoming) -> Vec<u8> {
    let mut read = Vec::new();
    while let Some(Ok(frame)) = body.frame().await {
        if let Some(data) = frame.data_ref() {
            read.extend_from_slice(data);
        }
        if read.len() >= MAX_ERROR {
            break;
        }
    }
    read
}
