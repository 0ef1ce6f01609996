//! Lines of a document, as a terminal shows them.

use std::ops::Range;

use crate::explain::words::harmless;

/// How many characters are shown before what is marked, of it, and behind it.
const BEFORE: usize = 60;
const MARKED: usize = 40;
const BEHIND: usize = 50;

/// A line with a mark under a part of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Excerpt {
    /// The line, cut where it is long; without control characters.
    pub line: String,
    /// The carets, behind the spaces that bring them under what they mark.
    pub mark: String,
}

impl Excerpt {
    /// The line on which a range begins.
    pub(super) fn of(text: &str, range: Range<usize>) -> Self {
        let (before, rest) = text.split_at_checked(range.start).unwrap_or((text, ""));
        let before = before.rsplit('\n').next().unwrap_or_default();
        let rest = rest.split('\n').next().unwrap_or_default();
        let rest = rest.strip_suffix('\r').unwrap_or(rest);
        let (marked, behind) = rest.split_at_checked(range.len()).unwrap_or((rest, ""));
        let start = before.char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
        let mut line = if start > 0 { "…".to_owned() } else { String::new() };
        line.push_str(&shown(before.get(start..).unwrap_or_default()));
        let indent = line.chars().count();
        let (marked, cut) = head(marked, MARKED);
        line.push_str(&shown(marked));
        let width = line.chars().count() - indent;
        if cut {
            line.push('…');
        } else {
            let (behind, cut) = head(behind, BEHIND);
            line.push_str(&shown(behind));
            line.push_str(if cut { "…" } else { "" });
        }
        Self { line: line.trim_end().to_owned(), mark: " ".repeat(indent) + &"^".repeat(width.max(1)) }
    }
}

/// The first characters of a text, and whether there are more.
fn head(text: &str, most: usize) -> (&str, bool) {
    text.char_indices()
        .nth(most)
        .and_then(|(at, _)| text.get(..at))
        .map_or((text, false), |head| (head, true))
}

fn shown(text: &str) -> String {
    harmless(&text.replace('\t', "    "))
}

/// Lines and columns of a text, counted from 1, columns in characters.
pub(super) struct Lines;

impl Lines {
    /// Those of these offsets, which ascend. The text is gone through once.
    pub(super) fn of(text: &str, offsets: &[usize]) -> Vec<(usize, usize)> {
        let (mut line, mut column) = (1, 1);
        let mut characters = text.char_indices().peekable();
        let place = |offset: &usize| {
            while let Some((_, character)) = characters.next_if(|(at, _)| at < offset) {
                (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
            }
            (line, column)
        };
        offsets.iter().map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::whole("{\"a\": 12}\r\n", 6..8, "{\"a\": 12}", "      ^^")]
    #[case::nothing("", 0..0, "", "^")]
    #[case::behind_the_end("{", 1..1, "{", " ^")]
    #[case::tabs("{\n\t\"é\": 1}", 9..10, "    \"é\": 1}", "         ^")]
    #[case::control("\u{1b}[2J x", 5..6, "\\u{1b}[2J x", "          ^")]
    #[case::over_the_end_of_the_line("\"a\nb\"", 0..5, "\"a", "^^")]
    fn a_line_is_shown_with_its_mark(
        #[case] text: &str,
        #[case] range: Range<usize>,
        #[case] line: &str,
        #[case] mark: &str,
    ) {
        assert_eq!(Excerpt::of(text, range), Excerpt { line: line.to_owned(), mark: mark.to_owned() });
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides() {
        let text = format!("{}!{}", "é".repeat(1 << 20), "x".repeat(1 << 20));
        let Excerpt { line, mark } = Excerpt::of(&text, (2 << 20)..(2 << 20) + 1);
        assert_eq!(line, format!("…{}!{}…", "é".repeat(60), "x".repeat(50)));
        assert_eq!(mark, format!("{}^", " ".repeat(61)));
        let Excerpt { line, mark } = Excerpt::of(&text, 0..2 << 20);
        assert_eq!([line.chars().count(), mark.len()], [41, 40]);
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(Lines::of("é{\n\n é\"", &[2, 3, 8, 9]), [(1, 2), (1, 3), (3, 3), (3, 4)]);
        assert_eq!(Lines::of("", &[0]), [(1, 1)]);
    }
}
