//! hookproof
pub mod about;
pub mod candidate;
pub mod reference;
