//! Every vector against the reference, over every transport: one visible trial a vector file and
//! transport, `http::…`, `mcp-http::…`, `mcp-stdio::…`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use hookproof::candidate::Candidate;
use hookproof::candidate::http::Http;
use hookproof::candidate::mcp::{Era, Mcp};
use hookproof::reference::{self, Contract, Reference};
use hookproof::runner::{self, Options};
use hookproof::vector::read_folder;
use hookproof::verdict::{Case, Verdict};
use hookproof_model::kernel::Spec;
use hookproof_model::reading::Readings;
use libtest_mimic::{Arguments, Trial};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors");

async fn candidates() -> Vec<(&'static str, Arc<dyn Candidate>)> {
    let contract: Arc<dyn Contract> = Arc::new(Reference { rules: &Spec, readings: Readings::default() });
    let never = std::future::pending::<()>;
    let http = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let mcp = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let http_url = format!("http://{}", http.local_addr().unwrap());
    let mcp_url = format!("http://{}/mcp", mcp.local_addr().unwrap());
    tokio::spawn(reference::http::serve(http, Arc::clone(&contract), never()));
    tokio::spawn(reference::mcp::serve_http(mcp, contract, never()));
    let serve = ["serve".to_owned(), "--mcp-stdio".to_owned()];
    let stdio = Mcp::over_stdio(env!("CARGO_BIN_EXE_hookproof"), &serve, Era::Initialize).await.unwrap();
    vec![
        ("http", Arc::new(Http::connect(&http_url, &[]).unwrap())),
        ("mcp-http", Arc::new(Mcp::over_http(&mcp_url, &[], Era::Stateless).await.unwrap())),
        ("mcp-stdio", Arc::new(stdio)),
    ]
}

fn main() {
    let arguments = Arguments::from_args();
    let runtime: &'static Runtime = Box::leak(Box::new(Runtime::new().unwrap()));
    let candidates = runtime.block_on(candidates());
    let vectors = read_folder(FOLDER.as_ref()).unwrap();
    let trial = |name: &'static str, candidate: Arc<dyn Candidate>, case: Case| {
        Trial::test(format!("{name}::{}", case.id), move || {
            let options = Options { seed: 11, ..Options::default() };
            let report = runtime.block_on(runner::check(&*candidate, vec![case], &options, &|_| {}));
            match report.results.first().map(|result| &result.verdict) {
                Some(Verdict::Passed) => Ok(()),
                other => Err(format!("{other:#?}").into()),
            }
        })
    };
    let mut trials = Vec::new();
    for vector in vectors {
        let case = Case::of_vector(vector);
        for (name, candidate) in &candidates {
            trials.push(trial(name, Arc::clone(candidate), case.clone()));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    runtime.block_on(async {
        for (_, candidate) in &candidates {
            candidate.close().await;
        }
    });
    conclusion.exit();
}
