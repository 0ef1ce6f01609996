//! VoiceOS: budgets, and what happens when one is used up.

use crate::clause::Clause;
use crate::clause::ground::{READING, derived, voiceos_page};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "VO-DL-1",
        statement: "The budgets are 250 ms for dictation, 500 ms for transcript, and 2000 ms each \
                    for preToolUse and postToolUse.",
        grounds: &[
            voiceos_page("Deadlines and fail-open", "250 ms").part("dictation"),
            voiceos_page("Deadlines and fail-open", "500 ms").part("transcript"),
            voiceos_page("Deadlines and fail-open", "2 000 ms").part("preToolUse and postToolUse"),
        ],
    },
    Clause {
        id: "VO-DL-2",
        statement: "A firing has one budget, shared by every subscribed integration.",
        grounds: &[voiceos_page("Deadlines and fail-open", "shared across every subscribed integration")],
    },
    Clause {
        id: "VO-DL-3",
        statement: "A hook that has not answered when the budget is used up counts as no handler. \
                    In sequential dispatch those behind it are not called.",
        grounds: &[
            voiceos_page("Deadlines and fail-open", "behaves exactly like no handler at all")
                .part("it counts as no handler"),
            derived(&["VO-DL-2", "VO-ORDER-2"], "It has used up what those behind it would have shared.")
                .part("those behind it are not called"),
        ],
    },
    Clause { id: "VO-DL-4", statement: "An answer exactly at the budget is in time.", grounds: &[READING] },
    Clause {
        id: "VO-DL-5",
        statement: "Answers given in time stand when the budget is exhausted. It counts as \
                    exhausted when it ended the wait for a hook, or left none for a hook still to \
                    be asked; read as rollback, everything that the firing gave is then given up.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-DL-6",
        statement: "A late answer is discarded, even if the outcome has not been used yet.",
        grounds: &[derived(&["VO-DL-3"], "Its hook counts as no handler already.")],
    },
    Clause {
        id: "VO-DL-7",
        statement: "turnComplete is not awaited: every subscribed hook is sent it, whatever any of \
                    them does, and the end of the turn does not wait.",
        grounds: &[
            voiceos_page("Deadlines and fail-open", "not awaited").part("the end of the turn does not wait"),
            derived(&["VO-FOLD-8b"], "Nothing that a hook returns counts, so none can keep it from another.")
                .part("every subscribed hook is sent it"),
        ],
    },
    Clause {
        id: "VO-DL-8",
        statement: "Each firing has a budget of its own: preToolUse and postToolUse of one call do \
                    not share one, and neither do two calls.",
        grounds: &[derived(&["VO-DL-2"], "It is integrations that share a budget, not firings.")],
    },
    Clause {
        id: "VO-DL-9",
        statement: "With 0 ms left, after an answer exactly at the budget, the \
                    next hook is not asked.",
        grounds: &[READING],
    },
];
