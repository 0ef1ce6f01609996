"""The steps of a Matrices script, and what processors reply in it."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TypeAlias

from hookproof_candidate.matrices.points import POINTS, Event
from hookproof_candidate.reading import (
    Members,
    NoScript,
    StepCount,
    anything,
    by_name,
    each,
    flag,
    millis,
    natural,
    obj,
    tagged,
    text,
)
from hookproof_candidate.values import Json, dump

_HIGHEST_STATUS = 65_535
# The standard library's decoder would pass over what is missing or too much.
_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


class Broken(Enum):
    """Replies without a status."""

    REFUSED = auto()
    RESET = auto()
    NEVER = auto()


@dataclass(frozen=True)
class Body:
    """A body, under 200."""

    octets: bytes


@dataclass(frozen=True)
class Status:
    """A status without a body; 202 accepts now and answers later (MX-PROC-3)."""

    code: int


@dataclass(frozen=True)
class AgentRun:
    """What an agent processor does before it defers."""

    steps: list[Step]


Says: TypeAlias = Body | Status | AgentRun | Broken


@dataclass(frozen=True)
class Reply:
    """What comes back, and after how long."""

    says: Says
    after_ms: int = 0


DEFERS = Reply(Body(b'{"decision":"defer"}'))
"""What a hook without an entry replies."""


PARKS = Reply(Status(202))
"""What asking a client comes to: the work is parked, and whoever answers does so later."""


@dataclass(frozen=True)
class PutProfile:
    profile: str
    text: str
    is_update: bool


@dataclass(frozen=True)
class GetProfile:
    profile: str


@dataclass(frozen=True)
class AddDefault:
    hook: Json


@dataclass(frozen=True)
class OpenThread:
    thread: str
    profile: str


@dataclass(frozen=True)
class CancelThread:
    thread: str


@dataclass(frozen=True)
class Advance:
    by_ms: int


@dataclass(frozen=True)
class WaitingThreads:
    pass


@dataclass(frozen=True)
class Resolve:
    thread: str
    wait: str
    body: str


@dataclass(frozen=True)
class Audit:
    thread: str


@dataclass(frozen=True)
class Fire:
    firing: str
    thread: str
    event: Event
    replies: dict[str, Reply]
    meanwhile: list[Meanwhile]


Step: TypeAlias = (
    PutProfile
    | GetProfile
    | AddDefault
    | OpenThread
    | CancelThread
    | Advance
    | WaitingThreads
    | Resolve
    | Audit
    | Fire
)


@dataclass(frozen=True)
class Meanwhile:
    """A step carried out while a firing runs."""

    at_ms: int
    step: Step


def read_steps(value: Json, where: str, count: StepCount) -> list[Step]:
    """Read the steps of a script, or of an agent processor's own run."""
    return each(_step_reader(count))(value, where)


def _step_reader(count: StepCount) -> Callable[[Json, str], Step]:
    def read_step(value: Json, where: str) -> Step:
        count.one_more()
        tag, body = tagged(value, where)
        members = Members(body, f"{where}/{tag}")
        step: Step
        match tag:
            case "create_profile" | "update_profile":
                step = PutProfile(
                    members.need("profile", text),
                    members.need("text", text),
                    is_update=tag == "update_profile",
                )
            case "get_profile":
                step = GetProfile(members.need("profile", text))
            case "add_default":
                step = AddDefault(members.need("hook", anything))
            case "open_thread":
                step = OpenThread(members.need("thread", text), members.need("profile", text))
            case "cancel_thread":
                step = CancelThread(members.need("thread", text))
            case "advance":
                step = Advance(members.need("by_ms", millis))
            case "waiting_threads":
                step = WaitingThreads()
            case "resolve":
                step = Resolve(
                    members.need("thread", text),
                    members.need("wait", text),
                    members.need("body", text),
                )
            case "audit":
                step = Audit(members.need("thread", text))
            case "fire":
                step = Fire(
                    firing=members.need("firing", text),
                    thread=members.need("thread", text),
                    event=members.need("event", _event),
                    replies=members.default("answers", by_name(read_reply), {}),
                    meanwhile=members.default("meanwhile", each(read_meanwhile), []),
                )
            case _:
                raise NoScript(f"{where}: `{tag}` is no step")
        members.done()
        return step

    def read_meanwhile(value: Json, where: str) -> Meanwhile:
        members = Members(value, where)
        meanwhile = Meanwhile(members.need("at_ms", millis), members.need("step", read_step))
        members.done()
        return meanwhile

    def read_reply(value: Json, where: str) -> Reply:
        members = Members(value, where)
        after_ms = members.default("after_ms", millis, 0)
        said: list[Says] = []
        if "result" in members:
            said.append(Body(dump(members.need("result", anything)).encode()))
        if (body := members.maybe("body", text)) is not None:
            said.append(Body(body.encode()))
        if (encoded := members.maybe("bytes_b64", text)) is not None:
            said.append(Body(_decode(encoded)))
        if (code := members.maybe("status", natural)) is not None:
            if code > _HIGHEST_STATUS:
                raise NoScript(f"{where}/status: no status")
            said.append(Status(code))
        if members.maybe("redirect", text) is not None:
            said.append(Status(307))
        if members.default("pending", flag, False):
            said.append(Status(202))
        for name, broken in (
            ("refused", Broken.REFUSED),
            ("reset", Broken.RESET),
            ("never", Broken.NEVER),
        ):
            if members.default(name, flag, False):
                said.append(broken)
        if (steps := members.maybe("agent_run", each(read_step))) is not None:
            said.append(AgentRun(steps))
        members.done()
        if len(said) != 1:
            raise NoScript(f"{where}: an answer says exactly one thing")
        return Reply(said[0], after_ms)

    return read_step


def _decode(encoded: str) -> bytes:
    """Decode base64 with its padding; what is none becomes a body that nobody can read."""
    return base64.b64decode(encoded) if _BASE64.fullmatch(encoded) else b""


def _event(value: Json, where: str) -> Event:
    tag, body = tagged(value, where)
    members = Members(body, f"{where}/{tag}")
    point = POINTS.get(tag)
    if point is None:
        raise NoScript(f"{where}: `{tag}` is no point")
    tool = members.need("tool", text) if point.has_tool else None
    carried: Json
    match point.carries:
        case "text":
            carried = members.need("text", text)
        case "input":
            carried = members.need("input", obj)
        case _:
            carried = members.need("output", anything)
    members.done()
    return Event(point, tool, carried)
