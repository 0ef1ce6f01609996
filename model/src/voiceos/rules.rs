//! The rules of this dialect that are no step of a firing, one method a rule, beside the kernel's
//! [`kernel::Rules`].

use super::event::EventKind;
use super::manifest::{self, Declared, Manifest};
use super::{confirmation, selection, wire};
use crate::fault::Fault;
use crate::kernel::{self, Reply};
use crate::reading::VoiceosReadings;
use crate::script::voiceos::{App, Policy, Says};

/// The rules of a VoiceOS host.
pub trait Rules: kernel::Rules {
    /// VO-MAN-1 to 10: whether a manifest is taken.
    fn manifest(&self, readings: &VoiceosReadings, text: &str) -> Result<Manifest, Vec<Fault>> {
        manifest::parse(readings, text)
    }

    /// VO-SEL-1 to 3: whether a declared hook fires while this app is frontmost.
    fn fires(&self, readings: &VoiceosReadings, declared: &Declared, frontmost: Option<&App>) -> bool {
        selection::fires(readings, declared, frontmost)
    }

    /// VO-SEL-4: whether a hook is concerned by an event of this owner's tool.
    fn concerns(&self, kind: EventKind, integration: &str, owner: Option<&str>) -> bool {
        selection::concerns(kind, integration, owner)
    }

    /// VO-WIRE-3 to 11, VO-FOLD-1 to 3, 7, 8: what an answer means.
    fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
        wire::decode(readings, kind, says)
    }

    /// VO-CONF-1, 3, 4: whether a call that would run asks first.
    fn asks(&self, readings: &VoiceosReadings, policy: Policy, locked: bool, hook: bool) -> bool {
        confirmation::asks(readings, policy, locked, hook)
    }

    /// VO-HIDE-1, VO-HIDE-2: whether the agent can see and call a tool of this name.
    fn visible(&self, tool: &str) -> bool {
        selection::visible(tool)
    }
}

impl Rules for kernel::Spec {}
