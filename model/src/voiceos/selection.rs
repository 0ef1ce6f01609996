//! Whose hook an event concerns, and what the agent sees: VO-SEL-1 to 5, VO-HIDE-1.

use super::event::{EventKind, RESERVED_PREFIX};
use super::manifest::Declared;
use crate::reading::VoiceosReadings;
use crate::reading::voiceos::BundleIds;
use crate::script::voiceos::App;

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

/// Whether an event concerns an integration: a tool tap concerns the tool's owner alone.
#[must_use]
pub fn concerns(kind: EventKind, integration: &str, owner: Option<&str>) -> bool {
    !kind.is_tool_tap() || owner == Some(integration)
}

/// Whether the agent can see and call a tool of this name.
#[must_use]
pub fn visible(tool: &str) -> bool {
    !tool.starts_with(RESERVED_PREFIX)
}
