"""How scripts are read: strictly, with a reason for whoever sent something else.

These are the tools; the shapes are in the ``steps`` module of each dialect.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from hookproof_candidate.values import Json, JsonObject, whole

T = TypeVar("T")

MAX_STEPS = 1000
MAX_MILLIS = 1 << 53


class NoScript(ValueError):
    """What was sent is no script."""


@dataclass
class StepCount:
    """Counts the steps of a script, those within others included."""

    steps: int = 0

    def one_more(self) -> None:
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise NoScript(f"a script has at most {MAX_STEPS} steps")


class Members:
    """The members of an object, taken one by one; whatever is left over is a fault."""

    def __init__(self, value: Json, where: str) -> None:
        self._members = dict(obj(value, where))
        self._where = where

    def need(self, name: str, read: Callable[[Json, str], T]) -> T:
        """A member that must be there."""
        if name not in self._members:
            raise NoScript(f"{self._where}: `{name}` is missing")
        return read(self._members.pop(name), f"{self._where}/{name}")

    def default(self, name: str, read: Callable[[Json, str], T], default: T) -> T:
        """A member that may be absent, but not `null`."""
        return self.need(name, read) if name in self._members else default

    def maybe(self, name: str, read: Callable[[Json, str], T]) -> T | None:
        """A member that may be absent, for which `null` stands as well."""
        if self._members.get(name) is None:
            self._members.pop(name, None)
            return None
        return self.need(name, read)

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def done(self) -> None:
        """No other member is known."""
        for name in self._members:
            raise NoScript(f"{self._where}: `{name}` is unknown")


def anything(value: Json, _where: str) -> Json:
    return value


def obj(value: Json, where: str) -> JsonObject:
    if not isinstance(value, dict):
        raise NoScript(f"{where}: not an object")
    return value


def text(value: Json, where: str) -> str:
    if not isinstance(value, str):
        raise NoScript(f"{where}: not a string")
    return value


def flag(value: Json, where: str) -> bool:
    if not isinstance(value, bool):
        raise NoScript(f"{where}: not a boolean")
    return value


def items(value: Json, where: str) -> list[Json]:
    if not isinstance(value, list):
        raise NoScript(f"{where}: not a list")
    return value


def natural(value: Json, where: str) -> int:
    number = whole(value)
    if number is None or number < 0:
        raise NoScript(f"{where}: not a whole number from 0")
    return number


def millis(value: Json, where: str) -> int:
    number = natural(value, where)
    if number > MAX_MILLIS:
        raise NoScript(f"{where}: more than 2^53 ms")
    return number


def each(read: Callable[[Json, str], T]) -> Callable[[Json, str], list[T]]:
    """Reads a list."""

    def read_list(value: Json, where: str) -> list[T]:
        return [read(item, f"{where}/{i}") for i, item in enumerate(items(value, where))]

    return read_list


def by_name(read: Callable[[Json, str], T]) -> Callable[[Json, str], dict[str, T]]:
    """Reads an object whose members are all of one kind."""

    def read_members(value: Json, where: str) -> dict[str, T]:
        return {name: read(member, f"{where}/{name}") for name, member in obj(value, where).items()}

    return read_members


def tagged(value: Json, where: str) -> tuple[str, Json]:
    """An object whose only member tells what it is."""
    members = obj(value, where)
    if len(members) != 1:
        raise NoScript(f"{where}: not exactly one member")
    ((tag, body),) = members.items()
    return tag, body
