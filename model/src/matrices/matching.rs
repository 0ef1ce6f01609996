//! Which tools a hook is for: MX-MATCH-1, MX-MATCH-3 to 5. Conditions on the value are the
//! kernel's [`guard`](crate::kernel::guard).

use crate::reading::MatricesReadings;
use crate::reading::matrices::{EmptyTail, Wildcard};

/// Whether a tool pattern (an exact name, or one trailing wildcard) matches a tool's name.
#[must_use]
pub fn matches(readings: &MatricesReadings, pattern: &str, name: &str) -> bool {
    let Some(prefix) = pattern.strip_suffix('*') else { return pattern == name };
    let Some(tail) = name.strip_prefix(prefix) else { return false };
    let filled = !tail.is_empty() || readings.empty_tail == EmptyTail::Matches;
    let within = readings.wildcard == Wildcard::CrossesDots || !tail.contains('.');
    filled && within
}
