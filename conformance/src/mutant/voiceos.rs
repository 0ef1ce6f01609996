//! Mutants of the VoiceOS dialect.

use hookproof_model::Fault;
use hookproof_model::kernel::{Answer, Decision, Failure, Reply};
use hookproof_model::reading::VoiceosReadings;
use hookproof_model::script::voiceos::{App, Policy, Says};
use hookproof_model::voiceos::EventKind;
use hookproof_model::voiceos::manifest::{self, Declared, Manifest};
use hookproof_model::voiceos::wire;
use serde_json::{Value, json};

use super::{altered, mutants};

mutants! {
    "errors-decide" breaks ["VO-WIRE-3"],
    "A decision in the text of a tool error counts.",
    seen "claude-code PR#68785": ErrorsDecide in voiceos {
        fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
            match says {
                Says::ToolError(text) => wire::decode(readings, kind, &Says::Text(text.clone())),
                other => wire::decode(readings, kind, other),
            }
        }
    }

    "truthy-confirmations" breaks ["VO-CONF-2"],
    "Whatever is truthy in requireConfirmation asks.",
    seen "adk-python#3113": TruthyConfirmations in voiceos {
        fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
            let reply = wire::decode(readings, kind, says);
            let truthy = |value: &Value| match value {
                Value::Null => false,
                Value::Bool(flag) => *flag,
                Value::Number(number) => number.as_f64() != Some(0.0),
                Value::String(text) => !text.is_empty(),
                Value::Array(_) | Value::Object(_) => true,
            };
            match (reply, says) {
                (Some(Reply::Answered(mut answer)), Says::Result(result)) if kind == EventKind::PreToolUse => {
                    answer.confirm = result.get("requireConfirmation").is_some_and(truthy);
                    Some(Reply::Answered(answer))
                }
                (reply, _) => reply,
            }
        }
    }

    "fires-whatever-is-frontmost" breaks ["VO-SEL-1", "VO-SEL-2"],
    "A hook's list of apps is not looked at.",
    seen "orca#11676": FiresWhateverIsFrontmost in voiceos {
        fn fires(&self, _: &VoiceosReadings, _: &Declared, _: Option<&App>) -> bool {
            true
        }
    }

    "taps-every-tool" breaks ["VO-SEL-4"],
    "A tool tap is called for the tools of other integrations, too.",
    seen "": TapsEveryTool in voiceos {
        fn concerns(&self, _: EventKind, _: &str, _: Option<&str>) -> bool {
            true
        }
    }

    "locks-are-ignored" breaks ["VO-CONF-3"],
    "A locked tool runs without asking.",
    seen "gen-code#441": LocksAreIgnored in voiceos {
        fn asks(&self, readings: &VoiceosReadings, policy: Policy, _: bool, hook: bool) -> bool {
            hookproof_model::voiceos::confirmation::asks(readings, policy, false, hook)
        }
    }

    "policies-are-ignored" breaks ["VO-CONF-1"],
    "A tool that the user wants to be asked for runs without asking.",
    seen "": PoliciesAreIgnored in voiceos {
        fn asks(&self, readings: &VoiceosReadings, policy: Policy, locked: bool, hook: bool) -> bool {
            let policy = if policy == Policy::Ask { Policy::Unset } else { policy };
            hookproof_model::voiceos::confirmation::asks(readings, policy, locked, hook)
        }
    }

    "hooks-are-visible" breaks ["VO-HIDE-1"],
    "The agent can see and call hook tools.",
    seen "": HooksAreVisible in voiceos {
        fn visible(&self, _: &str) -> bool {
            true
        }
    }

    "unreadable-answers-block" breaks ["VO-WIRE-4"],
    "An answer that is no HookResult blocks.",
    seen "": UnreadableAnswersBlock in voiceos {
        fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
            match wire::decode(readings, kind, says) {
                Some(Reply::Failed(Failure::Unparsable | Failure::WrongShape)) => {
                    Some(Reply::Answered(Box::new(Answer { decision: Decision::Deny, ..Answer::default() })))
                }
                reply => reply,
            }
        }
    }

    "blocks-are-ignored" breaks ["VO-FOLD-4a", "VO-FOLD-5", "VO-FOLD-6"],
    "A hook that blocks counts as one that continues.",
    seen "codex#27833": BlocksAreIgnored in voiceos {
        fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
            altered(wire::decode(readings, kind, says), |answer| {
                if answer.decision == Decision::Deny {
                    answer.decision = Decision::Defer;
                }
            })
        }
    }

    "handled-is-ignored" breaks ["VO-FOLD-4b", "VO-FOLD-3"],
    "A hook that handled the event counts as one that continues.",
    seen "": HandledIsIgnored in voiceos {
        fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
            altered(wire::decode(readings, kind, says), |answer| {
                if answer.decision == Decision::Handled {
                    answer.decision = Decision::Defer;
                }
            })
        }
    }

    "responses-are-not-shown" breaks ["VO-FOLD-11"],
    "What a hook lets the user read is not shown.",
    seen "": ResponsesAreNotShown in voiceos {
        fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
            altered(wire::decode(readings, kind, says), |answer| answer.response_text = None)
        }
    }

    "an-ending-needs-a-response" breaks ["VO-FOLD-12"],
    "A hook that handled the event without a response text counts as one that continues.",
    seen "": AnEndingNeedsAResponse in voiceos {
        fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
            altered(wire::decode(readings, kind, says), |answer| {
                if answer.decision == Decision::Handled && answer.response_text.is_none() {
                    answer.decision = Decision::Defer;
                }
            })
        }
    }

    "post-decisions-count" breaks ["VO-FOLD-8a"],
    "A block on postToolUse counts.",
    seen "": PostDecisionsCount in voiceos {
        fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
            let blocks = kind == EventKind::PostToolUse
                && matches!(says, Says::Result(result) if result.get("decision") == Some(&Value::from("block")));
            altered(wire::decode(readings, kind, says), |answer| {
                if blocks {
                    answer.decision = Decision::Deny;
                }
            })
        }
    }

    "unknown-members-spoil" breaks ["VO-WIRE-7"],
    "A member that no version of the contract has spoils the answer.",
    seen "": UnknownMembersSpoil in voiceos {
        fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
            let unknown = |result: &Value| {
                let mut names = result.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
                names.any(|name| !MEMBERS.contains(&name))
            };
            match says {
                Says::Result(result) if unknown(result) => Some(Reply::Failed(Failure::WrongShape)),
                says => wire::decode(readings, kind, says),
            }
        }
    }

    "foreign-members-count" breaks ["VO-WIRE-8"],
    "A confirmation that a hook of another event than preToolUse asks for spoils the answer.",
    seen "": ForeignMembersCount in voiceos {
        fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
            match says {
                Says::Result(result)
                    if kind != EventKind::PreToolUse && result.get("requireConfirmation").is_some() =>
                {
                    Some(Reply::Failed(Failure::WrongShape))
                }
                says => wire::decode(readings, kind, says),
            }
        }
    }

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
            forgiving(readings, text, "VO-MAN-8", |manifest| set(manifest, "tools", json!([{ "name": "other" }])))
        }
    }
}

/// The members of every event's HookResult.
const MEMBERS: [&str; 9] = [
    "decision",
    "updatedText",
    "updatedArgs",
    "updatedResult",
    "additionalContext",
    "requireConfirmation",
    "responseText",
    "view",
    "reason",
];

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
