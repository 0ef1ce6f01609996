"""A payments guard: one webhook for the `url` processor of Matrices hooks, at POST /hook.

It denies large transfers, adds a memo to the others, and keeps card numbers and IBANs out of texts
and tool outputs. `python webhook.py [--port PORT] [--fault NAME]`.
"""

import argparse
import re
import sys
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

import running
import strict_json
from webhook_faults import FAULTS, NO_FAULT, Fault, Malformed

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

HookInput = dict[str, Any]
HookResult = dict[str, Any]

MAX_BODY = 4 * 1024 * 1024
MAX_DRAINED = 4 * MAX_BODY
MAX_REMEMBERED = 200
LIMIT = 1000

# The member that holds the composed value at each point.
VALUE_AT = {
    "before_input": "text",
    "before_tool_call": "input",
    "after_tool_call": "output",
    "after_output": "text",
}
TOOL_POINTS = ("before_tool_call", "after_tool_call")
CARD = re.compile(r"(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)")


def guard(hook_input: HookInput) -> HookResult:
    """The decision, from a HookInput that `checked` let pass."""
    point = hook_input["point"]
    value = hook_input[VALUE_AT[point]]
    if point == "before_tool_call":
        return guard_call(hook_input["tool"], value)
    if point == "after_tool_call":
        redacted = without_ibans(value)
        return {"decision": "defer"} | ({"updatedOutput": redacted} if redacted != value else {})
    text = CARD.sub("[card]", value)
    return {"decision": "defer"} | ({"updatedText": text} if text != value else {})


def guard_call(tool: str, args: dict[str, Any]) -> HookResult:
    amount = args.get("amount")
    if tool.startswith("payments.") and isinstance(amount, int | float) and amount > LIMIT:
        return {"decision": "deny", "reason": f"Transfers over {LIMIT} — ask a person first."}
    if tool == "payments.transfer" and "memo" not in args:
        # A rewrite replaces the input as a whole.
        return {"decision": "defer", "updatedInput": {**args, "memo": "seen by payments guard"}}
    return {"decision": "defer"}


def without_ibans(value: Any) -> Any:
    if isinstance(value, list):
        return [without_ibans(item) for item in value]
    if isinstance(value, dict):
        return {
            name: "[iban]" if name.lower() == "iban" else without_ibans(member)
            for name, member in value.items()
        }
    return value


def checked(body: bytes) -> HookInput:
    """The HookInput in a request's body. Unknown members are let pass."""
    try:
        hook_input = strict_json.parse(body.decode("utf-8"))
    except ValueError as error:
        raise Malformed(f"not JSON: {error}") from error
    if not isinstance(hook_input, dict):
        raise Malformed("not an object")
    point = hook_input.get("point")
    if not isinstance(point, str) or point not in VALUE_AT:
        raise Malformed("point is missing or unknown")
    strings = ["deliveryId", "hookId", "threadId", *(["tool"] if point in TOOL_POINTS else [])]
    for name in strings:
        if not isinstance(hook_input.get(name), str):
            raise Malformed(f"{name} is not a string")
    name = VALUE_AT[point]
    if name not in hook_input:
        raise Malformed(f"{name} is missing")
    kind = {"text": str, "input": dict}.get(name, object)
    if not isinstance(hook_input[name], kind):
        raise Malformed(f"{name} is of the wrong type")
    return hook_input


class Memory:
    """Repeated deliveries get the answer of the first one again."""

    def __init__(self) -> None:
        self.results: OrderedDict[str, HookResult] = OrderedDict()

    async def decide(self, hook_input: HookInput) -> HookResult:
        delivery = hook_input["deliveryId"]
        if delivery not in self.results:
            self.results[delivery] = guard(hook_input)
            if len(self.results) > MAX_REMEMBERED:
                self.results.popitem(last=False)
        return self.results[delivery]


async def read_body(request: "Request") -> bytes | None:
    """The body, or None where it is too large."""
    body = bytearray()
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size <= MAX_BODY:
            body += chunk
        elif size > MAX_DRAINED:
            break
        # In between, the rest is read and dropped: a client that is still sending would lose the
        # answer if the connection were closed on it.
    return bytes(body) if size <= MAX_BODY else None


def build(fault: Fault) -> "Starlette":
    from starlette.applications import Starlette
    from starlette.requests import ClientDisconnect
    from starlette.responses import Response
    from starlette.routing import Route

    def as_json(value: Any, status: int = 200) -> "Response":
        return Response(strict_json.render(value), status, media_type="application/json")

    async def parse(body: bytes) -> HookInput:
        return checked(body)

    read = fault.read(parse)
    decide = fault.decide(Memory().decide)
    respond = fault.respond(as_json)

    async def hook(request: "Request") -> "Response":
        try:
            body = await read_body(request)
            if body is None:
                return as_json({"error": "the body is over 4 MiB"}, 413)
            return respond(await decide(await read(body)))
        except Malformed as error:
            return as_json({"error": str(error)}, 400)
        except RecursionError:
            return as_json({"error": "nested too deeply"}, 400)
        except ClientDisconnect:
            return as_json({"error": "the body ended early"}, 400)

    app = Starlette(routes=[Route("/hook", hook, methods=["POST"])])
    # Otherwise /hook/ would be answered with a redirect.
    app.router.redirect_slashes = False
    return app


def main() -> int:
    parser = argparse.ArgumentParser(description="A payments guard for Matrices hooks.")
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes any free port")
    parser.add_argument("--fault", metavar="NAME", help="plant one fault on purpose")
    options = parser.parse_args()

    fault = NO_FAULT if options.fault is None else FAULTS.get(options.fault)
    if fault is None:
        print(f"unknown fault; known: {', '.join(FAULTS)}", file=sys.stderr)
        return 2

    running.quit_on_sigterm()
    # What breaks on purpose needs no traceback.
    log_level = "warning" if fault is NO_FAULT else "critical"
    running.serve(build(fault), options.port, "localhost", "/hook", log_level)
    return 0


if __name__ == "__main__":
    sys.exit(main())
