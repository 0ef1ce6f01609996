//! Mutants of the VoiceOS dialect.

use hookproof_model::kernel::Reply;
use hookproof_model::reading::VoiceosReadings;
use hookproof_model::script::voiceos::{App, Policy, Says};
use hookproof_model::voiceos::EventKind;
use hookproof_model::voiceos::manifest::Declared;
use hookproof_model::voiceos::wire;
use serde_json::Value;

use super::mutants;

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
}
