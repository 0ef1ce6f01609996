#![cfg_attr(not(test), warn(missing_docs))]
//! hookproof-model
pub mod clause;
pub mod reading;
mod dialect;
pub use dialect::Dialect;
