//! The default hooks of a platform, and the profiles that a later one reaches: MX-DEF-1 to 10.

use serde_json::Value;

use super::hook::MatricesHook;
use super::profile;
use crate::reading::MatricesReadings;
use crate::reading::matrices::{DefaultPlace, FullProfile, LaterDefault, SentBack};
use crate::script::matrices::{FaultSeen, PlatformError};

/// A profile.
pub(super) struct Profile {
    pub(super) label: String,
    pub(super) hooks: Vec<Entry>,
    /// MX-DEF-2: whether the list that was sent last is empty.
    opted_out: bool,
}

/// A hook in a profile's list.
pub(super) struct Entry {
    pub(super) hook: MatricesHook,
    /// Whether the platform put it there.
    installed: bool,
}

impl Profile {
    /// MX-DEF-1, MX-DEF-2, MX-DEF-3: with the hooks that its text lists, or the defaults where it does
    /// not mention any.
    pub(super) fn with(label: &str, listed: Option<Vec<MatricesHook>>, catalogue: &[MatricesHook]) -> Self {
        let installed = listed.is_none();
        let opted_out = listed.as_ref().is_some_and(Vec::is_empty);
        // MX-VAL-1: at most 16, defaults included.
        let hooks = listed.unwrap_or_else(|| catalogue.to_vec());
        let hooks = hooks.into_iter().map(|hook| Entry { hook, installed }).collect();
        Self { label: label.to_owned(), hooks, opted_out }
    }

    /// MX-DEF-6: whether a later default is for this profile.
    fn is_reached(&self, catalogue: &[MatricesHook], readings: &MatricesReadings) -> bool {
        match readings.later_default {
            LaterDefault::HoldsADefault => {
                self.hooks.iter().any(|entry| entry.is_default(catalogue, readings))
            }
            LaterDefault::UntouchedOnly => {
                let all_defaults = self.hooks.iter().all(|entry| entry.is_default(catalogue, readings));
                all_defaults && self.hooks.iter().map(|entry| &entry.hook).eq(catalogue)
            }
            LaterDefault::AllButOptedOut => !self.opted_out,
        }
    }
}

impl Entry {
    /// MX-DEF-6, MX-DEF-9: whether it equals a default under its reserved id, and is one.
    fn is_default(&self, catalogue: &[MatricesHook], readings: &MatricesReadings) -> bool {
        let is_one = self.installed || readings.sent_back == SentBack::StillDefault;
        is_one && catalogue.contains(&self.hook)
    }
}

/// MX-DEF-1: the defaults that a platform has at first.
pub(super) fn catalogue(
    given: Option<&[Value]>,
    readings: &MatricesReadings,
) -> Result<Vec<MatricesHook>, Vec<FaultSeen>> {
    profile::catalogue(given.unwrap_or(&convention()), readings)
}

/// The six that stand in for those whose ids and matches the page does not print.
fn convention() -> Vec<Value> {
    let six = [
        ("payments", "payments.*"),
        ("billing", "billing.*"),
        ("email", "email.send"),
        ("files", "files.delete"),
        ("shell", "shell.*"),
        ("deploy", "deploy.*"),
    ];
    let default = |(name, tool): (&str, &str)| {
        serde_json::json!({
            "id": format!("default-approve-{name}"),
            "point": "before_tool_call",
            "match": { "tools": [tool] },
            "processor": { "kind": "client" },
            "onFailure": "fail_closed",
            "asyncTimeoutMs": 86_400_000,
        })
    };
    six.map(default).to_vec()
}

/// The platform gets another default, which reaches existing profiles.
pub(super) fn introduce(
    given: &Value,
    catalogue: &mut Vec<MatricesHook>,
    profiles: &mut [Profile],
    readings: &MatricesReadings,
) -> Result<(), PlatformError> {
    let read = profile::catalogue(std::slice::from_ref(given), readings);
    let Some(default) = read.ok().and_then(|hooks| hooks.into_iter().next()) else {
        return Err(PlatformError::BadDefault);
    };
    match catalogue.iter().find(|known| known.id == default.id) {
        // MX-DEF-7: adding it twice is adding it once.
        Some(known) if *known == default => return Ok(()),
        Some(_) => return Err(PlatformError::BadDefault),
        // MX-VAL-1: a profile that says nothing would come to more than it may have.
        None if catalogue.len() >= profile::MOST_HOOKS => return Err(PlatformError::BadDefault),
        None => {}
    }
    let reached = |profile: &&mut Profile| {
        // MX-DEF-7: nothing authored under its id is overwritten.
        profile.is_reached(catalogue, readings)
            && profile.hooks.iter().all(|entry| entry.hook.id != default.id)
    };
    let mut reached: Vec<_> = profiles.iter_mut().filter(reached).collect();
    // MX-DEF-8b.
    let is_full = |profile: &Profile| profile.hooks.len() >= profile::MOST_HOOKS;
    if readings.full_profile == FullProfile::Refuse && reached.iter().any(|profile| is_full(profile)) {
        return Err(PlatformError::BadDefault);
    }
    for profile in reached.iter_mut().filter(|profile| !is_full(profile)) {
        let place = match readings.default_place {
            DefaultPlace::Append => profile.hooks.len(),
            DefaultPlace::CatalogueOrder => behind_defaults(profile, catalogue, readings),
        };
        profile.hooks.insert(place, Entry { hook: default.clone(), installed: true });
    }
    catalogue.push(default);
    Ok(())
}

/// MX-DEF-8a: a later default stands last in the catalogue, so behind all of the profile's defaults.
fn behind_defaults(profile: &Profile, catalogue: &[MatricesHook], readings: &MatricesReadings) -> usize {
    let last = profile.hooks.iter().rposition(|entry| entry.is_default(catalogue, readings));
    last.map_or(profile.hooks.len(), |last| last + 1)
}
