"""The four points, and what their values and results are called (MX-VAL-2, MX-FOLD-7)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hookproof_candidate.values import Json, JsonObject


class Point(StrEnum):
    """Where hooks run."""

    BEFORE_INPUT = "before_input"
    BEFORE_TOOL_CALL = "before_tool_call"
    AFTER_TOOL_CALL = "after_tool_call"
    AFTER_OUTPUT = "after_output"

    @property
    def has_tool(self) -> bool:
        return self in (Point.BEFORE_TOOL_CALL, Point.AFTER_TOOL_CALL)

    @property
    def carries(self) -> str:
        """The member of the event that rewrites replace."""
        match self:
            case Point.BEFORE_TOOL_CALL:
                return "input"
            case Point.AFTER_TOOL_CALL:
                return "output"
            case _:
                return "text"

    @property
    def rewrite(self) -> str:
        """The member of a HookResult that rewrites it."""
        match self:
            case Point.BEFORE_TOOL_CALL:
                return "updatedInput"
            case Point.AFTER_TOOL_CALL:
                return "updatedOutput"
            case _:
                return "updatedText"

    def stopped(self) -> JsonObject:
        """What a deny comes to: behind a tool or the agent, it withholds (MX-FOLD-9a, 9b)."""
        if self in (Point.BEFORE_INPUT, Point.BEFORE_TOOL_CALL):
            return {"denied": {}}
        return {"withheld": {"place": "error"}}


POINTS = {point.value: point for point in Point}
REWRITES = ("updatedText", "updatedInput", "updatedOutput")


@dataclass(frozen=True)
class Event:
    """What happens at a point."""

    point: Point
    tool: str | None
    value: Json

    def root(self, thread: str, value: Json) -> JsonObject:
        """What conditions see, and hooks beside their own ids, with the value as composed."""
        root: JsonObject = {"point": self.point.value, "threadId": thread}
        if self.tool is not None:
            root["tool"] = self.tool
        root[self.point.carries] = value
        return root
