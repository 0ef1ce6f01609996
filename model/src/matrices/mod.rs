//! The Matrices dialect: an ordered list of hooks on a profile, first non-defer decision wins,
//! rewrites compose, fail closed by default, parked waits, default hooks.
//!
//! | concern | file |
//! |---|---|
//! | the four points | [`point`] |
//! | what a profile must be | [`profile`], [`url`] |
//! | which events a hook is for | [`matching`] |
//! | HookInput and HookResult | [`wire`] |
//! | what a decision does to the work | [`outcome`] |
//! | default hooks | [`defaults`] |
//! | waits | [`wait`] |
//! | the audit trail | [`audit`] |
//! | profiles, threads, and the control steps | [`platform`] |
//! | one firing on a platform | `run` |
//! | what fires, resolves and expires when | `flow` |
//!
//! [`rules`] lists the rules as a trait.

pub mod audit;
pub mod defaults;
mod flow;
pub mod matching;
pub mod outcome;
pub mod platform;
pub mod point;
pub mod profile;
pub mod rules;
mod run;
pub mod url;
pub mod wait;
pub mod wire;

pub use platform::Platform;
pub use point::Point;
pub use rules::Rules;
pub use run::terms;
