//! Ids that a candidate makes up, renumbered so that transcripts can be compared as they are.

use std::collections::BTreeMap;

use serde_json::Value;

/// Members of observations and scripts whose values belong to hooks, people and tools: nothing within
/// them is the harness's, whatever its members are called.
pub const OPAQUE: [&str; 9] =
    ["input", "output", "value", "args", "result", "call_result", "model_sees", "view", "edit"];

/// Renumbers every `deliveryId` of a transcript in order of appearance: equal ids stay equal,
/// different ones different, and what they are called no longer matters.
pub fn renumber(transcript: &mut Value) {
    let mut seen = BTreeMap::new();
    visit(transcript, &mut seen);
}

fn visit(value: &mut Value, seen: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(members) => {
            // The deliveries of a step come before the audit entries that refer to them.
            for (name, member) in members.iter_mut() {
                match member {
                    Value::String(id) if name == "deliveryId" => {
                        let next = format!("delivery-{}", seen.len() + 1);
                        *id = seen.entry(id.clone()).or_insert(next).clone();
                    }
                    _ if OPAQUE.contains(&name.as_str()) => {}
                    _ => visit(member, seen),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| visit(item, seen)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn ids_are_compared_by_identity_and_not_by_name() {
        let transcript = |a: &str, b: &str| {
            let mut value = json!({ "steps": [
                { "fired": { "calls": [{ "payload": { "deliveryId": a } }, { "payload": { "deliveryId": b } }] } },
                { "audit": [{ "deliveryId": b }] },
            ] });
            renumber(&mut value);
            value
        };
        assert_eq!(transcript("x", "y"), transcript("0", "1"));
        assert_ne!(transcript("x", "x"), transcript("x", "y"));
    }
}
