//! The reference served over each transport, and reached by the client of the same: nothing is lost between.
//!
//! One trial for each way and property. Started with `serve-stdio`, this binary is itself the server that
//! the trials over standard streams start.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures::future::{BoxFuture, join_all};
use hookproof::about::About;
use hookproof::candidate::http::Http;
use hookproof::candidate::mcp::{Era, Mcp};
use hookproof::candidate::{Candidate, CandidateError};
use hookproof::reference::{self, Contract, Reference};
use hookproof_model::kernel::Spec;
use hookproof_model::reading::Readings;
use libtest_mimic::{Arguments, Trial};
use pretty_assertions::assert_eq;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

const SCRIPT: &str = include_str!("../../vectors/anchors/mx-hooks-run-in-list-order.json");

/// The reference, and some scripts of its own for what a transport must carry.
struct Served(Reference);

impl Served {
    fn contract() -> Arc<dyn Contract> {
        Arc::new(Self(Reference { rules: &Spec, readings: Readings::default() }))
    }
}

impl Contract for Served {
    fn about(&self) -> About {
        self.0.about()
    }

    fn run(&self, script_json: &str) -> Result<Value, String> {
        let script = serde_json::from_str::<Value>(script_json).unwrap_or_default();
        if let Some(ms) = script.get("sleep_ms").and_then(Value::as_u64) {
            // In place: a worker that sleeps would keep the timers of the trial from going off.
            tokio::task::block_in_place(|| std::thread::sleep(Duration::from_millis(ms)));
        }
        match script.get("echo") {
            Some(echo) => Ok(echo.clone()),
            None => self.0.run(script_json),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Way {
    Http,
    McpHttp(Era),
    McpStdio(Era),
}

const WAYS: [Way; 5] = [
    Way::Http,
    Way::McpHttp(Era::Initialize),
    Way::McpHttp(Era::Stateless),
    Way::McpStdio(Era::Initialize),
    Way::McpStdio(Era::Stateless),
];

/// A server in this process.
struct Server {
    stop: oneshot::Sender<()>,
    task: JoinHandle<std::io::Result<()>>,
}

impl Server {
    async fn stop(self) {
        let _ = self.stop.send(());
        let ended = timeout(Duration::from_secs(2), self.task).await;
        ended.unwrap_or_else(|_| panic!("the server did not end")).unwrap().unwrap();
    }
}

impl Way {
    fn name(self) -> String {
        match self {
            Way::Http => "http".to_owned(),
            Way::McpHttp(era) => format!("mcp over http, {era}"),
            Way::McpStdio(era) => format!("mcp over stdio, {era}"),
        }
    }

    async fn open(self) -> (Box<dyn Candidate>, Option<Server>) {
        if let Way::McpStdio(era) = self {
            let this = std::env::current_exe().unwrap();
            let served = Mcp::over_stdio(this.to_str().unwrap(), &["serve-stdio".to_owned()], era).await;
            return (boxed(served), None);
        }
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel();
        let shutdown = async move {
            let _ = stopped.await;
        };
        let task = match self {
            Way::Http => tokio::spawn(reference::http::serve(listener, Served::contract(), shutdown)),
            _ => tokio::spawn(reference::mcp::serve_http(listener, Served::contract(), shutdown)),
        };
        let candidate = match self {
            Way::McpHttp(era) => boxed(Mcp::over_http(&format!("{url}/mcp"), &[], era).await),
            _ => boxed(Http::connect(&url, &[])),
        };
        (candidate, Some(Server { stop, task }))
    }
}

fn boxed(candidate: Result<impl Candidate + 'static, CandidateError>) -> Box<dyn Candidate> {
    Box::new(candidate.unwrap_or_else(|error| panic!("{error}")))
}

fn about_and_run_come_back_unchanged(candidate: &dyn Candidate) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        let about = serde_json::to_value(Served::contract().about()).unwrap();
        assert_eq!(candidate.about().await.unwrap(), about);
        let file: Value = serde_json::from_str(SCRIPT).unwrap();
        let script = file.get("script").unwrap().to_string();
        assert_eq!(candidate.run(&script).await.unwrap(), Served::contract().run(&script).unwrap());
    })
}

