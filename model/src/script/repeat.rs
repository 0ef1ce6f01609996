//! Large values in scripts: `{"$repeat": ["x", 1048576]}` stands for that string so many times.

use serde_json::{Value, json};

/// The most bytes that all repeats of one script may come to.
pub const MAX_EXPANDED: usize = 16 << 20;

/// Runs of one character that are at least this long are written as a repeat.
const MIN_RUN: usize = 512;

/// A repeat that cannot be written out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RepeatError {
    /// Not `["text", count]`.
    #[error("`$repeat` takes a string and a count, as in {{\"$repeat\": [\"x\", 1024]}}; found {0}")]
    Shape(String),
    /// All repeats together are larger than [`MAX_EXPANDED`].
    #[error("the repeats of one script come to more than {MAX_EXPANDED} bytes")]
    TooLarge,
}

/// Writes out every repeat in `value`; how many bytes they came to.
///
/// # Errors
/// A repeat has another shape, or all of them come to more than [`MAX_EXPANDED`].
pub fn expand(value: &mut Value) -> Result<usize, RepeatError> {
    let mut left = MAX_EXPANDED;
    expand_within(value, &mut left)?;
    Ok(MAX_EXPANDED - left)
}

fn expand_within(value: &mut Value, left: &mut usize) -> Result<(), RepeatError> {
    match value {
        Value::Object(members) => {
            if let (1, Some(repeat)) = (members.len(), members.get("$repeat")) {
                let shape = || RepeatError::Shape(repeat.to_string());
                let Some([Value::String(unit), count]) = repeat.as_array().map(Vec::as_slice) else {
                    return Err(shape());
                };
                let count = count.as_u64().and_then(|count| usize::try_from(count).ok()).ok_or_else(shape)?;
                let size = unit.len().checked_mul(count).ok_or(RepeatError::TooLarge)?;
                *left = left.checked_sub(size).ok_or(RepeatError::TooLarge)?;
                *value = Value::String(unit.repeat(count));
                return Ok(());
            }
            members.values_mut().try_for_each(|member| expand_within(member, left))
        }
        Value::Array(items) => items.iter_mut().try_for_each(|item| expand_within(item, left)),
        _ => Ok(()),
    }
}

/// Writes every string that repeats one character as a repeat, so that files stay small.
pub fn compress(value: &mut Value) {
    match value {
        Value::String(text) if text.len() >= MIN_RUN => {
            let mut characters = text.chars();
            if let Some(first) = characters.next()
                && characters.all(|character| character == first)
            {
                *value = json!({ "$repeat": [first.to_string(), text.chars().count()] });
            }
        }
        Value::Object(members) => members.values_mut().for_each(compress),
        Value::Array(items) => items.iter_mut().for_each(compress),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeat_and_what_it_stands_for_are_interchangeable() {
        let mut value = json!({ "args": { "note": { "$repeat": ["é", 2000] } } });
        let written = value.clone();
        expand(&mut value).unwrap();
        assert_eq!(value["args"]["note"].as_str().unwrap().chars().count(), 2000);
        compress(&mut value);
        assert_eq!(value, written);
    }

    #[test]
    fn repeats_are_bounded_together() {
        let half = json!({ "$repeat": ["x", MAX_EXPANDED / 2 + 1] });
        assert_eq!(expand(&mut half.clone()), Ok(MAX_EXPANDED / 2 + 1));
        assert_eq!(expand(&mut json!([half, half])), Err(RepeatError::TooLarge));
        assert!(matches!(expand(&mut json!({ "$repeat": ["x", -1] })), Err(RepeatError::Shape(_))));
        assert!(matches!(expand(&mut json!({ "$repeat": "x" })), Err(RepeatError::Shape(_))));
    }
}
