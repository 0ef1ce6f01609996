//! VoiceOS: when each event fires.

use crate::clause::Clause;
use crate::clause::ground::{derived, voiceos_page, wire_facts};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "VO-EVT-1",
        statement: "transcript fires on final agent-mode input, before the agent stream opens. \
                    Typed input fires it too, and `source` tells.",
        grounds: &[
            voiceos_page("The events", "Final agent-mode input, before the agent stream opens")
                .part("it fires on final input"),
            wire_facts("Payloads", "`source: \"voice\" \\| \"text\"`").part("typed input fires it too"),
        ],
    },
    Clause {
        id: "VO-EVT-2",
        statement: "dictation fires just before the text is pasted. It fires no transcript \
                    and no turnComplete.",
        grounds: &[
            voiceos_page("The events", "Polished dictation text, just before it is pasted")
                .part("it fires before the paste"),
            derived(&["VO-EVT-1", "VO-EVT-5"], "Dictation is no agent-mode input and opens no turn.")
                .part("no transcript and no turnComplete"),
        ],
    },
    Clause {
        id: "VO-EVT-3",
        statement: "preToolUse fires before one of the integration's own tools executes. The tool \
                    starts only after the firing's outcome.",
        grounds: &[
            voiceos_page("The events", "Before one of your own tools executes")
                .part("it fires before the tool executes"),
            derived(&["VO-FOLD-6"], "A call that may still be denied has not begun.")
                .part("the tool waits for the outcome"),
        ],
    },
    Clause {
        id: "VO-EVT-4",
        statement: "postToolUse fires after the tool ran, before the model reads the result.",
        grounds: &[voiceos_page("The events", "After your tool ran, before the model reads")],
    },
    Clause {
        id: "VO-EVT-5",
        statement: "turnComplete fires at the teardown of a turn.",
        grounds: &[voiceos_page("The events", "Turn teardown (fire-and-forget)")],
    },
];
