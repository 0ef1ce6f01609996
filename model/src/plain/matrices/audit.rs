//! The audit trail: MX-AUD-1 to 8.

use super::Platform;
use super::hook::{Point, Processor};
use crate::kernel::{Decision, Millis, Visit};
use crate::reading::matrices::{
    CancelAudit, Deliveries, FailingDecision, IndexBase, NotRewrote, ParkedAudit,
};
use crate::script::matrices::AuditEntry;

impl Platform<'_> {
    /// MX-AUD-1, MX-AUD-2a: a hook was evaluated.
    pub(super) fn write_turn(&mut self, index: usize, visit: &Visit) {
        let latency = visit.at.since(visit.asked.unwrap_or(visit.at));
        let Some(entry) = self.entry(index, visit.slot, self.recorded(visit), latency) else { return };
        self.write(
            index,
            AuditEntry {
                reason: visit.reason.clone(),
                failure: visit.failure,
                // MX-AUD-2b, MX-AUD-7.
                rewrote: (visit.rewrote || self.readings.not_rewrote == NotRewrote::False)
                    .then_some(visit.rewrote),
                ..entry
            },
        );
    }

    /// MX-AUD-6: a hook parked the work.
    pub(super) fn write_parking(&mut self, index: usize, slot: usize, at: Millis) {
        if self.readings.parked_audit == ParkedAudit::AtParkAndEnd {
            self.write_undecided(index, slot, at, "parked");
        }
    }

    /// MX-WAIT-10b, MX-AUD-9: a cancel dropped a wait, or did not let a hook answer.
    pub(super) fn write_cancelling(&mut self, index: usize, slot: usize, at: Millis, said: CancelAudit) {
        if said == CancelAudit::Deny {
            self.write_undecided(index, slot, at, "deny");
        }
    }

    /// An entry of a hook that has not come to a decision of its own.
    fn write_undecided(&mut self, index: usize, slot: usize, at: Millis, decision: &str) {
        let asked = self.firings.get(index).and_then(|firing| firing.asked.get(&slot)).copied();
        if let Some(entry) = self.entry(index, slot, decision, at.since(asked.unwrap_or(at))) {
            self.write(index, entry);
        }
    }

    /// MX-AUD-5: the decision that is recorded.
    fn recorded(&self, visit: &Visit) -> &'static str {
        match visit.decision {
            _ if visit.failure.is_some() && self.readings.failing_decision == FailingDecision::Failed => {
                "failed"
            }
            Decision::Defer => "defer",
            Decision::Allow | Decision::Handled => "allow",
            Decision::Deny => "deny",
        }
    }

    /// What every entry has.
    fn entry(&self, index: usize, slot: usize, decision: &str, latency: Millis) -> Option<AuditEntry> {
        let firing = self.firings.get(index)?;
        let link = firing.chain.get(slot)?;
        // MX-AUD-4.
        let base = match self.readings.index_base {
            IndexBase::ZeroBased => 0,
            IndexBase::OneBased => 1,
        };
        // MX-AUD-8.
        let is_told = match link.hook.processor {
            Processor::Url(_) => true,
            Processor::Agent(_) => self.readings.deliveries == Deliveries::UrlAndAgent,
            Processor::Client => false,
        };
        Some(AuditEntry {
            hook_id: link.hook.id.clone(),
            index: u32::try_from(link.index + base).ok()?,
            point: Point::of(&firing.fire.event).name().to_owned(),
            processor: link.hook.processor.kind().to_owned(),
            decision: decision.to_owned(),
            latency_ms: latency,
            reason: None,
            failure: None,
            rewrote: None,
            delivery_id: firing.deliveries.get(&slot).filter(|_| is_told).cloned(),
        })
    }

    /// Writes an entry to the trail of the firing's thread.
    fn write(&mut self, index: usize, entry: AuditEntry) {
        let Some(firing) = self.firings.get(index) else { return };
        if let Some(thread) = self.threads.iter_mut().find(|thread| thread.label == firing.fire.thread) {
            thread.audit.push(entry);
        }
    }
}
