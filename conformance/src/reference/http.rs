//! The script contract served over HTTP.

use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::Contract;

/// The most bytes of one script.
pub const MAX_SCRIPT: usize = 32 << 20;

/// Scripts above this size run on a thread of their own, so that they block no other request.
const HEAVY: usize = 64 << 10;

/// How long requests in flight may take once the server is told to stop.
const GRACE: Duration = Duration::from_secs(3);

/// Serves `GET /hookproof/v1/about` and `POST /hookproof/v1/run` until `shutdown` is done.
///
/// # Errors
/// The listener fails.
pub async fn serve(
    listener: TcpListener,
    contract: Arc<dyn Contract>,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let router = Router::new()
        .route("/hookproof/v1/about", get(about))
        .route("/hookproof/v1/run", post(run))
        .fallback(no_route)
        .layer(DefaultBodyLimit::max(MAX_SCRIPT))
        .with_state(contract);
    serve_router(listener, router, shutdown).await
}

/// Serves a router until `shutdown` is done and requests in flight have had their time.
pub(super) async fn serve_router(
    listener: TcpListener,
    router: Router,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    // Without it, keep-alive stalls by 40 ms a call.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    let (tell, told) = tokio::sync::oneshot::channel();
    let serving = axum::serve(listener, router).with_graceful_shutdown(async move {
        shutdown.await;
        let _ = tell.send(());
    });
    tokio::select! {
        served = serving.into_future() => served,
        () = async { let _ = told.await; tokio::time::sleep(GRACE).await } => Ok(()),
    }
}

/// Runs a script; a heavy one on a thread of its own.
pub(super) async fn run_script(contract: Arc<dyn Contract>, script: String) -> Result<Value, String> {
    if script.len() <= HEAVY && !script.contains("$repeat") {
        return contract.run(&script);
    }
    let run = tokio::task::spawn_blocking(move || contract.run(&script));
    run.await.unwrap_or_else(|error| Err(format!("the script could not be run: {error}")))
}

async fn about(State(contract): State<Arc<dyn Contract>>) -> Response {
    Json(contract.about()).into_response()
}

async fn run(State(contract): State<Arc<dyn Contract>>, body: Result<Bytes, BytesRejection>) -> Response {
    let script = match body {
        Ok(body) => String::from_utf8(body.into()),
        Err(error) => return refuse(error.status(), &error.body_text()),
    };
    let Ok(script) = script else { return refuse(StatusCode::BAD_REQUEST, "not JSON: not UTF-8") };
    match run_script(contract, script).await {
        Ok(transcript) => Json(transcript).into_response(),
        Err(error) => refuse(StatusCode::BAD_REQUEST, &error),
    }
}

async fn no_route() -> Response {
    refuse(StatusCode::NOT_FOUND, "this serves GET /hookproof/v1/about and POST /hookproof/v1/run")
}

fn refuse(status: StatusCode, error: &str) -> Response {
    (status, Json(json!({ "error": error }))).into_response()
}
