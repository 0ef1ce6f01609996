//! What both dialects share: one firing of a chain of hooks, and the rules it runs by.
//!
//! | rule | file |
//! |---|---|
//! | who is asked when | [`dispatch`] |
//! | whose conditions let it be asked | [`guard`] |
//! | what a hook sees | [`sight`] |
//! | how long it may take | [`budget`] |
//! | what its failure means | [`failure`] |
//! | how decisions combine, when asking stops | [`decision`] |
//! | how rewrites compose | [`rewrite`] |
//! | how confirmations combine | [`confirm`] |
//! | how contexts combine | [`context`] |
//!
//! [`rules`] lists them as a trait; [`firing`] is the state machine that applies them, and
//! [`exchange`] what goes in and out of it.

pub mod budget;
pub mod confirm;
pub mod context;
pub mod decision;
pub mod dispatch;
pub mod exchange;
pub mod failure;
pub mod firing;
pub mod guard;
pub mod json;
pub mod once;
pub mod reply;
pub mod rewrite;
pub mod rules;
pub mod sight;
pub mod terms;
pub mod time;

pub use budget::Clock;
pub use decision::{Decision, Ruling};
pub use exchange::{Hook, Input, Outcome, Output, Visit};
pub use failure::{Failure, FailurePolicy};
pub use firing::Firing;
pub use guard::{Admission, Condition, Guard, Operator, Scene};
pub use reply::{Answer, Reply};
pub use rules::{Rules, Spec};
pub use terms::Terms;
pub use time::Millis;
