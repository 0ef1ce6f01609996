//! # The specification of agent hooks, executable
//!
//! Agent platforms let outside code intercept their pipeline: before a prompt is acted on, before and
//! after a tool runs, before text is pasted. This crate says what a correct platform does, for two
//! published designs: **VoiceOS hooks** and **Matrices hooks**. It is pure: no I/O, no clock, no
//! async, no randomness.
//!
//! A [`script`] is plain data: what is installed, what fires, what each hook answers and after how
//! many milliseconds, what people do. [`run()`] carries it out on a virtual clock and yields a
//! transcript: who was called, what each saw, what came out.
//!
//! ```
//! use hookproof_model::{reading::Readings, run, script::Script};
//!
//! let script: Script = serde_json::from_value(serde_json::json!({ "matrices": { "steps": [
//!     { "create_profile": { "profile": "shop", "text": r#"{ "configuration": { "hooks": [
//!         { "id": "redact", "point": "before_input", "processor": { "kind": "url", "url": "https://a.example" } },
//!         { "id": "guard", "point": "before_input", "processor": { "kind": "url", "url": "https://b.example" } }
//!     ] } }"# } },
//!     { "open_thread": { "thread": "t", "profile": "shop" } },
//!     { "fire": { "firing": "f", "thread": "t", "event": { "before_input": { "text": "my card is 4111" } },
//!         "answers": {
//!             "redact": { "after_ms": 5, "result": { "decision": "defer", "updatedText": "my card is ****" } },
//!             "guard": { "after_ms": 7, "result": { "decision": "allow" } }
//!         } } }
//! ] } })).unwrap();
//!
//! let transcript = run(&script, &Readings::default()).unwrap();
//! let fired = &transcript.steps()[2]["fired"];
//! assert_eq!(fired["calls"][1]["payload"]["text"], "my card is ****"); // HK-REWRITE-2
//! assert_eq!(fired["outcome"]["went_on"]["value"], "my card is ****"); // MX-FOLD-6
//! assert_eq!(fired["ended_ms"], 12);
//! ```
//!
//! ## How to read it
//!
//! | to find | look in |
//! |---|---|
//! | what a clause says and rests on | [`clause`] |
//! | what the sources leave open | [`reading`] |
//! | a rule that both designs share: a file a rule | [`kernel`] |
//! | a rule of one design | [`voiceos`], [`matrices`] |
//! | all of it a second time, for reading | [`plain`] |
//!
//! The rules are a seam: [`kernel::Rules`], [`voiceos::Rules`] and [`matrices::Rules`] have a method a
//! rule, whose default calls the rule's own short file. [`run_by`] runs a script by other rules, which
//! is how a conformance suite shows that it would notice.

pub mod clause;
mod dialect;
mod document;
mod fault;
pub mod kernel;
pub mod matrices;
pub mod plain;
pub mod reading;
pub mod run;
pub mod script;
pub mod voiceos;

pub use dialect::Dialect;
pub use fault::{Fault, MAX_FAULTS};
pub use run::{Rules, RunError, run, run_by};
