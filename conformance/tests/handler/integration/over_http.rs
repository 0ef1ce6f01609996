//! The integration over Streamable HTTP, and faults of the transport, planted in front of it.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::serve::ListenerExt;
use hookproof::handler::{Report, Target};
use libtest_mimic::Trial;
use tokio::net::TcpListener;

use super::{MANIFEST, PAYLOADS, server};
use crate::support::{Examination, LATENCY, Planted, is_clean, is_found, trial, within_a_runtime};

const HTTP: &[&str] = &["http-*", "mcp-ping"];

pub(super) static PLANTED: &[Planted] = &[
    Planted {
        fault: "content-type",
        only: HTTP,
        broken: &[
            ("http-content-type", "answered a request with the content type `text/plain`"),
            ("mcp-ping", "the server answered with status 200"),
        ],
    },
    Planted {
        fault: "notification-status",
        only: HTTP,
        broken: &[("http-notification-status", "answered a notification with status 200 and `{}`")],
    },
    Planted {
        fault: "get",
        only: HTTP,
        broken: &[("http-get", "was answered with status 200 OK, application/json; expected a stream")],
    },
    Planted {
        fault: "any-origin",
        only: HTTP,
        broken: &[("http-origin", "was answered with status 200 OK, text/event-stream; expected status 403")],
    },
    Planted {
        fault: "any-version",
        only: HTTP,
        broken: &[("http-version-header", "was answered with status 200 OK")],
    },
    Planted {
        fault: "unknown-session",
        only: HTTP,
        broken: &[
            ("http-unknown-session", "was answered with status 400 Bad Request"),
            ("http-delete", "POST after DELETE: was answered with status 400 Bad Request"),
        ],
    },
    Planted {
        fault: "delete",
        only: HTTP,
        broken: &[("http-delete", "DELETE: was answered with status 500")],
    },
    Planted {
        fault: "deletes-nothing",
        only: HTTP,
        broken: &[("http-delete", "POST after DELETE: was answered with status 200 OK")],
    },
];

pub(super) fn trials() -> Vec<Trial> {
    let mut trials = vec![trial("a sound integration on rmcp is clean over http", || {
        is_clean(&report("none", |examination| examination.without(&[LATENCY])));
    })];
    trials.extend(PLANTED.iter().map(|planted| {
        trial(format!("rmcp over http/{}", planted.fault), || {
            is_found(&report(planted.fault, |examination| examination.only(planted.only)), planted);
        })
    }));
    trials
}

fn report(fault: &'static str, with: impl FnOnce(Examination) -> Examination) -> Report {
    within_a_runtime(async move {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let fault: Arc<str> = fault.into();
        let router = server::over_http("none")
            .layer(middleware::from_fn(move |request, next| plant(Arc::clone(&fault), request, next)));
        // Else the end of each answer waits until the client acknowledges its beginning.
        let listener = listener.tap_io(|stream| stream.set_nodelay(true).unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        with(Examination::of(Target::McpHttp(url)).manifest(MANIFEST).inputs(PAYLOADS)).examine().await
    })
}

/// Passes a request on, but for what the fault makes of it.
async fn plant(fault: Arc<str>, request: Request, next: Next) -> Response {
    let (mut head, body) = request.into_parts();
    let body = to_bytes(body, usize::MAX).await.unwrap();
    let says = |what: &str| String::from_utf8_lossy(&body).contains(what);
    match &*fault {
        "notification-status" if says("\"method\":\"notifications/") => return "{}".into_response(),
        "get" if head.method == Method::GET => {
            return ([(CONTENT_TYPE, "application/json")], "{}").into_response();
        }
        "delete" if head.method == Method::DELETE => {
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
        "deletes-nothing" if head.method == Method::DELETE => return StatusCode::NO_CONTENT.into_response(),
        "any-origin" => {
            head.headers.remove("origin");
        }
        "any-version" if head.headers.get("mcp-protocol-version").is_some_and(|it| it == "1999-01-01") => {
            head.headers.remove("mcp-protocol-version");
        }
        _ => {}
    }
    let is_ping = says("\"method\":\"ping\"");
    let mut response = next.run(Request::from_parts(head, Body::from(body))).await;
    if &*fault == "content-type" && is_ping {
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    }
    if &*fault == "unknown-session" && response.status() == StatusCode::NOT_FOUND {
        *response.status_mut() = StatusCode::BAD_REQUEST;
    }
    response
}
