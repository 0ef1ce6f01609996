//! Matrices: parked work.

use crate::clause::Clause;
use crate::clause::ground::{READING, derived, matrices_page};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "MX-WAIT-1",
        statement: "Parked work shows in the `pendingWaits` of its thread.",
        grounds: &[matrices_page("The audit trail", "shows up as pendingWaits on the thread")],
    },
    Clause {
        id: "MX-WAIT-2",
        statement: "`GET /v1/threads?state=waiting` lists exactly the threads that hold a \
                    wait, over all pages.",
        grounds: &[
            matrices_page("The audit trail", "GET /v1/threads?state=waiting lists every thread holding one")
                .part("it lists every such thread"),
            derived(&["MX-WAIT-1"], "A thread that holds no wait is not waiting.").part("it lists no other"),
        ],
    },
    Clause {
        id: "MX-WAIT-3a",
        statement: "`POST /v1/threads/{threadId}/waits/{waitId}/resolve` answers the hook, and the \
                    chain goes on from there.",
        grounds: &[
            matrices_page(
                "The audit trail",
                "Resolve with POST /v1/threads/{threadId}/waits/{waitId}/resolve",
            )
            .part("the request"),
            derived(&["MX-PROC-1", "HK-ORDER-1"], "The wait stands for the answer of one hook of the chain.")
                .part("it answers the hook"),
        ],
    },
    Clause { id: "MX-WAIT-3b", statement: "The body of a resolve is a HookResult.", grounds: &[READING] },
    Clause {
        id: "MX-WAIT-4",
        statement: "A wait that is unresolved at `asyncTimeoutMs` expires, and \
                    `onFailure` decides.",
        grounds: &[derived(&["MX-FAIL-1", "MX-FAIL-2"], "Nobody answered for the hook.")],
    },
    Clause {
        id: "MX-WAIT-5",
        statement: "Resolving an already resolved, an expired, a cancelled and an unknown \
                    wait (another thread's included) are four errors that can be told apart, \
                    and nothing changes.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-WAIT-6",
        statement: "A resolution that is not a HookResult for the point is \
                    refused, and the wait stays.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-WAIT-7",
        statement: "A thread may hold several waits, and it is waiting until the last is gone.",
        grounds: &[derived(
            &["MX-WAIT-1", "MX-WAIT-2"],
            "The page speaks of waits in the plural, and of every thread holding one.",
        )],
    },
    Clause {
        id: "MX-WAIT-8",
        statement: "A wait of one thread never resolves another's.",
        grounds: &[derived(&["MX-WAIT-3a"], "The request names both thread and wait.")],
    },
    Clause {
        id: "MX-WAIT-9",
        statement: "A chain goes on with the hooks as they were when it fired, even one that was parked.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-WAIT-10a",
        statement: "Cancelling a thread drops its waits and the answers on their way: the work \
                    does not happen, and a later resolve has no effect.",
        grounds: &[derived(
            &["MX-WAIT-1", "MX-WAIT-5"],
            "Waits belong to their thread, and resolving a cancelled one changes nothing.",
        )],
    },
    Clause {
        id: "MX-WAIT-10b",
        statement: "A wait that a cancel dropped writes no audit.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-WAIT-11",
        statement: "Of two resolves that race, exactly one wins. This is checked live.",
        grounds: &[derived(&["MX-WAIT-5"], "To whichever comes second the wait is already resolved.")],
    },
    Clause {
        id: "MX-WAIT-12",
        statement: "`asyncTimeoutMs` counts from when the work was parked.",
        grounds: &[READING],
    },
];
