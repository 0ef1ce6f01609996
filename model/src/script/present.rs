//! Serde helpers for members where presence decides.

use serde::{Deserialize, Deserializer};

/// Tells a member that is `null` (`Some(Null)`) from one that is absent (`None`, by default).
pub(crate) fn present<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(deserializer).map(Some)
}

pub(crate) fn is_false(flag: &bool) -> bool {
    !*flag
}
