//! Where the values of a JSON text stand. Of a member that is given twice the last one counts, as it
//! does for the model.
//!
//! The places come from `jsonc-parser`, which keeps the range of every value and both of two members of one
//! name, and refuses what JSON does not have once told to; serde_json, by which the model reads, keeps neither.

use std::collections::HashMap;
use std::ops::Range;

use jsonc_parser::ast::{ObjectProp, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// The most members given twice that are told: each brings its whole pointer.
const MAX_TWICE: usize = 16;

/// A text with its places; without any where only the model's parser takes the text.
pub(super) struct Places<'a> {
    root: Option<Value<'a>>,
}

/// Where a value stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Place {
    /// The name of the member, quotation marks included, if it is one.
    pub(super) name: Option<Range<usize>>,
    /// The value; of a list or an object only what opens it.
    pub(super) value: Range<usize>,
}

/// A member that is given again.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Given {
    pub(super) pointer: String,
    pub(super) name: String,
    pub(super) first: Range<usize>,
    pub(super) again: Range<usize>,
}

impl<'a> Places<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let root =
            parse_to_ast(text, &CollectOptions::default(), &STRICT).ok().and_then(|parsed| parsed.value);
        Self { root }
    }

    /// The place of each pointer; of what is not there, that of the innermost parent that is.
    pub(super) fn find<'p>(&self, pointers: impl Iterator<Item = &'p str>) -> Vec<Place> {
        // An object with a million members is gone through once, and not for each pointer into it.
        let mut indexes = HashMap::new();
        let place = |pointer| self.root.as_ref().map(|root| place(root, pointer, &mut indexes));
        pointers.map(place).map(Option::unwrap_or_default).collect()
    }

    /// The first members that are given again, in the order of the text.
    pub(super) fn twice(&self) -> Vec<Given> {
        let mut found = Vec::new();
        if let Some(root) = &self.root {
            twice(root, "", &mut found);
        }
        found
    }
}

/// Nothing but JSON.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The members of the objects that were gone through, each by its name, the objects by where they begin.
type Indexes<'v, 'a> = HashMap<usize, HashMap<&'v str, &'v ObjectProp<'a>>>;

fn place<'v, 'a>(root: &'v Value<'a>, pointer: &str, indexes: &mut Indexes<'v, 'a>) -> Place {
    let mut value = root;
    let mut name = None;
    for segment in pointer.split('/').skip(1) {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        let (next, next_name) = match value {
            Value::Object(object) => {
                let index = indexes.entry(object.range.start).or_insert_with(|| {
                    // Of two members of one name the later one stays.
                    object.properties.iter().map(|member| (member.name.as_str(), member)).collect()
                });
                let member = index.get(segment.as_str());
                (member.map(|member| &member.value), member.map(|member| range(&member.name)))
            }
            Value::Array(list) => (segment.parse().ok().and_then(|at: usize| list.elements.get(at)), None),
            _ => (None, None),
        };
        name = next_name;
        let Some(next) = next else { break };
        value = next;
    }
    Place { name, value: opening(value) }
}

fn opening(value: &Value<'_>) -> Range<usize> {
    let range = range(value);
    match value {
        Value::Object(_) | Value::Array(_) => range.start..range.start + 1,
        _ => range,
    }
}

fn range(ranged: &impl Ranged) -> Range<usize> {
    ranged.start()..ranged.end()
}

fn twice(value: &Value<'_>, pointer: &str, found: &mut Vec<Given>) {
    match value {
        Value::Object(object) => {
            let mut firsts = HashMap::new();
            for member in &object.properties {
                if found.len() >= MAX_TWICE {
                    return;
                }
                let (name, place) = (member.name.as_str(), range(&member.name));
                let pointer = || format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                if let Some(first) = firsts.get(name) {
                    let first: &Range<usize> = first;
                    let (first, again) = (first.clone(), place);
                    found.push(Given { pointer: pointer(), name: name.to_owned(), first, again });
                } else {
                    firsts.insert(name, place);
                }
                if matches!(member.value, Value::Object(_) | Value::Array(_)) {
                    twice(&member.value, &pointer(), found);
                }
            }
        }
        Value::Array(list) => {
            for (at, item) in list.elements.iter().enumerate() {
                if matches!(item, Value::Object(_) | Value::Array(_)) {
                    twice(item, &format!("{pointer}/{at}"), found);
                }
            }
        }
        _ => {}
    }
}

/// Where the model's parser stopped: the character it stopped at, or the end of the text.
pub(super) fn of_error(text: &str, error: &serde_json::Error) -> Range<usize> {
    let end = text.trim_end().len();
    if error.is_eof() {
        return end..end;
    }
    // Its columns count bytes, up to and including the one that it stopped at.
    let line: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    // Column 0 is the end of the line before.
    let mut start = (line + error.column()).saturating_sub(1).min(end);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let length = text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    start..start + length
}

#[cfg(test)]
mod tests {
    use hookproof_model::kernel::json::{self, Twice};
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    fn taken(text: &str) -> [bool; 2] {
        [json::parse(text, Twice::LastCounts).is_ok(), Places::of(text).root.is_some()]
    }

