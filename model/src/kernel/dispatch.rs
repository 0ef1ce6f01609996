//! Who is asked when: HK-ORDER-1, VO-ORDER-2.

use crate::reading::shared::Dispatch;

/// Whether the next hook of the chain may be asked while `outstanding` ones have not answered.
#[must_use]
pub const fn may_ask(dispatch: Dispatch, outstanding: usize) -> bool {
    match dispatch {
        Dispatch::Sequential => outstanding == 0,
        Dispatch::Concurrent => true,
    }
}
