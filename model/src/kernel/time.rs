//! Time on the virtual clock.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Whole milliseconds: a moment since a firing (or a platform) began, or a length of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Millis(#[cfg_attr(feature = "schema", schemars(range(max = 9_007_199_254_740_992_u64)))] pub u64);

impl<'de> Deserialize<'de> for Millis {
    /// HK-LIMIT-1: at most 2^53, so that times can be added without end.
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let millis = u64::deserialize(deserializer)?;
        if millis > 1 << 53 && millis != u64::MAX {
            return Err(serde::de::Error::custom(format_args!("{millis} ms; a time is at most 2^53 ms")));
        }
        Ok(Self(millis))
    }
}

impl Millis {
    /// The beginning.
    pub const ZERO: Self = Self(0);
    /// The end of time: a deadline that never comes.
    pub const MAX: Self = Self(u64::MAX);

    /// This much later; at the end of time, the end of time.
    #[must_use]
    pub const fn plus(self, length: Self) -> Self {
        Self(self.0.saturating_add(length.0))
    }

    /// From `earlier` to this moment; zero if it is not earlier.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self(self.0.saturating_sub(earlier.0))
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::MAX { f.pad("never") } else { write!(f, "{} ms", self.0) }
    }
}
