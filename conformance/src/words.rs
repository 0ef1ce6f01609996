//! How what came instead of an answer is put into words.

use std::error::Error;

use serde_json::Value;

/// How much of an unexpected text is quoted.
const QUOTED: usize = 200;

/// The beginning of a text in one line, quoted.
pub(crate) fn quote(text: &[u8]) -> String {
    // Four bytes a character at most, one character more to see whether there is more.
    let prefix = text.get(..4 * (QUOTED + 1)).unwrap_or(text);
    let text = String::from_utf8_lossy(prefix);
    let text = text.trim();
    if text.is_empty() {
        return "nothing".to_owned();
    }
    let mut quoted: String =
        text.chars().take(QUOTED).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(QUOTED).is_some() {
        quoted.push('…');
    }
    format!("`{quoted}`")
}

/// The innermost cause: the outer layers only say which library saw it.
pub(crate) fn root(error: &(dyn Error + 'static)) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

/// A value as JSON, quoted.
pub(crate) fn short(value: &Value) -> String {
    quote(value.to_string().as_bytes())
}

/// A name that somebody else made up, as far as a sentence takes it.
pub(crate) fn plain(name: &str) -> String {
    quote(name.as_bytes()).trim_matches('`').to_owned()
}
