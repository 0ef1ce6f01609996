//! The readings as one firing needs them.

use serde::{Deserialize, Serialize};

use super::Clock;
use crate::reading::shared::{
    Boundary, Choice, Conditions, ConsentCheck, Contexts, Dispatch, Exhaustion, Incomparable, NothingLeft,
    RewriteMode, Rewriters, Sight, TimeoutFrom,
};

/// What a dialect and its readings come to for one firing. Rules are handed this and never look at
/// [`crate::reading::Readings`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// Who is asked when.
    pub dispatch: Dispatch,
    /// Whose time runs.
    pub clock: Clock,
    /// Whether a hook that failed is asked once more.
    pub retries: bool,
    /// An answer exactly at its deadline.
    pub boundary: Boundary,
    /// A hook with no time left.
    pub nothing_left: NothingLeft,
    /// Answers in time, once the budget is exhausted.
    pub exhaustion: Exhaustion,
    /// What a hook is handed.
    pub sight: Sight,
    /// What conditions are held against.
    pub guard_sight: Sight,
    /// How conditions combine.
    pub conditions: Conditions,
    /// Conditions that cannot be said to hold or not.
    pub incomparable: Incomparable,
    /// How decisions combine.
    pub choice: Choice,
    /// What a rewritten object does to the old one.
    pub rewrite_mode: RewriteMode,
    /// Whose rewrites count.
    pub rewriters: Rewriters,
    /// Whether a rewrite beside an allow counts.
    pub allow_rewrites: bool,
    /// Whether a rewrite beside a decision that ends the work counts.
    pub ending_rewrites: bool,
    /// What becomes of several contexts.
    pub contexts: Contexts,
    /// Whether an answer in flight is silenced.
    pub consent_check: ConsentCheck,
    /// From when the timeout of a parked hook counts.
    pub timeout_from: TimeoutFrom,
}
