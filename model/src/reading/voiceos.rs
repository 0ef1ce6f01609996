//! The readings of the VoiceOS dialect.

use super::shared::{
    Boundary, Choice, ConsentCheck, Contexts, Dispatch, Exhaustion, NothingLeft, NullRewrite, RewriteMode,
    Rewriters, Sight, Unknown,
};
use super::{alternatives, table};
use crate::Dialect;

alternatives! {
    /// HK-ONCE-1.
    Once { Once = "once", Retries = "retries" }
    /// VO-MAN-3.
    Scopes { Union = "union", FirstOnly = "first-only" }
    /// VO-MAN-5.
    EmptyApps { Reject = "reject", NeverFires = "never-fires", AsOmitted = "as-omitted" }
    /// VO-MAN-10.
    UnknownMembers { Ignore = "ignore", Reject = "reject" }
    /// VO-HIDE-2.
    HiddenTool { UnknownTool = "unknown-tool", Forbidden = "forbidden" }
    /// VO-CONSENT-4.
    InitialAccess { On = "on", Off = "off" }
    /// VO-ORDER-1.
    ChainOrder { InstallOrder = "install-order", ById = "by-id" }
    /// VO-LIFE-2.
    UpdateInFlight { AtOnce = "at-once", NextFiring = "next-firing" }
    /// VO-SEL-3.
    BundleIds { Exact = "exact", IgnoreCase = "ignore-case" }
    /// VO-SEL-6.
    FrontmostAt { AtFiring = "at-firing", AtTurnStart = "at-turn-start" }
    /// VO-WIRE-5.
    EmptyAnswer { Continue = "continue", Failure = "failure" }
    /// VO-WIRE-6a.
    WrongType { DiscardResult = "discard-result", DiscardMember = "discard-member" }
    /// VO-WIRE-6b.
    UnknownDecision { DiscardResult = "discard-result", AsContinue = "as-continue" }
    /// VO-WIRE-9.
    ContentItems { FirstText = "first-text", Joined = "joined", ExtraIsFailure = "extra-is-failure" }
    /// VO-WIRE-10b.
    LoneSurrogate { Failure = "failure", Replaced = "replaced" }
    /// VO-WIRE-11.
    DuplicateMembers { LastCounts = "last-counts", Failure = "failure" }
    /// VO-LOAD-3.
    StrippedUpdate { StaysStripped = "stays-stripped", Restored = "restored" }
    /// VO-SEL-7.
    FrontmostChecked { AtFiring = "at-firing", AtCall = "at-call" }
    /// VO-MAN-12.
    ManifestDuplicates { LastCounts = "last-counts", Reject = "reject" }
    /// VO-WIRE-12.
    StructuredContent { Ignored = "ignored", WhereNoText = "where-no-text", Preferred = "preferred" }
    /// VO-FOLD-7.
    HandledToolCall { Continue = "continue", Block = "block", DiscardResult = "discard-result" }
    /// VO-FOLD-9.
    EndingRewrite { Ignore = "ignore", Apply = "apply" }
    /// VO-FOLD-13.
    EndedTurnReceipt { Fires = "fires", Silent = "silent" }
    /// VO-FOLD-16a.
    ReceiptTools { All = "all", OwnOnly = "own-only" }
    /// VO-FOLD-16b.
    ReceiptTranscript { AsRewritten = "as-rewritten", AsSaid = "as-said" }
    /// VO-FOLD-16c.
    ReceiptResponse { Hooks = "hooks", Empty = "empty" }
    /// VO-FOLD-16d.
    ReceiptStopped { Omitted = "omitted", Failed = "failed" }
    /// VO-FOLD-17a.
    FailedTool { Fires = "fires", Silent = "silent" }
    /// VO-FOLD-17b.
    PostArgs { Executed = "executed", Original = "original" }
    /// VO-FOLD-18.
    EndingText { EveryEvent = "every-event", TranscriptOnly = "transcript-only" }
    /// VO-CONF-4.
    AskingOff { Add = "add", UserWins = "user-wins" }
    /// VO-CONF-8.
    NobodyThere { DoesNotRun = "does-not-run", Parks = "parks" }
}

