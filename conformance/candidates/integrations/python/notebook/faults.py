"""The faults that `--fault NAME` plants, one at a time, to try a checker on.

Each one wraps a single part of the sound product: a hook's answer, the way a hook is offered as a
tool, or the start or end of the process. A payload that is not a JSON object never reaches a
handler, so faults of handlers do not show for it.
"""

import asyncio
import json
import os
import signal
import subprocess
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import strict_json

if TYPE_CHECKING:
    from mcp.server.fastmcp import FastMCP

    from notebook.server import Answer, Offer, WrapAnswer

BUDGETS = {"dictation": 0.25, "transcript": 0.5, "preToolUse": 2.0, "postToolUse": 2.0}

KNOWN_MEMBERS = {
    "transcript": "transcript source detectedLanguage audioDurationMs sessionId frontmostApp",
    "dictation": "text rawTranscript detectedLanguage targetApp",
    "preToolUse": "toolName args frontmostApp",
    "postToolUse": "toolName args result",
    "turnComplete": "sessionId transcript responseText tools",
}


def as_it_is(_event: str, answer: "Answer") -> "Answer":
    return answer


def nothing() -> None:
    pass


@dataclass(frozen=True)
class Fault:
    description: str
    wrap: "WrapAnswer" = as_it_is
    offer: "Offer | None" = None
    start: Callable[[], None] = nothing
    end: Callable[[], None] = nothing


NO_FAULT = Fault("none")

# Ways to wrap the answer of a hook.


def before(act: Callable[[str, str, dict[str, Any]], Awaitable[None]]) -> "WrapAnswer":
    """Acts before the handler, given the event, the payload's text and the payload."""

    def wrap(event: str, answer: "Answer") -> "Answer":
        async def wrapped(payload_json: str) -> str:
            payload = strict_json.parse_object(payload_json)
            if payload is not None:
                await act(event, payload_json, payload)
            return await answer(payload_json)

        return wrapped

    return wrap


def after(change: Callable[[str, dict[str, Any]], str]) -> "WrapAnswer":
    """Makes another answer text from the event and the handler's result."""

    def wrap(event: str, answer: "Answer") -> "Answer":
        async def wrapped(payload_json: str) -> str:
            text = await answer(payload_json)
            if strict_json.parse_object(payload_json) is None:
                return text
            return change(event, json.loads(text))

        return wrapped

    return wrap


def changed(change: Callable[[str, dict[str, Any]], None]) -> "WrapAnswer":
    """Changes the handler's result in place."""

    def rendered(event: str, result: dict[str, Any]) -> str:
        change(event, result)
        return strict_json.render(result)

    return after(rendered)


def on_malformed(act: Callable[[], Awaitable[None]]) -> "WrapAnswer":
    def wrap(_event: str, answer: "Answer") -> "Answer":
        async def wrapped(payload_json: str) -> str:
            try:
                strict_json.parse(payload_json)
            except ValueError:
                await act()
            return await answer(payload_json)

        return wrapped

    return wrap


# What the faults do to a result.


def confirm_string(_event: str, result: dict[str, Any]) -> None:
    if "requireConfirmation" in result:
        result["requireConfirmation"] = "true"


def misspelt_member(_event: str, result: dict[str, Any]) -> None:
    for name, misspelt in (("updatedText", "updated_text"), ("updatedArgs", "updated_args")):
        if name in result:
            result[misspelt] = result.pop(name)


def foreign_member(event: str, result: dict[str, Any]) -> None:
    if event in ("preToolUse", "turnComplete"):
        result["updatedText"] = "Noted."


def unknown_decision(_event: str, result: dict[str, Any]) -> None:
    if result.get("decision") == "block":
        result["decision"] = "deny"


def without_text(decision: str) -> Callable[[str, dict[str, Any]], None]:
    def change(_event: str, result: dict[str, Any]) -> None:
        if result.get("decision") == decision:
            result.pop("responseText", None)

    return change


def long_context(_event: str, result: dict[str, Any]) -> None:
    if "additionalContext" in result:
        result["additionalContext"] = (result["additionalContext"] + " — " + "x" * 2500)[:2500]


def wrong_type(_event: str, result: dict[str, Any]) -> None:
    if "updatedText" in result:
        result["updatedText"] = {"text": result["updatedText"]}
    if "updatedArgs" in result:
        result["updatedArgs"] = strict_json.render(result["updatedArgs"])


def with_nan(_event: str, result: dict[str, Any]) -> str:
    return json.dumps({**result, "confidence": float("nan")}, ensure_ascii=False)


# What the faults do before a handler, or in place of one.


async def strict_payload(event: str, _text: str, payload: dict[str, Any]) -> None:
    known = {"hookApiVersion", "event", *KNOWN_MEMBERS[event].split()}
    if unknown := sorted(payload.keys() - known):
        raise ValueError(f"unknown members: {unknown!r}")


async def needs_optional(event: str, _text: str, payload: dict[str, Any]) -> None:
    needed = {"transcript": "frontmostApp", "preToolUse": "frontmostApp", "dictation": "targetApp"}
    if event in needed:
        payload[needed[event]]


async def ascii_only(_event: str, text: str, payload: dict[str, Any]) -> None:
    text.encode("ascii")
    json.dumps(payload, ensure_ascii=False).encode("ascii")


async def size_limit(_event: str, text: str, _payload: dict[str, Any]) -> None:
    if len(text.encode("utf-8", "surrogatepass")) > 64 * 1024:
        raise ValueError("the payload is over 64 KiB")


