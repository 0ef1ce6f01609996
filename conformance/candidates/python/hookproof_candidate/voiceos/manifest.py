"""Reading a manifest, and every fault that one can have (VO-MAN)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hookproof_candidate.faults import Faults, Place, is_too_long
from hookproof_candidate.values import JsonObject, NotJson, equal, parse
from hookproof_candidate.voiceos.events import EVENTS, RESERVED_PREFIX, Event

_ID = re.compile(r"[a-z0-9]+(\.[a-z0-9-]+)+")
_VERSION_START = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
_TOOL_NAME = re.compile(r"[a-z][a-z0-9_]*")
_LONGEST_SUMMARY = 140
_RUNTIMES = ("local-mcp", "remote-mcp", "hosted")
_PERMISSIONS = ("network", "notify", "background", "store", "webhook", "transcript")
_TOOL_EVENTS = (Event.PRE_TOOL_USE, Event.POST_TOOL_USE)
_AGENT_EVENTS = frozenset(Event) - {Event.DICTATION}
_COVERED: dict[str, frozenset[Event]] = {
    "agent": _AGENT_EVENTS,
    "dictation": frozenset({Event.DICTATION}),
    "all": frozenset(Event),
}
_SHAPE = "VO-MAN-9"


@dataclass(frozen=True)
class Manifest:
    """What the host keeps of a manifest that it took."""

    id: str
    tools: tuple[str, ...]
    apps: dict[Event, frozenset[str] | None]
    """The declared hooks, with the apps that they are restricted to; `None`: any (VO-SEL-2)."""

    @property
    def hooks(self) -> list[Event]:
        return [event for event in Event if event in self.apps]


def read_manifest(text: str) -> Manifest | Faults:
    """Read a manifest's raw text; of a member given twice the last one counts (VO-MAN-12)."""
    faults = Faults()
    if is_too_long(text):
        faults.add((), "VO-MAN-T", "A manifest has at most 4 MiB.")
        return faults
    try:
        value = parse(text)
    except NotJson as error:
        faults.add((), _SHAPE, f"It is no JSON: {error}.")
        return faults
    if not isinstance(value, dict):
        faults.add((), _SHAPE, "A manifest is an object.")
        return faults
    # Members that no clause speaks of are no fault (VO-MAN-10), so nobody looks for them.
    _check_head(value, faults)
    granted = _check_permissions(value, faults)
    tools = _check_tools(value, faults)
    apps = _check_hooks(value, granted, faults)
    if faults:
        return faults
    return Manifest(str(value["id"]), tuple(tools), apps)


def _string(value: JsonObject, name: str, place: Place, faults: Faults) -> str | None:
    member = value.get(name)
    if name not in value:
        faults.add(place, _SHAPE, f"`{name}` is missing.")
    elif not isinstance(member, str):
        faults.add((*place, name), _SHAPE, f"`{name}` is a string.")
    else:
        return member
    return None


def _object(value: JsonObject, name: str, faults: Faults) -> JsonObject | None:
    member = value.get(name)
    if name not in value:
        faults.add((), _SHAPE, f"`{name}` is missing.")
    elif not isinstance(member, dict):
        faults.add((name,), _SHAPE, f"`{name}` is an object.")
    else:
        return member
    return None


def _check_head(value: JsonObject, faults: Faults) -> None:
    if "schemaVersion" not in value:
        faults.add((), _SHAPE, "`schemaVersion` is missing.")
    elif not equal(value["schemaVersion"], 1):
        faults.add(("schemaVersion",), _SHAPE, "`schemaVersion` is 1.")
    id_ = _string(value, "id", (), faults)
    if id_ is not None and not _ID.fullmatch(id_):
        faults.add(("id",), _SHAPE, "An id has dotted lower-case parts.")
    version = _string(value, "version", (), faults)
    if version is not None and not _VERSION_START.match(version):
        faults.add(("version",), _SHAPE, "A version starts N.N.N.")
    _string(value, "name", (), faults)
    summary = _string(value, "summary", (), faults)
    if summary is not None and len(summary) > _LONGEST_SUMMARY:
        faults.add(("summary",), _SHAPE, "A summary has at most 140 characters.")
    publisher = _object(value, "publisher", faults)
    if publisher is not None:
        _string(publisher, "id", ("publisher",), faults)
        _string(publisher, "name", ("publisher",), faults)
    runtime = _object(value, "runtime", faults)
    if runtime is not None:
        kind = _string(runtime, "kind", ("runtime",), faults)
        if kind is not None and kind not in _RUNTIMES:
            faults.add(("runtime", "kind"), _SHAPE, "This kind of runtime is unknown.")


