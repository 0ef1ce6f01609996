//! hookproof-model
pub mod clause;
mod dialect;
mod fault;
pub mod kernel;
pub mod matrices;
pub mod plain;
pub mod reading;
pub mod run;
pub mod script;
pub mod voiceos;
pub use dialect::Dialect;
pub use fault::Fault;
pub use run::{Rules, RunError, run, run_by};
