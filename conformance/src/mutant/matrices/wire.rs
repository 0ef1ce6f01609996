//! Mutants of the wire and of what an answer does to the work.

use hookproof_model::kernel::{Answer, Decision, Failure, Reply};
use hookproof_model::matrices::profile::Processor;
use hookproof_model::matrices::{Point, outcome, wire};
use hookproof_model::reading::MatricesReadings;
use hookproof_model::script::matrices::{Outcome, Says};
use serde_json::{Map, Value};

use crate::mutant::{altered, mutants};

mutants! {
    "answers-from-any-status" breaks ["MX-FAIL-3"],
    "A status outside 2xx without a body counts as a defer.",
    seen "KiroCrew#7339": AnswersFromAnyStatus in matrices {
        fn decode(&self, readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
            match says {
                Says::Status(300..) => Some(Reply::defer()),
                other => wire::decode(readings, point, other),
            }
        }
    }

    "broken-bodies-allow" breaks ["MX-FAIL-3"],
    "A body that is no HookResult counts as an allow.",
    seen "ANOLISA#2128": BrokenBodiesAllow in matrices {
        fn decode(&self, readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
            match wire::decode(readings, point, says) {
                Some(Reply::Failed(Failure::Unparsable | Failure::WrongShape)) => {
                    Some(Reply::Answered(Box::new(Answer { decision: Decision::Allow, ..Answer::default() })))
                }
                reply => reply,
            }
        }
    }

    "denials-are-ignored" breaks ["MX-FOLD-2"],
    "A hook that denies counts as one that defers.",
    seen "lua-cs-bouncer#62": DenialsAreIgnored in matrices {
        fn decode(&self, readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
            altered(wire::decode(readings, point, says), |answer| {
                if answer.decision == Decision::Deny {
                    answer.decision = Decision::Defer;
                }
            })
        }
    }

    "reasons-are-not-audited" breaks ["MX-AUD-2a"],
    "The reason that a hook gives is left out of the audit trail.",
    seen "": ReasonsAreNotAudited in matrices {
        fn decode(&self, readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
            altered(wire::decode(readings, point, says), |answer| answer.reason = None)
        }
    }

    "unknown-members-spoil-results" breaks ["MX-WIRE-2"],
    "A member that no version of the contract has spoils a HookResult.",
    seen "": UnknownMembersSpoilResults in matrices {
        fn decode(&self, readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
            let unknown = |result: &Value| {
                let mut names = result.as_object().into_iter().flatten().map(|(name, _)| name.as_str());
                names.any(|name| !MEMBERS.contains(&name))
            };
            match says {
                Says::Result(result) if unknown(result) => Some(Reply::Failed(Failure::WrongShape)),
                says => wire::decode(readings, point, says),
            }
        }
    }

    "allow-is-no-decision" breaks ["MX-FOLD-1"],
    "An answer that allows is no HookResult.",
    seen "": AllowIsNoDecision in matrices {
        fn decode(&self, readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
            match wire::decode(readings, point, says) {
                Some(Reply::Answered(answer)) if answer.decision == Decision::Allow => {
                    Some(Reply::Failed(Failure::WrongShape))
                }
                reply => reply,
            }
        }
    }

    "outputs-are-texts" breaks ["MX-FOLD-7"],
    "A tool's output is rewritten by updatedText.",
    seen "": OutputsAreTexts in matrices {
        fn decode(&self, readings: &MatricesReadings, point: Point, says: &Says) -> Option<Reply> {
            let point = if point == Point::AfterToolCall { Point::AfterOutput } else { point };
            wire::decode(readings, point, says)
        }
    }

    "hook-inputs-name-no-thread" breaks ["MX-WIRE-1"],
    "A HookInput lacks the id of its thread.",
    seen "": HookInputsNameNoThread in matrices {
        fn hook_input(
            &self,
            frame: &Map<String, Value>,
            point: Point,
            hook: &str,
            delivery: &str,
            sees: Value,
        ) -> Value {
            let mut input = wire::hook_input(frame, point, hook, delivery, sees);
            if let Value::Object(members) = &mut input {
                members.remove("threadId");
            }
            input
        }
    }

    "clients-are-delivered-to" breaks ["MX-PROC-1"],
    "A client processor is sent a HookInput, and answered for if it does not answer.",
    seen "": ClientsAreDeliveredTo in matrices {
        fn is_delivered(&self, _: &Processor) -> bool {
            true
        }
    }

    "denials-undo-what-was-done" breaks ["MX-FOLD-9a"],
    "A deny after a tool or the agent has run counts as if the work had not happened.",
    seen "": DenialsUndoWhatWasDone in matrices {
        fn outcome(&self, readings: &MatricesReadings, point: Point, decision: Decision, value: Value) -> Outcome {
            match outcome::outcome(readings, point, decision, value) {
                Outcome::Withheld { .. } => Outcome::Denied {},
                outcome => outcome,
            }
        }
    }
}

/// The members of a HookResult.
const MEMBERS: [&str; 5] = ["decision", "reason", "updatedText", "updatedInput", "updatedOutput"];
