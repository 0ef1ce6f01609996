//! The clauses that both dialects share: order, decision, composition, isolation, limits.
//!
//! Where the two rest on different grounds, each ground names its dialect.

use crate::Dialect;
use crate::clause::Clause;
use crate::clause::ground::{READING, convention, derived, matrices_page, voiceos_page};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "HK-ORDER-1",
        statement: "The hooks selected for an awaited firing are visited in chain order.",
        grounds: &[
            derived(
                &["VO-ORDER-1", "VO-ORDER-2"],
                "By the defaults of both readings there is one order, and \
                 hooks are asked along it.",
            )
            .only(Dialect::Voiceos),
            matrices_page("Hooks", "run in list order").only(Dialect::Matrices),
        ],
    },
    Clause {
        id: "HK-ORDER-2",
        statement: "The outcome is a function of configuration, event, answers with their elapsed \
                    times, and control steps with theirs. Completion order, wall clock and host \
                    state never change it.",
        grounds: &[derived(
            &["HK-ORDER-1", "HK-DECIDE-1", "HK-REWRITE-1"],
            "Chain order alone says whose answer counts, and these rules look at nothing else.",
        )],
    },
    Clause {
        id: "HK-DECIDE-1",
        statement: "The first non-defer decision wins: first in chain order, not in time.",
        grounds: &[
            derived(&["VO-FOLD-14"], "It is the default of that reading.").only(Dialect::Voiceos),
            matrices_page("Decisions", "the first non-defer decision wins").only(Dialect::Matrices),
        ],
    },
    Clause {
        id: "HK-DECIDE-2",
        statement: "In sequential dispatch nobody behind the winner is called.",
        grounds: &[derived(
            &["HK-ORDER-1", "HK-DECIDE-1"],
            "The winner is known before those behind it are asked, and none of \
             them could change it.",
        )],
    },
    Clause {
        id: "HK-DECIDE-3",
        statement: "If every hook defers, the work goes on with the composed value.",
        grounds: &[
            voiceos_page("Writing handlers", "or nothing — means “continue untouched”")
                .only(Dialect::Voiceos)
                .part("the work goes on"),
            derived(
                &["VO-FOLD-2", "HK-REWRITE-1"],
                "Each continue applies its rewrite, and the rewrites compose.",
            )
            .only(Dialect::Voiceos)
            .part("with the composed value"),
            matrices_page("Decisions", "the turn continues with the composed value").only(Dialect::Matrices),
        ],
    },
    Clause {
        id: "HK-REWRITE-1",
        statement: "Rewrites compose in chain order: the value after a hook is its rewrite if it \
                    gave one, else the value before it.",
        grounds: &[
            derived(&["VO-FOLD-15"], "It is the default of that reading.").only(Dialect::Voiceos),
            matrices_page("Decisions", "rewrites compose in order").only(Dialect::Matrices),
        ],
    },
    Clause {
        id: "HK-REWRITE-2",
        statement: "A hook sees the value composed by the hooks before it.",
        grounds: &[
            READING.only(Dialect::Voiceos),
            derived(
                &["HK-REWRITE-1"],
                "A rewrite composes with the rewrites before it only if it was made from them.",
            )
            .only(Dialect::Matrices),
        ],
    },
    Clause {
        id: "HK-REWRITE-3",
        statement: "Presence decides whether there is a rewrite: `\"\"`, `{}` and `[]` \
                    are rewrites, and so is `null` where any JSON is allowed; an \
                    absent member is none.",
        grounds: &[READING],
    },
    Clause { id: "HK-REWRITE-4", statement: "A rewritten object replaces the old one.", grounds: &[READING] },
    Clause {
        id: "HK-ISOLATE-1",
        statement: "What a hook does to the value it was handed reaches nobody but through its \
                    rewrite. This shows in process, where an answer can mutate its input; over a \
                    wire it holds by construction.",
        grounds: &[derived(
            &["HK-REWRITE-1"],
            "The value after a hook is its rewrite or the value before it, and never a third.",
        )],
    },
    Clause {
        id: "HK-ONCE-1",
        statement: "A selected hook is asked at most once a firing. Read as retries, one whose call failed by \
                    itself is asked once more, at once.",
        grounds: &[READING.only(Dialect::Voiceos), READING.only(Dialect::Matrices)],
    },
    Clause {
        id: "HK-EQ-1",
        statement: "Values are compared as JSON: members are unordered and numbers count by \
                    value, so that 1 is 1.0.",
        grounds: &[convention("Vectors compare values, and neither source says when two are the same.")],
    },
    Clause {
        id: "HK-LIMIT-1",
        statement: "Vectors stay within nesting 64, integers of ±2^53, finite doubles, strings and \
                    bodies of 1 MiB, and well-formed Unicode. What lies beyond is tested only by \
                    clauses that say so.",
        grounds: &[convention("JSON has no limits of its own, and implementations differ beyond these.")],
    },
];
