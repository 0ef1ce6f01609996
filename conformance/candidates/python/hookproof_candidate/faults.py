"""Faults of a manifest or a profile (VO-MAN-T, MX-VAL-T)."""

from __future__ import annotations

from dataclasses import dataclass, field

from hookproof_candidate.values import MIB, Json, pointer

MOST_FAULTS = 1000
LONGEST_TEXT = 4 * MIB

Place = tuple[str | int, ...]


@dataclass(frozen=True)
class Fault:
    """One fault: where it is, which clause it breaks, and a sentence for people."""

    place: Place
    clause: str
    sentence: str


@dataclass
class Faults:
    """The faults of one text, up to the first thousand."""

    found: list[Fault] = field(default_factory=list)

    def add(self, place: Place, clause: str, sentence: str) -> None:
        if len(self.found) < MOST_FAULTS:
            self.found.append(Fault(place, clause, sentence))

    def __bool__(self) -> bool:
        return bool(self.found)

    def seen(self) -> list[Json]:
        """The faults as an observation shows them."""
        return [{"pointer": pointer(fault.place), "clause": fault.clause} for fault in self.found]


def is_too_long(text: str) -> bool:
    """Whether a text is refused unparsed."""
    return len(text) > LONGEST_TEXT or len(text.encode()) > LONGEST_TEXT
