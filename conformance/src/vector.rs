//! Vectors: a script with its transcript, as a file, and the set of them that is packed into the
//! command.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use hookproof_model::Dialect;
use hookproof_model::reading::Readings;
use hookproof_model::script::{Script, Transcript, repeat};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::about::Clock;
use crate::compare::{Difference, Mask, compare};

/// The version of the format of vectors and of the script contract.
pub const FORMAT: u32 = 1;

/// The largest vector file that is read, in bytes.
pub const MAX_FILE: u64 = 4 << 20;

const PACKED: &str = include_str!(concat!(env!("OUT_DIR"), "/vectors.json"));

/// One vector file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VectorFile {
    /// The file's name without its ending.
    pub id: String,
    /// What it shows, in one line.
    pub title: String,
    /// Anchors: what it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rests_on: Vec<RestsOn>,
    /// Corpus: the clauses of the readings that its transcript depends on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<String>,
    /// What happens.
    pub script: Script,
    /// What is observed, by the default readings.
    #[schemars(with = "Transcript")]
    pub transcript: Value,
}

/// A place of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestsOn {
    /// The clause.
    pub clause: String,
    /// The document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The heading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// At most eight words of it, verbatim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phrase: Option<String>,
}

/// A vector, read.
#[derive(Debug, Clone)]
pub struct Vector {
    /// Its file's content.
    pub file: VectorFile,
    /// Its expected transcript, read.
    pub transcript: Transcript,
    /// Where it was read from.
    pub path: PathBuf,
}

impl Vector {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.file.id
    }

    /// Its dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.file.script.dialect()
    }

    /// Whether its transcript is what the model says by the default readings.
    ///
    /// # Errors
    /// It is not: where.
    pub fn verify(&self) -> Result<(), VectorError> {
        let failed = |pointer: &str, reason: &dyn fmt::Display| VectorError::new(&self.path, pointer, reason);
        let transcript = hookproof_model::run(&self.file.script, &Readings::default());
        let transcript = transcript.map_err(|error| failed("/script", &error))?;
        compare(&transcript, &self.file.transcript, Mask::new(Clock::Virtual, true)).map_err(|difference| {
            let Difference { step, expected, observed, .. } = difference;
            let reason = format!("the model says {expected}, not {observed}");
            failed(&format!("/transcript/steps/{step}"), &reason)
        })
    }

    /// Whether a person wrote its expectation.
    #[must_use]
    pub const fn is_anchor(&self) -> bool {
        !self.file.rests_on.is_empty()
    }
}

/// A vector file that cannot be used: which, where in it, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorError {
    /// The file or folder.
    pub path: PathBuf,
    /// JSON Pointer into it; empty for the whole.
    pub pointer: String,
    /// What was found and what was expected.
    pub reason: String,
}

impl fmt::Display for VectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, pointer, reason } = self;
        write!(f, "{}: {}: {reason}", path.display(), if pointer.is_empty() { "/" } else { pointer })
    }
}

impl std::error::Error for VectorError {}

/// The vectors that are packed into this command, anchors first, each folder by name.
///
/// # Errors
/// Never in a released command: the build packs only files that its tests have read.
pub fn packed() -> Result<Vec<Vector>, VectorError> {
    let files: Vec<(String, Value)> = serde_json::from_str(PACKED)
        .map_err(|error| VectorError::new(Path::new("packed vectors"), "", error))?;
    files.into_iter().map(|(path, value)| read_value(Path::new(&path), value)).collect()
}

/// The digest of the packed vectors: the first 16 hex digits of their SHA-256.
#[must_use]
pub fn digest() -> String {
    hex(&Sha256::digest(PACKED.as_bytes()))
}

