//! A candidate reached over MCP: the tools `hookproof_about` and `hookproof_run`.
//!
//! `hookproof_run` takes one string argument, `script_json`; the text of the first content item of a result
//! is the answer. Whatever rmcp does is kept behind this module. No timeout of its own: whoever drops a call
//! cancels it, and the connection goes on.

mod streams;
mod words;

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use futures::future::BoxFuture;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig,
    Implementation, JsonObject, PaginatedRequestParams, ProtocolVersion,
};
use rmcp::service::{Peer, RunningService, ServiceError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
};
use rmcp::transport::{IntoTransport, Transport};
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::Value;
use tokio::sync::Mutex;

use self::streams::{Input, Seen, Watched};
use super::fault::parse;
use super::http::check_base;
use super::{Candidate, CandidateError, MAX_ANSWER};
use crate::client::check_headers;
use crate::process::{Child, GRACE};
use crate::words::quote;

/// The tool that describes the candidate.
pub const ABOUT: &str = "hookproof_about";
/// The tool that runs a script.
pub const RUN: &str = "hookproof_run";
/// The one argument of [`RUN`].
pub const SCRIPT: &str = "script_json";

/// A server may name a next page for ever.
const MAX_PAGES: usize = 100;
/// Calls in flight at once over HTTP; above it they queue.
const MAX_IN_FLIGHT: usize = 256;

/// How a connection is established: the two eras of the protocol share no handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Era {
    /// The `initialize` handshake, as of 2024-11-05 to 2025-11-25.
    #[default]
    Initialize,
    /// `server/discover`, and requests that stand for themselves, as of 2026-07-28.
    Stateless,
}

impl Era {
    /// The newest version of the era: what a client offers.
    fn version(self) -> ProtocolVersion {
        match self {
            Era::Initialize => ProtocolVersion::LATEST_WITH_INITIALIZE,
            Era::Stateless => ProtocolVersion::V_2026_07_28,
        }
    }

    fn lifecycle(self) -> ClientLifecycleMode {
        match self {
            Era::Initialize => ClientLifecycleMode::Initialize,
            Era::Stateless => ClientLifecycleMode::Discover { preferred_versions: vec![self.version()] },
        }
    }

    /// Whether a version that a server chose belongs to this era.
    fn holds(self, version: &ProtocolVersion) -> bool {
        let known = ProtocolVersion::KNOWN_VERSIONS.contains(version);
        known && version.has_initialize() == (self == Era::Initialize)
    }
}

impl fmt::Display for Era {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Era::Initialize => "initialize",
            Era::Stateless => "stateless",
        })
    }
}

impl FromStr for Era {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "initialize" => Ok(Era::Initialize),
            "stateless" => Ok(Era::Stateless),
            _ => Err(format!("expected `initialize` or `stateless`, found `{text}`")),
        }
    }
}

/// A client of the script contract over MCP. Calls may run at once on the one connection.
pub struct Mcp {
    target: String,
    peer: Peer<RoleClient>,
    service: Mutex<Option<RunningService<RoleClient, ClientConfig>>>,
    local: Option<Local>,
}

/// The process of a candidate that is reached over its standard streams, and what was seen on them.
struct Local {
    child: Child,
    seen: Seen,
}

impl Mcp {
    /// Connects over Streamable HTTP, sending these headers with every request.
    ///
    /// # Errors
    /// The URL or a header cannot be used, the server cannot be reached, speaks no MCP of this era, or lacks
    /// one of the two tools.
    pub async fn over_http(
        url: &str,
        headers: &[(String, String)],
        era: Era,
    ) -> Result<Self, CandidateError> {
        let transport = http_transport(url, headers).map_err(|problem| CandidateError::new(url, problem))?;
        Self::connect(url.to_owned(), transport, None, era).await
    }

    /// Starts a command and connects over its standard streams; its standard error is kept for messages.
    ///
    /// The command and what it starts in its process group end with [`Candidate::close`], or at once when the
    /// client is dropped.
    ///
    /// # Errors
    /// The command cannot be started, ends, speaks no MCP of this era, or lacks one of the two tools.
    pub async fn over_stdio(command: &str, args: &[String], era: Era) -> Result<Self, CandidateError> {
        let target = args.iter().fold(command.to_owned(), |line, arg| line + " " + arg);
        let (child, stdout, stdin) =
            Child::start(command, args).map_err(|problem| CandidateError::new(&target, problem))?;
        let (stdout, seen) = Watched::new(stdout);
        let transport = AsyncRwTransport::new_client(stdout, Input(stdin)).with_max_line_length(MAX_ANSWER);
        Self::connect(target, transport, Some(Local { child, seen }), era).await
    }

