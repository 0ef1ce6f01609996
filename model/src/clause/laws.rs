//! The laws: properties of the model, and metamorphic pairs for a candidate that need no oracle.
//!
//! Each holds under the side conditions in its statement and not without them.

use crate::Dialect;
use crate::clause::Clause;
use crate::clause::ground::derived;

pub(super) const CLAUSES: &[Clause] = &[
    Clause {
        id: "HK-LAW-IDENTITY",
        statement: "With no selected hook the value is untouched, the work goes on, and \
                    nothing is asked beyond what policy and lock ask. In Matrices the \
                    profile's list is explicit.",
        grounds: &[derived(
            &["HK-DECIDE-3", "HK-REWRITE-1", "VO-CONF-1", "VO-CONF-3", "MX-DEF-2", "MX-DEF-3"],
            "A chain of no hooks defers throughout and rewrites nothing.",
        )],
    },
    Clause {
        id: "HK-LAW-NEUTRAL",
        statement: "A hook that defers at 0 ms and returns nothing else can be inserted anywhere: \
                    the outcome stays, and so do the calls and values of the others. In VoiceOS \
                    this is said of transcript and dictation; in Matrices of a `url` processor \
                    with a fresh id in a list that stays explicit and within 16. Indices and \
                    latencies are not compared, and no control step falls into the firing. Not \
                    where sequential dispatch rolls back (VO-DL-5) and an answer used up the budget \
                    to the millisecond.",
        grounds: &[derived(
            &["HK-ORDER-1", "HK-DECIDE-1", "HK-REWRITE-1", "VO-DL-2", "VO-SEL-5", "MX-VAL-1", "MX-DEF-3"],
            "It decides nothing, rewrites nothing and takes no time.",
        )],
    },
    Clause {
        id: "HK-LAW-OPEN",
        statement: "A failing fail-open hook can be inserted anywhere under the conditions \
                    of HK-LAW-NEUTRAL. In sequential VoiceOS it fails at 0 ms; in \
                    concurrent VoiceOS and under Matrices' `fail_open` any failure will do. \
                    VO-DL-5 is read as *keep*.",
        grounds: &[derived(
            &["HK-LAW-NEUTRAL", "VO-FAIL-1", "VO-FAIL-2", "VO-DL-5", "MX-FAIL-2"],
            "Failing open is deferring, but for the time it took.",
        )],
    },
    Clause {
        id: "HK-LAW-CLOSED",
        statement: "In Matrices a failing `fail_closed` hook can be swapped for one that denies at \
                    the same moment. Reason, latency, deliveryId and waits are not compared.",
        grounds: &[derived(
            &["MX-FAIL-1", "MX-FOLD-2", "MX-FOLD-9a"],
            "No answer and a deny both keep the work from happening and stop the chain.",
        )
        .only(Dialect::Matrices)],
    },
    Clause {
        id: "HK-LAW-SUFFIX",
        statement: "Whatever stands behind the winner can be replaced by anything valid, and the \
                    outcome stays. In sequential dispatch the calls stay, too. Where the \
                    most restrictive decision wins (VO-FOLD-14), only a block is a winner.",
        grounds: &[derived(&["HK-DECIDE-1", "HK-DECIDE-2"], "")],
    },
    Clause {
        id: "HK-LAW-SPLIT",
        statement: "Running c1 ++ c2 is running c1 and, if it defers throughout, c2 from what c1 \
                    leaves: value, contexts, confirmation, remaining budget, and whether it is \
                    exhausted. Dispatch is sequential, hooks and where-conditions see the composed \
                    value, VO-DL-5 is read as *keep*, VO-FOLD-14 as *first-in-order* and VO-FOLD-15 as \
                    *compose*.",
        grounds: &[derived(
            &[
                "HK-ORDER-1",
                "HK-DECIDE-1",
                "HK-REWRITE-1",
                "HK-REWRITE-2",
                "VO-ORDER-2",
                "VO-FOLD-10",
                "VO-CONF-1",
                "VO-DL-2",
                "VO-DL-5",
                "MX-MATCH-7",
            ],
            "All that one hook hands to the next is what c1 leaves.",
        )],
    },
    Clause {
        id: "HK-LAW-UNMATCHED",
        statement: "Hooks that point, tool, app or toggle do not match, or whose `where` is false \
                    on every value that the chain takes, can be added, removed and permuted, and \
                    the outcome stays. In Matrices the list stays explicit and within 16, and \
                    MX-MATCH-6 is not read as *failure*.",
        grounds: &[derived(
            &[
                "HK-ORDER-1",
                "VO-SEL-1",
                "VO-SEL-2",
                "VO-SEL-4",
                "VO-CONSENT-1",
                "MX-VAL-1",
                "MX-MATCH-2",
                "MX-MATCH-6",
                "MX-MATCH-7",
                "MX-DEF-3",
            ],
            "Only selected hooks are visited.",
        )],
    },
    Clause {
        id: "HK-LAW-CONFIRM",
        statement: "In VoiceOS's preToolUse, on the scale none < asks < blocked, adding \
                    `requireConfirmation: true` to an answer in time never moves down. Nothing \
                    that a hook returns moves below what policy and lock demand.",
        grounds: &[derived(&["VO-CONF-1", "VO-CONF-2", "VO-CONF-3", "VO-CONF-5"], "").only(Dialect::Voiceos)],
    },
    Clause {
        id: "HK-LAW-FASTER",
        statement: "In VoiceOS (a) a deferring answer made sooner makes no other answer late, \
                    where dispatch is sequential and nobody is asked again (HK-ONCE-1), and (b) no \
                    awaited firing ends after its budget.",
        grounds: &[derived(
            &["VO-ORDER-2", "VO-DL-2", "VO-DL-3"],
            "All share one budget, so what one does not use is left to the next.",
        )
        .only(Dialect::Voiceos)],
    },
    Clause {
        id: "HK-LAW-REPLAY",
        statement: "The same script on a fresh host gives the same observations. Ids and \
                    timestamps are not compared, and in live runs no answer comes near a deadline.",
        grounds: &[derived(&["HK-ORDER-2"], "")],
    },
];
