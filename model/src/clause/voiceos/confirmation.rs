//! VoiceOS: failing open, and confirmations, which no hook can undo.

use crate::clause::Clause;
use crate::clause::ground::{READING, convention, derived, voiceos_page, wire_facts};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "VO-FAIL-1",
        statement: "A hook that is slow, broken or disconnected is exactly like no handler, \
                    but for the time it took in sequential dispatch. The kinds of failure \
                    are timeout, disconnect, tool error, protocol error, unparsable, wrong \
                    shape and unregistered; the kind is logged, so that a failure can be \
                    told from a continue.",
        grounds: &[
            voiceos_page("Deadlines and fail-open", "behaves exactly like no handler at all")
                .part("it is like no handler"),
            derived(&["VO-DL-2", "VO-ORDER-2"], "Those who are asked in turn share one budget.")
                .part("but for the time it took"),
            convention(
                "The page names slow, broken and disconnected, and says of no log that tells \
                 them from a continue.",
            )
            .part("the kinds and their log"),
        ],
    },
    Clause {
        id: "VO-FAIL-2",
        statement: "One failing integration never keeps the next from being asked, as long \
                    as the budget permits.",
        grounds: &[derived(&["VO-FAIL-1"], "No handler keeps nobody from being asked.")],
    },
    Clause {
        id: "VO-CONF-1",
        statement: "A call that would run asks first if the user's policy or lock for that tool \
                    does, or if the owner's hook asked for it in time.",
        grounds: &[
            voiceos_page("What hooks can never do", "a hook can add a confirmation")
                .part("a hook can ask for it"),
            convention(
                "The page speaks of confirmations and lock pills, and lays out no \
                 policy beneath them.",
            )
            .part("the user's policy"),
        ],
    },
    Clause {
        id: "VO-CONF-2",
        statement: "Nothing that a hook returns removes, softens or answers a confirmation. Only \
                    the literal `true` adds one; `false`, `\"true\"`, 1, `null` and absence are \
                    alike and spoil nothing.",
        grounds: &[
            voiceos_page("What hooks can never do", "never remove, soften, or answer one")
                .part("nothing removes one"),
            derived(
                &["VO-CONF-1"],
                "The member's only value is true, so any other says as little as its absence.",
            )
            .part("only true adds one"),
        ],
    },
    Clause {
        id: "VO-CONF-3",
        statement: "A locked tool that would otherwise run asks, whatever the hook says.",
        grounds: &[voiceos_page("What hooks can never do", "The user’s per-tool lock pills always win")],
    },
    Clause {
        id: "VO-CONF-4",
        statement: "A confirmation that a hook asked for stands where the user \
                    switched asking off.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-CONF-5",
        statement: "block beats confirmation: no card is shown for a call that will not run.",
        grounds: &[derived(&["VO-FOLD-6"], "There is nothing to confirm.")],
    },
    Clause {
        id: "VO-CONF-6",
        statement: "The card shows the arguments as rewritten, and what the user edits in the card \
                    is what executes. preToolUse does not fire again.",
        grounds: &[
            wire_facts("Seen in practice", "the card shows the rewritten arguments")
                .part("what the card shows"),
            wire_facts("Seen in practice", "edits in the card is what executes").part("what executes"),
            derived(&["VO-EVT-3", "HK-ONCE-1"], "It is the same call, and its firing has had its outcome.")
                .part("preToolUse does not fire again"),
        ],
    },
    Clause {
        id: "VO-CONF-7a",
        statement: "A call that the user declined does not execute.",
        grounds: &[derived(&["VO-CONF-1"], "A call that asks first runs only if the answer is yes.")],
    },
    Clause {
        id: "VO-CONF-7b",
        statement: "A blocked or declined call fires no postToolUse.",
        grounds: &[derived(
            &["VO-EVT-4", "VO-FOLD-6", "VO-CONF-7a"],
            "The event fires after the tool ran, and it did not.",
        )],
    },
    Clause {
        id: "VO-CONF-8",
        statement: "Where a confirmation is needed and nobody is there to ask, \
                    the call does not run.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-CONF-9",
        statement: "What the user decided about a tool (policy, lock) stays when its integration is updated \
                    and goes with it when it is uninstalled, but not for a call under way: for that one \
                    it stands although the integration is installed again, and what is decided \
                    about the new installation begins with the next call.",
        grounds: &[convention("No source says how long the user's decisions last.")],
    },
];
