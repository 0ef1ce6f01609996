//! Requests over HTTP, of which every part of the answer can be looked at: nothing is followed, decompressed
//! or tried again.

use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::body::{Frame, Incoming};
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response};
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};

use crate::client::{Connector, check_headers, connector, without_response};
use crate::words::root;

/// Shorter than the keep-alive of common servers, so that no request races with a server that closes.
const IDLE: Duration = Duration::from_secs(1);

/// A client for one URL.
pub(crate) struct Web {
    client: Client<Connector, Full<Bytes>>,
    url: String,
    headers: HeaderMap,
}

impl Web {
    /// A client that sends these headers with every request.
    ///
    /// # Errors
    /// A header cannot be sent.
    pub(crate) fn new(url: &str, headers: &[(String, String)]) -> Result<Self, String> {
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .build(connector()?);
        Ok(Self { client, url: url.to_owned(), headers: check_headers(headers)? })
    }

    /// Sends one request. The user's headers come last, so that they can replace others.
    ///
    /// # Errors
    /// What came instead of a response.
    pub(crate) async fn send(
        &self,
        method: Method,
        headers: &[(&'static str, &str)],
        body: Bytes,
    ) -> Result<Response<Incoming>, String> {
        let mut request = Request::builder().method(method).uri(&self.url);
        if let Some(map) = request.headers_mut() {
            for (name, value) in headers {
                let value = HeaderValue::from_str(value).map_err(|error| error.to_string())?;
                map.insert(HeaderName::from_static(name), value);
            }
            for (name, value) in &self.headers {
                map.insert(name, value.clone());
            }
        }
        let request = request.body(Full::new(body)).map_err(|error| error.to_string())?;
        self.client.request(request).await.map_err(|error| without_response(&error))
    }
}

/// A header's value as text, or nothing.
pub(crate) fn header<'a>(headers: &'a HeaderMap, name: &str) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// The next piece of a body; `None` at its end.
///
/// # Errors
/// How it broke off.
pub(crate) async fn piece(body: &mut Incoming) -> Result<Option<Bytes>, String> {
    while let Some(frame) = body.frame().await {
        let frame =
            frame.map_err(|error| format!("broke off in the middle of its answer: {}", root(&error)))?;
        if let Ok(data) = Frame::into_data(frame) {
            return Ok(Some(data));
        }
    }
    Ok(None)
}

/// What was read of a body.
#[derive(Debug, Clone, Default)]
pub(crate) struct Read {
    pub(crate) bytes: Vec<u8>,
    /// Whether there was more than is read.
    pub(crate) is_cut: bool,
    /// When its first byte came, and its last.
    pub(crate) first: Option<Instant>,
}

/// Reads a body, at most so many bytes of it.
///
/// # Errors
/// How it broke off.
pub(crate) async fn read(body: &mut Incoming, max: usize) -> Result<Read, String> {
    let mut read = Read::default();
    while let Some(data) = piece(body).await? {
        read.first.get_or_insert_with(Instant::now);
        let room = max.saturating_sub(read.bytes.len());
        read.bytes.extend(data.iter().take(room));
        if data.len() > room {
            read.is_cut = true;
            break;
        }
    }
    Ok(read)
}
