//! The model and the plain formulation say the same of every Matrices script among the vectors, by the
//! default readings and by every one of them flipped.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "helpers of tests are tests")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hookproof_model::plain;
use hookproof_model::reading::Readings;
use hookproof_model::script::{Script, ids, matrices, repeat};
use hookproof_model::{Dialect, run};
use pretty_assertions::StrComparison;
use serde_json::{Value, json};

/// The readings to go by: the default ones, and each flip of one.
fn all_readings() -> Vec<(String, Readings)> {
    let default = Readings::default();
    let flips = default.flips(Dialect::Matrices).map(|flip| (flip.to_string(), default.flipped(flip)));
    std::iter::once(("the default readings".to_owned(), default)).chain(flips).collect()
}

/// The Matrices scripts among the vectors, by the names of their files.
fn scripts() -> Vec<(String, matrices::Script)> {
    let vectors = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors"));
    let folders = ["anchors", "corpus"].map(|folder| vectors.join(folder).read_dir().expect("it is there"));
    let mut files: Vec<_> =
        folders.into_iter().flatten().map(|file| file.expect("it can be listed").path()).collect();
    files.sort();
    files.iter().filter_map(|file| script(file)).collect()
}

fn script(path: &Path) -> Option<(String, matrices::Script)> {
    let text = std::fs::read_to_string(path).expect("it can be read");
    let mut file: Value = serde_json::from_str(&text).expect("it is JSON");
    repeat::expand(&mut file).expect("its repeats can be written out");
    let name = path.file_stem()?.to_string_lossy().into_owned();
    match serde_json::from_value(file["script"].take()).expect("it holds a script") {
        Script::Matrices(script) => Some((name, script)),
        Script::Voiceos(_) => None,
    }
}

/// What was observed, or that the catalogue is faulty, in a form in which made-up ids compare. No
/// clause says in which order faults are reported.
fn comparable(steps: Option<Vec<Value>>) -> Value {
    let mut observed = json!({ "steps": steps });
    ids::renumber(&mut observed);
    sort_faults(&mut observed);
    observed
}

fn sort_faults(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if let Some(Value::Array(faults)) = members.get_mut("faults") {
                faults.sort_by_key(Value::to_string);
            }
            members.values_mut().for_each(sort_faults);
        }
        Value::Array(items) => items.iter_mut().for_each(sort_faults),
        _ => {}
    }
}

fn by_the_model(script: &matrices::Script, readings: &Readings) -> Value {
    comparable(run(&Script::Matrices(script.clone()), readings).ok().map(|transcript| transcript.steps()))
}

fn plainly(script: &matrices::Script, readings: &Readings) -> Value {
    let observed = plain::matrices::run(script, &readings.matrices).ok();
    let value = |step| serde_json::to_value(step).expect("an observation is JSON");
    comparable(observed.map(|steps| steps.into_iter().map(value).collect()))
}

/// Where the two are known to differ: the script, the reading (every one, if none is named), and what
/// about.
const KNOWN: [(&str, Option<&str>, &str); 5] = [
    ("39868d3da9d42dd9", None, DOUBLED),
    ("9d16eb16a65a927a", None, DOUBLED),
    ("bf3a655bf82c9419", None, DOUBLED),
    ("e8c181a950168118", None, DOUBLED),
    ("4772c2a35ddd105d", Some("MX-WAIT-3b=approve-or-deny"), CANCELLED_MEANWHILE),
];

const DOUBLED: &str =
    "MX-VAL-T asks for the pointer of a member that is given twice, and gets that of the whole text";

const CANCELLED_MEANWHILE: &str = "an earlier firing that a control step cancels is observed with the firing that runs, not with the control step";

#[test]
fn both_formulations_say_the_same_of_every_script() {
    let (scripts, readings) = (scripts(), all_readings());
    assert!(scripts.len() > 300 && readings.len() > 50, "{} by {}", scripts.len(), readings.len());
    let (mut differences, mut met) = (vec![], BTreeSet::new());
    for (name, script) in &scripts {
        for (by, readings) in &readings {
            let (plain, model) = (plainly(script, readings), by_the_model(script, readings));
            if plain == model {
                continue;
            }
            let is_known =
                |known: &(&str, Option<&str>, _)| known.0 == name && known.1.is_none_or(|known| known == by);
            if let Some(known) = KNOWN.iter().position(is_known) {
                met.insert(known);
                continue;
            }
            let lines = [plain, model].map(|steps| serde_json::to_string_pretty(&steps).expect("it is JSON"));
            let lines = StrComparison::new(&lines[0], &lines[1]).to_string();
            differences.push(format!("{name}, by {by}: plain < > model\n{lines}"));
        }
    }
    let first: Vec<_> = differences.iter().take(5).map(String::as_str).collect();
    assert!(differences.is_empty(), "{} differ, the first of them:\n{}", differences.len(), first.join("\n"));
    let settled: Vec<_> = (0..).zip(KNOWN).filter(|(known, _)| !met.contains(known)).collect();
    assert!(settled.is_empty(), "no difference any more: {settled:#?}");
}
