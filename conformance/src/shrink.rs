//! Making a script smaller while it goes on to show what it is there for.

use hookproof_model::script::Script;
use serde_json::{Value, json};

/// Leaves out every step, answer and control step within a firing without which a script still `shows`
/// what it is to show.
pub fn shrink(mut script: Script, shows: impl Fn(&Script) -> bool) -> Script {
    let mut at = script.len();
    while at > 0 {
        at -= 1;
        let smaller = without(&script, |steps| {
            steps.remove(at);
        });
        if let Some(smaller) = smaller.filter(&shows) {
            script = smaller;
            continue;
        }
        for member in ["answers", "meanwhile"] {
            let mut places = places(&script, at, member);
            while let Some(place) = places.pop() {
                let smaller = without(&script, |steps| {
                    let within = steps.get_mut(at).and_then(|step| step.get_mut("fire")?.get_mut(member));
                    match within {
                        Some(Value::Object(members)) => {
                            members.remove(&place);
                        }
                        Some(Value::Array(items)) => {
                            let place = place.parse().unwrap_or(items.len());
                            items.splice(place..(place + 1).min(items.len()), []);
                        }
                        _ => {}
                    }
                });
                script = smaller.filter(&shows).unwrap_or(script);
            }
        }
    }
    script
}

/// The names, or the places, in a member of the firing at a step.
fn places(script: &Script, at: usize, member: &str) -> Vec<String> {
    let plain = json!(script);
    match plain.pointer(&format!("/{}/steps/{at}/fire/{member}", script.dialect())) {
        Some(Value::Object(members)) => members.keys().cloned().collect(),
        Some(Value::Array(items)) => (0..items.len()).map(|place| place.to_string()).collect(),
        _ => Vec::new(),
    }
}

/// A script with its steps changed; `None` if that is no script any more.
fn without(script: &Script, change: impl FnOnce(&mut Vec<Value>)) -> Option<Script> {
    let mut plain = json!(script);
    match plain.pointer_mut(&format!("/{}/steps", script.dialect())) {
        Some(Value::Array(steps)) => change(steps),
        _ => return None,
    }
    serde_json::from_value(plain).ok()
}
