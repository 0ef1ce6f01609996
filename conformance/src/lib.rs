//! hookproof
pub mod about;
pub mod candidate;
pub mod capability;
pub mod cli;
pub mod compare;
pub mod corpus;
pub mod diagnosis;
pub mod draw;
pub mod mutant;
pub mod reference;
pub mod rename;
pub mod runner;
pub mod schema;
pub mod vector;
pub mod verdict;
