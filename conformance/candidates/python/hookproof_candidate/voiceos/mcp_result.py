"""Whether MCP's schema allows a CallToolResult, as far as VO-WIRE-13 looks."""

from __future__ import annotations

from hookproof_candidate.values import Json, JsonObject


def is_call_tool_result(value: JsonObject) -> bool:
    """Whether nothing that is looked at is outside the schema.

    An absent `content` is taken for an empty one. A result with `isError` is a failure whatever
    else is in it (VO-WIRE-3).
    """
    if value.get("isError") is True:
        return True
    content = value.get("content", [])
    return (
        isinstance(value.get("isError", False), bool)
        and isinstance(value.get("structuredContent", {}), dict)
        and isinstance(content, list)
        and all(map(_is_item, content))
    )


def _is_item(item: Json) -> bool:
    match item:
        case {"type": "text", "text": str()}:
            return True
        case {"type": str() as kind}:
            return kind != "text"
        case _:
            return False
