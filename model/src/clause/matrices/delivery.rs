//! Matrices: how a hook is asked, what counts as an answer, and what follows from none.

use crate::clause::Clause;
use crate::clause::ground::{READING, convention, derived, matrices_page};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "MX-FAIL-1",
        statement: "Under `fail_closed` no answer means that the work does not happen; at the \
                    after points the output is withheld. The chain stops.",
        grounds: &[
            matrices_page("Processors", "no answer means the work does not happen")
                .part("the work does not happen"),
            derived(&["MX-FOLD-2", "MX-FOLD-9a"], "It has the effect of a deny.")
                .part("output is withheld and the chain stops"),
        ],
    },
    Clause {
        id: "MX-FAIL-2",
        statement: "Under `fail_open` no answer counts as a plain defer, and the chain goes on.",
        grounds: &[derived(
            &["MX-VAL-11", "MX-FAIL-1"],
            "It is the alternative to stopping, and a hook without an answer has decided nothing.",
        )],
    },
    Clause {
        id: "MX-FAIL-3",
        statement: "No answer is: a timeout, a refused or broken connection, a status outside \
                    2xx, a body that is not a HookResult, an unknown decision, a wrong type, \
                    a body over the limit, a BOM or a banner before the JSON, two documents, \
                    or duplicate members.",
        grounds: &[derived(
            &["HK-LIMIT-1", "MX-WIRE-2", "MX-DL-1"],
            "None of them is a HookResult within the deadline.",
        )],
    },
    Clause { id: "MX-FAIL-4", statement: "A redirect is no answer.", grounds: &[READING] },
    Clause {
        id: "MX-WIRE-1",
        statement: "A HookInput carries `deliveryId`, `hookId`, `point`, `threadId`, `tool`, and \
                    the composed `input`, `output` or `text`.",
        grounds: &[convention("The table of HookInput is lost.")],
    },
    Clause {
        id: "MX-WIRE-2",
        statement: "A HookResult carries `decision`, optionally `reason`, and optionally one of \
                    the rewrite members. Unknown members are ignored.",
        grounds: &[
            matrices_page("Decisions", "A HookResult carries a decision, an optional reason")
                .part("decision and reason"),
            matrices_page("Decisions", "an optional rewrite").part("the rewrite"),
            derived(
                &["MX-VAL-16"],
                "A member that is unknown is no fault in a profile, and no more so in an answer.",
            )
            .part("unknown members"),
        ],
    },
    Clause { id: "MX-WIRE-3", statement: "An object without a decision is malformed.", grounds: &[READING] },
    Clause { id: "MX-WIRE-4", statement: "An empty body and status 204 are no answer.", grounds: &[READING] },
    Clause {
        id: "MX-PROC-1",
        statement: "The processors are `url`, `agent` and `client`. url and agent are delivered a \
                    HookInput; client parks the work for the client to answer.",
        grounds: &[
            matrices_page("HookInput", "Delivered to url and agent processors").part("url and agent"),
            matrices_page("Default hooks", "with a client processor, wait up to 24").part("client"),
            convention("The table of processors is lost; the text names these three.")
                .part("there is no other"),
        ],
    },
    Clause {
        id: "MX-PROC-2a",
        statement: "An agent processor's own run triggers no agent hook.",
        grounds: &[matrices_page("Processors", "agent processor cannot itself trigger another agent hook")],
    },
    Clause {
        id: "MX-PROC-2b",
        statement: "Within an agent processor's own run, at any depth, agent hooks are skipped and \
                    write no audit. url and client hooks are evaluated.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-PROC-3",
        statement: "A url or agent processor may accept now, with 202, and answer later. That \
                    parks the work under the same wait rules.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-DL-1",
        statement: "A synchronous url or agent call has a deadline of its own, 10 s \
                    unless declared otherwise.",
        grounds: &[convention(
            "The page names no deadline for these calls, and a hook that hangs needs one.",
        )],
    },
    Clause { id: "MX-DL-2", statement: "An omitted `asyncTimeoutMs` means 24 hours.", grounds: &[READING] },
    Clause { id: "MX-DL-3", statement: "An answer exactly at a deadline is in time.", grounds: &[READING] },
];
