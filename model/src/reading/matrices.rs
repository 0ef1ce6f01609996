//! The readings of the Matrices dialect.

use super::shared::{
    Boundary, Conditions, Incomparable, NullRewrite, RewriteMode, Sight, TimeoutFrom, Unknown,
};
use super::{alternatives, table};
use crate::Dialect;

alternatives! {
    /// HK-ONCE-1.
    Once { Once = "once", Retries = "retries-with-same-deliveryId" }
    /// MX-VAL-5, MX-VAL-6, MX-DEF-10.
    Accepted { Accept = "accept", Reject = "reject" }
    /// MX-VAL-8b.
    ZeroTimeout { RejectOthers = "reject-others", ZeroIsNone = "zero-is-none" }
    /// MX-VAL-9.
    AboveCap { Reject = "reject", Clamp = "clamp" }
    /// MX-VAL-10b.
    UrlParsing { Whatwg = "whatwg", AsWritten = "as-written" }
    /// MX-VAL-12a.
    EmptyId { Reject = "reject", Generated = "generated" }
    /// MX-VAL-12b.
    DuplicateId { Reject = "reject", Accept = "accept" }
    /// MX-VAL-13a.
    EmptyTools { Reject = "reject", Never = "never", MatchesAll = "matches-all" }
    /// MX-VAL-13b, MX-VAL-13c.
    EmptyMatch { MatchesAll = "matches-all", Reject = "reject" }
    /// MX-VAL-14.
    NullHooks { Reject = "reject", AsOmitted = "as-omitted", AsEmpty = "as-empty" }
    /// MX-VAL-17.
    ProfileDuplicates { Reject = "reject", LastCounts = "last-counts" }
    /// MX-MATCH-3.
    Wildcard { CrossesDots = "crosses-dots", OneSegment = "one-segment" }
    /// MX-MATCH-4.
    EmptyTail { Matches = "matches", DoesNot = "does-not" }
    /// MX-FOLD-4.
    AllowRewrite { Apply = "apply", Ignore = "ignore" }
    /// MX-FOLD-8.
    Misfit { Malformed = "malformed", Ignored = "ignore-misfit" }
    /// MX-FOLD-9b.
    Withheld { Error = "error", Null = "null", Absent = "absent" }
    /// MX-FAIL-4.
    Redirect { Failure = "failure", Followed = "followed" }
    /// MX-WIRE-3.
    NoDecision { Malformed = "malformed", Defer = "defer" }
    /// MX-WIRE-4.
    EmptyBody { NoAnswer = "no-answer", Defer = "defer" }
    /// MX-PROC-2b.
    NestedAgentHooks { Skipped = "skipped", Failure = "failure", NoHooks = "no-hooks" }
    /// MX-PROC-3.
    Accepted202 { Parks = "parks", Failure = "failure" }
    /// MX-DL-2.
    OmittedTimeout { Day = "24h", Required = "required" }
    /// MX-DEF-5.
    UnmentionedHooks { Keep = "keep", Reinstall = "reinstall" }
    /// MX-DEF-6.
    LaterDefault { HoldsADefault = "holds-a-default", UntouchedOnly = "untouched-only", AllButOptedOut = "all-but-opted-out" }
    /// MX-DEF-8a.
    DefaultPlace { Append = "append", CatalogueOrder = "catalogue-order" }
    /// MX-DEF-8b.
    FullProfile { Skip = "skip", Refuse = "refuse" }
    /// MX-DEF-9.
    SentBack { StillDefault = "still-default", Authored = "authored" }
    /// MX-WAIT-3b.
    ResolveBody { HookResult = "HookResult", ApproveOrDeny = "approve-or-deny" }
    /// MX-WAIT-5.
    WaitErrors { Distinct = "distinct", OneConflict = "one-conflict" }
    /// MX-WAIT-6.
    BadResolution { RefuseAndStay = "refuse-and-stay", Failure = "failure" }
    /// MX-WAIT-9.
    ParkedChain { Snapshot = "snapshot", Live = "live" }
    /// MX-WAIT-10b, MX-AUD-9.
    CancelAudit { None = "none", Deny = "deny" }
    /// MX-AUD-2b.
    NotRewrote { Absent = "absent", False = "false" }
    /// MX-AUD-4.
    IndexBase { ZeroBased = "zero-based", OneBased = "one-based" }
    /// MX-AUD-5.
    FailingDecision { Effective = "effective", Failed = "failed" }
    /// MX-AUD-6.
    ParkedAudit { AtEnd = "at-end", AtParkAndEnd = "at-park-and-end" }
    /// MX-AUD-8.
    Deliveries { UrlAndAgent = "url-and-agent", UrlOnly = "url-only" }
}

