//! Mutants of the manifest's checks.

use hookproof_model::Fault;
use hookproof_model::reading::VoiceosReadings;
use hookproof_model::voiceos::event::RESERVED_PREFIX;
use hookproof_model::voiceos::manifest::{self, Manifest};
use serde_json::{Map, Value, json};

use crate::mutant::mutants;

mutants! {
    "no-permission-needed" breaks ["VO-MAN-1"],
    "A manifest may declare hooks without the transcript permission.",
    seen "": NoPermissionNeeded in voiceos {
        fn manifest(&self, readings: &VoiceosReadings, text: &str) -> Result<Manifest, Vec<Fault>> {
            forgiving(readings, text, "VO-MAN-1", |manifest| set(manifest, "permissions", every_scope()))
        }
    }

    "any-scope-covers" breaks ["VO-MAN-2"],
    "Whatever scope is granted covers every hook.",
    seen "": AnyScopeCovers in voiceos {
        fn manifest(&self, readings: &VoiceosReadings, text: &str) -> Result<Manifest, Vec<Fault>> {
            forgiving(readings, text, "VO-MAN-2", |manifest| set(manifest, "permissions", every_scope()))
        }
    }

    "dictation-needs-no-apps" breaks ["VO-MAN-4"],
    "A dictation hook that names no apps is taken, and never fires.",
    seen "orca#11676": DictationNeedsNoApps in voiceos {
        fn manifest(&self, readings: &VoiceosReadings, text: &str) -> Result<Manifest, Vec<Fault>> {
            forgiving(readings, text, "VO-MAN-4", |manifest| {
                if let Some(hooks) = manifest.get_mut("hooks") {
                    set(hooks, "dictation", json!({ "apps": ["no.such.app"] }));
                }
            })
        }
    }

    "reserved-names-are-free" breaks ["VO-MAN-8"],
    "A manifest may declare a tool under a reserved name, which is then left out.",
    seen "": ReservedNamesAreFree in voiceos {
        fn manifest(&self, readings: &VoiceosReadings, text: &str) -> Result<Manifest, Vec<Fault>> {
            forgiving(readings, text, "VO-MAN-8", |manifest| {
                if let Some(Value::Array(tools)) = manifest.get_mut("tools") {
                    let name = |tool: &Value| tool.get("name").and_then(Value::as_str).map(str::to_owned);
                    tools.retain(|tool| !name(tool).unwrap_or_default().starts_with(RESERVED_PREFIX));
                    if tools.is_empty() {
                        tools.push(json!({ "name": "other" }));
                    }
                }
            })
        }
    }

    "taps-may-take-any-scope" breaks ["VO-MAN-6"],
    "The scope of a tool tap is not looked at.",
    seen "": TapsMayTakeAnyScope in voiceos {
        fn manifest(&self, readings: &VoiceosReadings, text: &str) -> Result<Manifest, Vec<Fault>> {
            forgiving(readings, text, "VO-MAN-6", |manifest| {
                let hooks = manifest.get_mut("hooks").and_then(Value::as_object_mut);
                for hook in hooks.into_iter().flat_map(Map::values_mut) {
                    set(hook, "scope", json!("own"));
                }
            })
        }
    }

    "versions-need-no-numbers" breaks ["VO-MAN-9"],
    "A manifest may have any version, name and summary.",
    seen "": VersionsNeedNoNumbers in voiceos {
        fn manifest(&self, readings: &VoiceosReadings, text: &str) -> Result<Manifest, Vec<Fault>> {
            forgiving(readings, text, "VO-MAN-9", |manifest| {
                set(manifest, "version", json!("0.0.0"));
                set(manifest, "name", json!("unnamed"));
                set(manifest, "summary", json!(""));
            })
        }
    }

    "hooks-are-installed-quietly" breaks ["VO-MAN-11"],
    "The install sheet does not say that an integration has hooks.",
    seen "": HooksAreInstalledQuietly in voiceos {
        fn calls_out(&self, _: &Manifest) -> bool {
            false
        }
    }
}

/// A manifest whose only faults are against one clause is read as if they had been mended.
fn forgiving(
    readings: &VoiceosReadings,
    text: &str,
    clause: &str,
    mend: impl FnOnce(&mut Value),
) -> Result<Manifest, Vec<Fault>> {
    let faults = match manifest::parse(readings, text) {
        Err(faults) if faults.iter().all(|fault| fault.clause == clause) => faults,
        result => return result,
    };
    let Ok(mut document) = serde_json::from_str::<Value>(text) else { return Err(faults) };
    mend(&mut document);
    manifest::parse(readings, &document.to_string())
}

fn every_scope() -> Value {
    json!([{ "kind": "transcript", "scope": "all" }])
}

fn set(object: &mut Value, name: &str, member: Value) {
    if let Value::Object(members) = object {
        members.insert(name.to_owned(), member);
    }
}
