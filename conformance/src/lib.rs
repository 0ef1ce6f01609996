//! hookproof
pub mod about;
pub mod candidate;
pub mod capability;
pub mod cli;
pub mod compare;
pub mod diagnosis;
pub mod mutant;
pub mod reference;
pub mod rename;
pub mod runner;
pub mod vector;
pub mod verdict;
