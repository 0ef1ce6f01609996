//! The corpus: drawn scripts with the model's transcripts. Append-only; only transcripts are ever
//! recomputed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use hookproof_model::reading::Readings;
use hookproof_model::script::{Script, repeat};
use hookproof_model::{Dialect, run};
use serde_json::{Value, json};

use crate::diagnosis::deciding;
use crate::draw;
use crate::shrink::shrink;
use crate::vector::{Vector, VectorFile, content_id};

/// The most vectors, anchors included.
pub const MAX_VECTORS: usize = 1500;
/// The most bytes that all vector files together may come to.
pub const MAX_BYTES: u64 = 4 << 20;

/// Why a corpus cannot be written or does not hold.
pub type Problem = String;

/// A vector file as it should stand on disk: its name and its text.
///
/// # Errors
/// The script cannot be run, or it has no content id.
pub fn file_of(script: &Script, title: &str) -> Result<(String, String), Problem> {
    let readings = Readings::default();
    let transcript = run(script, &readings).map_err(|error| error.to_string())?;
    let matter =
        hookproof_model::run::readings_that_matter(script, &readings).map_err(|error| error.to_string())?;
    let id = content_id(script).map_err(|error| error.to_string())?;
    let file = VectorFile {
        id: id.clone(),
        title: title.to_owned(),
        rests_on: Vec::new(),
        readings: matter.into_iter().map(str::to_owned).collect(),
        script: script.clone(),
        transcript: json!(transcript),
    };
    let mut value = json!(file);
    for member in ["script", "transcript"] {
        if let Some(member) = value.get_mut(member) {
            repeat::compress(member);
        }
    }
    let text = serde_json::to_string_pretty(&value).map_err(|error| error.to_string())?;
    Ok((format!("{id}.json"), text + "\n"))
}

/// A corpus file that does not hold what the model says.
#[derive(Debug, Clone)]
pub struct Stale {
    /// The file.
    pub path: PathBuf,
    /// What it should hold.
    pub text: String,
}

/// The corpus files whose text is not what the model says.
///
/// # Errors
/// A file cannot be read, or its id is not that of its script.
pub fn stale(vectors: &[Vector]) -> Result<Vec<Stale>, Problem> {
    let mut stale = Vec::new();
    for vector in vectors.iter().filter(|vector| !vector.is_anchor()) {
        let (name, text) = file_of(&vector.file.script, &vector.file.title)?;
        if vector.path.file_name().is_none_or(|found| *found != *name) {
            return Err(format!(
                "{}: its script's id is {name}; the corpus is append-only",
                vector.path.display()
            ));
        }
        let found = fs::read_to_string(&vector.path)
            .map_err(|error| format!("{}: {error}", vector.path.display()))?;
        if found != text {
            stale.push(Stale { path: vector.path.clone(), text });
        }
    }
    Ok(stale)
}

/// What a script shows: the clauses that it decides, pairs of them, and the shapes of its steps.
type Features = BTreeSet<String>;

/// Draws scripts that show something which `known` vectors do not, until `count` have been found or
/// nothing new has come for long. `found` is told of each.
pub fn draw_new(
    known: &[Vector],
    seed: u64,
    count: usize,
    mut found: impl FnMut(usize),
) -> Vec<(Script, String)> {
    /// So many scripts in a row that show nothing new end the search.
    const PATIENCE: usize = 20_000;
    let mut seen: Features = known.iter().flat_map(|vector| features(&vector.file.script)).collect();
    let mut drawn = Vec::new();
    let mut barren = 0;
    let mut index = 0;
    while drawn.len() < count && barren < PATIENCE {
        let mut random = draw::Random::new(seed, index);
        // Small scripts first: what they show, larger ones need not.
        let size = (drawn.len() * 6 / count.max(1)).min(5);
        let dialect = if index % 2 == 0 { Dialect::Voiceos } else { Dialect::Matrices };
        index += 1;
        let script = draw::script(&mut random, dialect, size);
        let new: Features = features(&script).difference(&seen).cloned().collect();
        if new.is_empty() {
            barren += 1;
            continue;
        }
        barren = 0;
        let script = shrink(script, |script| new.is_subset(&features(script)));
        let title = title(&script, &new);
        seen.extend(features(&script));
        drawn.push((script, title));
        found(drawn.len());
    }
    drawn
}

