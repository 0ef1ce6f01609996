//! What the tests of the command share: running it, and serving candidates to it.

#![allow(
    dead_code,
    clippy::expect_used,
    reason = "each test file uses its own part; a test fails by panicking"
)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::thread;

use axum::Router;
use axum::routing::{get, post};
use serde_json::Value;

/// The command under test.
pub(crate) fn hookproof(args: &[&str]) -> Ran {
    let output = command(args).output().expect("the command runs");
    Ran::from(output)
}

/// The command under test, to be started.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hookproof"));
    command.args(args).stdin(Stdio::null()).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// What came of a command.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("it was not killed"),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

impl Ran {
    /// Fails unless it exited with this code.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// The JSON document on standard output.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).expect("one JSON document")
    }

    /// The last line of standard output.
    pub(crate) fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }
}

/// A process of `hookproof serve`, ended when dropped.
pub(crate) struct Served {
    process: Child,
    pub(crate) url: String,
}

impl Served {
    /// Serves over HTTP on a free port, with further options.
    pub(crate) fn http(options: &[&str]) -> Self {
        let mut process = command(&["serve", "--http", "127.0.0.1:0"]);
        let mut process = process.args(options).stdout(Stdio::piped()).spawn().expect("the command runs");
        let mut line = String::new();
        BufReader::new(process.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
        let url = line.trim().strip_prefix("listening on ").expect("the address").to_owned();
        Self { process, url }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Serves a candidate for the rest of the test: `about` as given, and for each script what `run` makes of it.
/// The URL it is served under.
pub(crate) fn candidate(about: Value, run: impl Fn(Value) -> Value + Send + Sync + 'static) -> String {
    // Handlers are cloned for each request.
    let run = Arc::new(run);
    let answer = move |script: axum::Json<Value>| {
        let answer = run(script.0);
        async move { axum::Json(answer) }
    };
    serve(
        Router::new()
            .route("/hookproof/v1/about", get(move || async move { axum::Json(about) }))
            .route("/hookproof/v1/run", post(answer)),
    )
}

/// Serves a router for the rest of the test.
pub(crate) fn serve(router: Router) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    listener.set_nonblocking(true).expect("can be set");
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
            axum::serve(listener, router.layer(axum::extract::DefaultBodyLimit::disable())).await
        })
    });
    url
}
