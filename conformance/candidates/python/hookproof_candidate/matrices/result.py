"""From what a processor replied to a HookResult, or to the way in which the hook failed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hookproof_candidate.fold import Rewrite
from hookproof_candidate.matrices.points import REWRITES, Point
from hookproof_candidate.values import MIB, Json, NotJson, parse_unique

LONGEST_BODY = MIB


class Failure(StrEnum):
    """The kinds of no answer (MX-FAIL-3)."""

    TIMEOUT = "timeout"
    REFUSED = "refused"
    DISCONNECT = "disconnect"
    STATUS = "status"
    REDIRECT = "redirect"
    UNPARSABLE = "unparsable"
    WRONG_SHAPE = "wrong_shape"
    TOO_LARGE = "too_large"
    EXPIRED = "expired"


class Decision(StrEnum):
    """The decisions (MX-FOLD-1)."""

    DEFER = "defer"
    ALLOW = "allow"
    DENY = "deny"


DECISIONS = {decision.value: decision for decision in Decision}


@dataclass(frozen=True)
class HookResult:
    """A HookResult that fits its point."""

    decision: Decision
    reason: str | None = None
    rewrite: Rewrite | None = None


DEFER = HookResult(Decision.DEFER)


def read_body(body: str | bytes, point: Point) -> HookResult | Failure:
    """Read the body of an answer, or of a resolve (MX-WAIT-3b)."""
    octets = body.encode() if isinstance(body, str) else body
    if len(octets) > LONGEST_BODY:
        return Failure.TOO_LARGE
    try:
        # One document, no member twice, neither BOM nor banner before it (MX-FAIL-3).
        value = parse_unique(octets.decode())
    except (NotJson, UnicodeDecodeError):
        return Failure.UNPARSABLE
    return read_result(value, point) or Failure.WRONG_SHAPE


def read_result(value: Json, point: Point) -> HookResult | None:
    """Read a HookResult for a point; unknown members are ignored (MX-WIRE-2)."""
    if not isinstance(value, dict):
        return None
    named = value.get("decision")
    decision = DECISIONS.get(named) if isinstance(named, str) else None
    reason = value.get("reason")
    if decision is None:
        return None  # an object without a decision is malformed, too (MX-WIRE-3)
    if decision is Decision.DENY:
        # It stands whatever else its answer has (MX-FOLD-5).
        return HookResult(decision, reason if isinstance(reason, str) else None)
    if "reason" in value and not isinstance(reason, str):
        return None
    given = [name for name in REWRITES if name in value]
    if not given:
        return HookResult(decision, reason if isinstance(reason, str) else None)
    if given != [point.rewrite]:
        return None  # dropping a redaction in silence would be unsafe (MX-FOLD-8)
    rewritten = value[point.rewrite]
    fits = {
        "updatedText": isinstance(rewritten, str),
        "updatedInput": isinstance(rewritten, dict),
        "updatedOutput": True,
    }
    if not fits[point.rewrite]:
        return None
    return HookResult(decision, reason if isinstance(reason, str) else None, Rewrite(rewritten))
