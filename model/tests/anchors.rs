//! The model against every anchor: where they disagree, the model is wrong.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use hookproof_model::script::{Script, Transcript, ids, repeat};
use hookproof_model::{kernel::json, reading::Readings, run};
use pretty_assertions::assert_eq;
use serde_json::Value;

fn canonical(dialect: hookproof_model::Dialect, value: &Value) -> Vec<Value> {
    let mut value = serde_json::json!({ "steps": Transcript::read(dialect, value).unwrap().steps() });
    json::normalize(&mut value);
    ids::renumber(&mut value);
    value["steps"].as_array().unwrap().clone()
}

#[test]
fn the_model_agrees_with_every_anchor() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../vectors/anchors");
    let mut wrong = Vec::new();
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let mut file: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        repeat::expand(&mut file).unwrap();
        let script: Script = serde_json::from_value(file["script"].clone()).unwrap();
        let transcript = run(&script, &Readings::default()).unwrap();
        let steps = serde_json::json!({ "steps": transcript.steps() });
        let found = canonical(script.dialect(), &steps);
        let expected = canonical(script.dialect(), &file["transcript"]);
        seen += 1;
        for (step, (found, expected)) in found.iter().zip(&expected).enumerate() {
            if found != expected {
                wrong.push(format!("{} step {step}\n  anchor {expected}\n  model  {found}", file["id"]));
                break;
            }
        }
        assert_eq!(found.len(), expected.len());
    }
    assert!(seen >= 60, "only {seen} anchors");
    assert!(wrong.is_empty(), "{} of {seen} differ:\n{}", wrong.len(), wrong.join("\n"));
}
