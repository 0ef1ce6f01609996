//! What a failure means: VO-FAIL-1, MX-FAIL-1 to 3.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Decision;

/// How a hook failed to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// It did not answer in time.
    Timeout,
    /// The connection broke.
    Disconnect,
    /// The connection was refused.
    Refused,
    /// It answered with a tool error.
    ToolError,
    /// It answered outside its protocol.
    ProtocolError,
    /// It answered with a status outside 2xx.
    Status,
    /// It answered with a redirect.
    Redirect,
    /// It answered with something that is no JSON document.
    Unparsable,
    /// It answered with JSON that is no hook result.
    WrongShape,
    /// It answered with more than is read.
    TooLarge,
    /// It is declared, but its server does not offer it.
    Unregistered,
    /// The user withdrew consent while its answer was on its way.
    Silenced,
    /// The wait it parked the work on was not resolved in time.
    Expired,
    /// Its conditions could not be held against the value (MX-MATCH-6, failure).
    Condition,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Timeout => "timeout",
            Self::Disconnect => "disconnect",
            Self::Refused => "refused",
            Self::ToolError => "tool error",
            Self::ProtocolError => "protocol error",
            Self::Status => "status",
            Self::Redirect => "redirect",
            Self::Unparsable => "unparsable",
            Self::WrongShape => "wrong shape",
            Self::TooLarge => "too large",
            Self::Unregistered => "unregistered",
            Self::Silenced => "silenced",
            Self::Expired => "expired",
            Self::Condition => "condition",
        })
    }
}

/// What a hook's failure does to the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailurePolicy {
    /// No answer means that the work does not happen.
    #[default]
    FailClosed,
    /// No answer is like no hook.
    FailOpen,
}

/// The decision that a failing hook comes to.
#[must_use]
pub const fn on_failure(policy: FailurePolicy, _failure: Failure) -> Decision {
    match policy {
        FailurePolicy::FailClosed => Decision::Deny,
        FailurePolicy::FailOpen => Decision::Defer,
    }
}
