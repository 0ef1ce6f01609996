//! What a chain's decision does to the work: MX-FOLD-2, MX-FOLD-9.

use serde_json::Value;

use super::point::Point;
use crate::kernel::Decision;
use crate::reading::MatricesReadings;
use crate::reading::matrices::Withheld;
use crate::script::matrices::{Outcome, Place};

/// What becomes of the work, where its value is as composed. Before a tool or the agent has run, a deny
/// keeps it from happening; afterwards only from being persisted and returned.
#[must_use]
pub fn outcome(readings: &MatricesReadings, point: Point, decision: Decision, value: Value) -> Outcome {
    match decision {
        Decision::Defer | Decision::Allow => Outcome::WentOn { value },
        Decision::Deny | Decision::Handled if point.is_before() => Outcome::Denied {},
        Decision::Deny | Decision::Handled => Outcome::Withheld {
            place: match readings.withheld {
                Withheld::Error => Place::Error,
                Withheld::Null => Place::Null,
                Withheld::Absent => Place::Absent,
            },
        },
    }
}
