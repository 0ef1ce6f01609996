//! Texts of whichever characters: every Unicode scalar value but the controls of ASCII, spread over texts.

use hookproof_model::matrices::Point;

use super::Exam;
use super::answer::judge;

/// How many characters a text holds: few enough that a limit on length is not taken for one on characters.
const CHARACTERS: usize = 12_000;

/// The texts for the point of this number. Every point is sent the plane that texts are written in; the other
/// planes are spread over the points.
pub(super) fn texts(points: usize, number: usize) -> impl Iterator<Item = String> {
    all().enumerate().filter_map(move |(index, text)| {
        let is_common = text.starts_with(|first| first < '\u{10000}');
        (is_common || index % points.max(1) == number).then_some(text)
    })
}

fn all() -> impl Iterator<Item = String> {
    let mut all = ' '..=char::MAX;
    std::iter::from_fn(move || {
        Some(all.by_ref().take(CHARACTERS).collect()).filter(|text: &String| !text.is_empty())
    })
}

/// The part of a text that is not answered well, as small as it can be found: one character if that is at fault.
pub(super) async fn narrow(exam: &Exam<'_>, point: Point, text: String) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    while characters.len() > 1 {
        let back = characters.split_off(characters.len() / 2);
        if fails(exam, point, &characters).await {
            continue;
        }
        if !fails(exam, point, &back).await {
            characters.extend(back);
            break;
        }
        characters = back;
    }
    characters.into_iter().collect()
}

async fn fails(exam: &Exam<'_>, point: Point, characters: &[char]) -> bool {
    let input = exam.inputs.text(point, &characters.iter().collect::<String>());
    judge(point, &input, &exam.ask(&input).await).counts.is_err()
}

/// A text by its first character and its last.
pub(super) fn named(text: &str) -> String {
    let name = |character: char| format!("U+{:04X}", u32::from(character));
    let mut characters = text.chars();
    match (characters.next().map(name), characters.next_back().map(name)) {
        (Some(first), Some(last)) => format!("the characters {first} to {last}"),
        (Some(only), None) => format!("the character {only}"),
        _ => "no characters".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn every_character_is_in_some_text_and_the_common_ones_are_in_every_points() {
        let of_point = |number| texts(4, number).flat_map(|text| text.chars().collect::<Vec<_>>());
        let mut sent: Vec<char> = (0..4).flat_map(of_point).collect();
        sent.sort_unstable();
        sent.dedup();
        assert!(sent.into_iter().eq(' '..=char::MAX));
        assert!((0..4).all(|number| of_point(number).any(|character| character == 'é')));
    }

    #[test]
    fn a_text_is_named_by_its_ends() {
        assert_eq!(named("é"), "the character U+00E9");
        assert_eq!(named("abc"), "the characters U+0061 to U+0063");
    }
}
