//! The faults over standard streams, and the checks that find them.

use crate::support::Planted;

const fn planted(
    fault: &'static str,
    only: &'static [&'static str],
    broken: &'static [(&'static str, &'static str)],
) -> Planted {
    Planted { fault, only, broken }
}

const ANSWERS: &[&str] =
    &["hook-answers", "answer*", "payload-full", "payload-minimal", "payload-future", "payload-own"];
/// Every payload that a hook may be sent.
const PAYLOADS: &[&str] = &[
    "hook-answers",
    "answer*",
    "payload-full",
    "payload-minimal",
    "payload-future",
    "payload-own",
    "payload-unicode",
    "payload-control-characters",
    "payload-large",
    "payload-deep",
];
const LISTING: &[&str] =
    &["tools-*", "hooks-*", "manifest-*", "mcp-starts", "mcp-greeting", "mcp-tools-capability"];
const HOSTILE: &[&str] = &[
    "payload-malformed",
    "payload-not-an-object",
    "payload-missing",
    "payload-not-a-string",
    "payload-of-another-event",
    "payload-lone-surrogate",
    "malformed-decides-nothing",
    "hook-recovers",
];
const TOGETHER: &[&str] = &["together-*", "cancelled-call"];
const ENDING: &[&str] = &["ends-*", "leaves-no-children", "mcp-stdout-clean"];

const CRASHES: &str = "ended (exit status: 1) without an answer";

