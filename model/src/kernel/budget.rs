//! Deadlines: VO-DL-2 to 6, VO-DL-9, MX-DL-1, MX-DL-3, MX-WAIT-4.
//!
//! A shared budget is what saturating subtraction leaves of it; a hook's own deadline counts from
//! the moment it is asked.

use serde::{Deserialize, Serialize};

use super::{Millis, Terms};
use crate::reading::shared::{Boundary, Exhaustion, NothingLeft};

/// Whose time it is that runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Clock {
    /// One budget for the whole firing, shared by its hooks.
    Shared(Millis),
    /// Each hook has a deadline of its own.
    PerHook,
}

/// What is left of a firing's time at `now`; without a shared budget, all there is.
#[must_use]
pub const fn left(clock: Clock, now: Millis) -> Millis {
    match clock {
        Clock::Shared(budget) => budget.since(now),
        Clock::PerHook => Millis::MAX,
    }
}

/// The moment by which a hook asked at `now` must have answered, where `left` is left of the firing's
/// time and `own` is the hook's own deadline.
#[must_use]
pub const fn deadline(clock: Clock, left: Millis, now: Millis, own: Millis) -> Millis {
    match clock {
        Clock::Shared(_) => now.plus(left),
        Clock::PerHook => now.plus(own),
    }
}

/// Whether a hook is asked when `left` is left, where the budget has run out under another hook or not.
#[must_use]
pub fn worth_asking(terms: &Terms, left: Millis, ran_out: bool) -> bool {
    !ran_out && (left > Millis::ZERO || terms.nothing_left == NothingLeft::AskedWithZero)
}

/// Whether an answer that arrives `at` counts, where it was due `until`.
#[must_use]
pub fn in_time(boundary: Boundary, at: Millis, until: Millis) -> bool {
    match boundary {
        Boundary::InTime => at <= until,
        Boundary::Late => at < until,
    }
}

/// Whether the answers given in time stand once the budget is exhausted: it ended a wait for a hook,
/// or left nothing for a hook still to be asked.
#[must_use]
pub fn keeps(exhaustion: Exhaustion) -> bool {
    exhaustion == Exhaustion::Keep
}
