//! Matrices: the default hooks.

use crate::clause::Clause;
use crate::clause::ground::{READING, convention, derived, matrices_page};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "MX-DEF-1",
        statement: "A profile created without `hooks` gets the six defaults: client approval at \
                    before_tool_call with a client processor, 24 hours and fail_closed. The \
                    catalogue of their ids and matches is an input of the model, and a candidate \
                    may declare its own.",
        grounds: &[
            matrices_page("Default hooks", "installs six removable client-approval hooks")
                .part("the six defaults"),
            matrices_page("Default hooks", "All six run at before_tool_call").part("point"),
            matrices_page("Default hooks", "with a client processor, wait up to 24")
                .part("processor and timeout"),
            matrices_page("Default hooks", "and are fail_closed").part("failure"),
            convention("Ids and matches of the six are not printed.").part("the catalogue"),
        ],
    },
    Clause {
        id: "MX-DEF-2",
        statement: "`hooks: []` installs none.",
        grounds: &[matrices_page("Default hooks", "hooks: [] installs none")],
    },
    Clause {
        id: "MX-DEF-3",
        statement: "A non-empty list is authoritative, and defaults are not merged in.",
        grounds: &[
            matrices_page("Default hooks", "Any non-empty list you send is authoritative")
                .part("it is authoritative"),
            matrices_page("Default hooks", "The defaults are not merged back in")
                .part("nothing is merged in"),
        ],
    },
    Clause {
        id: "MX-DEF-4",
        statement: "Defaults can be removed, one by one.",
        grounds: &[matrices_page("Default hooks", "six removable client-approval hooks")],
    },
    Clause {
        id: "MX-DEF-5",
        statement: "An update that does not mention `hooks` leaves them as they are.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-DEF-6",
        statement: "A default introduced later reaches existing profiles: those that hold a \
                    default, which is to say at least one hook equal to a catalogue entry \
                    under its reserved id. Read as untouched-only, those whose list is the \
                    catalogue, whole and in its order.",
        grounds: &[
            matrices_page("Default hooks", "a newly added default reaches existing profiles")
                .part("it reaches existing profiles"),
            READING.part("which profiles"),
        ],
    },
    Clause {
        id: "MX-DEF-7",
        statement: "A later default never overwrites a hook authored under its id, never reaches a \
                    profile that opted out, and never revives a default that the profile removed. \
                    Adding it twice is adding it once.",
        grounds: &[
            matrices_page("Default hooks", "without overwriting a hook you authored")
                .part("it overwrites nothing authored"),
            derived(
                &["MX-VAL-12b", "MX-DEF-2", "MX-DEF-4"],
                "Opting out and removing would mean nothing if they did not last, \
                 and an id stands once.",
            )
            .part("opt-outs, removals, idempotence"),
        ],
    },
    Clause { id: "MX-DEF-8a", statement: "A later default is appended to the list.", grounds: &[READING] },
    Clause {
        id: "MX-DEF-8b",
        statement: "A profile that already has 16 hooks is skipped, for good.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-DEF-9",
        statement: "A default that was read and then written back unchanged, which is to say as an \
                    equal value, is still the default.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-DEF-10",
        statement: "A differing hook may be authored under an id that is reserved now.",
        grounds: &[READING],
    },
];
