//! Values, moments and lists as sentences put them.

use hookproof_model::kernel::Millis;
use hookproof_model::script::repeat;
use serde_json::Value;

/// The most characters that a value takes in a sentence.
const MAX_VALUE: usize = 200;

/// A value as JSON, shortened where it is long.
#[must_use]
pub fn value(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        other => {
            let mut short = other.clone();
            repeat::compress(&mut short);
            shortened(&short.to_string(), "characters of JSON")
        }
    }
}

/// A text in quotation marks, shortened where it is long.
#[must_use]
pub fn quoted(text: &str) -> String {
    shortened(&Value::from(text).to_string(), "characters")
}

fn shortened(text: &str, unit: &str) -> String {
    let length = text.chars().count();
    if length <= MAX_VALUE {
        return text.to_owned();
    }
    let head: String = text.chars().take(MAX_VALUE / 2).collect();
    let tail: String = text.chars().skip(length - MAX_VALUE / 5).collect();
    format!("{head}…{tail} ({length} {unit})")
}

/// A moment or a length of time, in words that say no more than two numbers; short ones in
/// milliseconds.
#[must_use]
pub fn time(time: Millis) -> String {
    if time == Millis::MAX || time.0 < 10_000 {
        return time.to_string();
    }
    if time.0.is_multiple_of(1000) && time.0 < 120_000 && time.0 != 60_000 {
        return format!("{} s", time.0 / 1000);
    }
    let (seconds, minutes) = (time.0 / 1000, time.0 / 60_000);
    let units = [(minutes / 60, "h"), (minutes % 60, "min"), (seconds % 60, "s"), (time.0 % 1000, "ms")];
    let parts: Vec<_> =
        units.iter().filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count} {unit}")).collect();
    if parts.len() > 2 || time.0 < 60_000 { time.to_string() } else { parts.join(" ") }
}

/// Names as an enumeration: `a`, `a and b`, `a, b and c`.
#[must_use]
pub fn list<S: AsRef<str>>(names: &[S]) -> String {
    match names {
        [] => "nobody".to_owned(),
        [one] => one.as_ref().to_owned(),
        [rest @ .., last] => {
            let rest: Vec<_> = rest.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", rest.join(", "), last.as_ref())
        }
    }
}

/// A text broken at spaces into lines of at most `width` characters, the first behind `first`, the
/// others behind `rest`. A word that is longer stays whole.
#[must_use]
pub fn wrap(text: &str, first: &str, rest: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in text.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut line, rest.to_owned()));
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    lines.push(line);
    lines
}

/// Items beside each other, `gap` between two, in lines of at most `width` characters.
#[must_use]
pub fn wrap_items(items: &[String], gap: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line.chars().count() + gap.chars().count() + item.chars().count() <= width => {
                line.push_str(gap);
                line.push_str(item);
            }
            _ => lines.push(item.clone()),
        }
    }
    lines
}

/// Text that may come from a script, so that it cannot steer a terminal or hide what it says: control
/// characters but for the end of a line, and what is invisible or turns the direction, as escapes.
#[must_use]
pub fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        let hidden = matches!(character,
            '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}');
        if hidden || character.is_control() && character != '\n' {
            out.extend(character.escape_default());
        } else {
            out.push(character);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(0, "0 ms")]
    #[case(1000, "1000 ms")]
    #[case(10_000, "10 s")]
    #[case(60_000, "1 min")]
    #[case(86_400_000, "24 h")]
    #[case(10_100, "10100 ms")]
    #[case(90_000, "90 s")]
    #[case(86_400_001, "24 h 1 ms")]
    #[case(86_399_999, "86399999 ms")]
    #[case(u64::MAX, "never")]
    fn times_stand_in_words_of_at_most_two_numbers(#[case] millis: u64, #[case] words: &str) {
        assert_eq!(time(Millis(millis)), words);
    }

    #[test]
    fn a_long_value_is_shortened_and_says_how_long_it_is() {
        let shown = value(&Value::from("é".repeat(1 << 20)));
        assert!(shown.chars().count() < 210 && shown.ends_with("(1048578 characters)"), "{shown}");
        assert_eq!(quoted("short"), "\"short\"");
    }

    #[test]
    fn lines_break_at_spaces_and_stand_behind_their_indents() {
        assert_eq!(wrap("one two three", "- ", "  ", 9), ["- one two", "  three"]);
        assert_eq!(wrap("", "- ", "  ", 9), ["- "]);
    }

    #[test]
    fn nothing_that_steers_a_terminal_comes_through() {
        assert_eq!(harmless("a\u{1b}[2J\u{9b}m\n\u{feff}b"), "a\\u{1b}[2J\\u{9b}m\n\\u{feff}b");
    }
}
