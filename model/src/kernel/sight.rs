//! What a hook sees: HK-REWRITE-2, MX-MATCH-7.

use serde_json::Value;

use crate::reading::shared::Sight;

/// The value that a hook is handed, or that its conditions are held against.
#[must_use]
pub const fn sees<'v>(sight: Sight, original: &'v Value, composed: &'v Value) -> &'v Value {
    match sight {
        Sight::Composed => composed,
        Sight::Original => original,
    }
}