table! {
    /// The alternatives chosen for the Matrices dialect.
    MatricesReadings of Dialect::Matrices;
    "HK-REWRITE-3" null_rewrite: NullRewrite, "Is a rewrite member that is null a rewrite?", "JSON tells null from absence, and an output may be any JSON.";
    "HK-REWRITE-4" rewrite_mode: RewriteMode, "What does a rewritten object do to the old one?", "Replacing alone lets a redaction remove a member.";
    "HK-ONCE-1" once: Once, "May a hook be asked again in one firing?", "Every evaluated hook writes one audit entry.";
    "MX-VAL-5" bare_star: Accepted, "Is a bare * a pattern?", "It is one trailing wildcard behind an empty prefix.";
    "MX-VAL-6" undotted_star: Accepted, "May the wildcard follow a prefix that does not end in a dot?", "The page asks for one trailing wildcard and no dot.";
    "MX-VAL-8b" zero_timeout: ZeroTimeout, "Which asyncTimeoutMs are no timeout?", "A wait that expires at once was not meant, and one that never does breaks the cap.";
    "MX-VAL-9" above_cap: AboveCap, "What becomes of an asyncTimeoutMs above the cap?", "An author who asked for more should learn that it was not given.";
    "MX-VAL-10b" url_parsing: UrlParsing, "How is the host of a url read?", "The check must see the host that the request will go to.";
    "MX-VAL-12a" empty_id: EmptyId, "What becomes of an empty hook id?", "The audit trail names hooks by id.";
    "MX-VAL-12b" duplicate_id: DuplicateId, "What becomes of an id used twice?", "The audit trail could not tell the two apart.";
    "MX-VAL-13a" empty_tools: EmptyTools, "What does an empty tool list match?", "Both meanings surprise half of the authors, and one of them guards nothing.";
    "MX-VAL-13b" empty_where: EmptyMatch, "What does an empty condition list match?", "All of no conditions hold.";
    "MX-VAL-13c" empty_match: EmptyMatch, "What does an empty match match?", "It restricts nothing.";
    "MX-VAL-14" null_hooks: NullHooks, "What does hooks: null mean?", "It stands between six hooks and none, so guessing is unsafe.";
    "MX-VAL-16" unknown_values: Unknown, "What becomes of an unknown point, processor, operator or onFailure?", "A guard that is dropped in silence guards nothing.";
    "MX-VAL-17" profile_duplicates: ProfileDuplicates, "What does a member given twice in a profile mean?", "The member that is dropped may be the list of guards.";
    "MX-MATCH-2" conditions: Conditions, "Must all conditions hold?", "Conditions narrow a match.";
    "MX-MATCH-3" wildcard: Wildcard, "Does the wildcard cross dots?", "A guard on billing.* that missed billing.card.charge would be a hole.";
    "MX-MATCH-4" empty_tail: EmptyTail, "Does the wildcard match nothing?", "A trailing wildcard usually stands for any characters, none included.";
    "MX-MATCH-6" incomparable: Incomparable, "What is a condition on a missing path or on types that do not compare?", "A guard is not dodged by leaving the member out.";
    "MX-MATCH-7" conditions_see: Sight, "Which value do conditions see?", "They see what the hook would see.";
    "MX-FOLD-4" allow_rewrite: AllowRewrite, "Does an allow's own rewrite apply?", "A HookResult carries an optional rewrite whatever it decides.";
    "MX-FOLD-8" misfit: Misfit, "What is a rewrite member of another point, or are two of them?", "Dropping a redaction in silence would be unsafe.";
    "MX-FOLD-9b" withheld: Withheld, "What stands in the place of a withheld output?", "The reader must be able to tell that something was withheld.";
    "MX-FAIL-4" redirect: Redirect, "Is a redirect followed?", "A delivery that goes elsewhere would pass the URL rule by.";
    "MX-WIRE-3" no_decision: NoDecision, "What is an object without a decision?", "A HookResult carries a decision.";
    "MX-WIRE-4" empty_body: EmptyBody, "What is an empty body?", "It carries no decision.";
    "MX-PROC-2b" nested_agent_hooks: NestedAgentHooks, "What becomes of agent hooks within an agent processor's own run?", "Skipping them alone leaves every other guard standing.";
    "MX-PROC-3" accepted: Accepted202, "May a url or agent processor accept now and answer later?", "Timeouts of a day only make sense if it can.";
    "MX-DL-2" omitted_timeout: OmittedTimeout, "What does an omitted asyncTimeoutMs mean?", "It is the cap, and what the defaults use.";
    "MX-DL-3" boundary: Boundary, "Is an answer exactly at a deadline in time?", "A deadline of 10 s is 10 s.";
    "MX-DEF-5" unmentioned_hooks: UnmentionedHooks, "What does an update that does not mention hooks do to them?", "Updates change what they mention.";
    "MX-DEF-6" later_default: LaterDefault, "Which profiles does a later default reach?", "A profile that holds a default has not opted out, and one of authored hooks alone is authoritative.";
    "MX-DEF-8a" default_place: DefaultPlace, "Where in the list does a later default go?", "Appending leaves the order of what is there alone.";
    "MX-DEF-8b" full_profile: FullProfile, "What if the profile is full?", "A profile must not come to more hooks than it may have.";
    "MX-DEF-9" sent_back: SentBack, "Is a default that was read and written back still the default?", "Reading and writing back changes nothing.";
    "MX-DEF-10" reserved_id: Accepted, "May a differing hook be authored under a reserved id?", "The page speaks of a hook that you authored under the same id.";
    "MX-WAIT-3b" resolve_body: ResolveBody, "What is the body of a resolve?", "Resolving answers the hook, and hooks answer with a HookResult.";
    "MX-WAIT-5" wait_errors: WaitErrors, "Are the failures of a resolve told apart?", "A client must know whether to give up or to look again.";
    "MX-WAIT-6" bad_resolution: BadResolution, "What does a resolution that is not a HookResult do?", "A slip of the client's must not deny what a person approved.";
    "MX-WAIT-9" parked_chain: ParkedChain, "Which hooks does a parked chain go on with?", "The firing selected its hooks when it began.";
    "MX-WAIT-10b" cancel_audit: CancelAudit, "What does the audit say of a wait that a cancel dropped?", "The hook came to no decision.";
    "MX-WAIT-12" timeout_from: TimeoutFrom, "From when does asyncTimeoutMs count?", "It bounds the wait, and the wait begins when the work is parked.";
    "MX-AUD-2b" not_rewrote: NotRewrote, "What does rewrote say where nothing was rewritten?", "It is there when it applies.";
    "MX-AUD-4" index_base: IndexBase, "From what does index count?", "It is the place in a JSON list.";
    "MX-AUD-5" failing_decision: FailingDecision, "Which decision does a failing hook record?", "The reader wants to know what happened to the work.";
    "MX-AUD-6" parked_audit: ParkedAudit, "When is a parked hook recorded?", "There is no decision before.";
    "MX-AUD-8" deliveries: Deliveries, "Which deliveries have a deliveryId?", "HookInput is delivered to both.";
    "MX-AUD-9" cancelled_in_flight: CancelAudit, "What does the audit say of a hook that a cancel did not let answer?", "It came to no decision.";
}
