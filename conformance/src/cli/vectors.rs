//! `hookproof vectors`.

use super::CliError;

/// Not written yet.
#[derive(Debug, clap::Args)]
pub struct Args {}

pub fn run(_: Args) -> Result<u8, CliError> {
    Err(CliError::new("not written yet"))
}
