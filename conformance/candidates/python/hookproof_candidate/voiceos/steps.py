"""The steps of a VoiceOS script."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

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
from hookproof_candidate.values import Json, JsonObject
from hookproof_candidate.voiceos.answers import NOTHING, Answer, read_answer
from hookproof_candidate.voiceos.events import EVENTS, Event, Happening


class Policy(StrEnum):
    """Whether the user wants to be asked before a tool runs."""

    UNSET = "unset"
    ASK = "ask"
    NEVER = "never"


class Presence(StrEnum):
    """What the user does when a card is shown, but for editing it."""

    APPROVE = "approve"
    DECLINE = "decline"
    ABSENT = "absent"


@dataclass(frozen=True)
class Edit:
    """The user edits the arguments in the card and approves."""

    args: JsonObject


User: TypeAlias = Presence | Edit

APPROVES: User = Presence.APPROVE


@dataclass(frozen=True)
class ToolStub:
    """What a tool does when it runs."""

    result: Json = field(default_factory=dict)
    fails: bool = False


@dataclass(frozen=True)
class Install:
    manifest: str
    offers: frozenset[str] | None
    tools: dict[str, ToolStub]
    is_update: bool = False


@dataclass(frozen=True)
class Uninstall:
    integration: str


@dataclass(frozen=True)
class StripPermission:
    integration: str


@dataclass(frozen=True)
class SetTranscriptAccess:
    integration: str
    on: bool


@dataclass(frozen=True)
class SetPolicy:
    integration: str
    tool: str
    policy: Policy


@dataclass(frozen=True)
class SetLock:
    integration: str
    tool: str
    locked: bool


@dataclass(frozen=True)
class Frontmost:
    app: JsonObject | None


@dataclass(frozen=True)
class AgentTools:
    pass


@dataclass(frozen=True)
class AgentCall:
    integration: str
    tool: str
    args: JsonObject
    pre: Answer
    post: Answer
    user: User


@dataclass(frozen=True)
class Fire:
    happening: Happening
    answers: dict[str, Answer]
    user: User
    meanwhile: list[Meanwhile]


@dataclass(frozen=True)
class BeginTurn:
    session_id: str | None


@dataclass(frozen=True)
class EndTurn:
    response_text: str
    answers: dict[str, Answer]


Step: TypeAlias = (
    Install
    | Uninstall
    | StripPermission
    | SetTranscriptAccess
    | SetPolicy
    | SetLock
    | Frontmost
    | AgentTools
    | AgentCall
    | Fire
    | BeginTurn
    | EndTurn
)


@dataclass(frozen=True)
class Meanwhile:
    """A step carried out while a firing runs."""

    at_ms: int
    step: Step


def read_steps(value: Json, where: str, count: StepCount) -> list[Step]:
    """Read the steps of a script."""
    return each(_step_reader(count))(value, where)


def _step_reader(count: StepCount) -> Callable[[Json, str], Step]:
    def read_step(value: Json, where: str) -> Step:
        count.one_more()
        tag, body = tagged(value, where)
        members = Members(body, f"{where}/{tag}")
        step: Step
        match tag:
            case "install" | "update":
                offers = members.maybe("offers", each(text))
                step = Install(
                    manifest=members.need("manifest", text),
                    offers=None if offers is None else frozenset(offers),
                    tools=members.default("tools", by_name(_stub), {}),
                    is_update=tag == "update",
                )
            case "uninstall":
                step = Uninstall(members.need("integration", text))
            case "strip_permission":
                step = StripPermission(members.need("integration", text))
            case "set_transcript_access":
                step = SetTranscriptAccess(
                    members.need("integration", text), members.need("on", flag)
                )
            case "set_policy":
                step = SetPolicy(
                    members.need("integration", text),
                    members.need("tool", text),
                    members.need("policy", _policy),
                )
            case "set_lock":
                step = SetLock(
                    members.need("integration", text),
                    members.need("tool", text),
                    members.need("locked", flag),
                )
            case "frontmost":
                step = Frontmost(members.maybe("app", _app))
            case "agent_tools":
                step = AgentTools()
            case "agent_call":
                step = AgentCall(
                    integration=members.need("integration", text),
                    tool=members.need("tool", text),
                    args=members.need("args", obj),
                    pre=members.maybe("pre", read_answer) or NOTHING,
                    post=members.maybe("post", read_answer) or NOTHING,
                    user=members.default("user", _user, APPROVES),
                )
            case "fire":
                step = Fire(
                    happening=members.need("event", _happening),
                    answers=members.default("answers", by_name(read_answer), {}),
                    user=members.default("user", _user, APPROVES),
                    meanwhile=members.default("meanwhile", each(read_meanwhile), []),
                )
            case "begin_turn":
                step = BeginTurn(members.maybe("session_id", text))
            case "end_turn":
                step = EndTurn(
                    response_text=members.default("response_text", text, ""),
                    answers=members.default("answers", by_name(read_answer), {}),
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

    return read_step


def _policy(value: Json, where: str) -> Policy:
    try:
        return Policy(text(value, where))
    except ValueError as error:
        raise NoScript(f"{where}: no policy") from error


def _user(value: Json, where: str) -> User:
    match value:
        case "approve" | "decline" | "absent":
            return Presence(value)
        case {"edit": dict() as args, **rest} if not rest:
            return Edit(args)
        case _:
            raise NoScript(f"{where}: nothing that a user does")


def _stub(value: Json, where: str) -> ToolStub:
    match tagged(value, where):
        case ("result", result):
            return ToolStub(result)
        case ("fails", result):
            return ToolStub(result, fails=True)
        case _:
            raise NoScript(f"{where}: nothing that a tool does")


def _app(value: Json, where: str) -> JsonObject:
    members = Members(value, where)
    app = _present({name: members.maybe(name, text) for name in ("bundleId", "name")})
    members.done()
    return app


def _present(members: dict[str, str | int | None]) -> JsonObject:
    """Optional members that are absent are absent, not `null` (VO-WIRE-1)."""
    return {name: member for name, member in members.items() if member is not None}


def _source(value: Json, where: str) -> Json:
    if value not in ("voice", "text"):
        raise NoScript(f"{where}: `voice` or `text`")
    return value


def _tool_used(value: Json, where: str) -> Json:
    members = Members(value, where)
    used: JsonObject = {"tool": members.need("tool", text), "status": members.need("status", text)}
    members.done()
    if used["status"] not in ("done", "failed"):
        raise NoScript(f"{where}/status: `done` or `failed`")
    return used


def _happening(value: Json, where: str) -> Happening:
    tag, body = tagged(value, where)
    event = EVENTS.get(tag)
    members = Members(body, f"{where}/{tag}")
    owner: str | None = None
    payload: JsonObject
    match event:
        case Event.TRANSCRIPT:
            payload = {
                "transcript": members.need("transcript", text),
                "source": members.need("source", _source),
                **_present(
                    {
                        "detectedLanguage": members.maybe("detectedLanguage", text),
                        "audioDurationMs": members.maybe("audioDurationMs", natural),
                        "sessionId": members.maybe("sessionId", text),
                    }
                ),
            }
        case Event.DICTATION:
            payload = {
                "text": members.need("text", text),
                **_present(
                    {
                        "rawTranscript": members.maybe("rawTranscript", text),
                        "detectedLanguage": members.maybe("detectedLanguage", text),
                    }
                ),
            }
        case Event.PRE_TOOL_USE | Event.POST_TOOL_USE:
            owner = members.need("integration", text)
            payload = {
                "toolName": members.need("toolName", text),
                "args": members.need("args", obj),
            }
            if event is Event.POST_TOOL_USE:
                payload["result"] = members.need("result", anything)
        case Event.TURN_COMPLETE:
            payload = {
                **_present({"sessionId": members.maybe("sessionId", text)}),
                "transcript": members.need("transcript", text),
                "responseText": members.need("responseText", text),
                "tools": members.need("tools", each(_tool_used)),
            }
        case None:
            raise NoScript(f"{where}: `{tag}` is no event")
    members.done()
    return Happening(event, payload, owner)
