//! The faults of the wire, and the checks that find them.

use crate::support::Planted;

const fn planted(
    fault: &'static str,
    only: &'static [&'static str],
    broken: &'static [(&'static str, &'static str)],
) -> Planted {
    Planted { fault, only, broken }
}

const MCP: &[&str] = &["mcp-*"];
const LISTING: &[&str] = &["mcp-tools-capability", "tools-*", "hooks-*"];
const ANSWERS: &[&str] = &["hook-answers", "answer-*", "payload-full", "payload-minimal", "payload-future"];
const ALL_OF_THE_WIRE: &[&str] = &["mcp-*", "ends-*", "leaves-no-children"];

pub(super) static INITIALIZE: &[Planted] = &[
    planted(
        "refuses-to-greet",
        MCP,
        &[(
            "mcp-starts",
            "to `initialize` it answered with the error -32000: `no`; to `server/discover` it answered with the error -32601: `no`",
        )],
    ),
    planted(
        "no-server-info",
        MCP,
        &[("mcp-greeting", "`serverInfo` is `null`; expected an object with a `name` and a `version`")],
    ),
    planted("no-tools-capability", MCP, &[("mcp-tools-capability", "`capabilities` has no `tools`")]),
    planted(
        "echoes-any-version",
        MCP,
        &[(
            "mcp-future-version",
            "offered 2099-01-01, the server answers `2099-01-01`; expected one of 2024-11-05",
        )],
    ),
    planted(
        "no-such-version",
        MCP,
        &[
            ("mcp-greeting", "`protocolVersion` is `\"2024-13-45\"`; expected one of 2024-11-05"),
            ("mcp-versions", "offered 2025-06-18, the server answers `2024-13-45`"),
            ("mcp-future-version", "the server answers `2024-13-45`"),
        ],
    ),
    planted("ids-as-text", MCP, &[("mcp-ids", "the request 0 was answered as \"0\"")]),
    planted("two-replies", MCP, &[("mcp-one-reply", "a second reply to the request \"hookproof-1\"")]),
    planted("a-reply-to-nothing", MCP, &[("mcp-one-reply", "a reply to 123458, which was never asked")]),
    planted("answers-notifications", MCP, &[("mcp-notifications-unanswered", "a reply without an id")]),
    planted("no-jsonrpc", MCP, &[("mcp-message-form", "`jsonrpc` is missing; expected \"2.0\"")]),
    planted("result-and-error", MCP, &[("mcp-message-form", "a response has both `result` and `error`")]),
    planted("result-is-a-list", MCP, &[("mcp-message-form", "a `result` is `[]`; expected an object")]),
    planted(
        "error-without-a-code",
        MCP,
        &[("mcp-message-form", "an `error` is `\"no\"`; expected an integer `code` and a `message`")],
    ),
    planted(
        "no-id",
        MCP,
        &[
            ("mcp-notifications-unanswered", "a reply without an id"),
            ("mcp-ping", "the server did not answer within 2s; expected an empty result"),
        ],
    ),
    planted(
        "a-batch",
        MCP,
        &[
            ("mcp-message-form", "a batch, which nobody asked for"),
            ("mcp-ping", "the server did not answer within 2s; expected an empty result"),
        ],
    ),
    planted(
        "asks-for-sampling",
        MCP,
        &[("mcp-asks-nothing-undeclared", "asked for `sampling/createMessage`")],
    ),
    planted("no-ping", MCP, &[("mcp-ping", "the server did not answer within 2s; expected an empty result")]),
    planted(
        "no-unknown-method",
        MCP,
        &[("mcp-unknown-method", "the server did not answer within 2s; expected the error -32601")],
    ),
    planted("any-method", MCP, &[("mcp-unknown-method", "the server answered; expected the error -32601")]),
    planted(
        "any-tool",
        MCP,
        &[("mcp-unknown-tool", "the server answered; expected an error, or a result with isError")],
    ),
    planted(
        "banner",
        MCP,
        &[("mcp-stdout-clean", "no JSON (expected value at line 1 column 1): `counting characters`")],
    ),
    planted("logs-on-stdout", MCP, &[("mcp-stdout-clean", "`listing tools`")]),
    planted("not-utf-8", MCP, &[("mcp-stdout-clean", "not UTF-8")]),
    planted(
        "last-line-without-an-end",
        ALL_OF_THE_WIRE,
        &[("mcp-stdout-clean", "a last line without an end")],
    ),
    planted(
        "dies-on-a-malformed-line",
        MCP,
        &[(
            "mcp-malformed-line",
            "after the line `this is no message` the server ended (exit status: 1) without an answer; the end of its standard error: `what was that?`; expected it to go on",
        )],
    ),
    planted(
        "dies-on-cancelled",
        &["cancelled-call", "together-*"],
        &[("cancelled-call", "after three cancelled calls the next one")],
    ),
    planted("no-list", LISTING, &[("tools-list-whole", "page 1 has no list of `tools`")]),
    planted("the-same-cursor", LISTING, &[("tools-list-whole", "the cursor `more` comes again")]),
    planted("new-cursors", LISTING, &[("tools-list-whole", "there is another page after 100")]),
    planted("a-number-as-cursor", LISTING, &[("tools-list-whole", "`nextCursor` is `2`; expected a string")]),
    planted(
        "no-input-schema",
        LISTING,
        &[("tools-list-form", "found `{\"name\":\"count\"}`; expected a `name` and an `inputSchema`")],
    ),
    planted(
        "no-name",
        LISTING,
        &[("tools-list-form", "expected a `name` and an `inputSchema` of type object")],
    ),
    planted(
        "no-content",
        ANSWERS,
        &[
            ("answer-call-result", "`content` is nothing; expected a list of items"),
            ("answer-one-text", "found 0 content items, of which 0 are text"),
        ],
    ),
    planted(
        "content-is-text",
        ANSWERS,
        &[
            ("answer-call-result", "`content` is `\"{}\"`; expected a list of items"),
            ("answer-one-text", "found 0 content items, of which 0 are text"),
        ],
    ),
    planted(
        "is-error-is-text",
        ANSWERS,
        &[("answer-call-result", "`isError` is `\"no\"`; expected a boolean")],
    ),
    planted(
        "structured-list",
        ANSWERS,
        &[("answer-call-result", "`structuredContent` is `[1]`; expected an object, or none")],
    ),
];

pub(super) static STATELESS_ERA: &[Planted] = &[
    planted(
        "input-required",
        ANSWERS,
        &[("answer-call-result", "the result wants more input, which a hook is not given")],
    ),
    planted(
        "no-result-type",
        &["mcp-greeting", "mcp-initialize-era"],
        &[
            ("mcp-greeting", "`resultType` is nothing; expected \"complete\""),
            (
                "mcp-initialize-era",
                "speaks 2026-07-28 only: to `initialize` it answered with the error -32601",
            ),
        ],
    ),
];
