//! How decisions combine: HK-DECIDE-1, and its alternative in VO-FOLD-14.
//!
//! A left-zero band with `Defer` as identity: the first decision that is not a defer stays,
//! whatever comes behind it. That is why asking can stop there (HK-DECIDE-2): nothing that follows
//! could change the result. Under *most-restrictive* it is a join instead, and asking stops only at
//! its top.

use serde::{Deserialize, Serialize};

use crate::reading::shared::Choice;

/// What a hook decides, in the kernel's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Leaves it to those behind it: VoiceOS `continue`, Matrices `defer`.
    #[default]
    Defer,
    /// The work happens, and nobody else is asked: Matrices `allow`.
    Allow,
    /// The hook has done the work itself: VoiceOS `handled`.
    Handled,
    /// The work does not happen: VoiceOS `block`, Matrices `deny`.
    Deny,
}

impl Decision {
    /// Every decision, the least restrictive first.
    pub const ALL: [Self; 4] = [Self::Defer, Self::Allow, Self::Handled, Self::Deny];
}

/// A decision and the place in the chain of the hook that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Ruling {
    /// What was decided.
    pub decision: Decision,
    /// By which slot; without meaning for a defer.
    pub slot: usize,
}

/// The ruling that stands once `next` has followed `standing` in chain order.
#[must_use]
pub fn choose(choice: Choice, standing: Ruling, next: Ruling) -> Ruling {
    let next_wins = match choice {
        Choice::FirstInOrder => standing.decision == Decision::Defer && next.decision != Decision::Defer,
        Choice::MostRestrictive => next.decision > standing.decision,
    };
    if next_wins { next } else { standing }
}