fn of_32_calls_at_once_each_gets_its_own_answer(candidate: &dyn Candidate) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        let scripts: Vec<String> = (0..32).map(|n| json!({ "echo": { "n": n } }).to_string()).collect();
        let answers = join_all(scripts.iter().map(|script| candidate.run(script))).await;
        for (n, answer) in answers.into_iter().enumerate() {
            assert_eq!(answer.unwrap(), json!({ "n": n }));
        }
    })
}

fn a_script_that_is_none_is_an_error_with_the_reason(candidate: &dyn Candidate) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        for (script, reason) in [("{\"voiceos", "not JSON: EOF"), ("{\"voiceos\": 1}", "not a script: ")] {
            let error = candidate.run(script).await.unwrap_err();
            assert_eq!(error.target, candidate.to_string());
            assert!(error.problem.contains(reason), "{error}");
        }
    })
}

fn a_dropped_call_leaves_the_next_one_in_peace(candidate: &dyn Candidate) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        for n in 0..3 {
            let slow = candidate.run("{\"sleep_ms\": 200, \"echo\": \"late\"}");
            assert!(timeout(Duration::from_millis(20), slow).await.is_err());
            let script = json!({ "echo": n }).to_string();
            assert_eq!(candidate.run(&script).await.unwrap(), json!(n));
        }
    })
}

fn ten_mebibytes_pass_both_ways(candidate: &dyn Candidate) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        let big = "0123456789abcdef".repeat(10 << 16);
        let script = json!({ "echo": big }).to_string();
        // Not compared by `assert_eq!`, which would print it.
        assert!(candidate.run(&script).await.unwrap() == Value::String(big));
    })
}

type Property = fn(&dyn Candidate) -> BoxFuture<'_, ()>;

const PROPERTIES: [(&str, Property); 5] = [
    ("about and run come back unchanged", about_and_run_come_back_unchanged),
    ("of 32 calls at once each gets its own answer", of_32_calls_at_once_each_gets_its_own_answer),
    ("a script that is none is an error with the reason", a_script_that_is_none_is_an_error_with_the_reason),
    ("a dropped call leaves the next one in peace", a_dropped_call_leaves_the_next_one_in_peace),
    ("ten mebibytes pass both ways", ten_mebibytes_pass_both_ways),
];

fn holds(way: Way, property: Property) {
    within_the_runtime(async move {
        let (candidate, server) = way.open().await;
        property(candidate.as_ref()).await;
        candidate.close().await;
        if let Some(server) = server {
            server.stop().await;
        }
    });
}

fn a_server_ends_although_a_client_is_connected(way: Way) {
    within_the_runtime(async move {
        let (candidate, server) = way.open().await;
        candidate.about().await.unwrap();
        if let Some(server) = server {
            server.stop().await;
        }
        candidate.close().await;
    });
}

fn within_the_runtime(future: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap();
    runtime.block_on(async { timeout(Duration::from_secs(15), future).await.unwrap() });
}

fn main() {
    if std::env::args().nth(1).as_deref() == Some("serve-stdio") {
        return within_the_runtime(async { reference::mcp::serve_stdio(Served::contract()).await.unwrap() });
    }
    let mut trials = Vec::new();
    for way in WAYS {
        for (name, property) in PROPERTIES {
            let name = format!("{}: {name}", way.name());
            trials.push(Trial::test(name, move || {
                holds(way, property);
                Ok(())
            }));
        }
        let name = format!("{}: a server ends although a client is connected", way.name());
        trials.push(Trial::test(name, move || {
            a_server_ends_although_a_client_is_connected(way);
            Ok(())
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
