"""The clock of the platform, and the firings that run on it.

A discrete simulation: as long as anything is on its way the clock moves to what comes next. At
one moment control steps come before answers, answers before the deadlines of calls, and these
before the expiry of waits, which takes place only once the clock passes it.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from enum import IntEnum

from hookproof_candidate.limits import Allowance
from hookproof_candidate.matrices.firing import (
    Asked,
    Firing,
    Scene,
    State,
    Thread,
    Wait,
    WaitState,
)
from hookproof_candidate.matrices.hooks import OnFailure, Processor
from hookproof_candidate.matrices.result import DEFER, Decision, Failure, HookResult, read_body
from hookproof_candidate.matrices.steps import (
    DEFERS,
    PARKS,
    AgentRun,
    Body,
    Broken,
    Reply,
    Says,
    Status,
    Step,
)
from hookproof_candidate.reading import NoScript
from hookproof_candidate.values import Json, JsonObject

_REDIRECTS = (301, 302, 303, 307, 308)
_ACCEPTED = 202
# Runs of agent processors under way at once: in the run of one, time passes for the hooks of
# others, which may run in turn. Each nests the transcript by six, and this program's stack too.
_MOST_RUNS = 40


class Rank(IntEnum):
    """The order of what happens at one moment."""

    CONTROL = 0
    ANSWER = 1
    DEADLINE = 2


CarryOut = Callable[[Step, bool], JsonObject]
"""Carries out a step within another: a control step meanwhile, or one of an agent's own run."""


