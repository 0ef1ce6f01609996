//! Waits: MX-WAIT-1 to 12. A wait is a slot of a firing that has parked the work.

use crate::reading::MatricesReadings;
use crate::reading::matrices::WaitErrors;
use crate::script::matrices::PlatformError;

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
