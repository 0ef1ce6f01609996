//! Matrices: what a profile must be to be accepted.

use crate::clause::Clause;
use crate::clause::ground::{READING, TOOL, convention, derived, matrices_page};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "MX-VAL-1",
        statement: "A profile is a JSON object, and its hooks live in `configuration.hooks`, at most 16 of \
                    them, defaults included.",
        grounds: &[
            matrices_page("Hooks", "live on a profile in configuration.hooks").part("where they live"),
            matrices_page("Hooks", "at most 16 of them").part("at most 16"),
            derived(&["MX-DEF-1"], "Defaults are hooks that a profile is given, and stand in the same list.")
                .part("defaults included"),
        ],
    },
    Clause {
        id: "MX-VAL-2",
        statement: "The points are `before_input`, `before_tool_call`, `after_tool_call` and \
                    `after_output`. The two in the middle are the tool points.",
        grounds: &[convention(
            "The table of points is lost; the text names before_tool_call, after-output hooks \
             and two tool points.",
        )],
    },
    Clause {
        id: "MX-VAL-3",
        statement: "`match.tools` is valid at the two tool points only.",
        grounds: &[matrices_page("Points", "only valid on the two tool points")],
    },
    Clause {
        id: "MX-VAL-4",
        statement: "A pattern is an exact name or ends in one trailing wildcard. A `*` \
                    elsewhere is rejected.",
        grounds: &[matrices_page(
            "Points",
            "exact names (payments.transfer) or one trailing wildcard (billing.*)",
        )],
    },
    Clause { id: "MX-VAL-5", statement: "A bare `*` is a pattern.", grounds: &[READING] },
    Clause {
        id: "MX-VAL-6",
        statement: "The wildcard may stand behind a prefix that does not end in \
                    a dot, as in `bill*`.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-VAL-7",
        statement: "`match.where` has at most eight conditions.",
        grounds: &[matrices_page("Points", "match.where takes at most eight conditions")],
    },
    Clause {
        id: "MX-VAL-8a",
        statement: "`asyncTimeoutMs` is at most 24 hours, which is 86 400 000.",
        grounds: &[matrices_page("Processors", "asyncTimeoutMs is capped at 24 hours")],
    },
    Clause {
        id: "MX-VAL-8b",
        statement: "`asyncTimeoutMs` is a positive integer, and anything else is rejected.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-VAL-9",
        statement: "An `asyncTimeoutMs` above the cap is rejected.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-VAL-10a",
        statement: "A `url` processor is HTTPS, or plain `http` to exactly `localhost`, on any port: \
                    `http` to `127.0.0.1`, `[::1]`, `localhost.example.com` or \
                    `localhost@example.com` is not.",
        grounds: &[
            matrices_page("Processors", "A url processor must be HTTPS").part("it is HTTPS"),
            matrices_page("Processors", "(except http://localhost for development)")
                .part("or http to localhost"),
        ],
    },
    Clause {
        id: "MX-VAL-10b",
        statement: "Which host a url names is read by the WHATWG URL rules. Hosts that its editions read \
                    differently, such as `xn--a`, are in no vector.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-VAL-11",
        statement: "`onFailure` is `fail_closed`, which is the default, or `fail_open`.",
        grounds: &[
            matrices_page("Processors", "onFailure is fail_closed (the default")
                .part("fail_closed is the default"),
            matrices_page("Processors", "or fail_open").part("fail_open is the other"),
        ],
    },
    Clause { id: "MX-VAL-12a", statement: "An empty hook id is rejected.", grounds: &[READING] },
    Clause {
        id: "MX-VAL-12b",
        statement: "A hook id that stands twice in a profile is rejected.",
        grounds: &[READING],
    },
    Clause { id: "MX-VAL-13a", statement: "An empty `match.tools` is rejected.", grounds: &[READING] },
    Clause {
        id: "MX-VAL-13b",
        statement: "An empty `match.where` matches every event.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-VAL-13c",
        statement: "An empty `match` matches every event at the point.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-VAL-14",
        statement: "`hooks: null` is neither omitted nor a list, and is rejected.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-VAL-15",
        statement: "A rejected profile changes nothing.",
        grounds: &[derived(
            &["MX-VAL-1", "MX-DEF-3"],
            "Only a list that was accepted becomes the profile's, so the one before stays.",
        )],
    },
    Clause {
        id: "MX-VAL-16",
        statement: "An unknown point, processor, operator or `onFailure` is rejected. Unknown \
                    members are no fault.",
        grounds: &[
            READING.part("unknown values"),
            convention(
                "Tables of the page are lost, so a member that is unknown here may be one \
                 of the design's own.",
            )
            .part("unknown members"),
        ],
    },
    Clause {
        id: "MX-VAL-T",
        statement: "Every fault of a profile is reported with a JSON Pointer (that of the parent, \
                    for a missing member), its clause and one sentence, up to the first \
                    thousand; a profile of more than 4 MiB is refused unparsed. Candidates are compared \
                    on accepted or rejected, and on pointers only where they declare the \
                    capability `fault_pointers`.",
        grounds: &[TOOL],
    },
    Clause {
        id: "MX-VAL-17",
        statement: "A profile that gives a member twice is rejected.",
        grounds: &[READING],
    },
];
