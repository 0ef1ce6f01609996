//! Cutting values down: to what a person reads, and to what a report keeps. Scripts and answers may carry
//! megabytes.

use std::fmt::Write;
use std::io;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::explain::words::harmless;

/// The most bytes of JSON that are kept of an observation as it is.
const KEPT: usize = 256 << 10;

/// Texts longer than this are cut, in characters.
const LONGEST: usize = 400;
/// How much of a cut text is left, in characters.
const LEFT: usize = 60;
/// The most items of a list, or members of an object, that are shown.
const MOST: usize = 200;

/// A value without its long tails. What differs still differs: what is cut off is told by its digest.
pub(crate) fn abridge(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(abridge_text(text)),
        Value::Array(items) => {
            let mut shown: Vec<_> = items.iter().take(MOST).map(abridge).collect();
            if let Some(tail) = items.get(MOST..).filter(|tail| !tail.is_empty()) {
                shown.push(Value::String(format!("… {} more, {}", tail.len(), digest(&json(tail)))));
            }
            Value::Array(shown)
        }
        Value::Object(members) => {
            let shown = members.iter().take(MOST);
            let mut shown: serde_json::Map<_, _> =
                shown.map(|(name, member)| (abridge_text(name), abridge(member))).collect();
            if members.len() > MOST {
                let tail: Vec<_> = members.iter().skip(MOST).collect();
                shown.insert(format!("… {} more", tail.len()), Value::String(digest(&json(&tail))));
            }
            Value::Object(shown)
        }
        other => other.clone(),
    }
}

fn abridge_text(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(LONGEST) else { return text.to_owned() };
    let length = LONGEST + text.get(end..).unwrap_or_default().chars().count();
    let left: String = text.chars().take(LEFT).collect();
    format!("{left}… {length} characters, {}", digest(text))
}

fn json(value: &(impl serde::Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn digest(text: &str) -> String {
    let mut digest = "sha256 ".to_owned();
    for byte in Sha256::digest(text).iter().take(4) {
        let _ = write!(digest, "{byte:02x}");
    }
    digest
}

/// A value that takes no more memory than a few of them may, however many failures there are: as it is, or
/// abridged if it is large.
pub(crate) fn bounded(value: Value) -> Value {
    if !exceeds(&value, KEPT) {
        return value;
    }
    let short = abridge(&value);
    if exceeds(&short, KEPT) { Value::String(format!("… {}", digest(&json(&value)))) } else { short }
}

/// Whether a value is longer than this as JSON.
fn exceeds(value: &Value, bytes: usize) -> bool {
    struct Room(usize);
    impl io::Write for Room {
        fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(piece.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(piece.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    serde_json::to_writer(Room(bytes), value).is_err()
}

/// A text in one line that no terminal takes for a command: what a candidate says is shown as it is otherwise.
pub(crate) fn tame(text: &str) -> String {
    harmless(&text.replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;

    #[test]
    fn short_values_stay_as_they_are() {
        let value = json!({ "calls": [{ "hook": "a", "at_ms": 0 }], "text": "x".repeat(LONGEST) });
        assert_eq!(abridge(&value), value);
    }

    #[test]
    fn long_texts_that_differ_at_their_end_still_differ() {
        let [one, other] = ["a", "b"].map(|end| json!("x".repeat(1 << 20) + end));
        let (one, other) = (abridge(&one), abridge(&other));
        assert_ne!(one, other);
        assert!(one.as_str().unwrap().len() < 200);
        assert!(one.as_str().unwrap().contains("… 1048577 characters, sha256 "));
    }

    #[test]
    fn long_lists_that_differ_at_their_end_still_differ() {
        let mut list = vec![0; 10_000];
        let one = abridge(&json!(list));
        list[9_999] = 1;
        assert_ne!(one, abridge(&json!(list)));
        assert_eq!(one.as_array().unwrap().len(), MOST + 1);
    }

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(tame("a\u{1b}[31mb\nc"), "a\\u{1b}[31mb\\nc");
    }

    #[test]
    fn what_is_kept_of_an_observation_is_bounded() {
        let small = json!({ "text": "x".repeat(1 << 10) });
        assert_eq!(bounded(small.clone()), small);
        assert!(!exceeds(&bounded(json!({ "text": "x".repeat(1 << 20) })), 1 << 10));
        let mut wide = json!("x".repeat(100));
        for _ in 0..3 {
            wide = json!(vec![wide; 40]);
        }
        assert!(!exceeds(&bounded(wide), KEPT));
    }
}
