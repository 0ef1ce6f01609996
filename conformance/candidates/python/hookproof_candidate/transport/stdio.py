"""Scripts as tool calls of MCP over stdio."""

from __future__ import annotations

from typing import Any

import anyio
import anyio.to_thread
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, TextContent, Tool

from hookproof_candidate import NAME, VERSION
from hookproof_candidate.about import about
from hookproof_candidate.reading import NoScript
from hookproof_candidate.run import run_text
from hookproof_candidate.values import dump

_TOOLS = [
    Tool(
        name="hookproof_about",
        description="What this candidate is and can do.",
        inputSchema={"type": "object", "properties": {}},
    ),
    Tool(
        name="hookproof_run",
        description="Run a script on a fresh host and give its transcript.",
        inputSchema={
            "type": "object",
            "properties": {"script_json": {"type": "string", "description": "The script."}},
            "required": ["script_json"],
        },
    ),
]


def _text(text: str, *, is_error: bool = False) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], isError=is_error)


async def _call(name: str, arguments: dict[str, Any]) -> CallToolResult:
    match name, arguments:
        case "hookproof_about", _:
            return _text(dump(about()))
        case "hookproof_run", {"script_json": str() as script}:
            try:
                return _text(await anyio.to_thread.run_sync(run_text, script))
            except NoScript as error:
                return _text(str(error), is_error=True)
        case "hookproof_run", _:
            return _text("`script_json` is missing, or no string", is_error=True)
        case _:
            return _text(f"unknown tool: {name}", is_error=True)


async def _serve() -> None:
    server: Server[object, Any] = Server(NAME, version=VERSION)

    async def list_tools() -> list[Tool]:
        return _TOOLS

    # What is registered by a decorator without types would be checked by none.
    server.list_tools()(list_tools)  # type: ignore[no-untyped-call]
    server.call_tool()(_call)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def serve() -> None:
    """Serve until the client closes."""
    anyio.run(_serve)
