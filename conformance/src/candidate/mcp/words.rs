//! rmcp's errors in one sentence each.

use std::borrow::Cow;
use std::error::Error;

use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;

use super::super::MAX_ANSWER;
use super::{ABOUT, Era, RUN};
use crate::words::{quote, root};

/// What came instead of an answer.
pub(super) struct Problem {
    pub(super) sentence: String,
    /// Whether the connection broke, so that the end of a child process may explain it.
    pub(super) broken: bool,
}

impl Problem {
    fn answered(sentence: String) -> Self {
        Self { sentence, broken: false }
    }

    fn broken(sentence: String) -> Self {
        Self { sentence, broken: true }
    }
}

/// Why no session came about.
pub(super) fn no_session(error: &ClientInitializeError, era: Era) -> Problem {
    let asked = match era {
        Era::Initialize => "initialize",
        Era::Stateless => "server/discover",
    };
    match error {
        ClientInitializeError::TransportError { error, .. } => transport(asked, error),
        ClientInitializeError::ConnectionClosed(_) => {
            Problem::broken(format!("closed the connection before it answered {asked}"))
        }
        ClientInitializeError::JsonRpcError(error) => Problem::answered(format!(
            "answered {asked} with the error {}: {}",
            error.code.0,
            quote(error.message.as_bytes())
        )),
        ClientInitializeError::NoCompatibleProtocolVersion { server_supported, .. } => {
            let versions: Vec<_> = server_supported.iter().map(ToString::to_string).collect();
            Problem::answered(format!("speaks MCP {}, not {}", versions.join(", "), era.version()))
        }
        ClientInitializeError::ExpectedInitResult(_) => {
            Problem::answered(format!("answered {asked} with the result of something else"))
        }
        other => Problem::answered(format!("answered {asked} with what it must not: {}", short(other))),
    }
}

/// Why a request has no result.
pub(super) fn no_answer(asked: &str, error: &ServiceError) -> Problem {
    match error {
        ServiceError::McpError(error) => Problem::answered(format!(
            "answered {asked} with the error {}: {}",
            error.code.0,
            quote(error.message.as_bytes())
        )),
        ServiceError::TransportSend(error) => transport(asked, error),
        ServiceError::TransportClosed | ServiceError::Cancelled { .. } => {
            Problem::broken(format!("closed the connection before it answered {asked}"))
        }
        ServiceError::UnexpectedResponse => {
            Problem::answered(format!("answered {asked} with the result of something else"))
        }
        other => Problem::broken(format!("gave no answer to {asked}: {}", short(other))),
    }
}

/// Which of the two tools is missing.
pub(super) fn no_tool(names: &[Cow<'static, str>], place: &str) -> String {
    let missing = [RUN, ABOUT].into_iter().find(|wanted| !names.iter().any(|name| name == wanted));
    let missing = missing.unwrap_or(RUN);
    let shown: Vec<&str> = names.iter().take(10).map(AsRef::as_ref).collect();
    let has = match (shown.join(", "), names.len() - shown.len()) {
        (list, _) if list.is_empty() => "none".to_owned(),
        (list, 0) => list,
        (list, more) => format!("{list}, and {more} more"),
    };
    format!("speaks MCP, but has no tool `{missing}`{place} (it has: {has})")
}

fn transport(asked: &str, error: &DynamicTransportError) -> Problem {
    let Some(error) = error.error.downcast_ref::<StreamableHttpError<reqwest::Error>>() else {
        return Problem::broken(format!("took no {asked}: {}", root(error.error.as_ref())));
    };
    Problem::answered(match error {
        StreamableHttpError::Client(error) => client(asked, error),
        StreamableHttpError::HttpStatus(status) => {
            format!("answered {asked} with the status {}", status.status)
        }
        StreamableHttpError::ResponseBodyTooLarge { .. } => {
            format!("answered {asked} with more than {MAX_ANSWER} bytes; no more are read")
        }
        StreamableHttpError::UnexpectedContentType(Some(kind)) => {
            format!("answered {asked} with {}, which MCP does not use", quote(kind.as_bytes()))
        }
        StreamableHttpError::UnexpectedContentType(None) => {
            format!("answered {asked} with what names no content type")
        }
        StreamableHttpError::UnexpectedServerResponse(text) => {
            format!("answered {asked} with what is not MCP: {}", quote(text.as_bytes()))
        }
        other => format!("gave no answer to {asked}: {}", short(other)),
    })
}

fn client(asked: &str, error: &reqwest::Error) -> String {
    let cause = root(error);
    if error.is_connect() {
        return format!("could not be connected to: {cause}");
    }
    let mut source = error.source();
    while let Some(inner) = source {
        match inner.downcast_ref::<hyper::Error>() {
            Some(error) if error.is_incomplete_message() => {
                return format!("closed the connection without an answer to {asked}");
            }
            Some(error) if error.is_parse() => {
                return format!("answered {asked} with what is not HTTP: {cause}");
            }
            _ => source = inner.source(),
        }
    }
    format!("broke off before an answer to {asked}: {cause}")
}

/// An error whose own words may quote a whole message.
fn short(error: &(impl Error + 'static)) -> String {
    quote(error.to_string().as_bytes())
}
