"""The five events and what their hooks can do (the tables of the wire facts)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hookproof_candidate.values import JsonObject

RESERVED_PREFIX = "voiceos_hook_"


class Event(StrEnum):
    """An event, in the order in which manifests' hooks are listed."""

    TRANSCRIPT = "transcript"
    DICTATION = "dictation"
    PRE_TOOL_USE = "preToolUse"
    POST_TOOL_USE = "postToolUse"
    TURN_COMPLETE = "turnComplete"


EVENTS = {event.value: event for event in Event}


class Decision(StrEnum):
    """The decisions; `continue` is the defer and therefore none (VO-FOLD-3)."""

    BLOCK = "block"
    HANDLED = "handled"


DECISIONS = {decision.value: decision for decision in Decision}


@dataclass(frozen=True)
class Design:
    """What is particular to an event."""

    tool: str
    """The reserved name of its hook tool (VO-WIRE-1)."""
    budget_ms: int | None
    """The budget of a firing (VO-DL-1); none where it is not awaited (VO-DL-7)."""
    carries: str
    """The payload's member that rewrites replace."""
    rewrite: str | None
    """The result's member that rewrites it (VO-FOLD-2)."""
    app: str | None
    """The payload's member for the frontmost app."""
    decides: bool = False
    """Whether a decision counts (VO-FOLD-8a, VO-FOLD-8b)."""
    ends: frozenset[Decision] = frozenset()
    """The decisions that end it; another one counts as continue (VO-FOLD-7)."""
    adds_context: bool = False
    confirms: bool = False

    @property
    def shows(self) -> bool:
        """Whether `responseText` and `view` belong to it: where something ends (VO-FOLD-18)."""
        return self.decides


DESIGNS: dict[Event, Design] = {
    Event.TRANSCRIPT: Design(
        tool="voiceos_hook_transcript",
        budget_ms=500,
        carries="transcript",
        rewrite="updatedText",
        app="frontmostApp",
        decides=True,
        ends=frozenset(Decision),
        adds_context=True,
    ),
    Event.DICTATION: Design(
        tool="voiceos_hook_dictation",
        budget_ms=250,
        carries="text",
        rewrite="updatedText",
        app="targetApp",
        decides=True,
        ends=frozenset(Decision),
    ),
    Event.PRE_TOOL_USE: Design(
        tool="voiceos_hook_pre_tool_use",
        budget_ms=2000,
        carries="args",
        rewrite="updatedArgs",
        app="frontmostApp",
        decides=True,
        ends=frozenset({Decision.BLOCK}),
        confirms=True,
    ),
    Event.POST_TOOL_USE: Design(
        tool="voiceos_hook_post_tool_use",
        budget_ms=2000,
        carries="result",
        rewrite="updatedResult",
        app=None,
    ),
    Event.TURN_COMPLETE: Design(
        tool="voiceos_hook_turn_complete",
        budget_ms=None,
        carries="transcript",
        rewrite=None,
        app=None,
    ),
}


@dataclass(frozen=True)
class Happening:
    """An event that fires: the payload's members that do not come from the host."""

    event: Event
    members: JsonObject
    owner: str | None = None
    """The integration that owns the tool, at the two tool events."""

    @property
    def design(self) -> Design:
        return DESIGNS[self.event]
