//! VoiceOS: what decisions, rewrites and the other members of an answer come to.

use crate::clause::Clause;
use crate::clause::ground::{READING, derived, voiceos_page, wire_facts};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "VO-FOLD-1",
        statement: "An empty object, nothing, and an absent decision are continue.",
        grounds: &[
            voiceos_page("Writing handlers", "or nothing — means “continue untouched”")
                .part("an empty object and nothing"),
            voiceos_page("Writing handlers", "default \"continue\"").part("an absent decision"),
        ],
    },
    Clause {
        id: "VO-FOLD-2",
        statement: "continue with the event's rewrite member applies the rewrite.",
        grounds: &[
            voiceos_page("Writing handlers", "transcript / dictation rewrite").part("updatedText"),
            voiceos_page("Writing handlers", "preToolUse arg rewrite").part("updatedArgs"),
            voiceos_page("Writing handlers", "postToolUse result replacement").part("updatedResult"),
            wire_facts("Seen in practice", "returns all arguments again with fields added")
                .part("beside continue"),
        ],
    },
    Clause {
        id: "VO-FOLD-3",
        statement: "`block` and `handled` are the decisions; `continue` is the defer.",
        grounds: &[derived(
            &["VO-FOLD-1", "VO-FOLD-4a", "VO-FOLD-4b"],
            "Only these two end something, and continue leaves the event to the next.",
        )],
    },
    Clause {
        id: "VO-FOLD-4a",
        statement: "block on transcript ends the turn, and the agent never runs.",
        grounds: &[
            voiceos_page("The events", "add context · block · answer the turn")
                .part("a transcript hook can block"),
            derived(&["VO-EVT-1"], "The agent stream is not open yet, and what would open it is blocked.")
                .part("the agent never runs"),
        ],
    },
    Clause {
        id: "VO-FOLD-4b",
        statement: "handled on transcript answers the turn, and the agent never runs.",
        grounds: &[
            voiceos_page("The events", "answer the turn").part("it answers the turn"),
            voiceos_page("Hooks", "The agent never runs").part("the agent never runs"),
        ],
    },
    Clause {
        id: "VO-FOLD-5",
        statement: "block and handled on dictation paste nothing, and handled counts as consumed.",
        grounds: &[
            voiceos_page("The events", "consume (nothing is pasted)").part("handled pastes nothing"),
            wire_facts("Tools", "handled (= consumed, nothing is pasted)").part("handled counts as consumed"),
            derived(
                &["VO-EVT-2", "VO-FOLD-3"],
                "The paste has not happened yet, and a block ends the event before it.",
            )
            .part("block pastes nothing"),
        ],
    },
    Clause {
        id: "VO-FOLD-6",
        statement: "block on preToolUse: the tool is not executed.",
        grounds: &[
            voiceos_page("The events", "rewrite args · deny").part("a hook can deny the call"),
            wire_facts("Tools", "block (tool is not executed)").part("block does so"),
        ],
    },
    Clause {
        id: "VO-FOLD-7",
        statement: "handled has no meaning on preToolUse and counts as continue.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-FOLD-8a",
        statement: "On postToolUse only `updatedResult` counts, and a decision there is ignored.",
        grounds: &[
            voiceos_page("The events", "observe · replace the result").part("the result can be replaced"),
            wire_facts("Tools", "continue only").part("a decision is ignored"),
        ],
    },
    Clause {
        id: "VO-FOLD-8b",
        statement: "On turnComplete nothing that a hook returns counts.",
        grounds: &[voiceos_page("The events", "observe a receipt: transcript, response, tools used")],
    },
    Clause {
        id: "VO-FOLD-9",
        statement: "A rewrite beside a decision that ends this event is ignored.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-FOLD-10",
        statement: "The `additionalContext` of several hooks forms a list in chain order. It is \
                    dropped when the agent does not run.",
        grounds: &[
            READING.part("several form a list"),
            derived(&["VO-FOLD-4a", "VO-FOLD-4b"], "It is context for the model, and no model reads it.")
                .part("dropped without an agent"),
        ],
    },
    Clause {
        id: "VO-FOLD-11",
        statement: "`responseText` is shown on handled and block, `view` on handled; `reason` is \
                    logged and never reaches the model.",
        grounds: &[
            voiceos_page("Writing handlers", "shown in the notch when handled/blocked").part("responseText"),
            voiceos_page("Writing handlers", "notch card when handled").part("view"),
            voiceos_page("Writing handlers", "logged, never shown to the model").part("reason"),
        ],
    },
    Clause {
        id: "VO-FOLD-12",
        statement: "handled without `responseText` is valid and shows nothing.",
        grounds: &[derived(
            &["VO-FOLD-4b", "VO-FOLD-11"],
            "The member is optional, and what is not given is not shown.",
        )],
    },
    Clause {
        id: "VO-FOLD-13",
        statement: "turnComplete is sent for a turn that a hook ended, too.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-FOLD-14",
        statement: "Where two integrations decide differently, the first in chain order wins.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-FOLD-15",
        statement: "Where two integrations rewrite, the rewrites compose.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-FOLD-16a",
        statement: "The `tools` of a receipt are all those of the turn, whoever owns them.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-FOLD-16b",
        statement: "The `transcript` of a receipt is the text as hooks rewrote it.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-FOLD-16c",
        statement: "The `responseText` in the receipt of a turn that a hook ended is the hook's.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-FOLD-16d",
        statement: "A tool that did not run is not listed in a receipt: a hook blocked it, the user declined, \
                    or nobody was there to confirm.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-FOLD-17a",
        statement: "postToolUse fires for a tool that failed, too.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-FOLD-17b",
        statement: "The `args` of postToolUse are those that were executed.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-FOLD-18",
        statement: "Beside a decision that ends dictation or a tool call, `responseText` and `view` are shown as they are for transcript.",
        grounds: &[READING],
    },
];
