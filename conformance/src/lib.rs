//! hookproof checks implementations of agent hooks against an executable specification.
//!
//! A *candidate* is handed whole scripts, over HTTP, over MCP or in this process, and says what it
//! observed; the harness compares that with what the model ([`hookproof_model`]) says, step by step,
//! and names the clause that is broken. The command `hookproof` is this library with arguments.
//!
//! A host written in Rust can be checked in its own tests: implement [`Contract`] and [`check`] it.
//!
//! ```
//! use hookproof::about::About;
//! use hookproof::Contract;
//!
//! struct MyHost;
//!
//! impl Contract for MyHost {
//!     fn about(&self) -> About {
//!         About { name: Some("my host".to_owned()), ..About::default() }
//!     }
//!     fn run(&self, script_json: &str) -> Result<serde_json::Value, String> {
//!         // A fresh host, the script's steps, one observation a step.
//! #       let _ = script_json;
//!         Ok(serde_json::json!({ "steps": [] }))
//!     }
//! }
//!
//! let report = hookproof::check(MyHost, 7).unwrap();
//! assert!(report.counts().failed > 0); // it observes nothing yet
//! ```
//!
//! | to find | look in |
//! |---|---|
//! | the script contract | [`about`], [`reference`](mod@reference), [`candidate`] |
//! | how a run goes | [`runner`], [`rename`], [`compare`], [`verdict`] |
//! | what explains a failure | [`diagnosis`], [`mutant`] |
//! | where scripts come from | [`vector`], [`draw`], [`corpus`], [`shrink`], [`case`] |
//! | what a run prints | [`report`], [`expectation`] |
//! | a script told step by step | [`explain`] |
//! | the faults of a manifest or a profile, with lines and columns | [`document`] |

pub mod about;
mod abridge;
pub mod candidate;
pub mod capability;
pub mod case;
pub mod cli;
mod client;
pub mod compare;
pub mod corpus;
pub mod coverage;
pub mod diagnosis;
pub mod document;
pub mod draw;
pub mod expectation;
pub mod explain;
pub mod handler;
pub mod mutant;
mod process;
pub mod reference;
pub mod rename;
pub mod report;
pub mod runner;
pub mod schema;
pub mod shrink;
pub mod vector;
pub mod verdict;
mod words;

pub use reference::Contract;

use candidate::in_process::InProcess;
use verdict::{Case, Report};

/// How many scripts are freshly drawn for a run unless said otherwise.
pub const DEFAULT_FRESH: u64 = 200;

/// Why a host could not be checked in process.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The packed vectors cannot be read.
    #[error(transparent)]
    Vectors(#[from] vector::VectorError),
    /// No runtime could be started.
    #[error("no runtime could be started: {0}")]
    Runtime(#[from] std::io::Error),
}

/// Checks a host in this process: every packed vector and [`DEFAULT_FRESH`] scripts drawn from `seed`.
///
/// # Errors
/// The vectors cannot be read, or no runtime can be started; what the host gets wrong is in the report.
pub fn check(contract: impl Contract, seed: u64) -> Result<Report, CheckError> {
    let mut cases: Vec<_> = vector::packed()?.into_iter().map(Case::of_vector).collect();
    cases.extend((0..DEFAULT_FRESH).map(|number| Case::fresh(seed, number)));
    let options = runner::Options { seed, ..runner::Options::default() };
    let candidate = InProcess::new("in process", contract);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    Ok(runtime.block_on(runner::check(&candidate, cases, &options, &|_| {})))
}
