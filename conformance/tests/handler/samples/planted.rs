//! The faults of the samples, by the names of their READMEs, and the checks that find them.

/// A fault, and how it shows.
pub(super) struct Row {
    pub(super) fault: &'static str,
    /// Which checks are carried out, as globs: all where it could show, as far as that takes little time.
    pub(super) only: &'static [&'static str],
    /// Which hooks are examined; all if there are none.
    pub(super) events: &'static [&'static str],
    /// Every check of these that is broken, in the order of the alphabet.
    pub(super) broken: &'static [&'static str],
}

/// A fault that makes the checker wait.
pub(super) const HANG: &str = "hang-on-malformed";

const ANSWERS: &[&str] = &["hook-answers", "answer-*"];
const OPTIONAL: &[&str] = &["hook-answers", "payload-minimal", "payload-full", "payload-future"];
const LISTING: &[&str] = &["tools-*", "hooks-*", "manifest-*"];
const ALL: &[&str] = &[];
/// Where one hook shows it as well as five, and the others would only take time.
const ONE: &[&str] = &["dictation"];

const fn row(
    fault: &'static str,
    only: &'static [&'static str],
    events: &'static [&'static str],
    broken: &'static [&'static str],
) -> Row {
    Row { fault, only, events, broken }
}

pub(super) static TYPESCRIPT: &[Row] = &[
    row("stdout-banner", &["mcp-stdout-clean", "mcp-starts"], ALL, &["mcp-stdout-clean"]),
    row("stdout-log", &["mcp-stdout-clean", "hook-answers"], ALL, &["mcp-stdout-clean"]),
    row("confirm-string", ANSWERS, ALL, &["answer-confirmation-true"]),
    row("misspelt-member", ANSWERS, ALL, &["answer-members-known"]),
    row("foreign-member", ANSWERS, ALL, &["answer-members-belong"]),
    row("unknown-decision", ANSWERS, ALL, &["answer-decision-known"]),
    row("handled-in-pre-tool-use", ANSWERS, ALL, &["answer-decision-fits"]),
    row("handled-without-text", ANSWERS, ALL, &["answer-handled-text"]),
    row("block-without-text", ANSWERS, ALL, &["answer-block-text"]),
    row("long-context", ANSWERS, ALL, &["answer-context-length"]),
    row("wrong-type", ANSWERS, ALL, &["answer-member-types"]),
    row("strict-payload", OPTIONAL, ALL, &["payload-future"]),
    row("needs-optional", OPTIONAL, ALL, &["payload-minimal"]),
    row("crash-on-malformed", &["payload-malformed"], ONE, &["payload-malformed"]),
    row(HANG, &["payload-malformed"], ONE, &["payload-malformed"]),
    row("slow", &["latency-alone"], ONE, &["latency-alone"]),
    row("slow-together", &["latency-together"], ONE, &["latency-together"]),
    row("missing-hook", LISTING, ALL, &["hooks-declared-offered"]),
    row("misnamed-hook", LISTING, ALL, &["hooks-declared-offered", "hooks-reserved-names"]),
    row("two-arguments", LISTING, ALL, &["hooks-argument"]),
    row("object-argument", LISTING, ALL, &["hooks-argument"]),
    row("optional-argument", LISTING, ALL, &["hooks-argument"]),
    // The first of them counts, and is no JSON.
    row("two-texts", ANSWERS, ALL, &["answer-json", "answer-one-text"]),
    row("not-json", ANSWERS, ALL, &["answer-json"]),
    row("not-object", ANSWERS, ALL, &["answer-json"]),
    row("throws", ANSWERS, ALL, &["answer-no-tool-error"]),
    row("ascii-only", &["hook-answers", "payload-unicode", "payload-full"], ALL, &["payload-unicode"]),
    row("size-limit", &["hook-answers", "payload-large", "payload-full"], ALL, &["payload-large"]),
    row("swapped-answers", &["together-*"], ONE, &["together-matched"]),
    row("structured", ANSWERS, ALL, &["answer-no-structured-content"]),
    row("endless-pages", LISTING, ALL, &["tools-list-whole"]),
    row("duplicate-tool", LISTING, ALL, &["tools-list-once"]),
    row("stays-after-stdin", &["ends-with-stdin", "ends-well"], ALL, &["ends-with-stdin"]),
    row("stays-after-sigterm", &["ends-*"], ALL, &["ends-on-sigterm"]),
    row("leaves-a-child", &["ends-with-stdin", "leaves-no-children"], ALL, &["leaves-no-children"]),
    row("exit-code", &["ends-*"], ALL, &["ends-well"]),
    row("duplicate-member", ANSWERS, ALL, &["answer-members-once"]),
    row("lone-surrogate", ANSWERS, ALL, &["answer-well-formed-unicode"]),
    row("big-answer", ANSWERS, ALL, &["answer-size"]),
    row("null-rewrite", ANSWERS, ALL, &["answer-null-rewrite"]),
];

pub(super) static PYTHON: &[Row] = &[
    row("stdout-banner", &["mcp-stdout-clean", "mcp-starts"], ALL, &["mcp-stdout-clean"]),
    row("stdout-log", &["mcp-stdout-clean", "hook-answers"], ALL, &["mcp-stdout-clean"]),
    row("confirm-string", ANSWERS, ALL, &["answer-confirmation-true"]),
    row("misspelt-member", ANSWERS, ALL, &["answer-members-known"]),
    row("foreign-member", ANSWERS, ALL, &["answer-members-belong"]),
    row("unknown-decision", ANSWERS, ALL, &["answer-decision-known"]),
    row("handled-without-text", ANSWERS, ALL, &["answer-handled-text"]),
    row("block-without-text", ANSWERS, ALL, &["answer-block-text"]),
    row("long-context", ANSWERS, ALL, &["answer-context-length"]),
    row("wrong-type", ANSWERS, ALL, &["answer-member-types"]),
    row("strict-payload", OPTIONAL, ALL, &["payload-future"]),
    row("needs-optional", OPTIONAL, ALL, &["payload-minimal"]),
    row("crash-on-malformed", &["payload-malformed"], ONE, &["payload-malformed"]),
    row(HANG, &["payload-malformed"], ONE, &["payload-malformed"]),
    row("slow", &["latency-alone"], ONE, &["latency-alone"]),
    row("blocking", &["latency-together"], ONE, &["latency-together"]),
    row("missing-hook", LISTING, ALL, &["hooks-declared-offered"]),
    row("misnamed-hook", LISTING, ALL, &["hooks-declared-offered", "hooks-reserved-names"]),
    row("two-arguments", LISTING, ALL, &["hooks-argument"]),
    row("two-texts", ANSWERS, ALL, &["answer-one-text"]),
    row("not-json", ANSWERS, ALL, &["answer-json"]),
    row("throws", ANSWERS, ALL, &["answer-no-tool-error"]),
    row("ascii-only", &["hook-answers", "payload-unicode", "payload-full"], ALL, &["payload-unicode"]),
    row("size-limit", &["hook-answers", "payload-large", "payload-full"], ALL, &["payload-large"]),
    row("structured", ANSWERS, ALL, &["answer-no-structured-content"]),
    row("stays-after-stdin", &["ends-with-stdin", "ends-well"], ALL, &["ends-with-stdin"]),
    row("stays-after-sigterm", &["ends-*"], ALL, &["ends-on-sigterm"]),
    row("leaves-a-child", &["ends-with-stdin", "leaves-no-children"], ALL, &["leaves-no-children"]),
    row("nan", ANSWERS, ALL, &["answer-json"]),
];
