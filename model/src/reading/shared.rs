//! Alternatives that the kernel's rules take, or that both dialects choose from.

use super::alternatives;

alternatives! {
    /// HK-REWRITE-2: what a hook is handed.
    Sight {
        /// The value composed by the hooks before it.
        Composed = "composed",
        /// The value as it was when the firing began.
        Original = "original",
    }
    /// HK-REWRITE-3: whether a rewrite member that is `null` is a rewrite.
    NullRewrite {
        /// The member's presence decides, whatever its value.
        Presence = "presence",
        /// `null` counts as if the member were absent.
        Absent = "null-as-absent",
    }
    /// HK-REWRITE-4: what a rewritten object does to the old one.
    RewriteMode {
        /// It takes its place.
        Replace = "replace",
        /// Its members replace those of the same name; the others stay.
        Merge = "merge",
        /// RFC 7396: as merge, at every depth, and `null` removes a member.
        MergePatch = "merge-patch",
    }
    /// VO-DL-4, MX-DL-3: an answer exactly at the deadline.
    Boundary {
        /// It counts.
        InTime = "in-time",
        /// It does not.
        Late = "late",
    }
    /// What an input of a kind this version does not know leads to.
    Unknown {
        /// It is a fault.
        Reject = "reject",
        /// It is passed over.
        Ignore = "ignore",
    }
    /// VO-ORDER-2.
    Dispatch { Sequential = "sequential", Concurrent = "concurrent" }
    /// VO-FOLD-14.
    Choice { FirstInOrder = "first-in-order", MostRestrictive = "most-restrictive" }
    /// VO-FOLD-15.
    Rewriters { Compose = "compose", FirstRewriter = "first-rewriter" }
    /// VO-FOLD-10.
    Contexts { List = "list", Last = "last" }
    /// VO-DL-5.
    Exhaustion { Keep = "keep", Rollback = "rollback" }
    /// VO-DL-9.
    NothingLeft { NotAsked = "not-asked", AskedWithZero = "asked-with-zero" }
    /// VO-CONSENT-2.
    ConsentCheck { Both = "both", AtCallOnly = "at-call-only" }
    /// MX-MATCH-2.
    Conditions { All = "all", Any = "any" }
    /// MX-MATCH-6.
    Incomparable { NegationTrue = "negation-true", AllFalse = "all-false", Failure = "failure" }
    /// MX-WAIT-12.
    TimeoutFrom { Parked = "parked", Asked = "asked" }
}
