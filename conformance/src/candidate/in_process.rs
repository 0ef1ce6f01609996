//! A candidate in this process: a mutant, or a Rust host's own adapter in its tests.

use std::fmt;

use futures::future::{BoxFuture, ready};
use serde_json::Value;

use super::{Candidate, CandidateError};
use crate::reference::Contract;

/// A contract served without a wire.
pub struct InProcess<C> {
    name: String,
    contract: C,
}

impl<C: Contract> InProcess<C> {
    /// A candidate of this name.
    pub fn new(name: impl Into<String>, contract: C) -> Self {
        Self { name: name.into(), contract }
    }
}

impl<C> fmt::Display for InProcess<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl<C: Contract> Candidate for InProcess<C> {
    fn about(&self) -> BoxFuture<'_, Result<Value, CandidateError>> {
        let about = serde_json::to_value(self.contract.about());
        Box::pin(ready(about.map_err(|error| CandidateError::new(self, error))))
    }

    fn run<'a>(&'a self, script_json: &'a str) -> BoxFuture<'a, Result<Value, CandidateError>> {
        Box::pin(ready(self.contract.run(script_json).map_err(|error| CandidateError::new(self, error))))
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(ready(()))
    }
}
