//! `hookproof vectors`: the files of the vectors: list, fill, draw.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{CliError, EXIT_FAILED, EXIT_OK};
use crate::vector::{Vector, digest, packed, read_folder};
use crate::{corpus, schema};

const EXAMPLES: &str = "\
Examples:
  hookproof vectors list
  hookproof vectors list --vectors vectors
  hookproof vectors fill --check
  hookproof vectors draw --count 50 --seed 7";

/// Lists vectors, recomputes their transcripts, or draws new ones.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    /// Lists the vectors: id, dialect, kind, title.
    List {
        /// A folder of vectors instead of those packed into this command.
        #[arg(long, value_name = "DIR")]
        vectors: Option<PathBuf>,
    },
    /// Recomputes the transcripts of the corpus, and the schemas. Anchors are never touched.
    Fill {
        /// The folder of the vectors.
        #[arg(long, value_name = "DIR", default_value = "vectors")]
        vectors: PathBuf,
        /// Writes nothing; exit code 1 if a byte differs.
        #[arg(long)]
        check: bool,
    },
    /// Draws scripts that decide a clause, a pair of clauses or a step shape that no vector does.
    Draw {
        /// The folder of the vectors.
        #[arg(long, value_name = "DIR", default_value = "vectors")]
        vectors: PathBuf,
        /// How many scripts to add at the most.
        #[arg(long, default_value_t = 50)]
        count: usize,
        /// The seed to draw from.
        #[arg(long, default_value_t = 0)]
        seed: u64,
    },
}

pub(super) fn run(args: Args) -> Result<u8, CliError> {
    match args.verb {
        Verb::List { vectors } => list(vectors.as_deref()),
        Verb::Fill { vectors, check } => fill(&vectors, check),
        Verb::Draw { vectors, count, seed } => draw(&vectors, count, seed),
    }
}

fn list(folder: Option<&Path>) -> Result<u8, CliError> {
    let vectors = folder.map_or_else(packed, read_folder).map_err(CliError::new)?;
    for vector in &vectors {
        let kind = if vector.is_anchor() { "anchor" } else { "corpus" };
        println!("{}  {}  {kind}  {}", vector.id(), vector.dialect(), vector.file.title);
    }
    let anchors = vectors.iter().filter(|vector| vector.is_anchor()).count();
    let from =
        folder.map_or_else(|| format!("packed, digest {}", digest()), |folder| folder.display().to_string());
    println!("{} vectors, {anchors} of them anchors ({from})", vectors.len());
    Ok(EXIT_OK)
}

fn fill(folder: &Path, check: bool) -> Result<u8, CliError> {
    let vectors = read_folder(folder).map_err(CliError::new)?;
    corpus::within_bounds(&vectors, folder).map_err(CliError::new)?;
    let mut wrong = Vec::new();
    let stale = corpus::stale(&vectors).map_err(CliError::new)?;
    let changed: BTreeSet<_> = stale.iter().map(|stale| stale.path.clone()).collect();
    for stale in stale {
        wrong.push((stale.path, stale.text));
    }
    for (name, schema) in schema::all() {
        let (path, text) = (folder.join("schema").join(name), schema::text(&schema));
        if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
            wrong.push((path, text));
        }
    }
    let index = folder.join("index.txt");
    let (lost, text) = indexed(&index, &vectors);
    if !lost.is_empty() {
        let lost = lost.into_iter().collect::<Vec<_>>().join(", ");
        return Err(CliError::new(format_args!(
            "{}: the corpus is append-only, but it lacks {lost}",
            index.display()
        )));
    }
    if fs::read_to_string(&index).ok().as_ref() != Some(&text) {
        wrong.push((index, text));
    }
    for (path, text) in &wrong {
        println!("{}: {}", path.display(), if check { "is not what the model says" } else { "written" });
        if !check {
            write(path, text)?;
        }
    }
    if !check && !changed.is_empty() {
        println!(
            "{} transcripts changed: say why in {}",
            changed.len(),
            folder.join("CHANGELOG.md").display()
        );
    }
    println!("{} vectors, {} files {}", vectors.len(), wrong.len(), if check { "differ" } else { "written" });
    Ok(if check && !wrong.is_empty() { EXIT_FAILED } else { EXIT_OK })
}

/// The ids of the corpus files that the index lists and the folder lacks, and the index as it should
/// stand.
fn indexed(index: &Path, vectors: &[Vector]) -> (BTreeSet<String>, String) {
    let ids = |vectors: &[Vector]| -> BTreeSet<String> {
        vectors.iter().filter(|vector| !vector.is_anchor()).map(|vector| vector.id().to_owned()).collect()
    };
    let there = ids(vectors);
    let listed = fs::read_to_string(index).unwrap_or_default();
    let lost = listed.lines().filter(|id| !there.contains(*id)).map(str::to_owned).collect();
    let text = there.into_iter().map(|id| id + "\n").collect();
    (lost, text)
}

fn draw(folder: &Path, count: usize, seed: u64) -> Result<u8, CliError> {
    let known = read_folder(folder).map_err(CliError::new)?;
    let count = count.min(corpus::MAX_VECTORS.saturating_sub(known.len()));
    let drawn = corpus::draw_new(&known, seed, count, |found| {
        if found.is_multiple_of(50) {
            eprintln!("{found} found");
        }
    });
    for (script, title) in &drawn {
        let (name, text) = corpus::file_of(script, title).map_err(CliError::new)?;
        write(&folder.join("corpus").join(name), &text)?;
    }
    println!("{} scripts added", drawn.len());
    fill(folder, false)
}

fn write(path: &Path, text: &str) -> Result<(), CliError> {
    let failed = |error: std::io::Error| CliError::new(format_args!("{}: {error}", path.display()));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(path, text).map_err(failed)
}
