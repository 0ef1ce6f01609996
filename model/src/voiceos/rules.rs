//! The rules of this dialect that are no step of a firing, one method a rule, beside the kernel's
//! [`kernel::Rules`].

use serde_json::{Map, Value};

use super::confirmation::Demand;
use super::event::EventKind;
use super::loading::Standing;
use super::manifest::{self, Declared, Manifest};
use super::{call, confirmation, loading, selection, wire};
use crate::fault::Fault;
use crate::kernel::{self, Millis, Reply};
use crate::reading::VoiceosReadings;
use crate::script::voiceos::{App, Event, Outcome, Says, ToolStatus, User};

/// The rules of a VoiceOS host.
pub trait Rules: kernel::Rules {
    /// VO-MAN-1 to 10, VO-MAN-12: whether a manifest is taken.
    fn manifest(&self, readings: &VoiceosReadings, text: &str) -> Result<Manifest, Vec<Fault>> {
        manifest::parse(readings, text)
    }

    /// VO-MAN-11: whether the install sheet calls out that the integration has hooks.
    fn calls_out(&self, manifest: &Manifest) -> bool {
        loading::calls_out(manifest)
    }

    /// VO-LOAD-1, VO-LOAD-2b: whether a hook is there at all.
    fn loads(&self, standing: Standing) -> bool {
        loading::loads(standing)
    }

    /// VO-LOAD-2a: whether a loaded hook can be called.
    fn is_callable(&self, standing: Standing) -> bool {
        loading::is_callable(standing)
    }

    /// VO-CONSENT-1, VO-LIFE-1: whether a hook may be called, and its answer be heard.
    fn is_heard(&self, standing: Standing) -> bool {
        loading::is_heard(standing)
    }

    /// VO-CONSENT-3: where Transcript access stands once the user has moved the toggle.
    fn access(&self, _before: bool, set: bool) -> bool {
        set
    }

    /// VO-CONF-9: whether what the user decided about a tool outlives an update of its integration.
    fn keeps_decisions(&self) -> bool {
        true
    }

    /// VO-EVT-1 to 5: the event whose hooks hear of it.
    fn heard_as(&self, kind: EventKind) -> EventKind {
        kind
    }

    /// VO-SEL-4, VO-SEL-5, VO-EVT-1: whether an event concerns an integration.
    fn concerns(&self, event: &Event, integration: &str) -> bool {
        selection::concerns(event, integration)
    }

    /// VO-SEL-1 to 3: whether a declared hook fires while this app is frontmost.
    fn fires(&self, readings: &VoiceosReadings, declared: &Declared, frontmost: Option<&App>) -> bool {
        selection::fires(readings, declared, frontmost)
    }

    /// VO-HIDE-1, VO-HIDE-2: whether the agent can see and call a tool of this name.
    fn visible(&self, tool: &str) -> bool {
        selection::visible(tool)
    }

    /// VO-DL-1, VO-DL-7, VO-DL-8: the budget of a firing, `None` where it is not awaited. What an earlier
    /// firing of the same call took is none of its business.
    fn budget(&self, kind: EventKind, _spent_before: Millis) -> Option<Millis> {
        kind.budget()
    }

    /// VO-WIRE-1, VO-WIRE-2, VO-WIRE-10a: the payload of one call.
    fn payload(&self, kind: EventKind, frame: &Map<String, Value>, sees: &Value) -> Value {
        wire::payload(kind, frame, sees)
    }

    /// VO-WIRE-3 to 13, VO-FOLD-1 to 3, 7, 8: what an answer means.
    fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
        wire::decode(readings, kind, says)
    }

    /// VO-CONF-1, 3 to 5: whether a call asks first.
    fn asks(&self, readings: &VoiceosReadings, demand: Demand) -> bool {
        confirmation::asks(readings, demand)
    }

    /// VO-CONF-6: the arguments that a card shows.
    fn shows(&self, called: &Map<String, Value>, rewritten: &Map<String, Value>) -> Map<String, Value> {
        confirmation::shows(called, rewritten)
    }

    /// VO-CONF-6 to 8: what comes of a call that asked.
    fn decided(&self, readings: &VoiceosReadings, user: &User, shown: Map<String, Value>) -> Outcome {
        confirmation::decided(readings, user, shown)
    }

    /// VO-EVT-3, VO-CONF-7a: the arguments that the tool runs with, if it runs.
    fn runs_with(
        &self,
        called: &Map<String, Value>,
        outcome: Option<&Outcome>,
    ) -> Option<Map<String, Value>> {
        call::runs_with(called, outcome)
    }

    /// VO-FOLD-17a, VO-CONF-7b: whether postToolUse fires, for a tool that ran or, where `ran` is `None`,
    /// did not.
    fn is_followed_up(&self, readings: &VoiceosReadings, ran: Option<ToolStatus>) -> bool {
        call::is_followed_up(readings, ran)
    }

    /// VO-EVT-4: what the model reads of a tool's result.
    fn reads(&self, result: Value, outcome: Option<Outcome>) -> Value {
        call::reads(result, outcome)
    }
}

impl Rules for kernel::Spec {}
