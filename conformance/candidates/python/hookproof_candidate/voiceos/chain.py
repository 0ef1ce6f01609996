"""One firing: whom it asks, when, and what it makes of the answers (VO-ORDER, VO-DL, VO-FOLD)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hookproof_candidate.fold import Composition
from hookproof_candidate.limits import Allowance
from hookproof_candidate.values import Json, JsonObject
from hookproof_candidate.voiceos.answers import NOTHING, Answer, Broken
from hookproof_candidate.voiceos.events import Decision, Happening
from hookproof_candidate.voiceos.integration import Selected
from hookproof_candidate.voiceos.result import Failure, HookResult, read_arrival
from hookproof_candidate.voiceos.steps import Meanwhile, Step


class Interlude:
    """The control steps of a firing, carried out as its time passes.

    At one moment they come before answers, and answers before the deadline. One at 0 ms comes
    behind the first asking; it does, for time only passes once somebody was asked.
    """

    def __init__(self, steps: list[Meanwhile], carry_out: Callable[[Step], JsonObject]) -> None:
        self._coming = sorted(steps, key=lambda meanwhile: meanwhile.at_ms)
        self._carry_out = carry_out
        self.seen: list[Json] = []

    def until(self, moment: int | None) -> None:
        """Carry out what comes up to a moment, or all that is left."""
        while self._coming and (moment is None or self._coming[0].at_ms <= moment):
            self.seen.append(self._carry_out(self._coming.pop(0).step))


@dataclass
class Chain:
    """A firing under way, and afterwards what came of it."""

    happening: Happening
    app: JsonObject | None
    interlude: Interlude
    allowance: Allowance
    composition: Composition[Decision] = field(init=False)
    context: list[Json] = field(default_factory=list)
    shown: JsonObject = field(default_factory=dict)
    asks: bool = False
    now: int = 0
    calls: list[Json] = field(default_factory=list)
    logged: list[Json] = field(default_factory=list)

    def __post_init__(self) -> None:
        carried = self.happening.members[self.happening.design.carries]
        self.composition = Composition(carried)

    def run(self, hooks: list[Selected], answers: dict[str, Answer]) -> None:
        """Visit the hooks, in chain order."""
        budget = self.happening.design.budget_ms
        if budget is None:
            self._send(hooks)
        else:
            self._visit(hooks, answers, budget)

    def _send(self, hooks: list[Selected]) -> None:
        """A receipt goes to everybody at once, and nobody waits for what they say (VO-DL-7)."""
        for hook in hooks:
            if hook.may_be_called() and self._is_offered(hook):
                self._call(hook)

    def _visit(self, hooks: list[Selected], answers: dict[str, Answer], budget: int) -> None:
        for hook in hooks:
            # One budget for all (VO-DL-2); with none of it left nobody is asked (VO-DL-9).
            if self.composition.decided or self.now >= budget:
                return
            if not hook.may_be_called() or not self._is_offered(hook):
                continue
            self._call(hook)
            asked = hook.ask()
            answer = answers.get(hook.integration.id, NOTHING)
            arrival = self.now + answer.after_ms
            # An answer exactly at the budget is in time (VO-DL-4), a later one is none (VO-DL-6).
            in_time = answer.says is not Broken.NEVER and arrival <= budget
            self.now = arrival if in_time else budget
            self.interlude.until(self.now)
            if not in_time:
                self._fail(hook, Failure.TIMEOUT)
            elif not asked.may_be_heard():
                self._fail(hook, Failure.SILENCED)
            else:
                match read_arrival(self.happening.design, answer.says):
                    case Failure() as failure:
                        self._fail(hook, failure)
                    case HookResult() as result:
                        self._take(hook, result)

    def _is_offered(self, hook: Selected) -> bool:
        if not hook.is_offered():
            self._fail(hook, Failure.UNREGISTERED)
            return False
        return True

    def _call(self, hook: Selected) -> None:
        """Hand a hook the value as composed by those before it (HK-REWRITE-2)."""
        design = self.happening.design
        payload: JsonObject = {
            "hookApiVersion": 1,
            "event": self.happening.event.value,
            **self.happening.members,
            design.carries: self.composition.value,
        }
        if design.app is not None and self.app is not None:
            payload[design.app] = self.app
        call: JsonObject = {
            "hook": hook.integration.id,
            "tool": design.tool,
            "payload": payload,
            "at_ms": self.now,
        }
        self.allowance.charge(call)
        self.calls.append(call)

    def _fail(self, hook: Selected, failure: Failure) -> None:
        """It is as if there were no handler, but for the log and the time (VO-FAIL-1)."""
        self.logged.append({"hook": hook.integration.id, "failure": failure.value})

    def _take(self, hook: Selected, result: HookResult) -> None:
        if result.reason is not None:
            self.logged.append({"hook": hook.integration.id, "reason": result.reason})
        if result.decision is None:
            self.composition.rewrite(result.rewrite)
            if result.context is not None:
                self.context.append(result.context)
            self.asks = self.asks or result.asks
            return
        # A rewrite beside a decision that ends the event is ignored (VO-FOLD-9).
        self.composition.decide(result.decision)
        if result.response_text is not None:
            self.shown["text"] = result.response_text
        if result.view is not None and result.decision is Decision.HANDLED:
            self.shown["view"] = result.view

    def observe(self, outcome: JsonObject) -> JsonObject:
        """Close it and tell what was observed; members that do not apply are absent.

        Control steps whose time has not come are carried out now, when the outcome stands: they
        do not reach back into it.
        """
        self.interlude.until(None)
        seen: JsonObject = {"outcome": outcome, "ended_ms": self.now}
        if self.calls:
            seen["calls"] = self.calls
        if self.logged:
            seen["logged"] = self.logged
        if self.shown:
            seen["user_sees"] = self.shown
        if self.interlude.seen:
            seen["meanwhile"] = self.interlude.seen
        self.allowance.charge(outcome)
        self.allowance.charge(self.shown)
        return seen
