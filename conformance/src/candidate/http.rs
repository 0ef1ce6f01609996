//! A candidate reached over HTTP: `GET /hookproof/v1/about` and `POST /hookproof/v1/run`.
//!
//! No timeout of its own: whoever drops a call closes its connection, and the next call opens another.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures::future::BoxFuture;
use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Incoming};
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use hyper::{Method, Request, StatusCode};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use serde_json::Value;
use url::Url;

use super::fault::{parse, quote, root};
use super::{Candidate, CandidateError, MAX_ANSWER};

/// Shorter than the keep-alive of common servers (2 s and up), so that no request races with a server
/// that closes an idle connection.
const IDLE: Duration = Duration::from_secs(1);

/// The most that is read of the body of an error.
const MAX_ERROR: usize = 4 << 10;

#[cfg(feature = "tls")]
type Connector = hyper_rustls::HttpsConnector<HttpConnector>;
#[cfg(not(feature = "tls"))]
type Connector = HttpConnector;

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
            let base = check_url(url)?;
            let base = base.as_str().trim_end_matches('/');
            Ok(Self {
                target: url.to_owned(),
                about: format!("{base}/hookproof/v1/about"),
                run: format!("{base}/hookproof/v1/run"),
                headers: check_headers(headers)?,
                client: Client::builder(TokioExecutor::new())
                    .pool_timer(TokioTimer::new())
                    .pool_idle_timeout(IDLE)
                    .build(connector()?),
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

/// An `http` URL, or with the feature `tls` an `https` one, to which paths can be added.
pub(super) fn check_url(url: &str) -> Result<Url, String> {
    let parsed = Url::parse(url).map_err(|error| format!("not a URL: {error}"))?;
    match parsed.scheme() {
        "http" => {}
        "https" if cfg!(feature = "tls") => {}
        "https" => {
            return Err(
                "this build speaks no TLS; build it with `--features tls`, or name an http:// URL".to_owned()
            );
        }
        scheme => return Err(format!("expected an http:// or https:// URL, found the scheme `{scheme}`")),
    }
    if !parsed.username().is_empty() || parsed.password().is_some() {
        return Err("credentials in the URL are not sent; send a header instead".to_owned());
    }
    if parsed.query().is_some() || parsed.fragment().is_some() {
        return Err("the URL has a query or a fragment; expected the base that paths are added to".to_owned());
    }
    Ok(parsed)
}

/// Headers as the wire takes them.
pub(super) fn check_headers(headers: &[(String, String)]) -> Result<HeaderMap, String> {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        let key = name.parse::<HeaderName>().map_err(|_| format!("`{name}` is no header name"))?;
        let value = HeaderValue::from_str(value)
            .map_err(|_| format!("the value of the header `{name}` cannot be sent"))?;
        map.append(key, value);
    }
    Ok(map)
}

fn connector() -> Result<Connector, String> {
    let mut tcp = HttpConnector::new();
    tcp.set_nodelay(true);
    #[cfg(feature = "tls")]
    {
        tcp.enforce_http(false);
        let tls = hyper_rustls::HttpsConnectorBuilder::new().with_tls_config(tls()?);
        Ok(tls.https_or_http().enable_http1().wrap_connector(tcp))
    }
    #[cfg(not(feature = "tls"))]
    Ok(tcp)
}

/// TLS by ring, against Mozilla's roots, whatever provider the process has installed.
#[cfg(feature = "tls")]
pub(super) fn tls() -> Result<rustls::ClientConfig, String> {
    use hyper_rustls::ConfigBuilderExt;

    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let versions =
        rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = versions.map_err(|error| format!("cannot set up TLS: {error}"))?;
    Ok(builder.with_webpki_roots().with_no_client_auth())
}

/// What came when no response did.
fn without_response(error: &Error) -> String {
    let cause = root(error);
    if error.is_connect() {
        return format!("could not be connected to: {cause}");
    }
    let hyper = std::error::Error::source(error).and_then(|source| source.downcast_ref::<hyper::Error>());
    match hyper {
        Some(error) if error.is_incomplete_message() => "closed the connection without an answer".to_owned(),
        Some(error) if error.is_parse() => format!("answered with what is not HTTP: {cause}"),
        _ => format!("broke the connection off before an answer: {cause}"),
    }
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
