"""What a hook answers in a script, and what of it arrives at the host."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from hookproof_candidate.reading import Members, NoScript, anything, flag, items, millis, obj, text
from hookproof_candidate.values import Json, JsonObject, dump


class Broken(Enum):
    """The ways of giving no result."""

    NEVER = auto()
    DISCONNECT = auto()
    UNREGISTERED = auto()


Says: TypeAlias = JsonObject | Broken
"""A CallToolResult as it arrives, or none."""


@dataclass(frozen=True)
class Answer:
    """What comes back, and after how long."""

    says: Says
    after_ms: int = 0


def text_result(content: str) -> JsonObject:
    """The result that every handler returns: one text item."""
    return {"content": [{"type": "text", "text": content}]}


NOTHING = Answer(text_result("{}"))
"""What a hook without an entry answers."""


def read_answer(value: Json, where: str) -> Answer:
    """Read an answer of a script."""
    members = Members(value, where)
    after_ms = members.default("after_ms", millis, 0)
    said: list[Says] = []
    # A handler that `mutates` returns its value as well. What it does to the payload that it was
    # handed is nothing to anybody here, for each is handed one of its own (HK-ISOLATE-1).
    for name in ("result", "mutates"):
        if name in members:
            # What arrives of `null` (and of a handler that returned nothing) is `{}`.
            returned = members.need(name, anything)
            said.append(text_result("{}" if returned is None else dump(returned)))
    if (answered := members.maybe("text", text)) is not None:
        said.append(text_result(answered))
    if (content := members.maybe("content", items)) is not None:
        said.append({"content": content})
    if (result := members.maybe("call_result", obj)) is not None:
        said.append(result)
    if (error := members.maybe("tool_error", text)) is not None:
        said.append({**text_result(error), "isError": True})
    for name, broken in (
        ("never", Broken.NEVER),
        ("disconnect", Broken.DISCONNECT),
        ("unregistered", Broken.UNREGISTERED),
    ):
        if members.default(name, flag, False):
            said.append(broken)
    members.done()
    if len(said) != 1:
        raise NoScript(f"{where}: an answer says exactly one thing")
    return Answer(said[0], after_ms)
