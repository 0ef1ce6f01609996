//! The protocol itself: ids, replies and notifications, and what comes besides.

use serde_json::json;

use super::{Exam, LEAVING, Subject};
use crate::candidate::mcp::Era;
use crate::handler::check::{Check, checks};
use crate::handler::rpc::Link;
use crate::handler::rpc::inbox::WireKind;
use crate::handler::rpc::message::Reply;
use crate::handler::rpc::session::{Outcome, Session};

checks! {
    FORM = "mcp-message-form", Must, [Mcp("Messages")],
        "Every message is one JSON-RPC 2.0 request, notification or response, and no batch.";
    IDS = "mcp-ids", Must, [Mcp("Responses")],
        "A reply has the id of its request: the same number, or the same string.";
    ONE_REPLY = "mcp-one-reply", Must, [Mcp("Responses")],
        "Every request gets one reply, and nothing else gets any.";
    NOTIFICATIONS = "mcp-notifications-unanswered", Must, [Mcp("Notifications")],
        "Notifications are not answered, unknown ones included.";
    ASKS = "mcp-asks-nothing-undeclared", Must, [Mcp("Capability negotiation")],
        "The server asks the client for nothing that the client did not declare.";
    UNKNOWN_METHOD = "mcp-unknown-method", Must, [Mcp("Responses")],
        "A request for a method that does not exist is answered with an error.";
    UNKNOWN_TOOL = "mcp-unknown-tool", Must, [Mcp("Tools")],
        "A call of a tool that does not exist is answered with an error.";
    PING = "mcp-ping", Must, [Mcp("Ping")],
        "A ping is answered with an empty result.";
    STDOUT = "mcp-stdout-clean", Must, [Clause("VO-SRV-6"), Mcp("stdio")],
        "Nothing but messages, a line each, is written to standard output.";
    MALFORMED = "mcp-malformed-line", Should, [Mcp("Messages")],
        "After a line that is no message the server goes on answering.";
}

/// Those that are of standard streams alone.
pub(super) static STDIO: &[&Check] = &[&STDOUT, &MALFORMED];
/// Those of any transport.
pub(super) static COMMON: &[&Check] =
    &[&FORM, &IDS, &ONE_REPLY, &NOTIFICATIONS, &ASKS, &UNKNOWN_METHOD, &UNKNOWN_TOOL, &PING];

const MISLED: &str = "a strict client gives the connection up: none of its hooks is called any more";

/// Puts requests that only a strict client would notice anything of.
pub(super) async fn examine(exam: &Exam<'_>, subject: &Subject) {
    let session = match exam.session(subject).await {
        Ok(session) => session,
        Err(why) => return exam.findings.stop(format!("the server {why}")),
    };
    ids(exam, &session).await;
    errors(exam, &session).await;
    session.notify("notifications/hookproof", json!({}));
    if session.era == Era::Initialize {
        let outcome = session.request("ping", json!({})).wait(exam.patience()).await;
        exam.findings.judged(&PING);
        if !matches!(&outcome, Outcome::Reply(Reply::Result(_), _)) {
            let cost = "a client takes the server for dead and ends the connection";
            let message = format!("the server {}; expected an empty result", outcome.instead());
            exam.findings.broken(&PING, "ping", message, cost);
        }
    } else {
        exam.findings.not_applicable(&PING, "the stateless era has no ping");
    }
    if matches!(session.link, Link::Stdio(_)) {
        malformed(exam, &session).await;
    }
    exam.take_faults(&session.link);
    session.link.end(LEAVING).await;
    for check in [&FORM, &IDS, &ONE_REPLY, &NOTIFICATIONS, &ASKS] {
        exam.findings.judged(check);
    }
}

