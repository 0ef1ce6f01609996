//! Which hooks load, who is called, and who is heard: VO-LOAD, VO-CONSENT-1, VO-CONSENT-3, VO-LIFE-1,
//! VO-MAN-11.

use super::manifest::Manifest;

/// How an integration stands to one event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Whether its manifest declares a hook for it.
    pub declared: bool,
    /// Whether its server has the reserved tool.
    pub offered: bool,
    /// Whether it was stripped of the `transcript` permission.
    pub stripped: bool,
    /// Whether its Transcript access is on.
    pub access: bool,
    /// Whether it was removed since the firing began.
    pub removed: bool,
}

/// VO-LOAD-1, VO-LOAD-2b: whether its hook is there at all.
#[must_use]
pub const fn loads(standing: Standing) -> bool {
    standing.declared && !standing.stripped
}

/// VO-LOAD-2a: whether a loaded hook can be called.
#[must_use]
pub const fn is_callable(standing: Standing) -> bool {
    standing.offered
}

/// VO-CONSENT-1, VO-LIFE-1: whether it may be called, and its answer be heard. To remove an integration
/// is, for a firing under way, like switching access off.
#[must_use]
pub const fn is_heard(standing: Standing) -> bool {
    loads(standing) && standing.access && !standing.removed
}

/// VO-MAN-11: whether the install sheet calls out that the integration has hooks.
#[must_use]
pub fn calls_out(manifest: &Manifest) -> bool {
    !manifest.hooks.is_empty()
}
