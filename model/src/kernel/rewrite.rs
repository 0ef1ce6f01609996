//! How rewrites compose: HK-REWRITE-1, HK-REWRITE-4, VO-FOLD-9, VO-FOLD-15, MX-FOLD-4 to 6.
//!
//! A rewrite is a function of the value before it, and a chain of rewrites is their composition in
//! chain order. Under *replace* that function is constant.

use serde_json::{Map, Value};

use super::{Decision, Terms};
use crate::reading::shared::{RewriteMode, Rewriters};

/// Whether a rewrite beside `decision` enters the composed value; `rewritten` tells whether one
/// has before.
#[must_use]
pub fn applies(terms: &Terms, decision: Decision, rewritten: bool) -> bool {
    if rewritten && terms.rewriters == Rewriters::FirstRewriter {
        return false;
    }
    match decision {
        Decision::Defer => true,
        Decision::Allow => terms.allow_rewrites,
        Decision::Handled | Decision::Deny => terms.ending_rewrites,
    }
}

/// The value behind a hook that saw `before` composed and answered with `rewrite`.
#[must_use]
pub fn compose(mode: RewriteMode, before: &Value, rewrite: Value) -> Value {
    match (mode, before, rewrite) {
        (RewriteMode::Merge, Value::Object(before), Value::Object(rewrite)) => {
            let mut merged = before.clone();
            merged.extend(rewrite);
            Value::Object(merged)
        }
        (RewriteMode::MergePatch, before, rewrite) => merge_patch(before, rewrite),
        (_, _, rewrite) => rewrite,
    }
}

/// RFC 7396.
fn merge_patch(target: &Value, patch: Value) -> Value {
    let Value::Object(patch) = patch else { return patch };
    let mut merged = target.as_object().cloned().unwrap_or_else(Map::new);
    for (name, member) in patch {
        if member.is_null() {
            merged.remove(&name);
        } else {
            let before = merged.get(&name).unwrap_or(&Value::Null);
            let after = merge_patch(before, member);
            merged.insert(name, after);
        }
    }
    Value::Object(merged)
}

/// Whether a rewrite that entered the composed value counts as one: it does, even where the value is the
/// same as before.
#[must_use]
pub const fn rewrote(_before: &Value, _after: &Value) -> bool {
    true
}
