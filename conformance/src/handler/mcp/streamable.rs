//! What MCP asks of a server over Streamable HTTP beside its messages.

use bytes::Bytes;
use hyper::{Method, StatusCode};
use serde_json::json;
use tokio::time::timeout;

use super::{Exam, Server, Subject};
use crate::candidate::mcp::Era;
use crate::handler::check::checks;
use crate::handler::rpc::Link;
use crate::handler::rpc::http::{Headers, Http};
use crate::handler::rpc::session::rounded;
use crate::handler::web::header;

checks! {
    CONTENT_TYPE = "http-content-type", Must, [Mcp("Streamable HTTP")],
        "A request is answered as application/json or text/event-stream.";
    NOTIFICATION = "http-notification-status", Must, [Mcp("Streamable HTTP")],
        "A notification is answered with status 202 and no body.";
    GET = "http-get", Must, [Mcp("Streamable HTTP")],
        "GET opens a stream of events, or is answered with status 405.";
    ORIGIN = "http-origin", Must, [Mcp("Streamable HTTP, security")],
        "A request from a foreign web page is refused, so that no page can call the hooks of a local server.";
    VERSION = "http-version-header", Must, [Mcp("Protocol version header")],
        "A request with an `MCP-Protocol-Version` that does not exist is answered with status 400.";
    SESSION = "http-unknown-session", Must, [Mcp("Session management")],
        "A request of a session that does not exist is answered with status 404, and opens none.";
    DELETE = "http-delete", Should, [Mcp("Session management")],
        "DELETE ends a session, or is answered with status 405.";
}

/// Sends what only a strict client would.
pub(super) async fn examine(exam: &Exam<'_>, subject: &Subject) {
    if !matches!(exam.server, Server::Url(_)) {
        return;
    }
    let Ok(session) = exam.session(subject).await else {
        return exam.findings.stop("the server does not greet the client again");
    };
    let Link::Http(http) = &session.link else { return };
    for check in [&CONTENT_TYPE, &NOTIFICATION] {
        exam.findings.judged(check);
    }
    let ask = Ask { exam, http };
    let status = ask.status(Method::GET, vec![("accept", "text/event-stream".to_owned())], "").await;
    exam.findings.judged(&GET);
    let opened = matches!(&status, Ok((StatusCode::OK, kind)) if kind.starts_with("text/event-stream"));
    if !opened && !matches!(status, Ok((StatusCode::METHOD_NOT_ALLOWED, _))) {
        ask.broken(&GET, "GET", &status, "a stream of events, or status 405");
    }
    let origin = vec![("origin", "http://hooks.invalid".to_owned())];
    let status = ask.post(origin).await;
    exam.findings.judged(&ORIGIN);
    if !matches!(status, Ok((status, _)) if status.is_client_error()) {
        ask.broken(&ORIGIN, "POST with the header `Origin: http://hooks.invalid`", &status, "status 403");
    }
    let status = ask.post(vec![("mcp-protocol-version", "1999-01-01".to_owned())]).await;
    if subject.version.as_str() < "2025-06-18" {
        exam.findings.not_applicable(&VERSION, "the header is one of versions since 2025-06-18");
    } else {
        exam.findings.judged(&VERSION);
    }
    if subject.version.as_str() >= "2025-06-18" && !matches!(status, Ok((StatusCode::BAD_REQUEST, _))) {
        ask.broken(
            &VERSION,
            "POST with the header `MCP-Protocol-Version: 1999-01-01`",
            &status,
            "status 400",
        );
    }
    if http.session().is_none() || subject.era == Era::Stateless {
        for check in [&SESSION, &DELETE] {
            exam.findings.not_applicable(check, "the server opens no sessions");
        }
        return exam.close(session).await;
    }
    let status = ask.post(vec![("mcp-session-id", "hookproof-no-such-session".to_owned())]).await;
    exam.findings.judged(&SESSION);
    if !matches!(status, Ok((StatusCode::NOT_FOUND, _))) {
        ask.broken(&SESSION, "POST of an unknown session", &status, "status 404");
    }
    let deleted = ask.status(Method::DELETE, Vec::new(), "").await;
    exam.findings.judged(&DELETE);
    match &deleted {
        Ok((StatusCode::METHOD_NOT_ALLOWED, _)) => {}
        Ok((status, _)) if status.is_success() => {
            let status = ask.post(Vec::new()).await;
            if !matches!(status, Ok((StatusCode::NOT_FOUND, _))) {
                ask.broken(&DELETE, "POST after DELETE", &status, "status 404");
            }
        }
        _ => ask.broken(&DELETE, "DELETE", &deleted, "success, or status 405"),
    }
    exam.take_faults(&session.link);
}

struct Ask<'a> {
    exam: &'a Exam<'a>,
    http: &'a Http,
}

/// The status of an answer and its content type, or what came instead.
type Status = Result<(StatusCode, String), String>;

impl Ask<'_> {
    async fn post(&self, headers: Headers) -> Status {
        let request = json!({ "jsonrpc": "2.0", "id": "status", "method": "tools/list", "params": {} });
        self.status(Method::POST, headers, &request.to_string()).await
    }

    async fn status(&self, method: Method, headers: Headers, body: &str) -> Status {
        let request = self.http.request(method, Bytes::copy_from_slice(body.as_bytes()), headers);
        match timeout(self.exam.patience(), request).await {
            Err(_) => Err(format!("did not answer within {:?}", rounded(self.exam.patience()))),
            Ok(Err(why)) => Err(why),
            Ok(Ok(response)) => {
                Ok((response.status(), header(response.headers(), "content-type").to_owned()))
            }
        }
    }

    fn broken(
        &self,
        check: &'static crate::handler::check::Check,
        asked: &str,
        status: &Status,
        expected: &str,
    ) {
        let came = match status {
            Ok((status, kind)) if kind.is_empty() => format!("was answered with status {status}"),
            Ok((status, kind)) => format!("was answered with status {status}, {kind}"),
            Err(why) => format!("was not answered: the server {why}"),
        };
        let cost = match check.id {
            "http-origin" => "any web page that the user opens can call the hooks",
            "http-unknown-session" => "a client does not learn that it has to begin anew",
            _ => "a strict client gives the connection up",
        };
        self.exam.findings.broken(check, asked, format!("{came}; expected {expected}"), cost);
    }
}
