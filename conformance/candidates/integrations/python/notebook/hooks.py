"""What the notebook does at each hook: plain functions from a payload to a HookResult.

Members that a handler does not know are ignored, and every optional one may be absent: VoiceOS adds
members over time. `{}` means "continue untouched".
"""

import re
from collections import deque
from collections.abc import Callable
from datetime import date
from typing import Any

from notebook.store import Notebook

Payload = dict[str, Any]
Result = dict[str, Any]
Handler = Callable[[Payload], Result]

PROJECTS = {
    "atlas": "Project Atlas — owner: Zoë Müller; next milestone: design review, 3 June.",
    "borealis": "Project Borealis — paused until autumn; budget: 40 000 €.",
}

NOTE_THAT = re.compile(r"\s*(?:please\s+)?note that\s+(\S.*)", re.IGNORECASE | re.DOTALL)
# Starts only where an address can start, so that long texts are read once.
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+")


class NotebookHooks:
    def __init__(self, notebook: Notebook) -> None:
        self.notebook = notebook
        self.receipts: deque[Payload] = deque(maxlen=20)

    def transcript(self, payload: Payload) -> Result:
        said = _text(payload, "transcript")
        if match := NOTE_THAT.match(said):
            note = self.notebook.add(_spoken_title(payload), match[1].strip())
            return {
                "decision": "handled",
                "responseText": f"Noted: {_short(note.text)}",
                "view": {"blocks": [{"type": "text", "title": note.title, "text": note.text}]},
            }
        lowered = said.casefold()
        if "forget everything" in lowered:
            return {
                "decision": "block",
                "responseText": "Your notes stay. Ask to delete notes to remove some of them.",
                "reason": "asked to forget everything",
            }
        known = [about for name, about in PROJECTS.items() if name in lowered]
        return {"additionalContext": "\n".join(known)} if known else {}

    def dictation(self, payload: Payload) -> Result:
        text = _text(payload, "text")
        if text.strip(" .!").casefold() == "strike that":
            return {"decision": "handled", "responseText": "Struck."}
        expanded = text.replace(";today", date.today().isoformat()).replace(";regards", "— Regards")
        return {"updatedText": expanded} if expanded != text else {}

    def pre_tool_use(self, payload: Payload) -> Result:
        args = payload.get("args")
        if not isinstance(args, dict):
            return {}
        if payload.get("toolName") == "delete_notes":
            count = args.get("count")
            if isinstance(count, int | float) and count > 100:
                return {"requireConfirmation": True, "reason": "Deletes more than 100 notes."}
        if payload.get("toolName") == "add_note":
            text = _text(args, "text")
            if "#secret" in text:
                return {
                    "decision": "block",
                    "responseText": "The note is marked secret, so it was not saved.",
                    "reason": "note marked #secret",
                }
            if args.get("title") in (None, ""):
                # An update replaces the arguments as a whole.
                return {"updatedArgs": {**args, "title": _short(text) or "Untitled"}}
        return {}

    def post_tool_use(self, payload: Payload) -> Result:
        result = payload.get("result")
        redacted = _redact(result)
        return {"updatedResult": redacted} if redacted != result else {}

    def turn_complete(self, payload: Payload) -> Result:
        self.receipts.append(payload)
        return {}


def _text(members: dict[str, Any], name: str) -> str:
    value = members.get(name)
    return value if isinstance(value, str) else ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"


def _spoken_title(payload: Payload) -> str:
    app = payload.get("frontmostApp")
    name = _text(app, "name") if isinstance(app, dict) else ""
    return f"Spoken in {name}" if name else "Spoken"


def _redact(value: Any) -> Any:
    if isinstance(value, str):
        return EMAIL.sub("[e-mail]", value)
    if isinstance(value, list):
        return [_redact(item) for item in value]
    if isinstance(value, dict):
        return {name: _redact(member) for name, member in value.items()}
    return value
