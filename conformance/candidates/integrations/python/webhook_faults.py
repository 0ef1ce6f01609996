"""The faults that `webhook.py --fault NAME` plants, one at a time, to try a checker on.

Each one wraps a single step of the sound product: reading the body, deciding, or responding.
"""

import asyncio
import gzip
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import strict_json

if TYPE_CHECKING:
    from starlette.responses import Response

Members = dict[str, Any]
Read = Callable[[bytes], Awaitable[Members]]
Decide = Callable[[Members], Awaitable[Members]]
Respond = Callable[[Members], "Response"]

REWRITES = ("updatedText", "updatedInput", "updatedOutput")
KNOWN_MEMBERS = {"deliveryId", "hookId", "point", "threadId", "tool", "text", "input", "output"}


class Malformed(ValueError):
    """A body that is not a HookInput: the client's error."""


def same_read(read: Read) -> Read:
    return read


def same_decide(decide: Decide) -> Decide:
    return decide


def same_respond(respond: Respond) -> Respond:
    return respond


@dataclass(frozen=True)
class Fault:
    description: str
    read: Callable[[Read], Read] = same_read
    decide: Callable[[Decide], Decide] = same_decide
    respond: Callable[[Respond], Respond] = same_respond


NO_FAULT = Fault("none")

# Ways to wrap a step.


def on_malformed(act: Callable[[], Awaitable[None]]) -> Callable[[Read], Read]:
    def wrap(read: Read) -> Read:
        async def wrapped(body: bytes) -> Members:
            try:
                strict_json.parse(body.decode("utf-8"))
            except ValueError:
                await act()
            return await read(body)

        return wrapped

    return wrap


def fails_if(test: Callable[[Members], bool]) -> Callable[[Decide], Decide]:
    """Status 500 for the inputs that pass the test."""

    def wrap(decide: Decide) -> Decide:
        async def wrapped(hook_input: Members) -> Members:
            if test(hook_input):
                from starlette.exceptions import HTTPException

                raise HTTPException(500)
            return await decide(hook_input)

        return wrapped

    return wrap


def changed(change: Callable[[Members, Members], None]) -> Callable[[Decide], Decide]:
    """Changes a copy of the result, given the input and that copy."""

    def wrap(decide: Decide) -> Decide:
        async def wrapped(hook_input: Members) -> Members:
            result = dict(await decide(hook_input))
            change(hook_input, result)
            return result

        return wrapped

    return wrap


def delayed(seconds: float | None) -> Callable[[Decide], Decide]:
    def wrap(decide: Decide) -> Decide:
        async def wrapped(hook_input: Members) -> Members:
            if seconds is None:
                await asyncio.Event().wait()
            else:
                await asyncio.sleep(seconds)
            return await decide(hook_input)

        return wrapped

    return wrap


def answered(
    body: Callable[[str], str | bytes],
    status: int = 200,
    media_type: str = "application/json",
    headers: dict[str, str] | None = None,
) -> Callable[[Respond], Respond]:
    """Another response, its body made from the right JSON text."""

    def wrap(_respond: Respond) -> Respond:
        def wrapped(result: Members) -> "Response":
            from starlette.responses import Response

            return Response(body(strict_json.render(result)), status, headers, media_type)

        return wrapped

    return wrap


def streamed(
    chunks: Callable[[bytes], AsyncIterator[bytes]], promised: Callable[[int], int | None]
) -> Callable[[Respond], Respond]:
    """A body in pieces; `promised` makes the content-length from the right one's length."""

    def wrap(_respond: Respond) -> Respond:
        def wrapped(result: Members) -> "Response":
            from starlette.responses import StreamingResponse

            body = strict_json.render(result).encode()
            length = promised(len(body))
            headers = None if length is None else {"content-length": str(length)}
            return StreamingResponse(chunks(body), 200, headers, "application/json")

        return wrapped

    return wrap


# What the faults do.


async def crash() -> None:
    os._exit(1)


async def hang() -> None:
    await asyncio.Event().wait()


def size_limit(read: Read) -> Read:
    async def wrapped(body: bytes) -> Members:
        if len(body) > 64 * 1024:
            from starlette.exceptions import HTTPException

            raise HTTPException(500)
        return await read(body)

    return wrapped


def unknown_decision(_input: Members, result: Members) -> None:
    if result["decision"] == "deny":
        result["decision"] = "block"


def no_decision(_input: Members, result: Members) -> None:
    result.clear()


def wrong_member(hook_input: Members, result: Members) -> None:
    if hook_input["point"] == "before_tool_call" and result["decision"] != "deny":
        result.pop("updatedInput", None)
        result["updatedText"] = "seen by payments guard"


def two_rewrites(_input: Members, result: Members) -> None:
    if present := [name for name in REWRITES if name in result]:
        other = "updatedInput" if present[0] == "updatedText" else "updatedText"
        result[other] = {} if other == "updatedInput" else "seen by payments guard"


def deny_with_rewrite(hook_input: Members, result: Members) -> None:
    if result["decision"] == "deny":
        result["updatedInput"] = {**hook_input["input"], "amount": 1000}


