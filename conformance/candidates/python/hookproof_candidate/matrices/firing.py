"""A firing, a wait, and what they leave in the audit trail of their thread."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto

from hookproof_candidate.fold import Composition
from hookproof_candidate.matrices.hooks import Hook
from hookproof_candidate.matrices.points import Event
from hookproof_candidate.matrices.result import Decision
from hookproof_candidate.matrices.steps import Meanwhile, Reply
from hookproof_candidate.values import Json, JsonObject


class State(Enum):
    """Where a firing stands."""

    ASKING = auto()
    """A hook's answer is on its way."""
    STANDING_STILL = auto()
    """An agent processor carries out steps of its own, and no time passes here."""
    PARKED = auto()
    ENDED = auto()


class WaitState(StrEnum):
    """Where a wait stands; what is no longer pending names the error of a resolve (MX-WAIT-5)."""

    PENDING = "pending"
    RESOLVED = "already_resolved"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


@dataclass(eq=False)
class Thread:
    """A thread: its hooks are those of its profile at each firing."""

    label: str
    profile: str
    cancelled: bool = False
    audit: list[Json] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    """All that it ever held."""

    def pending(self) -> list[Wait]:
        """Its `pendingWaits` (MX-WAIT-1), in the order of their firings."""
        waits = [wait for wait in self.waits if wait.state is WaitState.PENDING]
        return sorted(waits, key=lambda wait: wait.firing.order)


@dataclass(frozen=True)
class Asked:
    """A hook that was asked and has not answered. Times count from the firing's beginning."""

    hook: Hook
    at_ms: int
    reply: Reply
    delivery: str | None = None

    @property
    def deadline_ms(self) -> int:
        """The deadline of a synchronous call (MX-DL-1)."""
        return self.at_ms + self.hook.timeout_ms


@dataclass(eq=False)
class Firing:
    """A chain under way, with the hooks as they were when it fired (MX-WAIT-9)."""

    label: str
    thread: Thread
    event: Event
    hooks: tuple[Hook, ...]
    replies: dict[str, Reply]
    order: int
    """Its place among all firings, which settles what happens at the same moment otherwise."""
    began: int
    """By the platform's clock; moved on by what an agent processor's run takes."""
    within_run: bool
    """Whether it fired within an agent processor's own run (MX-PROC-2b)."""
    meanwhile: deque[Meanwhile]
    composition: Composition[Decision] = field(init=False)
    turn: int = 0
    state: State = State.ASKING
    asked: Asked | None = None
    seen: JsonObject = field(default_factory=dict)
    """What is observed of it since a step set it going."""
    meanwhile_seen: list[Json] = field(default_factory=list)
    stands_still_at: int = 0
    is_standing_still: bool = False
    """Whether an agent processor's run is under way, in which it may be cancelled."""

    def __post_init__(self) -> None:
        self.composition = Composition(self.event.value)

    def elapsed(self, now: int) -> int:
        """Its own time: that of an agent processor's run does not pass."""
        until = self.stands_still_at if self.state is State.STANDING_STILL else now
        return until - self.began

    def record(
        self,
        asked: Asked,
        decision: Decision,
        now: int,
        *,
        reason: str | None = None,
        rewrote: bool = False,
        failure: str | None = None,
    ) -> None:
        """Write the `hook_decision` of an evaluated hook (MX-AUD)."""
        entry: JsonObject = {
            "hookId": asked.hook.id,
            "index": self.turn,
            "point": self.event.point.value,
            "processor": asked.hook.processor.value,
            "decision": decision.value,
            "latencyMs": self.elapsed(now) - asked.at_ms,
        }
        if reason is not None:
            entry["reason"] = reason
        if rewrote:
            entry["rewrote"] = True
        if asked.delivery is not None:
            entry["deliveryId"] = asked.delivery
        if failure is not None:
            entry["failure"] = failure
        self.thread.audit.append(entry)


@dataclass(eq=False)
class Wait:
    """Work that is parked on a hook."""

    firing: Firing
    asked: Asked
    deadline: int
    """By the platform's clock, counted from when the work was parked (MX-WAIT-12)."""
    state: WaitState = WaitState.PENDING

    @property
    def name(self) -> str:
        return f"{self.firing.label}/{self.asked.hook.id}"

    def show(self) -> JsonObject:
        return {"wait": self.name, "hook": self.asked.hook.id}


class Scene:
    """What one step sets going: each firing has one record in it, however often it goes on.

    A step within another, a control step or one of an agent's run, has a scene within that, and
    shows only the firings that no step around it has set going already.
    """

    def __init__(self, around: Scene | None) -> None:
        self.resumed: list[Json] = []
        self._around = around
        self._records: dict[Firing, JsonObject] = {}

    def fires(self, firing: Firing) -> None:
        """The step fires it and shows it for itself."""
        self._records[firing] = firing.seen

    def goes_on(self, firing: Firing) -> None:
        """It was parked, and is no longer."""
        known = self._find(firing)
        if known is None:
            known = self._records[firing] = {}
            self.resumed.append({"firing": firing.label, "fired": known})
        known.pop("parked", None)
        firing.seen = known

    def _find(self, firing: Firing) -> JsonObject | None:
        if firing in self._records or self._around is None:
            return self._records.get(firing)
        return self._around._find(firing)
