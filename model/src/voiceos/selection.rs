//! Whose hook an event concerns, and what the agent sees: VO-EVT-1, VO-SEL-1 to 5, VO-HIDE-1.

use super::event::RESERVED_PREFIX;
use super::manifest::Declared;
use crate::reading::VoiceosReadings;
use crate::reading::voiceos::BundleIds;
use crate::script::voiceos::{App, Event};

/// Whether a hook fires while this app is frontmost. A hook without a list fires whatever is; an
/// unknown app, or one without a bundle id, is in no list.
#[must_use]
pub fn fires(readings: &VoiceosReadings, declared: &Declared, frontmost: Option<&App>) -> bool {
    let Some(apps) = &declared.apps else { return true };
    let Some(bundle) = frontmost.and_then(|app| app.bundle_id.as_deref()) else { return false };
    apps.iter().any(|app| match readings.bundle_ids {
        BundleIds::Exact => app == bundle,
        BundleIds::IgnoreCase => app.eq_ignore_ascii_case(bundle),
    })
}

/// Whether an event concerns an integration: what happens to a tool concerns its owner alone, so at most
/// one hook is asked (VO-SEL-5). Whether input was spoken or typed makes no difference (VO-EVT-1).
#[must_use]
pub fn concerns(event: &Event, integration: &str) -> bool {
    match event {
        Event::PreToolUse(event) => event.integration == integration,
        Event::PostToolUse(event) => event.integration == integration,
        Event::Transcript(_) | Event::Dictation(_) | Event::TurnComplete(_) => true,
    }
}

/// Whether the agent can see and call a tool of this name.
#[must_use]
pub fn visible(tool: &str) -> bool {
    !tool.starts_with(RESERVED_PREFIX)
}