def wrong_type(_input: Members, result: Members) -> None:
    if "reason" in result:
        result["reason"] = {"text": result["reason"]}
    else:
        result["decision"] = 1


def repeat_differs(decide: Decide) -> Decide:
    seen: set[str] = set()

    async def wrapped(hook_input: Members) -> Members:
        result = await decide(hook_input)
        if hook_input["deliveryId"] not in seen:
            seen.add(hook_input["deliveryId"])
            return result
        if result["decision"] == "deny":
            return {"decision": "defer"}
        return {"decision": "deny", "reason": "already seen"}

    return wrapped


def mixed_answers(decide: Decide) -> Decide:
    current: Members = {}

    async def wrapped(hook_input: Members) -> Members:
        nonlocal current
        current = hook_input
        # While this waits, the next request replaces the variable that both share.
        await asyncio.sleep(0.01)
        return await decide(current)

    return wrapped


def strict_input(hook_input: Members) -> bool:
    return bool(hook_input.keys() - KNOWN_MEMBERS)


def not_ascii(hook_input: Members) -> bool:
    return not json.dumps(hook_input, ensure_ascii=False).isascii()


def at_after_points(hook_input: Members) -> bool:
    return str(hook_input["point"]).startswith("after_")


async def drip(body: bytes) -> AsyncIterator[bytes]:
    for index in range(len(body)):
        await asyncio.sleep(1)
        yield body[index : index + 1]


async def endless(body: bytes) -> AsyncIterator[bytes]:
    yield body[:-1] + b',"reason":"'
    while True:
        yield b"x" * 16384
        await asyncio.sleep(0.02)


async def half(body: bytes) -> AsyncIterator[bytes]:
    yield body[: len(body) // 2]


def with_big_reason(_input: Members, result: Members) -> None:
    result["reason"] = "x" * (1280 * 1024)


FAULTS = {
    "status-500": Fault("right answer, status 500", respond=answered(lambda t: t, 500)),
    "redirect": Fault(
        "status 307 to /elsewhere",
        respond=answered(lambda _: "", 307, headers={"location": "/elsewhere"}),
    ),
    "html": Fault(
        "an HTML page with status 200",
        respond=answered(lambda _: "<!doctype html><title>Hello</title>", media_type="text/html"),
    ),
    "content-type": Fault(
        "right JSON as text/plain", respond=answered(lambda t: t, media_type="text/plain")
    ),
    "bom": Fault("a byte order mark before the JSON", respond=answered(lambda t: "\ufeff" + t)),
    "banner": Fault("a line before the JSON", respond=answered(lambda t: f"payments guard\n{t}")),
    "two-documents": Fault("the JSON twice", respond=answered(lambda t: f"{t}\n{t}")),
    "duplicate-member": Fault(
        "the member decision twice, with different values",
        respond=answered(lambda t: '{"decision":"allow",' + t[1:]),
    ),
    "unknown-decision": Fault('"block" for "deny"', decide=changed(unknown_decision)),
    "no-decision": Fault("the answer {}", decide=changed(no_decision)),
    "empty-body": Fault("status 200 without a body", respond=answered(lambda _: "")),
    "no-content": Fault("status 204", respond=answered(lambda _: "", 204)),
    "wrong-member": Fault("updatedText at before_tool_call", decide=changed(wrong_member)),
    "two-rewrites": Fault("a second rewrite beside each one", decide=changed(two_rewrites)),
    "deny-with-rewrite": Fault("updatedInput with each deny", decide=changed(deny_with_rewrite)),
    "wrong-type": Fault("a reason that is an object, or decision 1", decide=changed(wrong_type)),
    "gzip": Fault(
        "a compressed body, asked for or not",
        respond=answered(lambda t: gzip.compress(t.encode()), headers={"content-encoding": "gzip"}),
    ),
    "slow": Fault("answers after 11 seconds", decide=delayed(11)),
    "slow-body": Fault(
        "headers at once, then a byte a second", respond=streamed(drip, lambda n: n)
    ),
    "big-body": Fault("a body of over 1 MiB", decide=changed(with_big_reason)),
    "endless-body": Fault("a body that never ends", respond=streamed(endless, lambda _: None)),
    "broken-body": Fault(
        "closes within the promised content-length", respond=streamed(half, lambda n: n)
    ),
    "repeat-differs": Fault("another decision for a repeated deliveryId", decide=repeat_differs),
    "strict-input": Fault("status 500 on unknown members", decide=fails_if(strict_input)),
    "ascii-only": Fault("status 500 on non-ASCII input", decide=fails_if(not_ascii)),
    "size-limit": Fault("status 500 on bodies over 64 KiB", read=size_limit),
    "crash-on-malformed": Fault(
        "exits with code 1 on a body that is not JSON", read=on_malformed(crash)
    ),
    "hang-on-malformed": Fault("never answers a body that is not JSON", read=on_malformed(hang)),
    "after-points": Fault("status 500 at the after_ points", decide=fails_if(at_after_points)),
    "hangs": Fault("never answers", decide=delayed(None)),
    "mixed-answers": Fault("mixes up concurrent answers", decide=mixed_answers),
}