async fn ids(exam: &Exam<'_>, session: &Session) {
    if !exam.wants(&IDS) {
        return;
    }
    let ids = [json!("hookproof-1"), json!(0), json!("0"), json!(-7), json!(9_007_199_254_740_991_i64)];
    for id in ids {
        let shown = id.to_string();
        let outcome = session.request_as(id, "tools/list", json!({})).wait(exam.patience()).await;
        if !matches!(outcome, Outcome::Reply(..)) {
            let message =
                format!("to the request {shown} the server {}; expected a reply", outcome.instead());
            exam.findings.broken(&IDS, "tools/list", message, MISLED);
        }
    }
}

async fn errors(exam: &Exam<'_>, session: &Session) {
    let unknown_method = session.request("hookproof/none", json!({}));
    let unknown_tool = session.call("hookproof_no_such_tool", json!({}));
    let outcome = unknown_method.wait(exam.patience()).await;
    exam.findings.judged(&UNKNOWN_METHOD);
    match &outcome {
        Outcome::Reply(Reply::Error { code: -32601, .. }, _) => {}
        Outcome::Reply(Reply::Error { code, .. }, _) => {
            exam.findings
                .note(&UNKNOWN_METHOD, format!("answered with the error {code}; -32601 is the usual one"));
        }
        other => {
            let message = format!("the server {}; expected the error -32601", other.instead());
            let cost = "a client that asks for what a later version has waits in vain";
            exam.findings.broken(&UNKNOWN_METHOD, "hookproof/none", message, cost);
        }
    }
    let outcome = unknown_tool.wait(exam.patience()).await;
    exam.findings.judged(&UNKNOWN_TOOL);
    let refused = match &outcome {
        Outcome::Reply(Reply::Error { .. }, _) => true,
        Outcome::Reply(Reply::Result(result), _) => result.get("isError").is_some_and(|error| error == true),
        _ => false,
    };
    if !refused {
        let message =
            format!("the server {}; expected an error, or a result with isError", outcome.instead());
        let cost = "a hook that the server does not have counts as one that says nothing";
        exam.findings.broken(&UNKNOWN_TOOL, "tools/call", message, cost);
    }
}

async fn malformed(exam: &Exam<'_>, session: &Session) {
    if !exam.wants(&MALFORMED) {
        return;
    }
    session.link.inbox().may_lack_id();
    for line in ["this is no message", "{\"jsonrpc\":\"2.0\",\"id\":", "7"] {
        session.link.send(line.as_bytes(), None, Vec::new());
        let outcome = session.request("tools/list", json!({})).wait(exam.patience()).await;
        exam.findings.judged(&MALFORMED);
        if !matches!(outcome, Outcome::Reply(..)) {
            let why = session.link.ended().await.unwrap_or_else(|| outcome.instead());
            let message = format!("after the line `{line}` the server {why}; expected it to go on");
            exam.findings.broken(&MALFORMED, "standard input", message, "one stray line ends every hook");
            return;
        }
    }
}

/// Tells what was not as it should be on the wire, over all connections.
pub(super) fn tell_faults(exam: &Exam<'_>, cut_off: bool) {
    let faults = std::mem::take(&mut *exam.wire.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    let is_stdio = matches!(exam.server, super::Server::Command(..));
    for fault in faults {
        let (check, place, cost): (_, _, &str) = match fault.kind {
            WireKind::Noise if is_stdio => (&STDOUT, "standard output", MISLED),
            WireKind::Noise | WireKind::Form => (&FORM, "messages", MISLED),
            WireKind::IdType => (&IDS, "replies", "the reply is not recognized: the call times out"),
            WireKind::UnknownId | WireKind::SecondReply => (&ONE_REPLY, "replies", MISLED),
            WireKind::WithoutId => (&NOTIFICATIONS, "replies", MISLED),
            WireKind::Asks => (&ASKS, "requests", "the server waits for what never comes"),
            WireKind::NotificationStatus => (&super::streamable::NOTIFICATION, "POST", MISLED),
            WireKind::ContentType => (&super::streamable::CONTENT_TYPE, "POST", MISLED),
        };
        exam.findings.broken(check, place, fault.text, cost);
    }
    if is_stdio && !cut_off && !exam.findings.is_stopped() {
        exam.findings.judged(&STDOUT);
    }
}
