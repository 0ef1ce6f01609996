//! Matrices: which hooks an event selects.

use crate::clause::Clause;
use crate::clause::ground::{READING, convention, derived, matrices_page};

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "MX-MATCH-1",
        statement: "Without `match` a hook runs on every event at its point.",
        grounds: &[matrices_page("Points", "Omit match entirely to run on every event")],
    },
    Clause {
        id: "MX-MATCH-2",
        statement: "Any tool pattern may match; all `where` conditions must; and where both are \
                    given, both must hold.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-MATCH-3",
        statement: "`billing.*` matches `billing.charge` and `billing.a.b`, but not `billing` \
                    and not `billings.x`.",
        grounds: &[READING],
    },
    Clause { id: "MX-MATCH-4", statement: "`billing.*` matches the name `billing.`.", grounds: &[READING] },
    Clause {
        id: "MX-MATCH-5",
        statement: "Names are case-sensitive.",
        grounds: &[derived(&["MX-VAL-4"], "An exact name matches itself alone.")],
    },
    Clause {
        id: "MX-MATCH-6",
        statement: "On a path that is missing or a type that cannot be compared, `eq`, `in`, `gt` \
                    and their like are false and their negations true. A guard is not dodged by \
                    leaving the member out.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-MATCH-7",
        statement: "Conditions see the value as composed so far.",
        grounds: &[READING],
    },
    Clause {
        id: "MX-MATCH-8",
        statement: "The operators are `eq neq in not_in gt gte lt lte contains starts_with \
                    exists`, over a dotted path from the event's root. Array indices are \
                    decimal, without sign or leading zero; keys hold no dots.",
        grounds: &[convention("The page refers to the operators of permissions and does not list them.")],
    },
];
