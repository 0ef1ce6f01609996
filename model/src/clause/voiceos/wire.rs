//! VoiceOS: what goes to a hook and what may come back.

use crate::clause::Clause;
use crate::clause::ground::{READING, convention, derived, wire_facts};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "VO-WIRE-1",
        statement: "Tool names, the single argument `payload_json` and the payload's members \
                    are those of the wire facts. `toolName` is the manifest's name; optional \
                    members that are absent are absent, not `null`; `rawTranscript` is \
                    untouched by rewrites.",
        grounds: &[
            wire_facts("Tools", "an MCP tool with a reserved name").part("tool names"),
            wire_facts("Tools", "Every hook tool takes one argument, `payload_json`")
                .part("the single argument"),
            wire_facts("Payloads", "`toolName: string` (the manifest's name, not a namespaced")
                .part("toolName"),
            wire_facts("Payloads", "`rawTranscript?: string`").part("optional members"),
            derived(&["VO-FOLD-2"], "A rewrite of dictation is one of the text about to be pasted.")
                .part("rawTranscript stays"),
        ],
    },
    Clause {
        id: "VO-WIRE-2",
        statement: "In every payload `hookApiVersion` is 1 and `event` names the event.",
        grounds: &[wire_facts("Payloads", "Every payload has `hookApiVersion: 1` and `event`")],
    },
    Clause {
        id: "VO-WIRE-3",
        statement: "`isError: true` is a failure whatever its text says, a valid \
                    HookResult included.",
        grounds: &[
            wire_facts("Result", "even one that is itself a valid HookResult")
                .part("it is how a handler that threw arrives, whatever the text"),
            derived(&["VO-FAIL-1"], "A handler that threw is a broken one.").part("it is a failure"),
        ],
    },
    Clause {
        id: "VO-WIRE-4",
        statement: "Text that is not JSON, and JSON that is neither an object nor \
                    `null`, is a failure.",
        grounds: &[derived(
            &["VO-FAIL-1"],
            "It is not the envelope that every handler returns, so the handler is broken.",
        )],
    },
    Clause {
        id: "VO-WIRE-5",
        statement: "`null`, empty text and content without a text item mean continue.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-WIRE-6a",
        statement: "A known member of the wrong type spoils the whole result. \
                    `requireConfirmation` is excepted: VO-CONF-2 speaks of it.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-WIRE-6b",
        statement: "An unknown decision spoils the whole result.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-WIRE-7",
        statement: "Unknown members of a result are ignored.",
        grounds: &[derived(
            &["VO-WIRE-8", "VO-SRV-2"],
            "The contract only ever grows by members, and receivers tolerate \
             those they do not know.",
        )],
    },
    Clause {
        id: "VO-WIRE-8",
        statement: "Members that do not belong to the event are ignored, whatever their value. The \
                    table of powers in the wire facts says which belong; VO-FOLD-18 reads it for \
                    `responseText` and `view`, and `reason` belongs to every event.",
        grounds: &[wire_facts("Result", "do not belong to the event are ignored")],
    },
    Clause {
        id: "VO-WIRE-9",
        statement: "The first text content item counts. Further items, of whichever type, are ignored.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-WIRE-10a",
        statement: "Text survives unchanged, whichever Unicode scalar values and control \
                    characters it holds.",
        grounds: &[derived(
            &["HK-REWRITE-1", "VO-FOLD-10", "VO-FOLD-11"],
            "What is pasted, read or shown is what was given, and no rule changes it on the way.",
        )],
    },
    Clause {
        id: "VO-WIRE-10b",
        statement: "A lone surrogate in an answer is a failure.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-WIRE-11",
        statement: "Of a member that an answer gives twice, the last one counts.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-WIRE-12",
        statement: "An object in `structuredContent` is ignored, beside text and without it.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-WIRE-13",
        statement: "A result that MCP's schema does not allow is no answer. Looked at are `isError`, \
                    `structuredContent`, `content` where it is there, each item's `type`, and the \
                    `text` of those of type text; an absent `content` is taken for an empty one.",
        grounds: &[
            derived(
                &["VO-FAIL-1"],
                "A hook is an MCP tool, and what answers outside its protocol is broken.",
            )
            .part("it is no answer"),
            convention("SDKs differ in how far they look.").part("what is looked at"),
        ],
    },
];
