"""From what arrived to a HookResult, or to the way in which the hook failed (VO-WIRE)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from hookproof_candidate.fold import Rewrite
from hookproof_candidate.values import Json, JsonObject, NotJson, parse
from hookproof_candidate.voiceos.answers import Broken, Says
from hookproof_candidate.voiceos.events import DECISIONS, Decision, Design
from hookproof_candidate.voiceos.mcp_result import is_call_tool_result


class Failure(StrEnum):
    """How a hook failed (VO-FAIL-1)."""

    TIMEOUT = "timeout"
    DISCONNECT = "disconnect"
    TOOL_ERROR = "tool_error"
    PROTOCOL_ERROR = "protocol_error"
    UNPARSABLE = "unparsable"
    WRONG_SHAPE = "wrong_shape"
    UNREGISTERED = "unregistered"
    SILENCED = "silenced"


@dataclass(frozen=True)
class HookResult:
    """What a hook said that counts for its event."""

    decision: Decision | None = None
    rewrite: Rewrite | None = None
    context: str | None = None
    asks: bool = False
    response_text: str | None = None
    view: JsonObject | None = None
    reason: str | None = None


def read_arrival(design: Design, says: Says) -> HookResult | Failure:
    """Read what arrived in time."""
    match says:
        case Broken.NEVER:
            return Failure.TIMEOUT
        case Broken.DISCONNECT:
            return Failure.DISCONNECT
        case Broken.UNREGISTERED:
            return Failure.UNREGISTERED
        case dict():
            return _read_call_result(design, says)


def _read_call_result(design: Design, result: JsonObject) -> HookResult | Failure:
    if not is_call_tool_result(result):
        return Failure.PROTOCOL_ERROR
    if result.get("isError") is True:
        return Failure.TOOL_ERROR  # whatever its text says (VO-WIRE-3)
    text = _first_text(result.get("content"))
    if not text:
        return HookResult()  # no text item, or an empty one, is continue (VO-WIRE-5)
    try:
        value = parse(text)  # of a member given twice the last one counts (VO-WIRE-11)
    except NotJson:
        return Failure.UNPARSABLE
    match value:
        case None:
            return HookResult()
        case dict():
            return _read_hook_result(design, value)
        case _:
            return Failure.WRONG_SHAPE


def _first_text(content: Json) -> str | None:
    """The first text item counts (VO-WIRE-9); `structuredContent` never does (VO-WIRE-12)."""
    for block in content if isinstance(content, list) else []:
        match block:
            case {"type": "text", "text": str() as text}:
                return text
    return None


class _WrongType(Exception):
    """A known member has the wrong type, which spoils the whole result (VO-WIRE-6a)."""


def _read_hook_result(design: Design, value: JsonObject) -> HookResult | Failure:
    """Read the members that belong to the event; others are not looked at (VO-WIRE-8)."""
    try:
        decision = _decision(value) if design.decides else None
        return HookResult(
            decision=decision if decision in design.ends else None,
            rewrite=_rewrite(design, value),
            context=_text(value, "additionalContext") if design.adds_context else None,
            # Only the literal `true` asks, and nothing else spoils anything (VO-CONF-2).
            asks=design.confirms and value.get("requireConfirmation") is True,
            response_text=_text(value, "responseText") if design.shows else None,
            view=_view(value) if design.shows else None,
            reason=_text(value, "reason"),
        )
    except _WrongType:
        return Failure.WRONG_SHAPE


def _member(value: JsonObject, name: str, fits: Callable[[Json], bool]) -> Json:
    if name in value and not fits(value[name]):
        raise _WrongType
    return value.get(name)


def _text(value: JsonObject, name: str) -> str | None:
    member = _member(value, name, lambda found: isinstance(found, str))
    return member if isinstance(member, str) else None


def _view(value: JsonObject) -> JsonObject | None:
    member = _member(
        value,
        "view",
        lambda found: isinstance(found, dict) and isinstance(found.get("blocks"), list),
    )
    return member if isinstance(member, dict) else None


def _decision(value: JsonObject) -> Decision | None:
    """An unknown decision spoils the result as well (VO-WIRE-6b)."""
    decision = _text(value, "decision")
    if decision is None or decision == "continue":
        return None
    if decision not in DECISIONS:
        raise _WrongType
    return DECISIONS[decision]


def _rewrite(design: Design, value: JsonObject) -> Rewrite | None:
    if design.rewrite is None or design.rewrite not in value:
        return None
    rewritten = value[design.rewrite]
    fits = {
        "updatedText": isinstance(rewritten, str),
        "updatedArgs": isinstance(rewritten, dict),
        "updatedResult": True,
    }
    if not fits[design.rewrite]:
        raise _WrongType
    return Rewrite(rewritten)
