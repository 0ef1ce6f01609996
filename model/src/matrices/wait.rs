//! Waits: MX-WAIT-1 to 12. A wait is a slot of a firing that has parked the work.

use crate::reading::MatricesReadings;
use crate::reading::matrices::WaitErrors;
use crate::script::matrices::{PlatformError, Wait};

/// Where a wait stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitState {
    /// It holds work.
    Pending,
    /// It was resolved.
    Resolved,
    /// It was not resolved in time.
    Expired,
    /// It went with its thread.
    Cancelled,
}

/// MX-WAIT-1, 2, 7: the waits of a thread that show in its `pendingWaits`; it is waiting while there
/// are any.
#[must_use]
pub fn pending(waits: Vec<(Wait, WaitState)>) -> Vec<Wait> {
    waits.into_iter().filter(|(_, state)| *state == WaitState::Pending).map(|(wait, _)| wait).collect()
}

/// MX-WAIT-8: whether a resolve that names one thread can resolve the wait of another.
#[must_use]
pub fn is_of(thread: &str, named: &str) -> bool {
    thread == named
}

/// MX-WAIT-5: why a wait in this state cannot be resolved, if it cannot.
#[must_use]
pub fn unresolvable(readings: &MatricesReadings, state: WaitState) -> Option<PlatformError> {
    let error = match state {
        WaitState::Pending => return None,
        WaitState::Resolved => PlatformError::AlreadyResolved,
        WaitState::Expired => PlatformError::Expired,
        WaitState::Cancelled => PlatformError::Cancelled,
    };
    Some(conflict(readings, error))
}

/// One error for all failures of a resolve, where that is chosen.
#[must_use]
pub fn conflict(readings: &MatricesReadings, error: PlatformError) -> PlatformError {
    match readings.wait_errors {
        WaitErrors::Distinct => error,
        WaitErrors::OneConflict => PlatformError::Conflict,
    }
}

/// The name of a wait in scripts.
#[must_use]
pub fn name(firing: &str, hook: &str) -> String {
    format!("{firing}/{hook}")
}
