//! Alternatives that both dialects choose from, each for itself.

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
}