    async fn connect<T, E, A>(
        target: String,
        transport: T,
        local: Option<Local>,
        era: Era,
    ) -> Result<Self, CandidateError>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let client = Implementation::new("hookproof", env!("CARGO_PKG_VERSION"));
        let client = ClientConfig::new(ClientCapabilities::default(), client);
        let client = client.with_protocol_version(era.version());
        let service = match client.serve_with_lifecycle(transport, era.lifecycle()).await {
            Ok(service) => service,
            Err(error) => {
                let problem = with_end_of(local.as_ref(), words::no_session(&error, era)).await;
                return Err(CandidateError::new(target, problem));
            }
        };
        let peer = service.peer().clone();
        let mcp = Self { target, peer, service: Mutex::new(Some(service)), local };
        let fit = match mcp.peer.peer_info() {
            Some(info) if !era.holds(&info.protocol_version) => {
                let version = &info.protocol_version;
                Err(format!("speaks MCP {version}, which does not belong to the era `{era}`"))
            }
            _ => mcp.check_tools().await,
        };
        if let Err(problem) = fit {
            mcp.close().await;
            return Err(CandidateError::new(mcp.target, problem));
        }
        Ok(mcp)
    }

    async fn check_tools(&self) -> Result<(), String> {
        let mut names = Vec::new();
        let mut cursor = None;
        for _ in 0..MAX_PAGES {
            let page = PaginatedRequestParams::default().with_cursor(cursor);
            let page = match self.peer.list_tools(Some(page)).await {
                Ok(page) => page,
                Err(error) => return Err(self.failed("tools/list", &error).await),
            };
            names.extend(page.tools.into_iter().map(|tool| tool.name));
            if [ABOUT, RUN].iter().all(|wanted| names.iter().any(|name| name == wanted)) {
                return Ok(());
            }
            cursor = page.next_cursor;
            if cursor.is_none() {
                return Err(words::no_tool(&names, ""));
            }
        }
        Err(words::no_tool(&names, &format!(" on the first {MAX_PAGES} pages of its list")))
    }

    async fn call(&self, tool: &'static str, arguments: JsonObject) -> Result<Value, String> {
        let params = CallToolRequestParams::new(tool).with_arguments(arguments);
        match self.peer.call_tool_once(params).await {
            Ok(CallToolResponse::Complete(result)) => answer(tool, &result),
            Ok(_) => Err(format!("answered {tool} with what is no final result; expected text at once")),
            Err(error) => Err(self.failed(tool, &error).await),
        }
    }

    async fn failed(&self, asked: &str, error: &ServiceError) -> String {
        with_end_of(self.local.as_ref(), words::no_answer(asked, error)).await
    }
}

impl fmt::Display for Mcp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.target)
    }
}

impl Candidate for Mcp {
    fn about(&self) -> BoxFuture<'_, Result<Value, CandidateError>> {
        Box::pin(async move {
            let answer = self.call(ABOUT, JsonObject::new()).await;
            answer.map_err(|problem| CandidateError::new(self, problem))
        })
    }

    fn run<'a>(&'a self, script_json: &'a str) -> BoxFuture<'a, Result<Value, CandidateError>> {
        Box::pin(async move {
            let arguments = JsonObject::from_iter([(SCRIPT.to_owned(), Value::from(script_json))]);
            let answer = self.call(RUN, arguments).await;
            answer.map_err(|problem| CandidateError::new(self, problem))
        })
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            // Closing the transport closes the child's standard input, its sign to leave. A child that does
            // not read can keep the transport from closing; then it is the signals that end both.
            let until = tokio::time::Instant::now() + GRACE;
            if let Some(mut service) = self.service.lock().await.take() {
                let _ = service.close_with_timeout(GRACE).await;
            }
            if let Some(Local { child, .. }) = &self.local {
                child.end(until).await;
            }
        })
    }
}

/// rmcp's transport over reqwest, with a bound on whatever is held of an answer.
fn http_transport(
    url: &str,
    headers: &[(String, String)],
) -> Result<impl Transport<RoleClient> + 'static, String> {
    check_base(url)?;
    let mut custom = HashMap::new();
    for (name, value) in &check_headers(headers)? {
        // rmcp takes one value a name.
        if custom.insert(name.clone(), value.clone()).is_some() {
            return Err(format!("the header `{name}` is given twice, which MCP over HTTP cannot send"));
        }
    }
    // No idle connections, as in rmcp's own default: a server without TCP_NODELAY stalls a reused one by 40 ms.
    let client =
        reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).pool_max_idle_per_host(0);
    #[cfg(feature = "tls")]
    let client = client.tls_backend_preconfigured(crate::client::tls()?);
    let client = client.build().map_err(|error| crate::words::root(&error))?;
    let config = StreamableHttpClientTransportConfig::with_uri(url)
        .custom_headers(custom)
        .max_concurrent_requests(MAX_IN_FLIGHT)
        .max_sse_event_size(MAX_ANSWER)
        .max_json_response_size(MAX_ANSWER);
    Ok(StreamableHttpClientTransport::with_client(client, config))
}

/// What a tool answered, by the text of its first content item.
fn answer(tool: &str, result: &CallToolResult) -> Result<Value, String> {
    let text = result.content.first().and_then(|item| item.as_text()).map(|item| item.text.as_str());
    if result.is_error == Some(true) {
        return Err(format!("answered {tool} with the error {}", quote(text.unwrap_or_default().as_bytes())));
    }
    match text {
        Some(text) => parse(text.as_bytes()),
        None => Err(format!("answered {tool} without a text as the first content item")),
    }
}

/// A problem on the connection; where the child's end explains it, that instead.
async fn with_end_of(local: Option<&Local>, problem: words::Problem) -> String {
    match (local, problem) {
        (Some(local), words::Problem { broken: true, sentence }) => {
            let sentence = match local.seen.fault() {
                Some(fault) => fault,
                None => local.child.explain(&sentence).await,
            };
            match local.seen.noise() {
                Some(noise) => {
                    format!("{sentence}; on its standard output, where only messages belong: {noise}")
                }
                None => sentence,
            }
        }
        // Over HTTP rmcp tells these two apart no further than this.
        (None, words::Problem { broken: true, sentence }) => {
            format!("{sentence}, or sent an event of more than {MAX_ANSWER} bytes")
        }
        (_, problem) => problem.sentence,
    }
}
