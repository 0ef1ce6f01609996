//! VoiceOS: what a manifest must be to be accepted.

use crate::clause::Clause;
use crate::clause::ground::{READING, TOOL, derived, voiceos_page, wire_facts};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "VO-MAN-1",
        statement: "A manifest that declares anything under `hooks` without the `transcript` \
                    permission is rejected.",
        grounds: &[voiceos_page("Declaring hooks", "Any hook requires the transcript permission")],
    },
    Clause {
        id: "VO-MAN-2",
        statement: "Scope `agent` covers transcript, preToolUse, postToolUse and turnComplete; \
                    `dictation` covers dictation; `all` covers both. A declared hook that no \
                    granted scope covers is rejected.",
        grounds: &[
            voiceos_page(
                "Declaring hooks",
                "Scope \"agent\" covers transcript, preToolUse, postToolUse, and turnComplete",
            )
            .part("agent"),
            voiceos_page("Declaring hooks", "scope \"dictation\" covers dictation; \"all\" covers both")
                .part("dictation and all"),
            voiceos_page("Declaring hooks", "Rules the validator enforces")
                .part("an uncovered hook is rejected"),
        ],
    },
    Clause {
        id: "VO-MAN-3",
        statement: "Several `transcript` permissions grant the union of their scopes.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-MAN-4",
        statement: "A dictation hook must name its `apps`. An empty list names none.",
        grounds: &[
            voiceos_page("Declaring hooks", "dictation hooks must name their apps")
                .part("it must name its apps"),
            derived(&["VO-SEL-1"], "A hook without a bundle id to wait for could never fire.")
                .part("an empty list names none"),
        ],
    },
    Clause {
        id: "VO-MAN-5",
        statement: "An empty `apps` list on a hook other than dictation is rejected.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-MAN-6",
        statement: "Tool taps take the scope `own` and no other. Omitted, it means `own`.",
        grounds: &[
            voiceos_page("Declaring hooks", "scope: \"own\" is the only v1 value").part("own and no other"),
            wire_facts("Manifest", "also `scope?: \"own\"`").part("it may be omitted"),
            derived(&["VO-SEL-4"], "Tool taps reach own tools only, whatever is written.")
                .part("omitted means own"),
        ],
    },
    Clause {
        id: "VO-MAN-7a",
        statement: "A manifest with an unknown event name under `hooks` is rejected.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-MAN-7b",
        statement: "A manifest with an unknown scope, or none, in a `transcript` permission is rejected.",
        grounds: &[READING],
    },
    Clause {
        id: "VO-MAN-8",
        statement: "A manifest tool whose own name starts with `voiceos_hook_` is rejected.",
        grounds: &[derived(
            &["VO-HIDE-1", "VO-WIRE-1"],
            "The names are reserved for hooks, and a tool under one would be \
             hidden from the agent.",
        )],
    },
    Clause {
        id: "VO-MAN-9",
        statement: "The rest of the manifest has the shape of the wire facts: `schemaVersion` \
                    1; an `id` of dotted lower-case parts; a `version` that starts N.N.N; \
                    `name`, a `summary` of at most 140 characters, and `publisher` with id and \
                    name; a known `runtime.kind`; `permissions` of known kinds, of which but a \
                    transcript's scope no other member is looked at; and at least one tool \
                    with a lower-case name.",
        grounds: &[
            wire_facts("Manifest", "`schemaVersion: 1`").part("schemaVersion"),
            wire_facts("Manifest", "`id` `^[a-z0-9]+(\\.[a-z0-9-]+)+$`").part("id"),
            wire_facts("Manifest", "`version` starts `N.N.N`").part("version"),
            wire_facts("Manifest", "`name`, `summary` (at most 140 characters)").part("name and summary"),
            wire_facts("Manifest", "`publisher {id, name}` required").part("publisher"),
            wire_facts("Manifest", "`runtime.kind` one of `local-mcp`, `remote-mcp`, `hosted`")
                .part("runtime"),
            wire_facts("Manifest", "`permissions` is an array of `{ kind, …").part("permissions"),
            wire_facts("Manifest", "`tools` has at least one entry, names").part("tools"),
        ],
    },
    Clause { id: "VO-MAN-10", statement: "Unknown members of a manifest are no fault.", grounds: &[READING] },
    Clause {
        id: "VO-MAN-11",
        statement: "A manifest that declares hooks is flagged on the install sheet.",
        grounds: &[voiceos_page("Declaring hooks", "a dedicated callout on the install sheet")],
    },
    Clause {
        id: "VO-MAN-T",
        statement: "Every fault of a manifest is reported with a JSON Pointer (that of the \
                    parent, for a missing member, and of `permissions` for a missing permission), its clause and one sentence, up to the \
                    first thousand; a manifest of more than 4 MiB is refused unparsed. Candidates are \
                    compared on accepted or rejected, and on pointers only where they declare the \
                    capability `fault_pointers`.",
        grounds: &[TOOL],
    },
    Clause {
        id: "VO-MAN-12",
        statement: "Of a member that a manifest gives twice, the last one counts.",
        grounds: &[READING],
    },
];
