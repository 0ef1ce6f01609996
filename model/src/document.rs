//! The text of a manifest or a profile: one JSON object within a limit, or a fault that says why it is
//! not.

use serde_json::{Error, Map, Value};

use crate::fault::{Faults, found};
use crate::kernel::json::{self, Twice};

/// What a text is meant to be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected {
    /// The document's name, as in `manifest`.
    pub(crate) name: &'static str,
    /// The clause that is broken if it is none.
    pub(crate) clause: &'static str,
    /// The most bytes that it may have, and the clause that says so.
    pub(crate) limit: &'static str,
    pub(crate) max_bytes: usize,
    /// The least that may stand there.
    pub(crate) instead: &'static str,
    /// The clause of a member that is given twice, where that is a fault.
    pub(crate) twice: Option<&'static str>,
}

impl Expected {
    /// The members of the document; `None` if it has none, which is a fault then.
    pub(crate) fn read(self, text: &str, faults: &mut Faults) -> Option<Map<String, Value>> {
        let Self { name, clause, limit, max_bytes, instead, twice } = self;
        if text.len() > max_bytes {
            let message =
                format_args!("a {name} has at most {max_bytes} bytes ({} MiB); found more", max_bytes >> 20);
            faults.add("", limit, message, format_args!("a shorter {name}"));
            return None;
        }
        if text.trim_ascii().is_empty() {
            faults.add("", clause, format_args!("a {name} is a JSON object; found an empty text"), instead);
            return None;
        }
        if text.starts_with('\u{feff}') {
            let message = format_args!("the {name} is not JSON: it begins with a byte order mark (U+FEFF)");
            faults.add("", clause, message, "the same text saved as UTF-8 without a byte order mark");
            return None;
        }
        let document = match json::parse(text, Twice::LastCounts) {
            Ok(Value::Object(document)) => document,
            Ok(other) => {
                let message = format_args!("a {name} is a JSON object; found {}", found(&other));
                faults.add("", clause, message, instead);
                return None;
            }
            Err(error) => {
                faults.add("", clause, format_args!("the {name} is not JSON: {error}"), remedy(&error));
                return None;
            }
        };
        if let Some(clause) = twice {
            for pointer in json::doubles(text) {
                faults.add(
                    pointer,
                    clause,
                    "a member stands once in its object; found it again",
                    "one of them",
                );
            }
        }
        Some(document)
    }
}

/// How the messages of the parser begin, and what helps against each.
const REMEDIES: [(&str, &str); 15] = [
    ("trailing comma", "no comma behind the last member or item"),
    ("trailing characters", "one JSON document and nothing behind it"),
    ("control character", "an escape in the string, as in \"\\n\", \"\\t\" or \"\\u001b\""),
    ("lone leading surrogate", "a pair of escapes, as in \"\\ud83d\\ude00\", or the character itself"),
    ("unexpected end of hex escape", "a pair of escapes, as in \"\\ud83d\\ude00\", or the character itself"),
    ("invalid escape", "one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000"),
    ("number out of range", "a number below 1.8e308, or a string"),
    ("invalid number", "a number as in 1, -0.5 or 1e3: without leading zeros or a bare point"),
    ("recursion limit", "at most 127 lists and objects within each other"),
    ("key must be a string", "a name in double quotes, as in \"hooks\""),
    ("EOF while parsing a string", "the closing quotation mark"),
    ("EOF while parsing a list", "the closing bracket, ]"),
    ("EOF while parsing an object", "the closing brace, }"),
    ("expected `:`", "a colon behind the name, as in \"hooks\": {}"),
    ("expected `,`", "a comma between two members or items"),
];

/// What to write where the parser stopped.
fn remedy(error: &Error) -> &'static str {
    let message = error.to_string();
    REMEDIES.iter().find(|(begins, _)| message.starts_with(begins)).map_or(
        "a JSON value: an object, a list, a string in double quotes, a number, true, false or null; JSON has no comments",
        |(_, remedy)| remedy,
    )
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::comma(r#"{"a":1,}"#, "no comma")]
    #[case::behind("{} x", "nothing behind")]
    #[case::control("\"\u{1}\"", "an escape in the string")]
    #[case::high(r#""\ud800\u0041""#, "a pair of escapes")]
    #[case::low(r#""\ud800""#, "a pair of escapes")]
    #[case::escape(r#""\x""#, "one of")]
    #[case::huge("1e999", "below 1.8e308")]
    #[case::zero("01", "without leading zeros")]
    #[case::point("[1.]", "without leading zeros")]
    #[case::name("{a:1}", "in double quotes")]
    #[case::string("\"a", "quotation mark")]
    #[case::list("[1", "bracket")]
    #[case::object("{\"a\":1", "brace")]
    #[case::colon("{\"a\" 1}", "colon")]
    #[case::between("[1 2]", "a comma between")]
    #[case::comment("/* */ {}", "no comments")]
    fn what_is_no_json_is_told_with_what_helps(#[case] text: &str, #[case] helps: &str) {
        let error = json::parse(text, Twice::LastCounts).unwrap_err();
        assert!(remedy(&error).contains(helps), "{error}: {}", remedy(&error));
    }

    #[test]
    fn deep_nesting_is_told_with_its_limit() {
        let parse = |depth: usize| json::parse(&("[".repeat(depth) + &"]".repeat(depth)), Twice::LastCounts);
        assert!(parse(127).is_ok());
        assert!(remedy(&parse(128).unwrap_err()).contains("127"));
    }
}