fn features(script: &Script) -> Features {
    let dialect = script.dialect();
    let mut decided: Vec<_> = deciding(script, &Readings::default())
        .iter()
        .map(|suspect| format!("{}:{}", suspect.clause(dialect), suspect.name()))
        .collect();
    decided.sort_unstable();
    decided.dedup();
    let clause = |decided: &str| decided.split(':').next().unwrap_or_default().to_owned();
    let mut features: Features = decided.iter().cloned().collect();
    for (place, one) in decided.iter().enumerate() {
        for other in decided.iter().skip(place + 1) {
            features.insert(format!("{} {}", clause(one), clause(other)));
        }
    }
    features.extend(shapes(script));
    features
}

/// Which step follows which, and which event is answered how.
fn shapes(script: &Script) -> Features {
    let plain = json!(script);
    let steps = plain.pointer(&format!("/{}/steps", script.dialect())).and_then(Value::as_array);
    let steps = steps.map(Vec::as_slice).unwrap_or_default();
    let kind =
        |step: &Value| step.as_object().and_then(|step| step.keys().next().cloned()).unwrap_or_default();
    let mut shapes: Features =
        steps.windows(2).map(|pair| pair.iter().map(kind).collect::<Vec<_>>().join(">")).collect();
    for fire in steps.iter().filter_map(|step| step.get("fire")) {
        let event = fire.get("event").map(kind).unwrap_or_default();
        for answer in fire.get("answers").and_then(Value::as_object).into_iter().flatten() {
            let says = answer.1.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
            let says: Vec<_> = says.filter(|name| *name != "after_ms").collect();
            shapes.insert(format!(
                "{dialect}/{event}/{says}",
                dialect = script.dialect(),
                says = says.join("+")
            ));
        }
    }
    shapes
}

/// One line: the clauses that a script was drawn for, and what happens in it.
fn title(script: &Script, new: &Features) -> String {
    let clause = |feature: &String| {
        let first = feature.split([':', ' ']).next().unwrap_or_default().to_owned();
        hookproof_model::clause::Clause::by_id(&first).map(|clause| clause.id)
    };
    let mut clauses: Vec<_> = new.iter().filter_map(clause).collect();
    clauses.dedup();
    clauses.truncate(3);
    let plain = json!(script);
    let steps = plain.pointer(&format!("/{}/steps", script.dialect())).and_then(Value::as_array);
    let mut kinds: Vec<String> = Vec::new();
    for step in steps.into_iter().flatten().filter_map(Value::as_object) {
        for (kind, members) in step {
            let event = members.get("event").and_then(Value::as_object).and_then(|event| event.keys().next());
            kinds.push(event.map_or_else(|| kind.replace('_', " "), Clone::clone));
        }
    }
    kinds.dedup();
    let for_clauses = if clauses.is_empty() { String::new() } else { format!("{}: ", clauses.join(", ")) };
    format!("{for_clauses}{}", kinds.join(", "))
}

/// Whether the vectors of a folder stay within their bounds.
///
/// # Errors
/// There are too many, or they are too large.
pub fn within_bounds(vectors: &[Vector], folder: &Path) -> Result<(), Problem> {
    if vectors.len() > MAX_VECTORS {
        return Err(format!("{} vectors; there are to be at most {MAX_VECTORS}", vectors.len()));
    }
    let mut bytes = 0;
    for vector in vectors {
        bytes +=
            fs::metadata(&vector.path).map_err(|error| format!("{}: {error}", vector.path.display()))?.len();
    }
    if bytes > MAX_BYTES {
        return Err(format!(
            "{}: {bytes} bytes of vectors; there are to be at most {MAX_BYTES}",
            folder.display()
        ));
    }
    Ok(())
}
