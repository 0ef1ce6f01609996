"""The MCP server: the notebook's tools, and its hooks under their reserved names."""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from mcp.server.fastmcp import FastMCP

import strict_json
from notebook.hooks import Handler, NotebookHooks
from notebook.store import Notebook

Answer = Callable[[str], Awaitable[str]]
WrapAnswer = Callable[[str, Answer], Answer]
Offer = Callable[[FastMCP, str, str, Answer], None]


class Hook(NamedTuple):
    event: str
    tool: str
    description: str
    handler: Handler


def all_hooks(hooks: NotebookHooks) -> list[Hook]:
    return [
        Hook("transcript", "transcript", "Hears what was said.", hooks.transcript),
        Hook("dictation", "dictation", "Expands snippets in dictation.", hooks.dictation),
        Hook("preToolUse", "pre_tool_use", "Checks calls of own tools.", hooks.pre_tool_use),
        Hook("postToolUse", "post_tool_use", "Redacts own results.", hooks.post_tool_use),
        Hook("turnComplete", "turn_complete", "Keeps the receipt.", hooks.turn_complete),
    ]


def answer_with(handler: Handler) -> Answer:
    """Turns a handler into a function from the payload's text to the answer's text."""

    async def answer(payload_json: str) -> str:
        payload = strict_json.parse_object(payload_json)
        if payload is None:
            return "{}"
        try:
            return strict_json.render(handler(payload))
        except RecursionError:
            # Nested beyond anything a real payload holds: leave it untouched.
            return "{}"

    return answer


def offer_hook(server: FastMCP, name: str, description: str, answer: Answer) -> None:
    # The plain `str` matters: the SDK parses any other argument as JSON before the call. And by
    # default it would add structuredContent to the one text that VoiceOS expects.
    async def hook(payload_json: str) -> str:
        return await answer(payload_json)

    server.add_tool(hook, name=name, description=description, structured_output=False)


def offer_tools(server: FastMCP, notebook: Notebook) -> None:
    @server.tool(structured_output=False)
    def add_note(title: str, text: str) -> str:
        """Adds a note."""
        return f"Added “{notebook.add(title, text).title}”."

    @server.tool(structured_output=False)
    def delete_notes(count: int) -> str:
        """Deletes the newest notes."""
        return f"Notes deleted: {notebook.delete(count)}."

    @server.tool(structured_output=False)
    def find_notes(query: str) -> str:
        """Finds the notes that hold a text."""
        return "\n".join(f"{n.title}: {n.text}" for n in notebook.find(query)) or "No notes."


def build(wrap: WrapAnswer, offer: Offer) -> FastMCP:
    server = FastMCP("notebook", log_level="WARNING")
    notebook = Notebook()
    offer_tools(server, notebook)
    for hook in all_hooks(NotebookHooks(notebook)):
        answer = wrap(hook.event, answer_with(hook.handler))
        offer(server, f"voiceos_hook_{hook.tool}", hook.description, answer)
    return server
