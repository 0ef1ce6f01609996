//! Targets that do not serve the contract: each is answered by one sentence that names it and what it did
//! instead, in bounded time and memory, and no process is left behind.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking; the lint knows test functions only"
)]

mod http;
mod mcp_over_http;
mod mcp_over_stdio;
mod servers;

use hookproof::candidate::CandidateError;

fn error<T>(result: Result<T, CandidateError>) -> CandidateError {
    result.err().expect("this target serves nothing")
}
