//! `hookproof new`: a small project to start from.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::{CliError, EXIT_OK, written};

const EXAMPLES: &str = "\
Examples:
  hookproof new adapter --lang typescript my-adapter
  hookproof new adapter --lang python my-adapter

The project runs at once, passes the smoke scripts (`--filter smoke`), and fails the others with a sentence that says
what they want. Its README says what to do next.";

/// Begin a project
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// An adapter, by which `hookproof run` reaches an implementation over HTTP
    #[command(after_help = EXAMPLES)]
    Adapter {
        /// The language that it is written in
        #[arg(long, value_enum)]
        lang: Lang,
        /// The folder to write; it is made, and must be empty if it is there
        dir: PathBuf,
    },
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Lang {
    /// Rust, on axum
    Rust,
    /// TypeScript, on Node's own HTTP server
    Typescript,
    /// Python, on its standard library
    Python,
}

type Template = &'static [(&'static str, &'static str)];

/// The files of a template. Those of Rust are no code of this workspace, so they bear another name here.
const fn template(lang: Lang) -> Template {
    match lang {
        Lang::Rust => &[
            ("README.md", include_str!("new/rust/README.md")),
            ("Cargo.toml", include_str!("new/rust/Cargo.toml.in")),
            ("src/main.rs", include_str!("new/rust/src/main.rs.in")),
            (".gitignore", "/target\n"),
        ],
        Lang::Typescript => &[
            ("README.md", include_str!("new/typescript/README.md")),
            ("package.json", include_str!("new/typescript/package.json")),
            ("tsconfig.json", include_str!("new/typescript/tsconfig.json")),
            ("src/adapter.ts", include_str!("new/typescript/src/adapter.ts")),
            (".gitignore", "node_modules/\ndist/\n"),
        ],
        Lang::Python => &[
            ("README.md", include_str!("new/python/README.md")),
            ("adapter.py", include_str!("new/python/adapter.py")),
            (".gitignore", "__pycache__/\n"),
        ],
    }
}

/// Writes the project.
///
/// # Errors
/// The folder is not empty, or cannot be written.
pub(super) fn run(args: Args) -> Result<u8, CliError> {
    let What::Adapter { lang, dir } = args.what;
    let files = template(lang);
    write(&dir, files).map_err(|error| CliError::new(format_args!("{}: {error}", dir.display())))?;
    let mut out = io::stdout().lock();
    for (name, _) in files {
        written(writeln!(out, "wrote {}", dir.join(name).display()))?;
    }
    written(writeln!(out, "\n{} says how to run it and what to do next", dir.join("README.md").display()))?;
    Ok(EXIT_OK)
}

fn write(dir: &Path, files: Template) -> io::Result<()> {
    fs::create_dir_all(dir)?;
    if fs::read_dir(dir)?.next().is_some() {
        return Err(io::Error::other("the folder is not empty; expected a new or an empty one"));
    }
    for (name, text) in files {
        let path = dir.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, text)?;
    }
    Ok(())
}
