"""Reading a profile, and every fault that one can have (MX-VAL)."""

from __future__ import annotations

from collections import Counter
from typing import TypeVar

from ada_url import URL

from hookproof_candidate.faults import Faults, Place, is_too_long
from hookproof_candidate.matrices.hooks import (
    CALL_MS,
    DAY_MS,
    ON_FAILURE,
    PROCESSORS,
    Hook,
    OnFailure,
    Processor,
)
from hookproof_candidate.matrices.match import OPERATORS, Condition, Operator
from hookproof_candidate.matrices.points import POINTS, Point
from hookproof_candidate.values import (
    Doubled,
    Json,
    JsonObject,
    NotJson,
    parse_marking_doubles,
    whole,
)

T = TypeVar("T")

MOST_HOOKS = 16
_MOST_CONDITIONS = 8


class Unmentioned:
    """The text does not mention `hooks`."""


def read_profile(text: str) -> tuple[Hook, ...] | Unmentioned | Faults:
    """Read a profile's raw text."""
    faults = Faults()
    if is_too_long(text):
        faults.add((), "MX-VAL-T", "A profile has at most 4 MiB.")
        return faults
    try:
        value = parse_marking_doubles(text)
    except NotJson as error:
        faults.add((), "MX-VAL-1", f"It is no JSON: {error}.")
        return faults
    if isinstance(value, dict):
        _check_doubles(value, (), faults)
    hooks = _check_profile(value, faults)
    return faults if faults else hooks


def read_default(value: Json) -> Hook | None:
    """Read one hook of the catalogue, if it is one."""
    faults = Faults()
    hook = _check_hook(value, (), faults)
    return None if faults else hook


def _check_doubles(value: Json, place: Place, faults: Faults) -> None:
    """A member that is given twice may be the list of guards (MX-VAL-17)."""
    match value:
        case dict():
            pairs = value.pairs if isinstance(value, Doubled) else value.items()
            times = Counter(name for name, _ in pairs)
            for name in times:
                if times[name] > 1:
                    faults.add((*place, name), "MX-VAL-17", f"`{name}` is given twice.")
            for name, member in pairs:
                _check_doubles(member, (*place, name), faults)
        case list():
            for i, item in enumerate(value):
                _check_doubles(item, (*place, i), faults)


def _check_profile(value: Json, faults: Faults) -> tuple[Hook, ...] | Unmentioned:
    if not isinstance(value, dict):
        faults.add((), "MX-VAL-1", "A profile is an object.")
        return Unmentioned()
    configuration = value.get("configuration", {})
    if not isinstance(configuration, dict):
        faults.add(("configuration",), "MX-VAL-1", "`configuration` is an object.")
        return Unmentioned()
    if "hooks" not in configuration:
        return Unmentioned()
    hooks = configuration["hooks"]
    place: Place = ("configuration", "hooks")
    if hooks is None:
        faults.add(place, "MX-VAL-14", "`null` is neither omitted nor a list.")
        return ()
    if not isinstance(hooks, list):
        faults.add(place, "MX-VAL-1", "`hooks` is a list.")
        return ()
    if len(hooks) > MOST_HOOKS:
        faults.add(place, "MX-VAL-1", "A profile has at most 16 hooks.")
    read = []
    ids: set[str] = set()
    for i, item in enumerate(hooks):
        hook = _check_hook(item, (*place, i), faults)
        id_ = item.get("id") if isinstance(item, dict) else None
        if isinstance(id_, str) and id_:
            if id_ in ids:
                faults.add((*place, i, "id"), "MX-VAL-12b", "This id stands twice.")
            ids.add(id_)
        if hook is not None:
            read.append(hook)
    return tuple(read)


def _check_hook(value: Json, place: Place, faults: Faults) -> Hook | None:
    """Members that no clause speaks of are no fault (MX-VAL-16)."""
    if not isinstance(value, dict):
        faults.add(place, "MX-VAL-1", "A hook is an object.")
        return None
    id_ = _string(value, "id", place, "MX-VAL-12a", faults)
    if id_ == "":
        faults.add((*place, "id"), "MX-VAL-12a", "A hook's id is not empty.")
    point = _check_point(value, place, faults)
    tools, where = _check_match(value, point, place, faults)
    processor, address = _check_processor(value, place, faults)
    on_failure = OnFailure.FAIL_CLOSED
    if "onFailure" in value:
        known = _known(ON_FAILURE, value["onFailure"])
        if known is None:
            faults.add((*place, "onFailure"), "MX-VAL-16", "`fail_closed` or `fail_open`.")
        else:
            on_failure = known
    async_timeout = _check_async_timeout(value, place, faults)
    timeout = CALL_MS
    if "timeoutMs" in value:
        declared = whole(value["timeoutMs"])
        if declared is None or not 0 < declared <= DAY_MS:
            faults.add((*place, "timeoutMs"), "MX-DL-1", "A positive number up to 24 hours.")
        else:
            timeout = declared
    if id_ is None or point is None or processor is None:
        return None
    return Hook(id_, point, processor, address, tools, where, on_failure, async_timeout, timeout)


def _string(value: JsonObject, name: str, place: Place, clause: str, faults: Faults) -> str | None:
    member = value.get(name)
    if name not in value:
        faults.add(place, clause, f"`{name}` is missing.")
    elif not isinstance(member, str):
        faults.add((*place, name), clause, f"`{name}` is a string.")
    else:
        return member
    return None


def _known(known: dict[str, T], value: Json) -> T | None:
    return known.get(value) if isinstance(value, str) else None


