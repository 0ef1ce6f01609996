//! Servers that answer wrongly, and MCP servers whose answers a test chooses.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::{Json, Router};
use futures::StreamExt;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Hands every connection, with its number and the request that has been read from it, to `serve`.
pub(crate) async fn server<F: Future<Output = ()> + Send + 'static>(
    serve: impl Fn(TcpStream, String, usize) -> F + Send + 'static,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        for n in 0.. {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4096];
            let length = stream.read(&mut request).await.unwrap_or_default();
            request.truncate(length);
            tokio::spawn(serve(stream, String::from_utf8(request).unwrap(), n));
        }
    });
    url
}

/// Answers every request with these bytes, and closes.
pub(crate) async fn answering(bytes: &'static str) -> String {
    server(move |mut stream, _, _| async move {
        let _ = stream.write_all(bytes.as_bytes()).await;
    })
    .await
}

/// Writes `head`, then zeros for as long as they are taken; counts them.
pub(crate) async fn endless(head: String) -> (String, Arc<AtomicUsize>) {
    let written = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&written);
    let url = server(move |mut stream, _, _| {
        let (head, count) = (head.clone(), Arc::clone(&count));
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

pub(crate) async fn closed_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

/// An MCP server over HTTP that answers by method, without sessions.
pub(crate) async fn mcp_server(answer: fn(&str) -> Value) -> String {
    let post = move |Json(request): Json<Value>| async move {
        let Some(id) = request.get("id") else { return StatusCode::ACCEPTED.into_response() };
        let mut response = answer(request["method"].as_str().unwrap());
        if let Some(kind) = response["endless"].as_str() {
            let zeros = futures::stream::repeat(Ok::<_, Infallible>(vec![b'0'; 1 << 16]));
            let begin = futures::stream::iter([Ok(b"data: ".to_vec())]);
            return ([(CONTENT_TYPE, kind.to_owned())], Body::from_stream(begin.chain(zeros)))
                .into_response();
        }
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

/// The answers of a good server, but for the one that is asked last.
pub(crate) fn by(method: &str, last: Value) -> Value {
    match method {
        "initialize" => initialized("2025-11-25"),
        "server/discover" => json!({ "result": {
            "resultType": "complete",
            "supportedVersions": ["2026-07-28"],
            "capabilities": { "tools": {} },
            "ttlMs": 0,
            "cacheScope": "private",
        } }),
        "tools/list" if last["result"].get("tools").is_none() && last.get("error").is_none() => tools(&BOTH),
        _ => last,
    }
}

pub(crate) fn initialized(version: &str) -> Value {
    json!({ "result": {
        "protocolVersion": version,
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "bad", "version": "1" },
    } })
}

pub(crate) fn tools(names: &[&str]) -> Value {
    let tools: Vec<_> =
        names.iter().map(|name| json!({ "name": name, "inputSchema": { "type": "object" } })).collect();
    json!({ "result": { "tools": tools } })
}

pub(crate) const BOTH: [&str; 2] = ["hookproof_about", "hookproof_run"];
