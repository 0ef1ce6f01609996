"""JSON as the clauses read it, which is stricter than the standard library's parser.

Raw texts (manifests, profiles, answers) and whole scripts come through here, so that one place
decides what is a JSON document: no NaN or Infinity, no number beyond a double, no lone
surrogate, and no more nesting than ``MAX_NESTING``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from typing import NoReturn, TypeAlias, TypeGuard

Json: TypeAlias = "JsonObject | list[Json] | str | int | float | bool | None"
JsonObject: TypeAlias = dict[str, "Json"]

Pairs: TypeAlias = "list[tuple[str, Json]]"

MAX_NESTING = 127
MIB = 1 << 20

# An integer of up to 18 digits is kept exactly; a longer one is the double that it names.
_EXACT_DIGITS = 18

# Strings are skipped whole. An unterminated one runs to the end: the parser will refuse it, and
# this scan must not start over at each of its quotation marks.
_STRING_OR_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[\[{]|[\]}]', re.DOTALL)

# In a JSON text backslashes stand in strings only, and each belongs to the escape it opens.
_SURROGATE_ESCAPES = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|(?P<lone>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
    r"|\\.",
    re.DOTALL,
)


class NotJson(ValueError):
    """The text is no JSON document."""


class Doubled(dict[str, Json]):
    """An object that was given members twice, whose last values stand."""

    pairs: Pairs
    """All that was given."""


def parse(text: str) -> Json:
    """Read one document; of a member given twice the last one counts."""
    return _decode(text, _decoder())


def parse_unique(text: str) -> Json:
    """Read one document in which no member is given twice."""
    return _decode(text, _decoder(_refuse_doubles))


def parse_marking_doubles(text: str) -> Json:
    """Read one document whose objects tell which of their members were given twice."""
    return _decode(text, _decoder(_mark_doubles))


def _decoder(of_pairs: Callable[[Pairs], JsonObject] | None = None) -> json.JSONDecoder:
    return json.JSONDecoder(
        object_pairs_hook=of_pairs,
        parse_int=_integer,
        parse_float=_double,
        parse_constant=_refuse_constant,
    )


def _decode(text: str, decoder: json.JSONDecoder) -> Json:
    if _nests_too_deep(text):
        raise NotJson(f"nested more than {MAX_NESTING} deep")
    if any(found["lone"] for found in _SURROGATE_ESCAPES.finditer(text)):
        raise NotJson("a lone surrogate")
    try:
        value: Json = decoder.decode(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise NotJson(str(error)) from error
    return value


def _nests_too_deep(text: str) -> bool:
    if text.count("[") + text.count("{") <= MAX_NESTING:
        return False
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(text):
        match found[0]:
            case "[" | "{":
                depth += 1
                if depth > MAX_NESTING:
                    return True
            case "]" | "}":
                depth -= 1
    return False


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _EXACT_DIGITS else _double(digits)


def _double(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise NotJson("a number beyond the doubles")
    return number


def _refuse_constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is no JSON")


def _refuse_doubles(pairs: Pairs) -> JsonObject:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise NotJson("a member is given twice")
    return members


def _mark_doubles(pairs: Pairs) -> JsonObject:
    members = dict(pairs)
    if len(members) == len(pairs):
        return members
    doubled = Doubled(members)
    doubled.pairs = pairs
    return doubled


def dump(value: Json) -> str:
    """Write a value compactly, characters as they are."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def is_number(value: Json) -> TypeGuard[int | float]:
    """Whether it is a number; Python's booleans are integers, JSON's are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def whole(value: Json) -> int | None:
    """The integer that a number is, be it written ``1`` or ``1.0`` (HK-EQ-1)."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return None


def equal(one: Json, other: Json) -> bool:
    """Compare as JSON: members unordered, numbers by value (HK-EQ-1)."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(
            equal(member, other[name]) for name, member in one.items()
        )
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(equal, one, other))
    return one == other


def pointer(parts: Iterable[str | int]) -> str:
    """Write a JSON Pointer (RFC 6901)."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)