def _check_point(value: JsonObject, place: Place, faults: Faults) -> Point | None:
    if "point" not in value:
        faults.add(place, "MX-VAL-16", "`point` is missing.")
        return None
    point = _known(POINTS, value["point"])
    if point is None:
        faults.add((*place, "point"), "MX-VAL-16", "This point is unknown.")
    return point


def _check_async_timeout(value: JsonObject, place: Place, faults: Faults) -> int:
    if "asyncTimeoutMs" not in value:
        return DAY_MS  # MX-DL-2
    place = (*place, "asyncTimeoutMs")
    declared = whole(value["asyncTimeoutMs"])
    if declared is None or declared <= 0:
        faults.add(place, "MX-VAL-8b", "A positive whole number.")
        return DAY_MS
    if declared > DAY_MS:
        faults.add(place, "MX-VAL-9", "At most 24 hours.")
    return declared


def _check_match(
    value: JsonObject, point: Point | None, place: Place, faults: Faults
) -> tuple[tuple[str, ...] | None, tuple[Condition, ...]]:
    if "match" not in value:
        return None, ()  # every event at the point (MX-MATCH-1)
    match = value["match"]
    place = (*place, "match")
    if not isinstance(match, dict):
        faults.add(place, "MX-MATCH-1", "`match` is an object.")
        return None, ()
    tools = where = None
    if "tools" in match:
        if point is not None and not point.has_tool:
            faults.add((*place, "tools"), "MX-VAL-3", "This point has no tools.")
        tools = _check_tools(match["tools"], (*place, "tools"), faults)
    if "where" in match:
        where = _check_where(match["where"], (*place, "where"), faults)
    return tools, where or ()


def _check_tools(value: Json, place: Place, faults: Faults) -> tuple[str, ...]:
    if not isinstance(value, list):
        faults.add(place, "MX-VAL-4", "`tools` is a list of patterns.")
        return ()
    if not value:
        faults.add(place, "MX-VAL-13a", "An empty list matches no tool.")
    patterns = []
    for i, pattern in enumerate(value):
        # A bare `*` is a pattern (MX-VAL-5), and so is one behind any prefix (MX-VAL-6).
        if not isinstance(pattern, str) or "*" in pattern[:-1]:
            faults.add((*place, i), "MX-VAL-4", "An exact name, or one trailing wildcard.")
        else:
            patterns.append(pattern)
    return tuple(patterns)


def _check_where(value: Json, place: Place, faults: Faults) -> tuple[Condition, ...]:
    if not isinstance(value, list):
        faults.add(place, "MX-VAL-7", "`where` is a list of conditions.")
        return ()
    if len(value) > _MOST_CONDITIONS:
        faults.add(place, "MX-VAL-7", "At most eight conditions.")
    conditions = (_check_condition(item, (*place, i), faults) for i, item in enumerate(value))
    return tuple(condition for condition in conditions if condition is not None)


def _check_condition(value: Json, place: Place, faults: Faults) -> Condition | None:
    if not isinstance(value, dict):
        faults.add(place, "MX-MATCH-8", "A condition is an object.")
        return None
    path = _string(value, "path", place, "MX-MATCH-8", faults)
    operator: Operator | None = None
    named = _string(value, "operator", place, "MX-MATCH-8", faults)
    if named is not None:
        operator = OPERATORS.get(named)
        if operator is None:
            faults.add((*place, "operator"), "MX-VAL-16", "This operator is unknown.")
    if operator is Operator.EXISTS:
        operand = value.get("value", True)
        if not isinstance(operand, bool):
            faults.add((*place, "value"), "MX-MATCH-8", "A boolean.")
    else:
        operand = value.get("value")
        if "value" not in value:
            faults.add(place, "MX-MATCH-8", "`value` is missing.")
    if path is None or operator is None:
        return None
    return Condition(path, operator, operand)


def _check_processor(
    value: JsonObject, place: Place, faults: Faults
) -> tuple[Processor | None, str | None]:
    if "processor" not in value:
        faults.add(place, "MX-VAL-16", "`processor` is missing.")
        return None, None
    processor = value["processor"]
    place = (*place, "processor")
    if not isinstance(processor, dict):
        faults.add(place, "MX-VAL-16", "A processor is an object.")
        return None, None
    if "kind" not in processor:
        faults.add(place, "MX-VAL-16", "`kind` is missing.")
        return None, None
    kind = _known(PROCESSORS, processor["kind"])
    address: str | None = None
    match kind:
        case Processor.URL:
            address = _string(processor, "url", place, "MX-VAL-10a", faults)
            if address is not None:
                _check_url(address, (*place, "url"), faults)
        case Processor.AGENT:
            address = _string(processor, "agent", place, "MX-PROC-1", faults)
        case Processor.CLIENT:
            pass
        case None:
            faults.add((*place, "kind"), "MX-VAL-16", "This processor is unknown.")
    return kind, address


def _check_url(url: str, place: Place, faults: Faults) -> None:
    """The host is the one to which the request would go (MX-VAL-10b)."""
    try:
        parsed = URL(url)
    except ValueError:
        faults.add(place, "MX-VAL-10a", "It is no URL.")
        return
    if parsed.protocol == "https:":
        return
    if parsed.protocol == "http:":
        if parsed.hostname != "localhost":
            faults.add(place, "MX-VAL-10a", "Plain http goes to `localhost` only.")
        return
    faults.add(place, "MX-VAL-10a", "A url processor is HTTPS.")
