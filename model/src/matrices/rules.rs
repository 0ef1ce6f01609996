//! The rules of this dialect that are no step of a firing, one method a rule, beside the kernel's
//! [`kernel::Rules`].

use serde_json::{Map, Value};

use super::audit::{self, Evaluated};
use super::defaults::{self, Installed};
use super::matching::{self, Happening};
use super::point::Point;
use super::profile::{self, Given, Processor, ProfileHook};
use super::wait::{self, WaitState};
use super::{outcome, wire};
use crate::fault::Fault;
use crate::kernel::{self, Answer, Decision, Failure, Reply, Visit};
use crate::reading::MatricesReadings;
use crate::script::matrices::{AuditEntry, Outcome, PlatformError, Says, Wait};

/// The rules of a Matrices platform.
pub trait Rules: kernel::Rules {
    /// MX-VAL-1 to 17, MX-DEF-10: whether a profile is taken.
    fn profile(
        &self,
        readings: &MatricesReadings,
        catalogue: &[ProfileHook],
        text: &str,
    ) -> Result<Given, Vec<Fault>> {
        profile::parse(readings, catalogue, text)
    }

    /// MX-VAL-15: what a profile is once an update of it was rejected.
    fn rejected(&self, before: &Installed) -> Installed {
        before.clone()
    }

    /// MX-DEF-1 to 3, 9: the hooks of a profile that is created.
    fn install(&self, readings: &MatricesReadings, catalogue: &[ProfileHook], given: Given) -> Installed {
        defaults::create(readings, catalogue, given)
    }

    /// MX-DEF-4, 5, 9: the hooks of a profile that is updated.
    fn update(
        &self,
        readings: &MatricesReadings,
        catalogue: &[ProfileHook],
        before: &Installed,
        given: Given,
    ) -> Installed {
        defaults::update(readings, catalogue, before, given)
    }

    /// MX-DEF-6 to 8: what a new default does to an existing profile.
    fn reach(
        &self,
        readings: &MatricesReadings,
        catalogue: &[ProfileHook],
        profile: &mut Installed,
        default: &ProfileHook,
    ) {
        defaults::reach(readings, catalogue, profile, default);
    }

    /// MX-MATCH-3 to 5: whether a tool pattern matches a name.
    fn matches(&self, readings: &MatricesReadings, pattern: &str, name: &str) -> bool {
        matching::matches(readings, pattern, name)
    }

    /// MX-MATCH-1, MX-PROC-2: whether a hook is for what happens.
    fn concerns(&self, readings: &MatricesReadings, hook: &ProfileHook, happening: Happening<'_>) -> bool {
        matching::concerns(readings, hook, happening, |pattern, name| self.matches(readings, pattern, name))
    }

    /// MX-PROC-1: whether a processor is delivered a HookInput; one that is not parks the work.
    fn is_delivered(&self, processor: &Processor) -> bool {
        wire::is_delivered(processor)
    }

    /// MX-WIRE-1: one HookInput.
    fn hook_input(
        &self,
        frame: &Map<String, Value>,
        point: Point,
        hook: &str,
        delivery: &str,
        sees: Value,
    ) -> Value {
        wire::hook_input(frame, point, hook, delivery, sees)
    }

    /// MX-WIRE-2 to 4, MX-FAIL-3, 4, MX-FOLD-1, 5, 7, 8, MX-PROC-3: what an answer means.
    fn decode(&self, readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
        wire::decode(readings, point, says)
    }

    /// MX-FOLD-2, MX-FOLD-9: what a decision does to the work.
    fn outcome(
        &self,
        readings: &MatricesReadings,
        point: Point,
        decision: Decision,
        value: Value,
    ) -> Outcome {
        outcome::outcome(readings, point, decision, value)
    }

    /// MX-WAIT-1, 2, 7: the waits of a thread that show in its `pendingWaits`.
    fn pending(&self, waits: Vec<(Wait, WaitState)>) -> Vec<Wait> {
        wait::pending(waits)
    }

    /// MX-WAIT-8: whether a resolve that names one thread can resolve the wait of another.
    fn is_of(&self, thread: &str, named: &str) -> bool {
        wait::is_of(thread, named)
    }

    /// MX-WAIT-3, MX-WAIT-6: what the body of a resolve means.
    fn resolution(&self, readings: &MatricesReadings, point: Point, body: &str) -> Result<Answer, Failure> {
        wire::resolution(readings, point, body)
    }

    /// MX-WAIT-5: why a wait in this state cannot be resolved, if it cannot.
    fn unresolvable(&self, readings: &MatricesReadings, state: WaitState) -> Option<PlatformError> {
        wait::unresolvable(readings, state)
    }

    /// MX-WAIT-10a: whether cancelling a thread calls its work off.
    fn calls_off(&self) -> bool {
        true
    }

    /// MX-AUD-1, 2, 4, 5, 8: the audit entry that a hook's turn leaves.
    fn entry(
        &self,
        readings: &MatricesReadings,
        point: Point,
        of: Evaluated<'_>,
        visit: &Visit,
    ) -> AuditEntry {
        audit::entry(readings, point, of, visit)
    }
}

impl Rules for kernel::Spec {}
