//! The `hookproof` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    hookproof::cli::main()
}
