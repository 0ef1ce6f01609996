//! Mutants of the host: what loads, who is called, who is heard.

use hookproof_model::reading::VoiceosReadings;
use hookproof_model::script::voiceos::{App, Event, InputSource};
use hookproof_model::voiceos::loading::{self, Standing};
use hookproof_model::voiceos::manifest::Declared;
use hookproof_model::voiceos::{EventKind, selection};

use crate::mutant::mutants;

mutants! {
    "fires-whatever-is-frontmost" breaks ["VO-SEL-1", "VO-SEL-2"],
    "A hook's list of apps is not looked at.",
    seen "orca#11676": FiresWhateverIsFrontmost in voiceos {
        fn fires(&self, _: &VoiceosReadings, _: &Declared, _: Option<&App>) -> bool {
            true
        }
    }

    "taps-every-tool" breaks ["VO-SEL-4", "VO-SEL-5"],
    "A tool tap is called for the tools of other integrations, too.",
    seen "": TapsEveryTool in voiceos {
        fn concerns(&self, _: &Event, _: &str) -> bool {
            true
        }
    }

    "hooks-are-visible" breaks ["VO-HIDE-1"],
    "The agent can see and call hook tools.",
    seen "": HooksAreVisible in voiceos {
        fn visible(&self, _: &str) -> bool {
            true
        }
    }

    "typed-input-is-not-heard" breaks ["VO-EVT-1"],
    "Input that was typed fires nothing.",
    seen "": TypedInputIsNotHeard in voiceos {
        fn concerns(&self, event: &Event, integration: &str) -> bool {
            let typed = matches!(event, Event::Transcript(event) if event.source == InputSource::Text);
            !typed && selection::concerns(event, integration)
        }
    }

    "dictation-is-a-transcript" breaks ["VO-EVT-2"],
    "Dictated text is handed to the transcript hooks.",
    seen "": DictationIsATranscript in voiceos {
        fn heard_as(&self, kind: EventKind) -> EventKind {
            if kind == EventKind::Dictation { EventKind::Transcript } else { kind }
        }
    }

    "receipts-are-not-sent" breaks ["VO-EVT-5"],
    "The teardown of a turn fires nothing.",
    seen "": ReceiptsAreNotSent in voiceos {
        fn concerns(&self, event: &Event, integration: &str) -> bool {
            !matches!(event, Event::TurnComplete(_)) && selection::concerns(event, integration)
        }
    }

    "stripped-hooks-stay" breaks ["VO-LOAD-1"],
    "Hooks that were stripped of the permission go on being called.",
    seen "": StrippedHooksStay in voiceos {
        fn loads(&self, standing: Standing) -> bool {
            loading::loads(Standing { stripped: false, ..standing })
        }

        fn is_heard(&self, standing: Standing) -> bool {
            loading::is_heard(Standing { stripped: false, ..standing })
        }
    }

    "declared-is-enough" breaks ["VO-LOAD-2a"],
    "A hook that is declared and not offered is called all the same.",
    seen "": DeclaredIsEnough in voiceos {
        fn is_callable(&self, _: Standing) -> bool {
            true
        }
    }

    "offered-is-enough" breaks ["VO-LOAD-2b"],
    "A hook that is offered and not declared is called.",
    seen "": OfferedIsEnough in voiceos {
        fn loads(&self, standing: Standing) -> bool {
            loading::loads(Standing { declared: standing.declared || standing.offered, ..standing })
        }

        fn is_heard(&self, standing: Standing) -> bool {
            loading::is_heard(Standing { declared: standing.declared || standing.offered, ..standing })
        }
    }

    "access-is-not-looked-at" breaks ["VO-CONSENT-1"],
    "Hooks are called whether Transcript access is on or off.",
    seen "": AccessIsNotLookedAt in voiceos {
        fn is_heard(&self, standing: Standing) -> bool {
            loading::is_heard(Standing { access: true, ..standing })
        }
    }

    "silenced-for-good" breaks ["VO-CONSENT-3"],
    "Once switched off, Transcript access stays off.",
    seen "": SilencedForGood in voiceos {
        fn access(&self, before: bool, set: bool) -> bool {
            before && set
        }
    }

    "removed-hooks-are-heard" breaks ["VO-LIFE-1"],
    "What a hook answers counts, though its integration was removed in the meantime.",
    seen "": RemovedHooksAreHeard in voiceos {
        fn is_heard(&self, standing: Standing) -> bool {
            loading::is_heard(Standing { removed: false, ..standing })
        }
    }

    "updates-forget" breaks ["VO-CONF-9"],
    "An update forgets what the user decided about the tools.",
    seen "": UpdatesForget in voiceos {
        fn keeps_decisions(&self) -> bool {
            false
        }
    }
}
