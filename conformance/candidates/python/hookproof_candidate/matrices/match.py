"""Which events a hook runs on (MX-MATCH)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from hookproof_candidate.values import Json, JsonObject, equal, is_number


class Operator(StrEnum):
    """The operators of conditions (MX-MATCH-8)."""

    EQ = "eq"
    NEQ = "neq"
    IN = "in"
    NOT_IN = "not_in"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    CONTAINS = "contains"
    STARTS_WITH = "starts_with"
    EXISTS = "exists"


OPERATORS = {operator.value: operator for operator in Operator}


@dataclass(frozen=True)
class Found:
    """The value at a path; it may be `null`."""

    value: Json


@dataclass(frozen=True, eq=False)
class Condition:
    """One condition of `match.where`."""

    path: str
    operator: Operator
    value: Json

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Condition)
            and self.path == other.path
            and self.operator is other.operator
            and equal(self.value, other.value)
        )

    def __hash__(self) -> int:
        return hash((self.path, self.operator))

    def holds(self, root: JsonObject) -> bool:
        """A missing path or types that do not compare: false, negations true (MX-MATCH-6)."""
        found = look_up(root, self.path)
        match self.operator:
            case Operator.EXISTS:
                return (found is not None) is self.value
            case Operator.EQ:
                return found is not None and equal(found.value, self.value)
            case Operator.NEQ:
                return found is None or not equal(found.value, self.value)
            case Operator.IN:
                return found is not None and _holds_item(self.value, found.value)
            case Operator.NOT_IN:
                return found is None or not _holds_item(self.value, found.value)
            case Operator.CONTAINS:
                return found is not None and _contains(found.value, self.value)
            case Operator.STARTS_WITH:
                return (
                    found is not None
                    and isinstance(found.value, str)
                    and isinstance(self.value, str)
                    and found.value.startswith(self.value)
                )
            case Operator.GT:
                return found is not None and _compares(found.value, self.value, lambda c: c > 0)
            case Operator.GTE:
                return found is not None and _compares(found.value, self.value, lambda c: c >= 0)
            case Operator.LT:
                return found is not None and _compares(found.value, self.value, lambda c: c < 0)
            case Operator.LTE:
                return found is not None and _compares(found.value, self.value, lambda c: c <= 0)


def look_up(root: Json, path: str) -> Found | None:
    """Follow a dotted path; array indices are decimal, without sign or leading zero."""
    value = root
    for key in path.split("."):
        match value:
            case dict() if key in value:
                value = value[key]
            case list() if _is_index(key, len(value)):
                value = value[int(key)]
            case _:
                return None
    return Found(value)


def _is_index(key: str, length: int) -> bool:
    # `isdigit` alone would take other scripts' digits, and a long key would be no cheap integer.
    if not (key.isascii() and key.isdigit()) or len(key) > len(str(length)):
        return False
    return (key == "0" or not key.startswith("0")) and int(key) < length


def _holds_item(items: Json, item: Json) -> bool:
    return isinstance(items, list) and any(equal(one, item) for one in items)


def _contains(value: Json, part: Json) -> bool:
    """A text in a text, or an item in a list."""
    if isinstance(value, str):
        return isinstance(part, str) and part in value
    return _holds_item(value, part)


def _compares(one: Json, other: Json, verdict: Callable[[int], bool]) -> bool:
    """Two numbers, or two strings by their code points; nothing else has an order."""
    if isinstance(one, str) and isinstance(other, str):
        return verdict((one > other) - (one < other))
    if is_number(one) and is_number(other):
        return verdict((one > other) - (one < other))
    return False


def matches_tool(patterns: tuple[str, ...], tool: str | None) -> bool:
    """Any pattern may match: an exact name, or a prefix before the wildcard (MX-MATCH-2 to 5)."""
    return tool is not None and any(
        tool.startswith(pattern[:-1]) if pattern.endswith("*") else tool == pattern
        for pattern in patterns
    )
