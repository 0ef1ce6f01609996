"""A hook as a profile lists it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hookproof_candidate.matrices.match import Condition, matches_tool
from hookproof_candidate.matrices.points import Event, Point
from hookproof_candidate.values import Json, JsonObject

DAY_MS = 24 * 60 * 60 * 1000
CALL_MS = 10_000


class Processor(StrEnum):
    """Who answers for a hook (MX-PROC-1)."""

    URL = "url"
    AGENT = "agent"
    CLIENT = "client"


PROCESSORS = {processor.value: processor for processor in Processor}


class OnFailure(StrEnum):
    """What no answer means (MX-VAL-11)."""

    FAIL_CLOSED = "fail_closed"
    FAIL_OPEN = "fail_open"


ON_FAILURE = {policy.value: policy for policy in OnFailure}


@dataclass(frozen=True)
class Hook:
    """A hook, with what was omitted filled in.

    So two hooks are equal where they mean the same, and a default that was read and written back
    is still the default (MX-DEF-9).
    """

    id: str
    point: Point
    processor: Processor
    address: str | None = None
    tools: tuple[str, ...] | None = None
    where: tuple[Condition, ...] = ()
    on_failure: OnFailure = OnFailure.FAIL_CLOSED
    async_timeout_ms: int = DAY_MS
    timeout_ms: int = CALL_MS

    def matches(self, event: Event, thread: str, value: Json) -> bool:
        """Whether it runs on an event, with the value as composed so far (MX-MATCH-7)."""
        if self.point is not event.point:
            return False
        if self.tools is not None and not matches_tool(self.tools, event.tool):
            return False
        root = event.root(thread, value)
        return all(condition.holds(root) for condition in self.where)

    def seen(self) -> JsonObject:
        """The hook as an observation shows it."""
        return {
            "id": self.id,
            "point": self.point.value,
            "processor": self.processor.value,
            "on_failure": self.on_failure.value,
            "async_timeout_ms": self.async_timeout_ms,
        }
