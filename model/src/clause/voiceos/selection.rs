//! VoiceOS: who is asked, and in which order.

use crate::clause::Clause;
use crate::clause::ground::{READING, derived, voiceos_page};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "VO-ORDER-1",
        statement: "Integrations stand in the order in which they were installed. An update keeps \
                    the place, and a reinstall goes last.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-ORDER-2",
        statement: "Dispatch is sequential: hooks are asked one after the other, each with what is \
                    left of the budget. Read as concurrent, all are asked at once with the \
                    original value and the whole budget, and answers are folded in chain order \
                    when the budget is used up, all have answered, or the prefix that decides is \
                    complete. The time of arrival decides in neither.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-SEL-1",
        statement: "A dictation hook fires only while a listed bundle id is frontmost.",
        grounds: &[voiceos_page("Declaring hooks", "only while one of the listed bundle ids")],
    },
    Clause {
        id: "VO-SEL-2",
        statement: "`apps` restricts every other hook likewise. Without it the hook fires whatever \
                    is frontmost, unknown apps included.",
        grounds: &[
            voiceos_page("Declaring hooks", "apps is optional (but encouraged) on every other")
                .part("other hooks may do without"),
            derived(
                &["VO-SEL-1"],
                "The member means the same on every hook, and where it is \
                 absent nothing restricts.",
            )
            .part("it restricts, and its absence does not"),
        ],
    },
    Clause {
        id: "VO-SEL-3",
        statement: "Bundle ids are compared exactly. An app without a bundle id and an \
                    unknown app are in no list.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-SEL-4",
        statement: "Tool taps fire only for the integration that owns the tool: by \
                    integration, not by name.",
        grounds: &[voiceos_page("Declaring hooks", "Tool taps are scoped to your own tools")],
    },
    Clause {
        id: "VO-SEL-5",
        statement: "A preToolUse or postToolUse firing asks at most one hook. Chains of several \
                    exist on transcript, dictation and turnComplete.",
        grounds: &[derived(
            &["VO-SEL-4"],
            "One integration owns the tool, and a manifest declares an event once.",
        )],
    },
    Clause {
        id: "VO-SEL-6",
        statement: "For postToolUse and turnComplete the frontmost app is taken when they fire.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-SEL-7",
        statement: "The frontmost app is that of the moment of the firing, for every hook of its chain.",
        grounds: &[READING],
    },
];
