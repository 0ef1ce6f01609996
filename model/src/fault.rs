//! Faults of a manifest or a profile: every one is reported, each with its place and clause.

use std::fmt::Display;

use serde::Serialize;

/// One fault of a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Fault {
    /// JSON Pointer of the member, or of the parent of a missing one.
    pub pointer: String,
    /// The clause that it breaks.
    pub clause: &'static str,
    /// What was found and what was expected.
    pub message: String,
}

/// The faults found so far.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<Fault>);

impl Faults {
    pub(crate) fn add(&mut self, pointer: impl Display, clause: &'static str, message: impl Display) {
        self.0.push(Fault { pointer: pointer.to_string(), clause, message: message.to_string() });
    }

    /// `value`, if nothing was wrong with it.
    pub(crate) fn or<T>(self, value: T) -> Result<T, Vec<Fault>> {
        if self.0.is_empty() { Ok(value) } else { Err(self.0) }
    }

    pub(crate) fn into_vec(self) -> Vec<Fault> {
        self.0
    }
}

/// A member's name as a segment of a JSON Pointer (RFC 6901).
pub(crate) fn segment(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
