//! Matrices: what decisions and rewrites come to.

use crate::clause::Clause;
use crate::clause::ground::{READING, convention, derived, matrices_page};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "MX-FOLD-1",
        statement: "The decisions are `defer`, `allow` and `deny`.",
        grounds: &[
            matrices_page("Decisions", "A defer may carry a rewrite").part("defer"),
            convention("The table of decisions is lost; the text names defer only.").part("allow and deny"),
        ],
    },
    Clause {
        id: "MX-FOLD-2",
        statement: "allow ends the chain and the work happens; deny ends it and the work does not.",
        grounds: &[derived(&["HK-DECIDE-1", "MX-FOLD-1"], "Neither is a defer, so either wins at once.")],
    },
    Clause {
        id: "MX-FOLD-3",
        statement: "A defer may carry a rewrite.",
        grounds: &[matrices_page("Decisions", "A defer may carry a rewrite")],
    },
    Clause { id: "MX-FOLD-4", statement: "An allow's own rewrite applies.", grounds: &[READING] },
    Clause {
        id: "MX-FOLD-5",
        statement: "A deny stands whatever other members its answer has, and its rewrite is ignored.",
        grounds: &[derived(&["MX-FOLD-2"], "The work does not happen, so there is nothing to rewrite.")],
    },
    Clause {
        id: "MX-FOLD-6",
        statement: "Rewrites of earlier defers stand under a later allow.",
        grounds: &[derived(
            &["HK-REWRITE-1"],
            "The allow lets the work happen with the value that it finds.",
        )],
    },
    Clause {
        id: "MX-FOLD-7",
        statement: "The rewrite member fits the point: `updatedText` at before_input \
                    and after_output, `updatedInput` at before_tool_call, \
                    `updatedOutput` at after_tool_call.",
        grounds: &[
            matrices_page("Decisions", "(updatedInput, updatedOutput, or updatedText)")
                .part("the three members"),
            convention("The page names the members and not their points.").part("which point takes which"),
        ],
    },
    Clause {
        id: "MX-FOLD-8",
        statement: "A rewrite member of another point, or two rewrite members, beside defer or \
                    allow is malformed, so that `onFailure` decides. Dropping a redaction in \
                    silence would be unsafe.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-FOLD-9a",
        statement: "Once a tool has run, the hook controls only what is persisted and returned. A \
                    deny withholds the output, effects stay, and the turn goes on.",
        grounds: &[
            matrices_page("Points", "the hook only controls what gets persisted and")
                .part("what it controls"),
            matrices_page("Points", "After-output hooks cannot undo external effects").part("effects stay"),
            derived(&["MX-FOLD-2"], "Persisting and returning are all the work that is left to deny.")
                .part("a deny withholds the output and the turn goes on"),
        ],
    },
    Clause {
        id: "MX-FOLD-9b",
        statement: "An error stands in the place of a withheld output.",
        grounds: &[READING],
    },
];