def _check_permissions(value: JsonObject, faults: Faults) -> frozenset[Event] | None:
    """Give the events that the `transcript` permissions cover together, `None` without any."""
    permissions = value.get("permissions", [])
    if not isinstance(permissions, list):
        faults.add(("permissions",), _SHAPE, "`permissions` is a list.")
        return None
    granted: frozenset[Event] | None = None
    for i, permission in enumerate(permissions):
        place: Place = ("permissions", i)
        if not isinstance(permission, dict):
            faults.add(place, _SHAPE, "A permission is an object.")
            continue
        kind = _string(permission, "kind", place, faults)
        if kind == "transcript":
            # Several permissions grant the union of their scopes (VO-MAN-3).
            granted = (granted or frozenset()) | _check_scope(permission, place, faults)
        elif kind is not None and kind not in _PERMISSIONS:
            faults.add((*place, "kind"), _SHAPE, "This kind of permission is unknown.")
    return granted


def _check_scope(permission: JsonObject, place: Place, faults: Faults) -> frozenset[Event]:
    scope = permission.get("scope")
    if "scope" not in permission:
        faults.add(place, "VO-MAN-7b", "A transcript permission has a scope.")
    elif not isinstance(scope, str) or scope not in _COVERED:
        faults.add((*place, "scope"), "VO-MAN-7b", "This scope is unknown.")
    else:
        return _COVERED[scope]
    return frozenset()


def _check_tools(value: JsonObject, faults: Faults) -> list[str]:
    tools = value.get("tools")
    if "tools" not in value:
        faults.add((), _SHAPE, "`tools` is missing.")
        return []
    if not isinstance(tools, list) or not tools:
        faults.add(("tools",), _SHAPE, "`tools` is a list of at least one tool.")
        return []
    names = []
    for i, tool in enumerate(tools):
        place: Place = ("tools", i)
        if not isinstance(tool, dict):
            faults.add(place, _SHAPE, "A tool is an object.")
            continue
        name = _string(tool, "name", place, faults)
        if name is None:
            continue
        if name.startswith(RESERVED_PREFIX):
            faults.add((*place, "name"), "VO-MAN-8", "This name is reserved for hooks.")
        if not _TOOL_NAME.fullmatch(name):
            faults.add((*place, "name"), _SHAPE, "A tool has a lower-case name.")
        names.append(name)
    return names


def _check_hooks(
    value: JsonObject, granted: frozenset[Event] | None, faults: Faults
) -> dict[Event, frozenset[str] | None]:
    hooks = value.get("hooks", {})
    if not isinstance(hooks, dict):
        faults.add(("hooks",), _SHAPE, "`hooks` is an object.")
        return {}
    declared: dict[Event, frozenset[str] | None] = {}
    for name, hook in hooks.items():
        place: Place = ("hooks", name)
        event = EVENTS.get(name)
        if event is None:
            faults.add(place, "VO-MAN-7a", "This event is unknown.")
            continue
        declared[event] = None
        if granted is not None and event not in granted:
            faults.add(place, "VO-MAN-2", "No granted scope covers this hook.")
        if not isinstance(hook, dict):
            faults.add(place, _SHAPE, "A hook is an object.")
            continue
        declared[event] = _check_apps(event, hook, place, faults)
        # Tool taps take the scope `own`, or none (VO-MAN-6); elsewhere it is an unknown member.
        if event in _TOOL_EVENTS and hook.get("scope", "own") != "own":
            faults.add((*place, "scope"), "VO-MAN-6", "The only scope is `own`.")
    # A hook of an unknown event is a hook that is declared.
    if hooks and granted is None:
        parent = ("permissions",) if "permissions" in value else ()
        faults.add(parent, "VO-MAN-1", "Hooks need the transcript permission.")
    return declared


def _check_apps(
    event: Event, hook: JsonObject, place: Place, faults: Faults
) -> frozenset[str] | None:
    apps = hook.get("apps")
    if "apps" not in hook:
        if event is Event.DICTATION:
            faults.add(place, "VO-MAN-4", "A dictation hook names its apps.")
        return None
    if not isinstance(apps, list):
        faults.add((*place, "apps"), _SHAPE, "`apps` is a list of bundle ids.")
        return None
    if not apps:
        clause = "VO-MAN-4" if event is Event.DICTATION else "VO-MAN-5"
        faults.add((*place, "apps"), clause, "An empty list names no app.")
    for i, app in enumerate(apps):
        if not isinstance(app, str):
            faults.add((*place, "apps", i), _SHAPE, "A bundle id is a string.")
    return frozenset(app for app in apps if isinstance(app, str))