/// The vectors of a folder: its `anchors` and `corpus`, or the files in it.
///
/// # Errors
/// A file cannot be read or is no vector; two have the same id.
pub fn read_folder(folder: &Path) -> Result<Vec<Vector>, VectorError> {
    let mut paths = Vec::new();
    for folder in [folder.join("anchors"), folder.join("corpus"), folder.to_path_buf()] {
        if folder.is_dir() {
            let mut files = files_in(&folder)?;
            files.sort();
            paths.extend(files);
        }
    }
    if paths.is_empty() {
        return Err(VectorError::new(folder, "", "no vector files (*.json) here or in anchors/ and corpus/"));
    }
    let vectors = paths.iter().map(|path| read_file(path)).collect::<Result<Vec<_>, _>>()?;
    let mut ids = BTreeSet::new();
    match vectors.iter().find(|vector| !ids.insert(vector.id())) {
        Some(twice) => Err(VectorError::new(&twice.path, "/id", "another file has the same id")),
        None => Ok(vectors),
    }
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>, VectorError> {
    let failed = |error: std::io::Error| VectorError::new(folder, "", error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|ending| ending == "json") && path.is_file() {
            files.push(path);
        }
    }
    Ok(files)
}

/// Reads one vector file.
///
/// # Errors
/// It cannot be read, is larger than [`MAX_FILE`], or is no vector.
pub fn read_file(path: &Path) -> Result<Vector, VectorError> {
    let text = read_bounded(path)?;
    let value = serde_json::from_str(&text)
        .map_err(|error| VectorError::new(path, "", format_args!("not JSON: {error}")))?;
    let vector = read_value(path, value)?;
    if path.file_stem().is_none_or(|stem| stem != vector.id()) {
        let reason = format_args!("the id `{}` is not the file's name", vector.id());
        return Err(VectorError::new(path, "/id", reason));
    }
    Ok(vector)
}

/// The text of a file of at most [`MAX_FILE`].
pub(crate) fn read_bounded(path: &Path) -> Result<String, VectorError> {
    let failed = |error: std::io::Error| VectorError::new(path, "", error);
    let size = std::fs::metadata(path).map_err(failed)?.len();
    if size > MAX_FILE {
        let reason = format_args!("{size} bytes; a vector file has at most {MAX_FILE}");
        return Err(VectorError::new(path, "", reason));
    }
    std::fs::read_to_string(path).map_err(failed)
}

/// What a file holds, or where it does not fit.
pub(crate) fn read_members<T: DeserializeOwned>(path: &Path, value: &Value) -> Result<T, VectorError> {
    serde_path_to_error::deserialize(value)
        .map_err(|error| VectorError::new(path, &pointer(error.path()), error.inner()))
}

fn read_value(path: &Path, mut value: Value) -> Result<Vector, VectorError> {
    repeat::expand(&mut value).map_err(|error| VectorError::new(path, "", error))?;
    let file: VectorFile = read_members(path, &value)?;
    let transcript = Transcript::read(file.script.dialect(), &file.transcript)
        .map_err(|error| VectorError::new(path, "/transcript", error))?;
    if transcript.steps().len() != file.script.len() {
        let (found, expected) = (transcript.steps().len(), file.script.len());
        let reason = format_args!("{found} observations for {expected} steps");
        return Err(VectorError::new(path, "/transcript/steps", reason));
    }
    Ok(Vector { file, transcript, path: path.to_path_buf() })
}

/// A path of serde's as a JSON Pointer.
fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let mut pointer = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => pointer.push_str(&format!("/{index}")),
            Segment::Map { key } | Segment::Enum { variant: key } => {
                pointer.push('/');
                pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
            }
            Segment::Unknown => {}
        }
    }
    pointer
}

/// The id of a corpus file: the first 16 hex digits of the SHA-256 of the script's RFC 8785 form.
///
/// # Errors
/// The script has a number that RFC 8785 cannot write.
pub fn content_id(script: &Script) -> Result<String, serde_json::Error> {
    let canonical = serde_json_canonicalizer::to_vec(script)?;
    Ok(hex(&Sha256::digest(&canonical)))
}

fn hex(digest: &[u8]) -> String {
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

impl VectorError {
    pub(crate) fn new(path: &Path, pointer: &str, reason: impl fmt::Display) -> Self {
        Self { path: path.to_path_buf(), pointer: pointer.to_owned(), reason: reason.to_string() }
    }
}
