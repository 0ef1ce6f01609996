//! How an implementation is reached: in process, over HTTP, over MCP.

mod fault;
pub mod http;
pub mod in_process;
pub mod mcp;

use std::fmt;

use futures::future::BoxFuture;
use serde_json::Value;

/// The most bytes that are read of one answer: several are under way at once, and together they stay
/// within 256 MiB.
pub const MAX_ANSWER: usize = 16 << 20;

/// The most JSON values that one answer may hold, since a small one takes far more memory than text.
pub const MAX_VALUES: usize = 200_000;

/// An implementation under test, by the script contract: `about`, and `run` for one script.
///
/// An error means that the candidate could not be asked, or broke the contract: its message is one
/// sentence that names the target and what came instead. What the answer says is not judged here.
pub trait Candidate: Send + Sync + fmt::Display {
    /// What it says of itself, as JSON.
    fn about(&self) -> BoxFuture<'_, Result<Value, CandidateError>>;
    /// What it observed of one script, given as JSON text.
    fn run<'a>(&'a self, script_json: &'a str) -> BoxFuture<'a, Result<Value, CandidateError>>;
    /// Ends the connection, and the process if there is one; nothing is left behind.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// A candidate that could not be asked or broke the contract.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{target}: {problem}")]
pub struct CandidateError {
    /// The target, as the user named it.
    pub target: String,
    /// What came instead of an answer.
    pub problem: String,
}

impl CandidateError {
    /// An error of this target.
    pub fn new(target: impl fmt::Display, problem: impl fmt::Display) -> Self {
        Self { target: target.to_string(), problem: problem.to_string() }
    }
}
