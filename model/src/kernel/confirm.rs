//! The one-way confirmation: VO-CONF-1, VO-CONF-2.
//!
//! A join on *does not ask* < *asks*: whatever a hook returns, it can only move up.

/// Whether the call asks, once a hook that said `asks` has followed those so far.
#[must_use]
pub const fn confirm(standing: bool, asks: bool) -> bool {
    standing || asks
}