async def slow(event: str, _text: str, _payload: dict[str, Any]) -> None:
    if event in BUDGETS:
        await asyncio.sleep(BUDGETS[event] + 0.12)


async def blocking(_event: str, _text: str, _payload: dict[str, Any]) -> None:
    # On purpose not asyncio.sleep: this holds up every other call as well.
    time.sleep(0.04)


async def throws(event: str, _text: str, _payload: dict[str, Any]) -> None:
    raise RuntimeError(f"the notebook's {event} handler failed")


async def stdout_log(event: str, _text: str, _payload: dict[str, Any]) -> None:
    print(f"INFO notebook: {event} called", flush=True)


async def crash() -> None:
    os._exit(1)


async def hang() -> None:
    await asyncio.Event().wait()


# Other ways to offer a hook as a tool.


def offer_without_post(server: "FastMCP", name: str, description: str, answer: "Answer") -> None:
    if name != "voiceos_hook_post_tool_use":
        sound_offer(server, name, description, answer)


def offer_misnamed(server: "FastMCP", name: str, description: str, answer: "Answer") -> None:
    renamed = "voiceos_hook_preToolUse" if name == "voiceos_hook_pre_tool_use" else name
    sound_offer(server, renamed, description, answer)


def offer_two_arguments(server: "FastMCP", name: str, description: str, answer: "Answer") -> None:
    async def hook(payload_json: str, session: str) -> str:
        return await answer(payload_json)

    server.add_tool(hook, name=name, description=description, structured_output=False)


def offer_two_texts(server: "FastMCP", name: str, description: str, answer: "Answer") -> None:
    async def hook(payload_json: str) -> list[str]:
        return [await answer(payload_json), "Answered by the notebook."]

    server.add_tool(hook, name=name, description=description, structured_output=False)


def offer_structured(server: "FastMCP", name: str, description: str, answer: "Answer") -> None:
    async def hook(payload_json: str) -> str:
        return await answer(payload_json)

    server.add_tool(hook, name=name, description=description)


def sound_offer(server: "FastMCP", name: str, description: str, answer: "Answer") -> None:
    from notebook.server import offer_hook

    offer_hook(server, name, description, answer)


# What the faults do to the process.


def banner() -> None:
    print("notebook is ready", flush=True)


def ignore_sigterm() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def stay() -> None:
    while True:
        signal.pause()


def leave_a_child() -> None:
    null = subprocess.DEVNULL
    subprocess.Popen(["sleep", "600"], start_new_session=True, stdin=null, stdout=null, stderr=null)


FAULTS = {
    "stdout-banner": Fault("prints a line on stdout at the start", start=banner),
    "stdout-log": Fault("logs each hook call on stdout", wrap=before(stdout_log)),
    "confirm-string": Fault('answers requireConfirmation "true"', wrap=changed(confirm_string)),
    "misspelt-member": Fault(
        "answers updated_text and updated_args for updatedText and updatedArgs",
        wrap=changed(misspelt_member),
    ),
    "foreign-member": Fault(
        "answers updatedText at preToolUse and turnComplete as well", wrap=changed(foreign_member)
    ),
    "unknown-decision": Fault('answers "deny" for "block"', wrap=changed(unknown_decision)),
    "handled-without-text": Fault(
        "answers handled without responseText", wrap=changed(without_text("handled"))
    ),
    "block-without-text": Fault(
        "answers block without responseText", wrap=changed(without_text("block"))
    ),
    "long-context": Fault(
        "answers an additionalContext of 2500 characters", wrap=changed(long_context)
    ),
    "wrong-type": Fault(
        "answers updatedText as an object and updatedArgs as a string", wrap=changed(wrong_type)
    ),
    "strict-payload": Fault("raises on unknown payload members", wrap=before(strict_payload)),
    "needs-optional": Fault(
        "raises where frontmostApp or targetApp is absent", wrap=before(needs_optional)
    ),
    "crash-on-malformed": Fault(
        "exits with code 1 when payload_json is not JSON", wrap=on_malformed(crash)
    ),
    "hang-on-malformed": Fault(
        "never answers when payload_json is not JSON", wrap=on_malformed(hang)
    ),
    "slow": Fault("answers 120 ms after the event's budget", wrap=before(slow)),
    "blocking": Fault("blocks the event loop for 40 ms at each call", wrap=before(blocking)),
    "missing-hook": Fault("does not offer post_tool_use", offer=offer_without_post),
    "misnamed-hook": Fault("offers voiceos_hook_preToolUse", offer=offer_misnamed),
    "two-arguments": Fault("requires a second argument, session", offer=offer_two_arguments),
    "two-texts": Fault("answers two text items", offer=offer_two_texts),
    "not-json": Fault("answers the text ok", wrap=after(lambda _event, _result: "ok")),
    "throws": Fault("every handler raises", wrap=before(throws)),
    "ascii-only": Fault("raises on non-ASCII text in the payload", wrap=before(ascii_only)),
    "size-limit": Fault("raises on payloads over 64 KiB", wrap=before(size_limit)),
    "structured": Fault("leaves the SDK's structured output on", offer=offer_structured),
    "stays-after-stdin": Fault("goes on when stdin has ended (stdio only)", end=stay),
    "stays-after-sigterm": Fault("ignores SIGTERM (stdio only)", start=ignore_sigterm),
    "leaves-a-child": Fault("leaves a detached process behind", start=leave_a_child),
    "nan": Fault(
        "answers with a bare NaN as a member's value",
        wrap=after(with_nan),
    ),
}