class Engine:
    """All that is on its way."""

    def __init__(self, carry_out: CarryOut, allowance: Allowance) -> None:
        self.now = 0
        self._carry_out = carry_out
        self._allowance = allowance
        self._running: list[Firing] = []
        self._deadlines: list[tuple[int, int, int, Wait]] = []
        self._deliveries = 0
        self._runs = 0

    @property
    def is_within_run(self) -> bool:
        """Whether an agent processor's own run is under way (MX-PROC-2b)."""
        return self._runs > 0

    # What steps do

    def begin(self, firing: Firing) -> None:
        """Let a firing ask its first hook; `drain` does the rest."""
        self._running.append(firing)
        self._go_on(firing)

    def finish(self, firing: Firing) -> None:
        """Carry out what is left of its control steps, when nothing is on its way any more."""
        while firing.meanwhile:
            self._interject(firing)
        if firing.state in (State.PARKED, State.ENDED):
            self._forget(firing)

    def answer(self, wait: Wait, result: HookResult, scene: Scene) -> None:
        """Answer a wait's hook, and let the chain go on from there (MX-WAIT-3a)."""
        wait.state = WaitState.RESOLVED
        self._unpark(wait, scene)
        self._settle(wait.firing, wait.asked, result)

    def cancel(self, thread: Thread, scene: Scene) -> None:
        """Drop the waits of a thread and the answers on their way, unaudited (MX-WAIT-10a, 10b)."""
        thread.cancelled = True
        running = [firing for firing in self._running if firing.thread is thread]
        for wait in thread.pending():
            wait.state = WaitState.CANCELLED
            scene.goes_on(wait.firing)
            self._end(wait.firing, {"cancelled": {}})
        for firing in running:
            if firing.state is not State.ENDED:
                self._end(firing, {"cancelled": {}})

    def drain(self, scene: Scene, until: int | None = None) -> None:
        """Let happen what is on its way, and time pass to a moment at least.

        Where only control steps are left, they are carried out as far as time passes anyway.
        """
        while True:
            coming = min(
                (self._next(firing) for firing in self._running if self._is_due(firing)),
                key=lambda event: event[:3],
                default=None,
            )
            if coming is not None and not self._is_anything_on_its_way():
                coming = coming if coming[0] <= max(self.now, until or 0) else None
            limit = until if coming is None else coming[0]
            expiring = self._next_to_expire()
            if limit is not None and expiring is not None and expiring.deadline < limit:
                self.now = max(self.now, expiring.deadline)
                self._expire(expiring, scene)
            elif coming is not None:
                self._happen(*coming)
            else:
                self.now = max(self.now, until or 0)
                return

    # What happens

    def _next_to_expire(self) -> Wait | None:
        while self._deadlines:
            *_, wait = self._deadlines[0]
            if wait.state is WaitState.PENDING:
                return wait
            heapq.heappop(self._deadlines)
        return None

    def _is_anything_on_its_way(self) -> bool:
        return any(firing.state is State.ASKING for firing in self._running)

    def _is_due(self, firing: Firing) -> bool:
        """Whether anything is coming of it; control steps come even once it rests."""
        return firing.state is State.ASKING or (
            bool(firing.meanwhile) and not firing.is_standing_still
        )

    def _next(self, firing: Firing) -> tuple[int, Rank, int, Firing]:
        asked = firing.asked
        if firing.state is not State.ASKING or asked is None:
            moment = max(self.now, firing.began + firing.meanwhile[0].at_ms)
            return moment, Rank.CONTROL, firing.order, firing
        arrival = asked.at_ms + asked.reply.after_ms
        # An answer exactly at its deadline is in time (MX-DL-3).
        if asked.reply.says is Broken.NEVER or arrival > asked.deadline_ms:
            moment, rank = asked.deadline_ms, Rank.DEADLINE
        else:
            moment, rank = arrival, Rank.ANSWER
        if firing.meanwhile and firing.meanwhile[0].at_ms <= moment:
            moment, rank = firing.meanwhile[0].at_ms, Rank.CONTROL
        # A control step of 0 ms comes behind an agent's run that the first asking began.
        return max(self.now, firing.began + moment), rank, firing.order, firing

    def _happen(self, moment: int, rank: Rank, _order: int, firing: Firing) -> None:
        self.now = moment
        asked = firing.asked
        match rank:
            case Rank.CONTROL:
                self._interject(firing)
                if firing.state in (State.PARKED, State.ENDED):
                    self._forget(firing)
            case Rank.ANSWER if asked is not None:
                self._arrive(firing, asked, asked.reply.says)
            case Rank.DEADLINE if asked is not None:
                self._settle(firing, asked, Failure.TIMEOUT)

    def _interject(self, firing: Firing) -> None:
        """Carry out the next of its control steps."""
        step = firing.meanwhile.popleft().step
        firing.meanwhile_seen.append(self._carry_out(step, True))

    def _arrive(self, firing: Firing, asked: Asked, says: Says) -> None:
        match says:
            case Body(octets):
                self._settle(firing, asked, read_body(octets, firing.event.point))
            case AgentRun():
                self._settle(firing, asked, DEFER)
            case Status(code) if code == _ACCEPTED:
                self._park(firing, asked)
            case Status(code) if 200 <= code < 300:
                # Without a body there is no answer (MX-WIRE-4).
                self._settle(firing, asked, Failure.UNPARSABLE)
            case Status(code) if code in _REDIRECTS:
                self._settle(firing, asked, Failure.REDIRECT)  # MX-FAIL-4
            case Status():
                self._settle(firing, asked, Failure.STATUS)
            case Broken.REFUSED:
                self._settle(firing, asked, Failure.REFUSED)
            case Broken.RESET:
                self._settle(firing, asked, Failure.DISCONNECT)
            case Broken.NEVER:
                self._settle(firing, asked, Failure.TIMEOUT)

    def _expire(self, wait: Wait, scene: Scene) -> None:
        """A wait that nobody resolved: `onFailure` decides (MX-WAIT-4)."""
        wait.state = WaitState.EXPIRED
        self._unpark(wait, scene)
        self._settle(wait.firing, wait.asked, Failure.EXPIRED)

    # The chain

    def _settle(self, firing: Firing, asked: Asked, answer: HookResult | Failure) -> None:
        """Take a hook's answer, or its failure under its `onFailure` (MX-FAIL-1, MX-FAIL-2)."""
        firing.asked = None
        match answer:
            case Failure() as failure:
                closed = asked.hook.on_failure is OnFailure.FAIL_CLOSED
                decision = Decision.DENY if closed else Decision.DEFER
                firing.record(asked, decision, self.now, failure=failure.value)
            case HookResult(decision, reason, rewrite):
                # An allow's own rewrite applies (MX-FOLD-4), a deny's does not (MX-FOLD-5).
                rewrote = decision is not Decision.DENY and firing.composition.rewrite(rewrite)
                firing.record(asked, decision, self.now, reason=reason, rewrote=rewrote)
        if decision is not Decision.DEFER:
            firing.composition.decide(decision)
        firing.turn += 1
        self._go_on(firing)

    def _go_on(self, firing: Firing) -> None:
        """Ask the next hook that matches, or end."""
        while not firing.composition.decided and firing.turn < len(firing.hooks):
            hook = firing.hooks[firing.turn]
            skipped = hook.processor is Processor.AGENT and firing.within_run
            value = firing.composition.value
            if not skipped and hook.matches(firing.event, firing.thread.label, value):
                self._ask(firing)
                return
            firing.turn += 1
        if firing.composition.winner is Decision.DENY:
            self._end(firing, firing.event.point.stopped())
        else:
            self._end(firing, {"went_on": {"value": firing.composition.value}})

    def _ask(self, firing: Firing) -> None:
        hook = firing.hooks[firing.turn]
        at_ms = firing.elapsed(self.now)
        firing.state = State.ASKING
        if hook.processor is Processor.CLIENT:
            firing.asked = Asked(hook, at_ms, PARKS)
            return
        self._deliveries += 1
        delivery = f"delivery-{self._deliveries}"
        payload: JsonObject = {
            "deliveryId": delivery,
            "hookId": hook.id,
            **firing.event.root(firing.thread.label, firing.composition.value),
        }
        call: JsonObject = {"hook": hook.id, "payload": payload, "at_ms": at_ms}
        self._allowance.charge(call)
        _append(firing.seen, "calls", call)
        reply: Reply = firing.replies.get(hook.id, DEFERS)
        firing.asked = Asked(hook, at_ms, reply, delivery)
        if isinstance(reply.says, AgentRun) and hook.processor is Processor.AGENT:
            self._run_agent(firing, hook.id, reply.says.steps)

    def _run_agent(self, firing: Firing, hook: str, steps: list[Step]) -> None:
        """Carry out an agent processor's own run, while the firing stands still."""
        firing.stands_still_at = self.now
        firing.state = State.STANDING_STILL
        firing.is_standing_still = True
        observations: list[Json] = []
        _append(firing.seen, "agent_runs", {"hook": hook, "steps": observations})
        self._runs += 1
        if self._runs > _MOST_RUNS:
            raise NoScript("its transcript is nested too deep")
        for step in steps:
            observations.append(self._carry_out(step, False))
        self._runs -= 1
        firing.is_standing_still = False
        firing.began += self.now - firing.stands_still_at
        if firing.state is State.STANDING_STILL:
            firing.state = State.ASKING

    def _park(self, firing: Firing, asked: Asked) -> None:
        firing.asked = None
        firing.state = State.PARKED
        wait = Wait(firing, asked, self.now + asked.hook.async_timeout_ms)
        firing.thread.waits.append(wait)
        # The turn keeps apart the waits of one firing, of which the earlier may be left over here.
        heapq.heappush(self._deadlines, (wait.deadline, firing.order, firing.turn, wait))
        firing.seen["parked"] = wait.show()
        self._forget(firing)

    def _unpark(self, wait: Wait, scene: Scene) -> None:
        scene.goes_on(wait.firing)
        if wait.firing not in self._running:
            self._running.append(wait.firing)

    def _end(self, firing: Firing, outcome: JsonObject) -> None:
        self._allowance.charge(outcome)
        firing.seen["outcome"] = outcome
        firing.seen["ended_ms"] = firing.elapsed(self.now)
        firing.state = State.ENDED
        firing.asked = None
        self._forget(firing)

    def _forget(self, firing: Firing) -> None:
        """A firing at rest is of no interest, unless it has steps left to carry out."""
        if not firing.meanwhile and firing in self._running:
            self._running.remove(firing)


def _append(seen: JsonObject, name: str, item: JsonObject) -> None:
    items = seen.setdefault(name, [])
    if isinstance(items, list):
        items.append(item)
