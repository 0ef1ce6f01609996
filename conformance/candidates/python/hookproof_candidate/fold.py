"""What both dialects do with the answers of a chain.

A chain is visited in order (HK-ORDER-1). Rewrites compose (HK-REWRITE-1), the first decision
that is no defer wins (HK-DECIDE-1), and nobody behind the winner is asked (HK-DECIDE-2). The
dialects differ in what a decision is, and in whether a winner's own rewrite still applies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from hookproof_candidate.values import Json

DecisionT = TypeVar("DecisionT")


@dataclass(frozen=True)
class Rewrite:
    """A rewrite that was given; its value may be `null`, for presence decides (HK-REWRITE-3)."""

    value: Json


@dataclass
class Composition(Generic[DecisionT]):
    """The value as composed so far, and the decision that ended the chain, if one did."""

    value: Json
    winner: DecisionT | None = None

    def rewrite(self, rewrite: Rewrite | None) -> bool:
        """Let a rewrite replace the value (HK-REWRITE-4) and tell whether there was one."""
        if rewrite is None:
            return False
        self.value = rewrite.value
        return True

    def decide(self, decision: DecisionT) -> None:
        """End the chain; the first decision stands."""
        if self.winner is None:
            self.winner = decision

    @property
    def decided(self) -> bool:
        return self.winner is not None
