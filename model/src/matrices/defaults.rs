//! Default hooks: MX-DEF-1 to 9.
//!
//! The catalogue is an input; this one is the convention for scripts that bring none. Reaching a
//! profile is idempotent, never overwrites a hook and never revives one that the profile removed.

use std::collections::BTreeSet;

use serde_json::json;

use super::point::Point;
use super::profile::{DEFAULT_DEADLINE, Given, MAX_ASYNC_TIMEOUT, MAX_HOOKS, Processor, ProfileHook};
use crate::kernel::FailurePolicy;
use crate::reading::MatricesReadings;
use crate::reading::matrices::{DefaultPlace, FullProfile, LaterDefault, SentBack, UnmentionedHooks};

/// The tools that the six defaults of the convention are for.
const CONVENTION: [(&str, &str); 6] = [
    ("default-approve-payments", "payments.*"),
    ("default-approve-billing", "billing.*"),
    ("default-approve-email", "email.send"),
    ("default-approve-files", "files.delete"),
    ("default-approve-shell", "shell.*"),
    ("default-approve-deploy", "deploy.*"),
];

/// MX-DEF-1: the six defaults of the convention.
#[must_use]
pub fn convention() -> Vec<ProfileHook> {
    CONVENTION
        .into_iter()
        .map(|(id, tools)| ProfileHook {
            id: id.to_owned(),
            point: Point::BeforeToolCall,
            tools: Some(vec![tools.to_owned()]),
            conditions: Vec::new(),
            processor: Processor::Client,
            policy: FailurePolicy::FailClosed,
            async_timeout: MAX_ASYNC_TIMEOUT,
            deadline: DEFAULT_DEADLINE,
        })
        .collect()
}

/// The defaults of the convention as a profile would list them.
#[must_use]
pub fn convention_json() -> Vec<serde_json::Value> {
    CONVENTION
        .into_iter()
        .map(|(id, tools)| {
            json!({ "id": id, "point": "before_tool_call", "match": { "tools": [tools] },
                    "processor": { "kind": "client" }, "asyncTimeoutMs": MAX_ASYNC_TIMEOUT,
                    "onFailure": "fail_closed" })
        })
        .collect()
}

/// The hooks of a profile, with what its history says about defaults.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Installed {
    /// In list order; with each, whether it stands as a default.
    pub hooks: Vec<(ProfileHook, bool)>,
    /// Whether the profile asked for no hooks at all.
    pub opted_out: bool,
    /// The defaults that have been offered to this profile, held still or not.
    pub offered: BTreeSet<String>,
}

/// MX-DEF-1 to 3, 9: the hooks of a profile that is created.
#[must_use]
pub fn create(readings: &MatricesReadings, catalogue: &[ProfileHook], given: Given) -> Installed {
    let offered = catalogue.iter().map(|hook| hook.id.clone()).collect();
    let still_default = |hook: &ProfileHook| {
        readings.sent_back == SentBack::StillDefault && catalogue.iter().any(|default| default == hook)
    };
    let (hooks, opted_out) = match given {
        Given::Omitted => (catalogue.iter().map(|hook| (hook.clone(), true)).collect(), false),
        Given::Listed(listed) => {
            let opted_out = listed.is_empty();
            let stand = listed.into_iter().map(|hook| (still_default(&hook), hook));
            (stand.map(|(stands, hook)| (hook, stands)).collect(), opted_out)
        }
    };
    Installed { hooks, opted_out, offered }
}

/// MX-DEF-4, 5, 9: the hooks of a profile that is updated.
#[must_use]
pub fn update(
    readings: &MatricesReadings,
    catalogue: &[ProfileHook],
    before: &Installed,
    given: Given,
) -> Installed {
    if given == Given::Omitted && readings.unmentioned_hooks == UnmentionedHooks::Keep {
        return before.clone();
    }
    create(readings, catalogue, given)
}

/// Whether a new default may go into every profile that it reaches (MX-DEF-8b, refuse).
#[must_use]
pub fn fits(
    readings: &MatricesReadings,
    catalogue: &[ProfileHook],
    profile: &Installed,
    default: &ProfileHook,
) -> bool {
    readings.full_profile == FullProfile::Skip
        || profile.hooks.len() < MAX_HOOKS
        || !reaches(readings, catalogue, profile, default)
}

/// MX-DEF-6 to 8: lets a new default reach a profile, where `catalogue` is that before it.
pub fn reach(
    readings: &MatricesReadings,
    catalogue: &[ProfileHook],
    profile: &mut Installed,
    default: &ProfileHook,
) {
    let reaches = reaches(readings, catalogue, profile, default) && profile.hooks.len() < MAX_HOOKS;
    profile.offered.insert(default.id.clone());
    // One that the profile has authored already, and that equals it, is the default from now on.
    for (hook, stands) in &mut profile.hooks {
        *stands |= hook == default && readings.sent_back == SentBack::StillDefault;
    }
    if !reaches {
        return;
    }
    let place = match readings.default_place {
        DefaultPlace::Append => profile.hooks.len(),
        DefaultPlace::CatalogueOrder => profile
            .hooks
            .iter()
            .rposition(|(_, default)| *default)
            .map_or(profile.hooks.len(), |last| last + 1),
    };
    profile.hooks.insert(place, (default.clone(), true));
}

/// MX-DEF-6, MX-DEF-7.
fn reaches(
    readings: &MatricesReadings,
    catalogue: &[ProfileHook],
    profile: &Installed,
    default: &ProfileHook,
) -> bool {
    let known =
        profile.offered.contains(&default.id) || profile.hooks.iter().any(|(hook, _)| hook.id == default.id);
    let qualifies = match readings.later_default {
        LaterDefault::HoldsADefault => profile.hooks.iter().any(|(_, default)| *default),
        LaterDefault::UntouchedOnly => {
            profile.hooks.iter().all(|(_, default)| *default)
                && profile.hooks.iter().map(|(hook, _)| hook).eq(catalogue)
        }
        LaterDefault::AllButOptedOut => true,
    };
    !known && !profile.opted_out && qualifies
}
