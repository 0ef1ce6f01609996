//! The model and the plain formulation say the same of drawn scripts.
//!
//! Each script is run under the default readings and under up to three others at once. `HOOKPROOF_CASES`
//! sets how many scripts of each dialect are drawn (5,000 unless given), `HOOKPROOF_SEED` from which seed.

use hookproof::draw::{self, Random};
use hookproof::shrink::shrink;
use hookproof_model::kernel::json::normalize;
use hookproof_model::reading::Readings;
use hookproof_model::script::{Script, Steps, Transcript};
use hookproof_model::{Dialect, plain, run};
use pretty_assertions::StrComparison;
use serde_json::{Value, json};

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
                    panic!(
                        "script {index}, by {}\n{}\nplain < > model\n{difference}",
                        json!(readings),
                        json!(smallest)
                    );
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

/// Where the two tell a script apart.
fn difference(script: &Script, readings: &Readings) -> Option<String> {
    let plain = match script {
        Script::Voiceos(script) => {
            Transcript::Voiceos(Steps { steps: plain::voiceos::run(script, &readings.voiceos) })
        }
        Script::Matrices(script) => Transcript::Matrices(Steps {
            steps: plain::matrices::run(script, &readings.matrices).expect("the catalogue has no fault"),
        }),
    };
    let (plain, model) = (comparable(&plain), comparable(&run(script, readings).expect("it can be run")));
    let text = |value: &Value| serde_json::to_string_pretty(value).unwrap();
    (plain != model).then(|| StrComparison::new(&text(&plain), &text(&model)).to_string())
}

/// Steps as JSON that can be compared. No clause orders the faults of a document.
fn comparable(transcript: &Transcript) -> Value {
    fn levelled(value: &mut Value) {
        match value {
            Value::Object(members) => {
                if let Some(Value::Array(faults)) = members.get_mut("faults") {
                    faults.sort_by_key(ToString::to_string);
                }
                members.values_mut().for_each(levelled);
            }
            Value::Array(items) => items.iter_mut().for_each(levelled),
            _ => {}
        }
    }
    let mut steps = transcript.steps().into();
    normalize(&mut steps);
    levelled(&mut steps);
    steps
}
