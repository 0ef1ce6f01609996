//! Texts, numbers and JSON values.

use serde_json::{Map, Value, json};

use super::Random;

const TEXTS: [&str; 10] = [
    "order two flat whites",
    "delete the old rows",
    "book a ride to the station",
    "naïve café — 東京 🚀",
    "Zeile eins\nZeile zwei\t\"quoted\" \\ back",
    "what is the score",
    "send the invoice",
    "x",
    "\u{7f}\u{1}é\u{301}",
    "ok",
];
const WORDS: [&str; 8] = ["please", "now", "redacted", "twice", "politely", "später", "masked", "today"];
const MEMBERS: [&str; 5] = ["amount", "note", "to", "count", "tags"];

/// A text; now and then an empty one.
pub(super) fn text(random: &mut Random) -> String {
    if random.chance(4) {
        return String::new();
    }
    let text = random.pick(&TEXTS);
    if random.chance(50) { format!("{text} {}", random.pick(&WORDS)) } else { text.to_owned() }
}

/// A scalar, or a small list or object.
pub(super) fn value(random: &mut Random) -> Value {
    match random.below(12) {
        0 => Value::Null,
        1 => json!(random.chance(50)),
        2..5 => number(random),
        5..9 => json!(text(random)),
        9 => json!([]),
        10 => json!([number(random), text(random)]),
        _ => Value::Object(object(random)),
    }
}

/// A number, sometimes a whole one that is written with a point.
pub(super) fn number(random: &mut Random) -> Value {
    match random.below(6) {
        0 => json!(100.0),
        1 => json!(99.5),
        2 => json!(-1),
        3 => json!(100),
        _ => json!(random.pick(&[0, 1, 99, 100, 101, 150, 9_007_199_254_740_991_i64])),
    }
}

/// An object of up to three members.
pub(super) fn object(random: &mut Random) -> Map<String, Value> {
    let mut members = Map::new();
    for _ in 0..random.below(4) {
        let name = if random.chance(25) { "amount" } else { random.pick(&MEMBERS) }.to_owned();
        let member = match random.below(4) {
            0 => json!(text(random)),
            1 => json!({ "note": text(random) }),
            2 if random.chance(30) => Value::Null,
            _ => number(random),
        };
        members.insert(name, member);
    }
    members
}

/// Sets a member of an object.
pub(super) fn put(object: &mut Value, name: &str, member: Value) {
    if let Value::Object(members) = object {
        members.insert(name.to_owned(), member);
    }
}

/// Sets a member of a member of an object.
pub(super) fn put_in(object: &mut Value, outer: &str, name: &str, member: Value) {
    if let Some(inner) = object.get_mut(outer) {
        put(inner, name, member);
    }
}
