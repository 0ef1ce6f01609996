//! VoiceOS: what becomes of declared hooks: loading, hiding, consent, uninstalling.

use crate::clause::Clause;
use crate::clause::ground::{READING, derived, voiceos_page};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "VO-LOAD-1",
        statement: "Hooks that are stripped of the transcript permission, after installation for \
                    instance, never load.",
        grounds: &[voiceos_page(
            "What hooks can never do",
            "hooks stripped of the transcript permission never load",
        )],
    },
    Clause {
        id: "VO-LOAD-2a",
        statement: "A hook that is declared but not offered by the server counts as no handler.",
        grounds: &[derived(
            &["VO-FAIL-1"],
            "A handler that is not there is a broken one, and those fail open.",
        )],
    },
    Clause {
        id: "VO-LOAD-2b",
        statement: "A hook that is offered by the server but not declared is never called.",
        grounds: &[derived(
            &["VO-MAN-1", "VO-MAN-2", "VO-MAN-11"],
            "Permission and install sheet speak of declared hooks, and nobody has granted another.",
        )],
    },
    Clause {
        id: "VO-HIDE-1",
        statement: "No tool with the reserved prefix is in the list that the agent sees.",
        grounds: &[voiceos_page("Hooks", "the model can never see or invoke them")],
    },
    Clause {
        id: "VO-HIDE-2",
        statement: "The agent cannot invoke a hook's tool: the server is not contacted. The call \
                    is refused as one of an unknown tool.",
        grounds: &[
            voiceos_page("Hooks", "the model can never see or invoke them")
                .part("the server is not contacted"),
            READING.part("the wording of the refusal"),
        ],
    },
    Clause {
        id: "VO-CONSENT-1",
        statement: "With Transcript access off, no hook of that integration is called. Its tools \
                    stay, and other integrations are untouched.",
        grounds: &[
            voiceos_page("What hooks can never do", "silences every hook of an integration instantly")
                .part("no hook of it is called"),
            voiceos_page("Declaring hooks", "without uninstalling it").part("its tools stay"),
            voiceos_page("Declaring hooks", "can switch any integration’s hooks off")
                .part("other integrations are untouched"),
        ],
    },
    Clause {
        id: "VO-CONSENT-2",
        statement: "Consent is checked when a hook would be called and again when its answer \
                    arrives. If access was switched off in flight, even if it is back on by then, \
                    the answer is discarded; answers that have arrived stand.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-CONSENT-3",
        statement: "When access is switched on again, the hooks are back without a reinstall.",
        grounds: &[derived(
            &["VO-CONSENT-1"],
            "The toggle silences hooks and leaves the installation as it is.",
        )],
    },
    Clause {
        id: "VO-CONSENT-4",
        statement: "After installation Transcript access is on. An update keeps it as it stands, \
                    and a reinstall resets it.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-LIFE-1",
        statement: "Uninstalling during a firing is, for that firing, like switching access off. A new \
                    installation begins with the next.",
        grounds: &[derived(
            &["VO-CONSENT-2"],
            "Who uninstalls an integration takes back at least what the toggle takes back.",
        )],
    },
    Clause {
        id: "VO-LIFE-2",
        statement: "A hook that an update takes away during a firing is, for that firing, like one of an \
                    integration that was uninstalled. One that it adds begins with the next.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-LOAD-3",
        statement: "Hooks that were stripped of the permission stay so when the integration is updated, \
                    until it is uninstalled.",
        grounds: &[READING],
    },
];
