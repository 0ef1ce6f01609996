//! What a candidate answered with, where it should be JSON.

use serde_json::Value;

use super::MAX_VALUES;
use crate::words::quote;

/// The JSON that a candidate answered with.
pub(super) fn parse(text: &[u8]) -> Result<Value, String> {
    // What stands between values is counted, in texts too: no less than there are values, but for one.
    let between = text.iter().filter(|byte| matches!(byte, b',' | b':' | b'[')).count();
    if between > MAX_VALUES {
        return Err(format!(
            "answered with more than {MAX_VALUES} values; no more are read: {}",
            quote(text)
        ));
    }
    serde_json::from_slice(text)
        .map_err(|error| format!("answered with what is not JSON ({error}): {}", quote(text)))
}
