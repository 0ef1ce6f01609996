//! Mutants of the wire: budgets, payloads and answers.

use hookproof_model::kernel::{Answer, Decision, Failure, Millis, Reply};
use hookproof_model::reading::VoiceosReadings;
use hookproof_model::script::voiceos::Says;
use hookproof_model::voiceos::{EventKind, wire};
use serde_json::{Map, Value};

use crate::mutant::{altered, mutants};

/// The budget of a receipt where one is awaited, in milliseconds.
const RECEIPT_BUDGET: Millis = Millis(2000);

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

    "undecided-answers-spoil" breaks ["VO-FOLD-1"],
    "An answer without a decision is no HookResult.",
    seen "": UndecidedAnswersSpoil in voiceos {
        fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
            match says {
                Says::Result(result) if result.get("decision").is_none() => {
                    Some(Reply::Failed(Failure::WrongShape))
                }
                says => wire::decode(readings, kind, says),
            }
        }
    }

    "schemas-are-not-looked-at" breaks ["VO-WIRE-13"],
    "Of the content of a result what is no content is passed over, and so is what else MCP does not allow.",
    seen "": SchemasAreNotLookedAt in voiceos {
        fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
            let is_content = |item: &&Value| match item.get("type").and_then(Value::as_str) {
                Some("text") => item.get("text").is_some_and(Value::is_string),
                other => other.is_some(),
            };
            let items = match says {
                Says::Content(items) => Some(items),
                Says::CallResult(result) if result.get("isError") != Some(&Value::Bool(true)) => {
                    result.get("content").and_then(Value::as_array)
                }
                _ => None,
            };
            let lenient = items.map(|items| Says::Content(items.iter().filter(is_content).cloned().collect()));
            wire::decode(readings, kind, lenient.as_ref().unwrap_or(says))
        }
    }

    "receipts-can-be-blocked" breaks ["VO-FOLD-8b"],
    "A receipt is awaited, and a hook that blocks it keeps it from those behind.",
    seen "": ReceiptsCanBeBlocked in voiceos {
        fn budget(&self, kind: EventKind, _: Millis) -> Option<Millis> {
            kind.budget().or(Some(RECEIPT_BUDGET))
        }

        fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
            let kind = if kind == EventKind::TurnComplete { EventKind::Transcript } else { kind };
            wire::decode(readings, kind, says)
        }
    }

    "receipts-are-awaited" breaks ["VO-DL-7"],
    "A receipt is sent to one hook after the other, each behind the answer of the one before.",
    seen "": ReceiptsAreAwaited in voiceos {
        fn budget(&self, kind: EventKind, _: Millis) -> Option<Millis> {
            kind.budget().or(Some(RECEIPT_BUDGET))
        }
    }

    "double-budgets" breaks ["VO-DL-1"],
    "Every budget is twice what the page says.",
    seen "": DoubleBudgets in voiceos {
        fn budget(&self, kind: EventKind, _: Millis) -> Option<Millis> {
            kind.budget().map(|budget| budget.plus(budget))
        }
    }

    "one-budget-a-call" breaks ["VO-DL-8"],
    "What preToolUse took of its budget is missing from postToolUse's.",
    seen "": OneBudgetACall in voiceos {
        fn budget(&self, kind: EventKind, spent_before: Millis) -> Option<Millis> {
            kind.budget().map(|budget| budget.since(spent_before))
        }
    }

    "absent-members-are-null" breaks ["VO-WIRE-1"],
    "Optional members of a payload that are absent are sent as null.",
    seen "": AbsentMembersAreNull in voiceos {
        fn payload(&self, kind: EventKind, frame: &Map<String, Value>, sees: &Value) -> Value {
            let optional: &[&str] = match kind {
                EventKind::Transcript => &["detectedLanguage", "audioDurationMs", "sessionId", "frontmostApp"],
                EventKind::Dictation => &["rawTranscript", "detectedLanguage", "targetApp"],
                EventKind::PreToolUse => &["frontmostApp"],
                EventKind::PostToolUse => &[],
                EventKind::TurnComplete => &["sessionId"],
            };
            changed(wire::payload(kind, frame, sees), |payload| {
                for name in optional {
                    payload.entry(*name).or_insert(Value::Null);
                }
            })
        }
    }

    "tool-names-are-namespaced" breaks ["VO-WIRE-1"],
    "A payload names a tool as the agent knows it, not as its manifest does.",
    seen "": ToolNamesAreNamespaced in voiceos {
        fn payload(&self, kind: EventKind, frame: &Map<String, Value>, sees: &Value) -> Value {
            changed(wire::payload(kind, frame, sees), |payload| {
                if let Some(Value::String(name)) = payload.get_mut("toolName") {
                    name.insert_str(0, "mcp__");
                }
            })
        }
    }

    "raw-transcripts-follow-rewrites" breaks ["VO-WIRE-1"],
    "A rewrite of dictated text changes the raw transcript, too.",
    seen "": RawTranscriptsFollowRewrites in voiceos {
        fn payload(&self, kind: EventKind, frame: &Map<String, Value>, sees: &Value) -> Value {
            changed(wire::payload(kind, frame, sees), |payload| {
                if let Some(raw) = payload.get_mut("rawTranscript") {
                    raw.clone_from(sees);
                }
            })
        }
    }

    "payloads-name-no-version" breaks ["VO-WIRE-2"],
    "Payloads lack hookApiVersion.",
    seen "": PayloadsNameNoVersion in voiceos {
        fn payload(&self, kind: EventKind, frame: &Map<String, Value>, sees: &Value) -> Value {
            changed(wire::payload(kind, frame, sees), |payload| {
                payload.remove("hookApiVersion");
            })
        }
    }

    "payloads-name-no-event" breaks ["VO-WIRE-2"],
    "Payloads lack the name of their event.",
    seen "": PayloadsNameNoEvent in voiceos {
        fn payload(&self, kind: EventKind, frame: &Map<String, Value>, sees: &Value) -> Value {
            changed(wire::payload(kind, frame, sees), |payload| {
                payload.remove("event");
            })
        }
    }

    "text-is-cleaned" breaks ["VO-WIRE-10a"],
    "Control characters are taken out of the text that hooks are handed.",
    seen "": TextIsCleaned in voiceos {
        fn payload(&self, kind: EventKind, frame: &Map<String, Value>, sees: &Value) -> Value {
            let cleaned = sees.as_str().map(|text| text.chars().filter(|c| !c.is_control()).collect::<String>());
            wire::payload(kind, frame, &cleaned.map_or_else(|| sees.clone(), Value::from))
        }
    }

    "handed-values-are-shared" breaks ["HK-ISOLATE-1"],
    "What a hook in process does to the value that it was handed is taken for its rewrite.",
    seen "docker-agent#4207": HandedValuesAreShared in voiceos {
        fn decode(&self, readings: &VoiceosReadings, kind: EventKind, says: &Says) -> Option<Reply> {
            altered(wire::decode(readings, kind, says), |answer| {
                if matches!(says, Says::Mutates(_)) && answer.rewrite.is_none() {
                    answer.rewrite = match kind {
                        EventKind::Transcript | EventKind::Dictation => Some(Value::from("")),
                        EventKind::PreToolUse | EventKind::PostToolUse => Some(Value::Object(Map::new())),
                        EventKind::TurnComplete => None,
                    };
                }
            })
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

/// A payload with something changed.
fn changed(mut payload: Value, change: impl FnOnce(&mut Map<String, Value>)) -> Value {
    if let Value::Object(members) = &mut payload {
        change(members);
    }
    payload
}
