//! VoiceOS: what binds the hooks themselves.

use crate::clause::Clause;
use crate::clause::ground::{derived, voiceos_page, wire_facts};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "VO-SRV-1",
        statement: "Declared hooks are offered under their reserved names, with exactly one \
                    required string argument, `payload_json`.",
        grounds: &[
            wire_facts("Tools", "an MCP tool with a reserved name").part("reserved names"),
            wire_facts("Tools", "Every hook tool takes one argument, `payload_json`")
                .part("one string argument"),
            wire_facts("Result", "was called without `payload_json`").part("it is required"),
        ],
    },
    Clause {
        id: "VO-SRV-2",
        statement: "Payload members that a hook does not know do not disturb it, and neither does \
                    the absence of optional ones.",
        grounds: &[
            wire_facts("Payloads", "receivers must tolerate unknown fields").part("unknown members"),
            wire_facts("Payloads", "`frontmostApp?: App`").part("optional members"),
        ],
    },
    Clause {
        id: "VO-SRV-3",
        statement: "A hook answers within the event's budget.",
        grounds: &[voiceos_page("Deadlines and fail-open", "Hooks are called with a hard budget")],
    },
    Clause {
        id: "VO-SRV-4",
        statement: "A hook answers with one text item that is a HookResult for that event.",
        grounds: &[
            wire_facts("Result", "One text content item").part("one text item"),
            wire_facts("Result", "text is the JSON of the HookResult object").part("a HookResult"),
        ],
    },
    Clause {
        id: "VO-SRV-5",
        statement: "A malformed `payload_json` neither crashes nor blocks a hook.",
        grounds: &[derived(
            &["VO-SRV-3", "VO-SRV-4"],
            "It owes an answer, in time and in form, whatever it was handed.",
        )],
    },
    Clause {
        id: "VO-SRV-6",
        statement: "A hook's server writes nothing but protocol to stdout, survives concurrent \
                    calls, and ends when the client closes.",
        grounds: &[derived(
            &["VO-SRV-1"],
            "Hooks are ordinary MCP tools, and this is what MCP asks of a server over stdio.",
        )],
    },
];
