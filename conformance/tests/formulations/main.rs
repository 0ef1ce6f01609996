//! The model and the plain formulation say the same: of every vector, under the default readings and under
//! each of them flipped; of drawn scripts; and of those that once told the two apart.
//!
//! Each drawn script is run under the default readings and under up to three others at once. `HOOKPROOF_CASES`
//! sets how many scripts of each dialect are drawn (5,000 unless given), `HOOKPROOF_SEED` from which seed.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod told_apart;

use hookproof::compare::{Mask, compare};
use hookproof::draw::{self, Random};
use hookproof::shrink::shrink;
use hookproof::vector::packed;
use hookproof_model::reading::Readings;
use hookproof_model::script::Script;
use hookproof_model::{Dialect, plain, run};
use pretty_assertions::StrComparison;
use serde_json::json;

const CASES: u64 = 5_000;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| value.parse().expect("a whole number"))
}

#[test]
fn both_say_the_same_of_voiceos_scripts() {
    both_say_the_same(Dialect::Voiceos);
}

#[test]
fn both_say_the_same_of_matrices_scripts() {
    both_say_the_same(Dialect::Matrices);
}

fn both_say_the_same(dialect: Dialect) {
    let (cases, seed) = (setting("HOOKPROOF_CASES", CASES), setting("HOOKPROOF_SEED", 11));
    let check = |from: u64| {
        for index in (from..cases).step_by(2) {
            let mut random = Random::new(seed, index);
            let size = random.below(5);
            let script = draw::script(&mut random, dialect, size);
            for readings in [Readings::default(), other_readings(&mut random, dialect)] {
                if difference(&script, &readings).is_some() {
                    let smallest = shrink(script, |script| difference(script, &readings).is_some());
                    let difference = difference(&smallest, &readings).unwrap();
                    panic!("script {index}, by {}\n{}\n{difference}", json!(readings), json!(smallest));
                }
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| check(0));
        check(1);
    });
}

/// Up to three alternatives that are not the default.
fn other_readings(random: &mut Random, dialect: Dialect) -> Readings {
    let mut readings = Readings::default();
    for _ in 0..1 + random.below(3) {
        let flips: Vec<_> = readings.flips(dialect).collect();
        readings = readings.flipped(flips[random.below(flips.len())]);
    }
    readings
}

/// Where the two tell a script apart: the model's word beside that of the plain formulation.
fn difference(script: &Script, readings: &Readings) -> Option<String> {
    let model = run(script, readings).expect("it can be run");
    let plain = json!(plain::run(script, readings).expect("the catalogue has no fault"));
    let difference = compare(&model, &plain, Mask::default()).err()?;
    let [model, plain] =
        [&difference.expected, &difference.observed].map(|step| serde_json::to_string_pretty(step).unwrap());
    Some(format!("step {}, model < > plain\n{}", difference.step, StrComparison::new(&model, &plain)))
}

/// The default readings and every single flip of them, by name.
fn all_readings(dialect: Dialect) -> Vec<(String, Readings)> {
    let default = Readings::default();
    let flipped = default.flips(dialect).map(|flip| (flip.to_string(), default.flipped(flip)));
    [("default".to_owned(), default)].into_iter().chain(flipped).collect()
}

#[test]
fn both_say_the_same_of_every_vector() {
    let readings = Dialect::ALL.map(|dialect| (dialect, all_readings(dialect)));
    let mut compared = 0;
    let mut differences = Vec::new();
    for vector in packed().unwrap() {
        let script = &vector.file.script;
        for (_, all) in readings.iter().filter(|(dialect, _)| *dialect == script.dialect()) {
            for (name, readings) in all {
                compared += 1;
                let found = difference(script, readings);
                differences.extend(found.map(|found| format!("{} under {name}, {found}", vector.id())));
            }
        }
    }
    assert!(compared > 40_000, "only {compared} scripts and readings");
    let shown = differences.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
    assert!(differences.is_empty(), "{} of {compared} differ:\n{shown}", differences.len());
}
