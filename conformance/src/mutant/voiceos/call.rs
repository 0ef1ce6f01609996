//! Mutants of a tool call: its confirmation, its run, its result.

use hookproof_model::reading::VoiceosReadings;
use hookproof_model::script::voiceos::{Outcome, Policy, ToolStatus, User};
use hookproof_model::voiceos::call;
use hookproof_model::voiceos::confirmation::{self, Demand};
use serde_json::{Map, Value};

use crate::mutant::mutants;

mutants! {
    "locks-are-ignored" breaks ["VO-CONF-3"],
    "A locked tool runs without asking.",
    seen "gen-code#441": LocksAreIgnored in voiceos {
        fn asks(&self, readings: &VoiceosReadings, demand: Demand) -> bool {
            confirmation::asks(readings, Demand { locked: false, ..demand })
        }
    }

    "policies-are-ignored" breaks ["VO-CONF-1"],
    "A tool that the user wants to be asked for runs without asking.",
    seen "": PoliciesAreIgnored in voiceos {
        fn asks(&self, readings: &VoiceosReadings, demand: Demand) -> bool {
            let policy = if demand.policy == Policy::Ask { Policy::Unset } else { demand.policy };
            confirmation::asks(readings, Demand { policy, ..demand })
        }
    }

    "blocked-calls-ask" breaks ["VO-CONF-5"],
    "A confirmation is asked for a call that a hook blocked, and runs it if the user approves.",
    seen "": BlockedCallsAsk in voiceos {
        fn asks(&self, readings: &VoiceosReadings, demand: Demand) -> bool {
            confirmation::asks(readings, Demand { blocked: false, ..demand })
        }
    }

    "an-answer-approves" breaks ["VO-CONF-2"],
    "A hook that answers without asking takes away the confirmation that policy or lock demands.",
    seen "": AnAnswerApproves in voiceos {
        fn asks(&self, readings: &VoiceosReadings, demand: Demand) -> bool {
            (demand.hook || !demand.answered) && confirmation::asks(readings, demand)
        }
    }

    "cards-show-the-original" breaks ["VO-CONF-6"],
    "A card shows the arguments as the agent gave them, and those are what runs.",
    seen "": CardsShowTheOriginal in voiceos {
        fn shows(&self, called: &Map<String, Value>, _: &Map<String, Value>) -> Map<String, Value> {
            called.clone()
        }
    }

    "edits-are-dropped" breaks ["VO-CONF-6"],
    "What the user edits in a card is not what runs.",
    seen "": EditsAreDropped in voiceos {
        fn decided(&self, readings: &VoiceosReadings, user: &User, shown: Map<String, Value>) -> Outcome {
            let user = if matches!(user, User::Edit(_)) { &User::Approve } else { user };
            confirmation::decided(readings, user, shown)
        }
    }

    "declined-calls-run" breaks ["VO-CONF-7a"],
    "A call that the user declined runs.",
    seen "": DeclinedCallsRun in voiceos {
        fn decided(&self, readings: &VoiceosReadings, user: &User, shown: Map<String, Value>) -> Outcome {
            let user = if *user == User::Decline { &User::Approve } else { user };
            confirmation::decided(readings, user, shown)
        }
    }

    "tools-start-at-once" breaks ["VO-EVT-3"],
    "A tool starts when the agent calls it, without waiting for what its hook says.",
    seen "": ToolsStartAtOnce in voiceos {
        fn runs_with(&self, called: &Map<String, Value>, _: Option<&Outcome>) -> Option<Map<String, Value>> {
            Some(called.clone())
        }
    }

    "stopped-calls-are-followed-up" breaks ["VO-CONF-7b"],
    "postToolUse fires for a call that was blocked or declined.",
    seen "": StoppedCallsAreFollowedUp in voiceos {
        fn is_followed_up(&self, readings: &VoiceosReadings, ran: Option<ToolStatus>) -> bool {
            ran.is_none() || call::is_followed_up(readings, ran)
        }
    }

    "models-read-first" breaks ["VO-EVT-4"],
    "The model reads a tool's result before the postToolUse hook has replaced it.",
    seen "": ModelsReadFirst in voiceos {
        fn reads(&self, result: Value, _: Option<Outcome>) -> Value {
            result
        }
    }
}
