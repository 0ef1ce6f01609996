//! Whether a hook that failed is asked again: HK-ONCE-1.

use super::Failure;

/// Read as *once*, never. Read as *retries*, a hook whose call failed by itself is asked once more, at
/// once. One that ran out of time, or that nobody may or can call, is not.
#[must_use]
pub const fn asks_again(retries: bool, failure: Failure, already_again: bool) -> bool {
    let by_itself = match failure {
        Failure::Disconnect
        | Failure::Refused
        | Failure::ToolError
        | Failure::ProtocolError
        | Failure::Status
        | Failure::Redirect
        | Failure::Unparsable
        | Failure::WrongShape
        | Failure::TooLarge => true,
        Failure::Timeout
        | Failure::Expired
        | Failure::Unregistered
        | Failure::Silenced
        | Failure::Condition => false,
    };
    retries && by_itself && !already_again
}
