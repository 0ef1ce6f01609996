//! Faults of a manifest or a profile: every one is reported, each with its place, its clause and what
//! to write instead.

use std::fmt::{self, Display, Write};

use serde::Serialize;
use serde_json::Value;

/// One fault of a document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Fault {
    /// JSON Pointer of the member, or of the parent of a missing one.
    pub pointer: String,
    /// The clause that it breaks.
    pub clause: &'static str,
    /// What was found and what was expected. Of what was found at most 80 characters are shown, and
    /// nothing of it that steers a terminal.
    pub message: String,
    /// What to write instead, as JSON wherever something is to be written.
    pub instead: String,
}

/// The most faults that are told of one document: a text of megabytes can have millions.
pub const MAX_FAULTS: usize = 1000;

/// The faults found so far, the first [`MAX_FAULTS`] of them.
#[derive(Debug, Default)]
pub(crate) struct Faults(Vec<Fault>);

impl Faults {
    pub(crate) fn add(
        &mut self,
        pointer: impl Display,
        clause: &'static str,
        message: impl Display,
        instead: impl Display,
    ) {
        if self.0.len() >= MAX_FAULTS {
            return;
        }
        self.0.push(Fault {
            pointer: pointer.to_string(),
            clause,
            message: message.to_string(),
            instead: instead.to_string(),
        });
    }

    /// `value`, if nothing was wrong with it.
    pub(crate) fn or<T>(self, value: T) -> Result<T, Vec<Fault>> {
        if self.0.is_empty() { Ok(value) } else { Err(self.0) }
    }

    pub(crate) fn into_vec(self) -> Vec<Fault> {
        self.0
    }
}

/// A member's name as a segment of a JSON Pointer (RFC 6901).
pub(crate) fn segment(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The most characters of what was found that a message shows.
const SHOWN: usize = 80;

/// What stands at a place, as a message shows it: JSON, or `nothing`.
pub(crate) fn found<'a>(value: impl Into<Option<&'a Value>>) -> impl Display {
    struct Found<'a>(Option<&'a Value>);
    impl Display for Found<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self.0 {
                None => f.write_str("nothing"),
                Some(value) => value.fmt(f),
            }
        }
    }
    Short(Found(value.into()))
}

/// A text that was found, as a message shows it: in quotation marks.
pub(crate) fn quoted(text: &str) -> impl Display {
    struct Quoted<'a>(&'a str);
    impl Display for Quoted<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            fmt::Debug::fmt(self.0, f)
        }
    }
    Short(Quoted(text))
}

/// What a message shows, cut after 80 characters. Nothing longer is ever built of a value.
struct Short<T>(T);

impl<T: Display> Display for Short<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut room = Room { out: f, left: SHOWN, is_full: false };
        match write!(room, "{}", self.0) {
            Err(_) if room.is_full => f.write_char('…'),
            result => result,
        }
    }
}

struct Room<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    left: usize,
    is_full: bool,
}

impl Write for Room<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            let Some(left) = self.left.checked_sub(1) else {
                self.is_full = true;
                return Err(fmt::Error);
            };
            self.left = left;
            // Debug escapes what is invisible or steers a terminal, and quotes, which are to stay.
            match character {
                '"' | '\'' | '\\' => self.out.write_char(character)?,
                other => write!(self.out, "{}", other.escape_debug())?,
            }
        }
        Ok(())
    }
}

/// Which of these names is meant by one that differs only in case and in what joins its words.
pub(crate) fn meant<'n>(found: &str, names: &[&'n str]) -> Option<&'n str> {
    fn bare(name: &str) -> impl Iterator<Item = char> {
        name.chars()
            .filter(|character| !matches!(character, '_' | '-' | ' ' | '.'))
            .map(|c| c.to_ascii_lowercase())
    }
    names.iter().copied().find(|name| bare(name).eq(bare(found)))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::*;

    #[rstest]
    #[case(json!("a\u{1b}[2J\u{9b}\u{202e}"), r#""a\u001b[2J\u{9b}\u{202e}""#)]
    #[case(json!({ "a": [1, "é"] }), r#"{"a":[1,"é"]}"#)]
    #[case(json!("\n\"\\"), r#""\n\"\\""#)]
    fn what_was_found_cannot_steer_a_terminal(#[case] value: Value, #[case] shown: &str) {
        assert_eq!(found(&value).to_string(), shown);
    }

    #[test]
    fn what_was_found_is_cut_at_80_characters() {
        assert_eq!(found(&json!("é".repeat(78))).to_string().chars().count(), 80);
        for long in [json!("é".repeat(79)), json!("x".repeat(1 << 20)), json!(vec![vec![0; 100]; 100])] {
            let shown = found(&long).to_string();
            assert_eq!(shown.chars().count(), 81);
            assert!(shown.ends_with('…'));
        }
        assert!(quoted(&"\u{1}".repeat(1 << 20)).to_string().ends_with('…'));
        assert_eq!(found(None).to_string(), "nothing");
    }

    #[rstest]
    #[case("pre_tool_use", Some("preToolUse"))]
    #[case("PreToolUse", Some("preToolUse"))]
    #[case("transcripts", None)]
    fn a_name_is_recognized_in_another_spelling(#[case] found: &str, #[case] name: Option<&str>) {
        assert_eq!(meant(found, &["transcript", "preToolUse"]), name);
    }
}
