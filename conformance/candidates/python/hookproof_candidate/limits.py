"""Bounds of a script and of its transcript, so that none exhausts the memory."""

from __future__ import annotations

from dataclasses import dataclass

from hookproof_candidate.reading import NoScript
from hookproof_candidate.values import MIB, Json, whole

LONGEST_SCRIPT = 16 * MIB
LONGEST_WRITTEN_OUT = 16 * MIB
LONGEST_TRANSCRIPT = 16 * MIB
MOST_VALUES = 200_000


@dataclass
class Allowance:
    """What a transcript may still come to.

    Whatever grows with the values of a script is charged as it is recorded: long before the
    transcript is written, a script can have asked for gigabytes of it.
    """

    octets: int = LONGEST_TRANSCRIPT
    values: int = MOST_VALUES

    def charge(self, value: Json) -> None:
        """Count a value that goes into the transcript."""
        open_values = [value]
        while open_values:
            one = open_values.pop()
            self.values -= 1
            match one:
                case str():
                    self.octets -= len(one)
                case list():
                    open_values.extend(one)
                case dict():
                    self.octets -= sum(map(len, one))
                    open_values.extend(one.values())
                case _:
                    self.octets -= 1
            if self.octets < 0 or self.values < 0:
                raise NoScript("its transcript comes to more than 16 MiB or 200 000 values")


def write_out(value: Json) -> Json:
    """Write out every `{"$repeat": ["x", 3]}` as "xxx"."""
    room = LONGEST_WRITTEN_OUT

    def written(value: Json) -> Json:
        nonlocal room
        match value:
            case {"$repeat": arguments, **rest} if not rest:
                match arguments:
                    case [str() as piece, times]:
                        count = whole(times)
                    case _:
                        count = None
                if count is None or count < 0:
                    raise NoScript("$repeat takes a string and a whole number from 0")
                room -= len(piece) * count
                if room < 0:
                    raise NoScript("too long when written out")
                return piece * count
            case dict():
                return {name: written(member) for name, member in value.items()}
            case list():
                return [written(item) for item in value]
            case _:
                return value

    return written(value)
