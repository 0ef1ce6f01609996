//! What the tests of the two formulations share.

pub(crate) mod firings;
pub(crate) mod reached;
pub(crate) mod telling;
