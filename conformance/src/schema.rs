//! The JSON Schemas that stand beside the vectors.

use hookproof_model::script::{Script, Transcript};
use schemars::{Schema, schema_for};

use crate::about::About;
use crate::vector::VectorFile;

/// Every schema with the name of its file.
#[must_use]
pub fn all() -> [(&'static str, Schema); 4] {
    [
        ("about.schema.json", schema_for!(About)),
        ("script.schema.json", schema_for!(Script)),
        ("transcript.schema.json", schema_for!(Transcript)),
        ("vector.schema.json", schema_for!(VectorFile)),
    ]
}

/// A schema as its file holds it.
#[must_use]
pub fn text(schema: &Schema) -> String {
    // A schema is JSON by construction.
    serde_json::to_string_pretty(schema).unwrap_or_default() + "\n"
}
