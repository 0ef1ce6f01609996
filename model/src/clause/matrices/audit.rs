//! Matrices: the audit trail.

use crate::clause::Clause;
use crate::clause::ground::{READING, derived, matrices_page};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "MX-AUD-1",
        statement: "Every evaluated hook writes one `hook_decision` with hookId, index, point, \
                    processor, decision and latencyMs.",
        grounds: &[
            matrices_page("The audit trail", "Every evaluated hook writes a hook_decision event carrying")
                .part("every evaluated hook writes one"),
            matrices_page("The audit trail", "hookId, index, point, processor, decision, latencyMs")
                .part("its members"),
        ],
    },
    Clause {
        id: "MX-AUD-2a",
        statement: "`reason`, `rewrote` and `deliveryId` are there when they apply.",
        grounds: &[matrices_page("The audit trail", "when they apply, reason, rewrote, and deliveryId")],
    },
    Clause {
        id: "MX-AUD-2b",
        statement: "`rewrote` is absent where there was no rewrite.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-AUD-3",
        statement: "Hooks that did not match, and those behind the winner, write nothing.",
        grounds: &[derived(&["MX-AUD-1", "HK-DECIDE-2"], "They were not evaluated.")],
    },
    Clause {
        id: "MX-AUD-4",
        statement: "`index` is the place in the profile's list, counted from zero.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-AUD-5",
        statement: "A failing hook records its effective decision and a reason that names the \
                    failure and tells it from a person's refusal.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-AUD-6",
        statement: "A parked hook is recorded when it is resolved or expires, and \
                    latencyMs includes the wait.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-AUD-7",
        statement: "`rewrote` is true where the rewrite entered the composed value, even if \
                    it equals the old one and even if a later hook denies. A denier's own \
                    rewrite does not count.",
        grounds: &[derived(
            &["HK-REWRITE-1", "MX-FOLD-5", "MX-AUD-2a"],
            "What entered the composition was a rewrite, and what a denier gave did not enter it.",
        )],
    },
    Clause {
        id: "MX-AUD-8",
        statement: "`deliveryId` stands for url and agent deliveries and is the \
                    one in the HookInput.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-AUD-9",
        statement: "A hook whose answer is on its way when its thread is cancelled writes nothing.",
        grounds: &[READING],
    },
];
