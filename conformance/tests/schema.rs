//! The vectors against the schemas that stand beside them.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use hookproof::vector::packed;
use hookproof_model::script::repeat;
use serde_json::Value;

const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors");

fn read(path: impl AsRef<std::path::Path>) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("it can be read")).expect("it is JSON")
}

#[test]
fn every_vector_fits_its_schema_once_its_repeats_are_written_out() {
    let schema = read(format!("{VECTORS}/schema/vector.schema.json"));
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let mut seen = 0;
    for folder in ["anchors", "corpus"] {
        for file in std::fs::read_dir(format!("{VECTORS}/{folder}")).expect("the folder is there") {
            let path = file.expect("it can be listed").path();
            let mut vector = read(&path);
            repeat::expand(&mut vector).expect("its repeats are repeats");
            let errors: Vec<_> = validator.iter_errors(&vector).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{}: {errors:?}", path.display());
            seen += 1;
        }
    }
    assert!(seen > 0, "no vectors");
}

#[test]
fn what_is_no_vector_does_not_fit() {
    let schema = read(format!("{VECTORS}/schema/vector.schema.json"));
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let vector = read(format!("{VECTORS}/anchors/mx-the-first-non-defer-decision-wins.json"));
    for (pointer, wrong) in [
        ("/title", serde_json::json!(7)),
        ("/script", serde_json::json!({ "matrices": { "steps": [{ "sing": {} }] } })),
        ("/script/matrices/steps/2/fire/answers", serde_json::json!({ "pii": { "after_ms": "soon" } })),
        ("/transcript/steps/0", serde_json::json!({ "colour": "blue" })),
    ] {
        let mut spoilt = vector.clone();
        *spoilt.pointer_mut(pointer).expect("it is there") = wrong;
        assert!(!validator.is_valid(&spoilt), "{pointer} may be anything");
    }
}

/// HK-LIMIT-1: within these every implementation can be expected to agree on what JSON says. Bodies that
/// are too long on purpose are for MX-FAIL-3.
#[test]
fn vectors_stay_within_the_limits_that_the_ledger_names() {
    fn within(value: &Value, depth: usize, longest: usize) -> bool {
        match value {
            _ if depth > 64 => false,
            Value::String(text) => text.len() <= longest,
            Value::Number(number) => {
                number.as_f64().is_some_and(|number| number.abs() <= 9_007_199_254_740_992.0)
            }
            Value::Array(items) => items.iter().all(|item| within(item, depth + 1, longest)),
            Value::Object(members) => members.values().all(|member| within(member, depth + 1, longest)),
            Value::Null | Value::Bool(_) => true,
        }
    }
    for vector in packed().unwrap() {
        let speaks_of_size = vector.file.rests_on.iter().any(|rests_on| rests_on.clause == "MX-FAIL-3");
        let longest = if speaks_of_size { 2 << 20 } else { 1 << 20 };
        let file = serde_json::to_value(&vector.file).unwrap();
        assert!(within(&file, 0, longest), "{}", vector.id());
    }
}
