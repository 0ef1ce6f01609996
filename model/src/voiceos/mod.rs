//! The VoiceOS dialect: MCP tools with reserved names, hard shared budgets, always fail open; a
//! hook may add a confirmation and never remove one.
//!
//! | concern | file |
//! |---|---|
//! | the five events, their budgets and members | [`event`] |
//! | what a manifest must be | [`manifest`] |
//! | whose hook an event concerns | [`selection`] |
//! | which hooks load, and who is heard | [`loading`] |
//! | payloads and answers | [`wire`] |
//! | whether a call asks, and what comes of it | [`confirmation`] |
//! | what is installed, and the control steps | [`host`] |
//! | one firing, from selection to outcome | [`fire`] |
//! | a tool call between its two hooks | [`call`] |
//! | a tool call and a turn as a story | [`story`] |
//!
//! [`rules`] lists the rules as a trait.

pub mod call;
pub mod confirmation;
pub mod event;
pub mod fire;
pub mod host;
pub mod loading;
pub mod manifest;
pub mod rules;
pub mod selection;
pub mod story;
pub mod wire;

pub use event::EventKind;
pub use host::Host;
pub use manifest::Manifest;
pub use rules::Rules;