table! {
    /// The alternatives chosen for the VoiceOS dialect.
    VoiceosReadings of Dialect::Voiceos;
    "HK-REWRITE-2" sight: Sight, "What does a hook see of the rewrites before it?", "A chain whose hooks could not see each other's rewrites could not compose them.";
    "HK-REWRITE-3" null_rewrite: NullRewrite, "Is a rewrite member that is null a rewrite?", "JSON tells null from absence, and `updatedResult` may be any JSON.";
    "HK-REWRITE-4" rewrite_mode: RewriteMode, "What does a rewritten object do to the old one?", "Handlers seen in practice send all arguments again, and replacing alone lets a hook remove one.";
    "HK-ONCE-1" once: Once, "May a hook be asked again in one firing?", "A hard budget leaves no room to ask twice, and a handler may already have acted.";
    "VO-MAN-3" scopes: Scopes, "What do several transcript permissions grant?", "Each is a grant of its own that the user has seen.";
    "VO-MAN-5" empty_apps: EmptyApps, "What does an empty app list mean on a hook that need not name any?", "The author meant something, and both other meanings surprise half of the authors.";
    "VO-MAN-7a" unknown_event: Unknown, "What becomes of an unknown event name?", "A misspelt event would otherwise never fire, in silence.";
    "VO-MAN-7b" unknown_scope: Unknown, "What becomes of an unknown permission scope?", "A grant that nobody can read must not be guessed.";
    "VO-MAN-10" unknown_members: UnknownMembers, "Are unknown members of a manifest a fault?", "Manifests carry icons, intents and preferences that hooks do not concern.";
    "VO-MAN-12" manifest_duplicates: ManifestDuplicates, "What does a member given twice in a manifest mean?", "The JSON parsers of the SDKs keep the last one.";
    "VO-LOAD-3" stripped_update: StrippedUpdate, "Does an update bring back hooks that were stripped of the permission?", "The page says never, and an update is not the user's word.";
    "VO-LIFE-2" update_in_flight: UpdateInFlight, "Does an update take hooks away from a firing under way?", "Removing the integration would, and the new version is all that the user has installed.";
    "VO-HIDE-2" hidden_tool: HiddenTool, "What is the agent told that calls a hook's tool?", "The model can never see it, so for the model it does not exist.";
    "VO-CONSENT-2" consent_check: ConsentCheck, "When is consent checked?", "Silencing is instant, so an answer in flight is silenced too.";
    "VO-CONSENT-4" initial_access: InitialAccess, "Is Transcript access on after installation?", "The user has just agreed to it on the install sheet.";
    "VO-ORDER-1" chain_order: ChainOrder, "In which order do integrations stand?", "The order of installation is the only one the user has made.";
    "VO-ORDER-2" dispatch: Dispatch, "Are the integrations of one firing asked in turn or at once?", "A budget that is shared across integrations is one that they use up together.";
    "VO-SEL-3" bundle_ids: BundleIds, "How are bundle ids compared?", "Exact comparison never lets a hook listen to an app it did not name.";
    "VO-SEL-6" frontmost_at: FrontmostAt, "Which app is frontmost for postToolUse and turnComplete?", "The page defines it by the moment of the firing.";
    "VO-SEL-7" frontmost_checked: FrontmostChecked, "Is the frontmost app looked at again when a hook's turn comes?", "An event is of one moment, and its payload names the app of that moment.";
    "VO-WIRE-5" empty_answer: EmptyAnswer, "What do null, empty text and no content mean?", "Returning nothing means continue untouched.";
    "VO-WIRE-6a" wrong_type: WrongType, "What does a known member of the wrong type spoil?", "Half an answer that its author did not mean is worse than none.";
    "VO-WIRE-6b" unknown_decision: UnknownDecision, "What does an unknown decision spoil?", "A decision that cannot be read is no answer.";
    "VO-WIRE-9" content_items: ContentItems, "Which content counts where there are several items?", "The contract is one text item; the first is the one every SDK writes.";
    "VO-WIRE-10b" lone_surrogate: LoneSurrogate, "What is a lone surrogate in an answer?", "It is no Unicode text, and guessing at it changes what the user reads.";
    "VO-WIRE-11" duplicate_members: DuplicateMembers, "What does a member given twice mean?", "The JSON parsers of the SDKs keep the last one.";
    "VO-WIRE-12" structured_content: StructuredContent, "What does `structuredContent` beside or instead of text mean?", "The contract is one text item, and nothing in it speaks of another place.";
    "VO-FOLD-7" handled_tool_call: HandledToolCall, "What does handled mean on preToolUse?", "The table gives that event no such power, and fields that do not belong are ignored.";
    "VO-FOLD-9" ending_rewrite: EndingRewrite, "What becomes of a rewrite beside a decision that ends the event?", "There is nothing left that it could rewrite.";
    "VO-FOLD-10" contexts: Contexts, "What becomes of the additional contexts of several hooks?", "Each was added; none asked for another's removal.";
    "VO-FOLD-13" ended_turn_receipt: EndedTurnReceipt, "Is turnComplete sent for a turn that a hook ended?", "Such a turn is torn down like any other.";
    "VO-FOLD-14" choice: Choice, "Which decision wins where two integrations decide differently?", "It is the rule of the other design, and asking can stop at once.";
    "VO-FOLD-15" rewriters: Rewriters, "What if two integrations rewrite?", "Composition loses nobody's rewrite.";
    "VO-FOLD-16a" receipt_tools: ReceiptTools, "Whose tools does a receipt list?", "The page says: tools used, without restriction.";
    "VO-FOLD-16b" receipt_transcript: ReceiptTranscript, "Which transcript does a receipt carry?", "The turn was about the text that the agent was given.";
    "VO-FOLD-16c" receipt_response: ReceiptResponse, "Which response does the receipt of a turn that a hook ended carry?", "It is what the user was shown.";
    "VO-FOLD-16d" receipt_stopped: ReceiptStopped, "How does a blocked or declined tool stand in a receipt?", "It was not used.";
    "VO-FOLD-17a" failed_tool: FailedTool, "Does postToolUse fire for a tool that failed?", "The tool ran, and the model is about to read what came of it.";
    "VO-FOLD-17b" post_args: PostArgs, "Which arguments does postToolUse carry?", "They are those that the tool ran with.";
    "VO-FOLD-18" ending_text: EndingText, "Is a responseText or view beside a decision that ends dictation or a tool call shown?", "The page says, of any event: shown in the notch when handled or blocked.";
    "VO-DL-4" boundary: Boundary, "Is an answer exactly at the budget in time?", "A budget of 500 ms is 500 ms.";
    "VO-DL-5" exhaustion: Exhaustion, "Do answers given in time stand when the budget runs out later?", "The late hook behaves exactly like no handler, and no handler takes nothing back.";
    "VO-DL-9" nothing_left: NothingLeft, "Is a hook asked with no time left?", "It could not answer in time.";
    "VO-CONF-4" asking_off: AskingOff, "Does a hook's confirmation stand where the user switched asking off?", "The wire facts say that it stays.";
    "VO-CONF-8" nobody_there: NobodyThere, "What if a confirmation is needed and nobody is there to ask?", "What nobody confirmed must not run.";
}