    #[rstest]
    #[case::everything(r#"{"a":[1,-0.5e-3,true,false,null,"é\u00e9\ud83d\ude00\n"]}"#)]
    #[case::twice(r#"{"a":1,"a":{}}"#)]
    #[case::scalar("0")]
    #[case::white(" \t\r\n{} \n")]
    #[case::separators("\"\u{2028}\u{7f}\u{9f}\"")]
    #[case::tiny("1e-999")]
    #[case::long("123456789012345678901234567890")]
    #[case::slash(r#""\/\b\f""#)]
    fn both_parsers_take_json(#[case] text: &str) {
        assert_eq!(taken(text), [true, true]);
    }

    #[rstest]
    #[case::empty("")]
    #[case::white(" \n")]
    #[case::zero("01")]
    #[case::minus("-")]
    #[case::plus("+1")]
    #[case::point("1.")]
    #[case::leading_point(".5")]
    #[case::exponent("1e")]
    #[case::hexadecimal("0x10")]
    #[case::not_a_number("NaN")]
    #[case::infinity("-Infinity")]
    #[case::comma_in_object(r#"{"a":1,}"#)]
    #[case::comma_in_list("[1,]")]
    #[case::no_comma("[1 2]")]
    #[case::no_comma_in_object(r#"{"a":1 "b":2}"#)]
    #[case::line_comment("{} // x")]
    #[case::block_comment("/* x */ {}")]
    #[case::single_quotes("{'a':1}")]
    #[case::loose_name("{a:1}")]
    #[case::number_as_name("{1:1}")]
    #[case::high_surrogate(r#""\ud800""#)]
    #[case::low_surrogate(r#""\udc00""#)]
    #[case::two_high_surrogates(r#""\ud800\ud800""#)]
    #[case::escape(r#""\x41""#)]
    #[case::short_escape(r#""\u12""#)]
    #[case::open_string("\"a")]
    #[case::open_object("{")]
    #[case::behind("{} {}")]
    #[case::word("ok")]
    #[case::bom("\u{feff}{}")]
    fn neither_parser_takes_what_is_no_json(#[case] text: &str) {
        assert_eq!(taken(text), [false, false]);
    }

    /// Where they disagree the model refuses, and its parser says where.
    #[rstest]
    #[case::too_large("1e999")]
    #[case::vertical_tab("\u{b}{}")]
    #[case::no_break_space("\u{a0}{}")]
    #[case::raw_control("\"\u{1}\"")]
    #[case::raw_newline("\"\n\"")]
    fn only_the_models_parser_refuses(#[case] text: &str) {
        assert_eq!(taken(text), [false, true]);
    }

    #[test]
    fn every_control_character_is_escaped_in_a_string() {
        for control in '\0'..'\u{20}' {
            assert!(!taken(&format!("\"{control}\""))[0], "{control:?}");
            assert_eq!(taken(&format!("\"\\u{:04x}\"", u32::from(control))), [true, true], "{control:?}");
        }
    }

    #[rstest]
    #[case("[", "]")]
    #[case("{\"a\":", "}")]
    fn whatever_nests_as_the_model_allows_has_places(#[case] open: &str, #[case] close: &str) {
        let nested = |depth: usize| format!("{}0{}", open.repeat(depth), close.repeat(depth));
        assert_eq!(taken(&nested(127)), [true, true]);
        assert_eq!(taken(&nested(128)), [false, true]);
        assert_eq!(taken(&nested(10_000)), [false, false]);
    }

    #[rstest]
    #[case("", None, "{")]
    #[case("/a", Some("\"a\""), "[")]
    #[case("/a/1", None, "2")]
    #[case("/a/9", None, "[")]
    #[case("/a/1/x", None, "2")]
    #[case("/b/c", Some("\"c\""), "\"é\"")]
    #[case("/b/none/x", None, "{")]
    #[case("/x~1y~0", Some("\"x/y~\""), "null")]
    #[case("/q\"", Some(r#""q\"""#), "true")]
    #[case("/d", Some("\"d\""), "\"last\"")]
    fn a_pointer_has_a_place(#[case] pointer: &str, #[case] name: Option<&str>, #[case] value: &str) {
        let text = r#"{"a":[1,2],"b":{"c":"é"},"x/y~":null,"q\"":true,"d":"first","d":"last"}"#;
        let places = Places::of(text);
        let place = places.find(std::iter::once(pointer)).remove(0);
        assert_eq!(place.name.map(|range| &text[range]), name);
        assert_eq!(&text[place.value], value);
    }

    #[test]
    fn members_given_again_are_found_at_any_depth() {
        let text = r#"{"a":1,"b":[{"c/":1,"c/":2}],"a":{"a":1},"a":2}"#;
        let found = Places::of(text).twice();
        let found: Vec<_> = found
            .iter()
            .map(|given| (given.pointer.as_str(), given.first.start, given.again.start))
            .collect();
        assert_eq!(found, [("/b/0/c~1", 13, 20), ("/a", 1, 29), ("/a", 1, 41)]);
    }
}
