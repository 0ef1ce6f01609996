//! The audit trail: MX-AUD-1 to 8. One entry for each hook that was evaluated, when it has decided.

use super::point::Point;
use super::profile::{Processor, ProfileHook};
use crate::kernel::{Decision, Millis, Visit};
use crate::reading::MatricesReadings;
use crate::reading::matrices::{Deliveries, FailingDecision, IndexBase, NotRewrote};
use crate::script::matrices::AuditEntry;

/// A hook with its place in the profile's list, and the delivery that was made to it.
#[derive(Debug, Clone, Copy)]
pub struct Evaluated<'a> {
    /// The hook.
    pub hook: &'a ProfileHook,
    /// Its place, from zero.
    pub index: usize,
    /// The delivery's id, if one was made.
    pub delivery: Option<&'a str>,
}

/// The entry that a hook's turn leaves.
#[must_use]
pub fn entry(readings: &MatricesReadings, point: Point, of: Evaluated<'_>, visit: &Visit) -> AuditEntry {
    let decision = match (visit.decision, visit.failure, readings.failing_decision) {
        (_, Some(_), FailingDecision::Failed) => "failed",
        (Decision::Defer, ..) => "defer",
        (Decision::Allow, ..) => "allow",
        (Decision::Deny | Decision::Handled, ..) => "deny",
    };
    let rewrote = (visit.rewrote || readings.not_rewrote == NotRewrote::False).then_some(visit.rewrote);
    AuditEntry {
        rewrote,
        reason: visit.reason.clone(),
        failure: visit.failure,
        ..blank(readings, point, of, decision, visit.at.since(visit.asked.unwrap_or(visit.at)))
    }
}

/// An entry without what only a decision has.
#[must_use]
pub fn blank(
    readings: &MatricesReadings,
    point: Point,
    of: Evaluated<'_>,
    decision: &str,
    latency_ms: Millis,
) -> AuditEntry {
    let index = match readings.index_base {
        IndexBase::ZeroBased => of.index,
        IndexBase::OneBased => of.index + 1,
    };
    let delivered = match of.hook.processor {
        Processor::Url(_) => true,
        Processor::Agent(_) => readings.deliveries == Deliveries::UrlAndAgent,
        Processor::Client => false,
    };
    AuditEntry {
        hook_id: of.hook.id.clone(),
        index: u32::try_from(index).unwrap_or(u32::MAX),
        point: point.name().to_owned(),
        processor: of.hook.processor.kind().to_owned(),
        decision: decision.to_owned(),
        latency_ms,
        reason: None,
        failure: None,
        rewrote: None,
        delivery_id: of.delivery.filter(|_| delivered).map(str::to_owned),
    }
}
