//! Mutants of waits and of the audit trail.

use hookproof_model::kernel::{Answer, Decision, Failure, Millis, Visit};
use hookproof_model::matrices::audit::{self, Evaluated};
use hookproof_model::matrices::wait::{self, WaitState};
use hookproof_model::matrices::{Point, wire};
use hookproof_model::reading::MatricesReadings;
use hookproof_model::script::matrices::{AuditEntry, PlatformError, Wait};

use crate::mutant::mutants;

mutants! {
    "waits-resolve-twice" breaks ["MX-WAIT-5"],
    "Resolving a wait that is no longer there is no error.",
    seen "openclaw#92376": WaitsResolveTwice in matrices {
        fn unresolvable(&self, _: &MatricesReadings, _: WaitState) -> Option<PlatformError> {
            None
        }
    }

    "any-resolution-approves" breaks ["MX-WAIT-6"],
    "A resolve whose body is no HookResult lets the work happen.",
    seen "goose#7915": AnyResolutionApproves in matrices {
        fn resolution(&self, readings: &MatricesReadings, point: Point, body: &str) -> Result<Answer, Failure> {
            let approve = Answer { decision: Decision::Allow, ..Answer::default() };
            Ok(wire::resolution(readings, point, body).unwrap_or(approve))
        }
    }

    "resolving-ends-the-chain" breaks ["MX-WAIT-3a"],
    "A wait that is resolved with a defer lets the work happen, and nobody behind is asked.",
    seen "": ResolvingEndsTheChain in matrices {
        fn resolution(&self, readings: &MatricesReadings, point: Point, body: &str) -> Result<Answer, Failure> {
            let mut answer = wire::resolution(readings, point, body)?;
            if answer.decision == Decision::Defer {
                answer.decision = Decision::Allow;
            }
            Ok(answer)
        }
    }

    "waits-do-not-show" breaks ["MX-WAIT-1"],
    "Parked work shows nowhere.",
    seen "": WaitsDoNotShow in matrices {
        fn pending(&self, _: Vec<(Wait, WaitState)>) -> Vec<Wait> {
            Vec::new()
        }
    }

    "ended-waits-show" breaks ["MX-WAIT-2"],
    "A thread is listed as waiting though none of its waits holds any more.",
    seen "": EndedWaitsShow in matrices {
        fn pending(&self, waits: Vec<(Wait, WaitState)>) -> Vec<Wait> {
            waits.into_iter().map(|(wait, _)| wait).collect()
        }
    }

    "one-wait-a-thread" breaks ["MX-WAIT-7"],
    "A thread shows the first of its waits alone, and is not waiting once that is gone.",
    seen "": OneWaitAThread in matrices {
        fn pending(&self, waits: Vec<(Wait, WaitState)>) -> Vec<Wait> {
            wait::pending(waits.into_iter().take(1).collect())
        }
    }

    "any-thread-resolves" breaks ["MX-WAIT-8"],
    "A wait can be resolved under the name of another thread.",
    seen "": AnyThreadResolves in matrices {
        fn is_of(&self, _: &str, _: &str) -> bool {
            true
        }
    }

    "cancelled-threads-go-on" breaks ["MX-WAIT-10a"],
    "The work of a cancelled thread can still be resolved, and happens.",
    seen "": CancelledThreadsGoOn in matrices {
        fn calls_off(&self) -> bool {
            false
        }
    }

    "entries-name-no-latency" breaks ["MX-AUD-1"],
    "Audit entries say 0 ms, however long a hook took.",
    seen "": EntriesNameNoLatency in matrices {
        fn entry(
            &self,
            readings: &MatricesReadings,
            point: Point,
            of: Evaluated<'_>,
            visit: &Visit,
        ) -> AuditEntry {
            AuditEntry { latency_ms: Millis::ZERO, ..audit::entry(readings, point, of, visit) }
        }
    }
}