pub(super) static OVER_STDIO: &[Planted] = &[
    planted(
        "confirm-string",
        ANSWERS,
        &[("answer-confirmation-true", "`requireConfirmation` is `\"true\"`; expected true")],
    ),
    planted(
        "misspelt-member",
        ANSWERS,
        &[(
            "answer-members-known",
            "`updated_args` is no member of a HookResult; did you mean `updatedArgs`?",
        )],
    ),
    planted(
        "foreign-member",
        ANSWERS,
        &[("answer-members-belong", "turnComplete: `updatedText` does not belong to turnComplete")],
    ),
    planted(
        "unknown-decision",
        ANSWERS,
        &[("answer-decision-known", "the decision is `\"deny\"`; expected continue, block or handled")],
    ),
    planted(
        "blocks-afterwards",
        ANSWERS,
        &[("answer-decision-fits", "the decision `\"block\"` has no meaning on postToolUse")],
    ),
    planted(
        "handled-without-text",
        ANSWERS,
        &[("answer-handled-text", "dictation: handled without a `responseText`")],
    ),
    planted(
        "block-without-text",
        ANSWERS,
        &[("answer-block-text", "preToolUse: block without a `responseText`")],
    ),
    planted(
        "idle-rewrite",
        ANSWERS,
        &[("answer-rewrite-counts", "dictation: `updatedText` stands beside handled")],
    ),
    planted(
        "long-context",
        ANSWERS,
        &[("answer-context-length", "`additionalContext` has 2500 characters; expected at most 2000")],
    ),
    planted("partial-args", ANSWERS, &[("answer-whole-args", "`updatedArgs` leaves out kilograms, to")]),
    planted("null-rewrite", ANSWERS, &[("answer-null-rewrite", "dictation: `updatedText` is `null`")]),
    planted("wrong-type", ANSWERS, &[("answer-member-types", "`updatedText` is `{\"text\":")]),
    planted("not-json", ANSWERS, &[("answer-json", "the text is no JSON object")]),
    planted("null-answer", ANSWERS, &[("answer-empty-object", "the text is `null`; expected `{}`")]),
    planted(
        "two-texts",
        ANSWERS,
        &[("answer-one-text", "found 2 content items, of which 2 are text; expected one, a text")],
    ),
    planted("duplicate-member", ANSWERS, &[("answer-members-once", "the member `reason` is given twice")]),
    planted("lone-surrogate", ANSWERS, &[("answer-well-formed-unicode", "`{\"reason\":\"\\ud800\"}`")]),
    planted(
        "structured",
        ANSWERS,
        &[("answer-no-structured-content", "`structuredContent` stands beside the text")],
    ),
    planted("big-answer", ANSWERS, &[("answer-size", "expected at most 1048576")]),
    planted(
        "throws",
        ANSWERS,
        &[("answer-no-tool-error", "answered with isError: `the parcel tracker is closed`")],
    ),
    planted(
        "protocol-error",
        ANSWERS,
        &[(
            "hook-answers",
            "the hook answered with the error -32603: `the parcel tracker is closed`; expected a result",
        )],
    ),
    planted(
        "strict-payload",
        PAYLOADS,
        &[("payload-future", "answered with isError: `an unknown member`; other payloads are answered")],
    ),
    planted(
        "needs-optional",
        PAYLOADS,
        &[
            (
                "payload-minimal",
                "on payload-minimal the hook gives no answer that counts: answered with isError: `there is no app`",
            ),
            ("payload-unicode", "on characters of plane 0"),
            ("payload-control-characters", "there is no app"),
            ("payload-large", "there is no app"),
            ("answer-no-tool-error", "transcript: answered with isError: `there is no app`"),
        ],
    ),
    planted("no-sessions", PAYLOADS, &[("payload-full", "a session"), ("payload-future", "a session")]),
    planted(
        "ascii-only",
        PAYLOADS,
        &[
            ("payload-unicode", "on characters of plane 1 the hook gives no answer that counts"),
            ("payload-control-characters", "not ASCII"),
            ("answer-no-tool-error", "transcript: answered with isError: `not ASCII`"),
        ],
    ),
    planted(
        "no-control-characters",
        PAYLOADS,
        &[
            ("payload-control-characters", "a control character"),
            ("payload-unicode", "on characters of plane 0"),
        ],
    ),
    planted("size-limit", PAYLOADS, &[("payload-large", "too large")]),
    planted("shallow", PAYLOADS, &[("payload-deep", "too deep")]),
    planted(
        "chokes-on-own",
        PAYLOADS,
        &[("payload-own", "on payload 11 of --input the hook answered with the error -32603")],
    ),
    planted(
        "crash-on-malformed",
        HOSTILE, // To serde_json a lone surrogate is no JSON.
        &[("payload-malformed", CRASHES), ("payload-lone-surrogate", CRASHES)],
    ),
    planted("crash-on-no-object", HOSTILE, &[("payload-not-an-object", CRASHES)]),
    planted("crash-on-missing", HOSTILE, &[("payload-missing", CRASHES)]),
    planted("crash-on-no-string", HOSTILE, &[("payload-not-a-string", CRASHES)]),
    planted("crash-on-another-event", HOSTILE, &[("payload-of-another-event", CRASHES)]),
    planted("crash-on-surrogate", HOSTILE, &[("payload-lone-surrogate", CRASHES)]),
    planted(
        "decides-on-malformed",
        HOSTILE,
        &[("malformed-decides-nothing", "the hook answered `{\"updatedText\":\"Pardon?\"}`; expected `{}`")],
    ),
    planted("breaks-for-good", HOSTILE, &[("hook-recovers", "after malformed payloads")]),
    planted("swapped-answers", TOGETHER, &[("together-matched", "got the answer of another, such as")]),
    planted(
        "drops-some-at-once",
        TOGETHER,
        &[("together-answered", "got no result; the first of them did not answer within 2s")],
    ),
    planted("dies-on-cancelled", TOGETHER, &[("cancelled-call", "after three cancelled calls the next one")]),
    planted(
        "missing-hook",
        LISTING,
        &[("hooks-declared-offered", "the server offers no `voiceos_hook_post_tool_use`")],
    ),
    planted(
        "misnamed-hook",
        LISTING,
        &[
            ("hooks-declared-offered", "the server offers no `voiceos_hook_pre_tool_use`"),
            ("hooks-reserved-names", "`voiceos_hook_preToolUse` is no hook; expected one of"),
        ],
    ),
    planted("no-hooks", &["hooks-offered"], &[("hooks-offered", "found 2 tools, none of them a hook")]),
    planted(
        "lost-tool",
        LISTING,
        &[("manifest-tools-offered", "the manifest lists `track_parcel`; the server does not offer it")],
    ),
    planted(
        "listed-twice",
        LISTING,
        &[("tools-list-once", "`voiceos_hook_turn_complete` is listed more than once")],
    ),
    planted(
        "unstable-list",
        LISTING,
        &[("tools-list-stable", "asked again, the list differs in voiceos_hook_turn_complete")],
    ),
    planted(
        "optional-argument",
        LISTING,
        &[("hooks-argument", "requires nothing; expected exactly one argument")],
    ),
    planted(
        "two-arguments",
        LISTING,
        &[("hooks-argument", "takes payload_json, version; expected exactly one argument")],
    ),
    planted("stdout-banner", ENDING, &[("mcp-stdout-clean", "`parcel tracker 1.0.0`")]),
    planted(
        "stays-after-stdin",
        ENDING,
        &[("ends-with-stdin", "still runs 3s after its standard input was closed")],
    ),
    planted("ignores-sigterm", ENDING, &[("ends-on-sigterm", "still runs 3s after SIGTERM")]),
    planted("exit-code", ENDING, &[("ends-well", "ended with exit status: 3; expected exit status 0")]),
    planted("leaves-a-child", ENDING, &[("leaves-no-children", "left `sleep 61` running")]),
    planted(
        "slow",
        &["latency-alone"],
        &[("latency-alone", "dictation: 5 of 5 calls took longer than 250 ms")],
    ),
    planted(
        "half-slow",
        &["latency-alone", "latency-share"],
        &[("latency-share", "dictation: 19 of 20 calls take up to")],
    ),
    planted("slow-together", &["latency-alone", "latency-together"], &[("latency-together", "dictation: ")]),
];
