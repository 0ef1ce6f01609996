"""The VoiceOS host: who is installed, what the user decided, and what a step does."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from hookproof_candidate.faults import Faults
from hookproof_candidate.limits import Allowance
from hookproof_candidate.values import Json, JsonObject
from hookproof_candidate.voiceos.answers import Answer
from hookproof_candidate.voiceos.chain import Chain, Interlude
from hookproof_candidate.voiceos.events import Decision, Event, Happening
from hookproof_candidate.voiceos.integration import Integration, Selected
from hookproof_candidate.voiceos.manifest import read_manifest
from hookproof_candidate.voiceos.steps import (
    AgentCall,
    AgentTools,
    BeginTurn,
    Edit,
    EndTurn,
    Fire,
    Frontmost,
    Install,
    Meanwhile,
    Presence,
    SetLock,
    SetPolicy,
    SetTranscriptAccess,
    Step,
    StripPermission,
    ToolStub,
    Uninstall,
    User,
)


class HostError(StrEnum):
    """Why the host refuses a step."""

    UNKNOWN_INTEGRATION = "unknown_integration"
    UNKNOWN_TOOL = "unknown_tool"
    ALREADY_INSTALLED = "already_installed"
    NO_TURN = "no_turn"
    TURN_OPEN = "turn_open"
    NOT_A_CONTROL_STEP = "not_a_control_step"


class Refused(Exception):
    """The step is refused and changes nothing."""

    def __init__(self, error: HostError) -> None:
        super().__init__(error.value)
        self.error = error


@dataclass
class Turn:
    """What goes into the receipt of a turn."""

    session_id: str | None
    transcript: Json = ""
    answered: str | None = None
    """What the hook that ended the turn let the user read; `None` where the agent ran."""
    tools: list[Json] = field(default_factory=list)


class Host:
    """A fresh host."""

    def __init__(self, allowance: Allowance) -> None:
        self._allowance = allowance
        # In the order of installation; an update keeps its place (VO-ORDER-1).
        self._integrations: dict[str, Integration] = {}
        self._app: JsonObject | None = None
        self._turn: Turn | None = None

    def carry_out(self, step: Step) -> JsonObject:
        """Carry out a step and tell what was observed."""
        try:
            match step:
                case AgentCall():
                    return self._agent_call(step)
                case Fire():
                    return self._fire(step)
                case BeginTurn():
                    return self._begin_turn(step)
                case EndTurn():
                    return self._end_turn(step)
                case _:
                    return self._control(step)
        except Refused as refused:
            return {"error": refused.error.value}

    def _carry_out_meanwhile(self, step: Step) -> JsonObject:
        try:
            return self._control(step)
        except Refused as refused:
            return {"error": refused.error.value}

    # Control steps

    def _control(self, step: Step) -> JsonObject:
        match step:
            case Install():
                return self._install(step)
            case Uninstall(integration):
                self._find(integration).uninstall()
                del self._integrations[integration]
            case StripPermission(integration):
                self._find(integration).stripped = True
            case SetTranscriptAccess(integration, on):
                self._find(integration).set_access(on)
            case SetPolicy(integration, tool, policy):
                self._find_owner(integration, tool).policies[tool] = policy
            case SetLock(integration, tool, locked):
                owner = self._find_owner(integration, tool)
                if locked:
                    owner.locked.add(tool)
                else:
                    owner.locked.discard(tool)
            case Frontmost(app):
                self._app = app
            case AgentTools():
                return self._agent_tools()
            case _:
                raise Refused(HostError.NOT_A_CONTROL_STEP)
        return {}

    def _install(self, step: Install) -> JsonObject:
        manifest = read_manifest(step.manifest)
        if isinstance(manifest, Faults):
            seen: JsonObject = {"accepted": False, "faults": manifest.seen()}
            self._allowance.charge(seen)
            return seen
        if step.is_update:
            self._find(manifest.id).update(manifest, step)
        elif manifest.id in self._integrations:
            raise Refused(HostError.ALREADY_INSTALLED)
        else:
            self._integrations[manifest.id] = Integration.install(manifest, step)
        hooks: list[Json] = [event.value for event in manifest.hooks]
        return {"accepted": True, "hooks": hooks, "callout": bool(hooks)}  # VO-MAN-11

    def _agent_tools(self) -> JsonObject:
        """List the tools of manifests: hook tools are in none (VO-HIDE-1)."""
        tools = sorted(
            (integration.id, tool)
            for integration in self._integrations.values()
            for tool in set(integration.manifest.tools)
        )
        seen: list[Json] = [{"integration": id_, "tool": tool} for id_, tool in tools]
        self._allowance.charge(seen)
        return {"tools": seen}

    def _find(self, integration: str) -> Integration:
        if integration not in self._integrations:
            raise Refused(HostError.UNKNOWN_INTEGRATION)
        return self._integrations[integration]

    def _find_owner(self, integration: str, tool: str) -> Integration:
        """The owner of a tool of its manifest; a hook's tool is unknown there (VO-HIDE-2)."""
        owner = self._find(integration)
        if tool not in owner.manifest.tools:
            raise Refused(HostError.UNKNOWN_TOOL)
        return owner

    # Firings

    def _run(
        self, happening: Happening, answers: dict[str, Answer], meanwhile: list[Meanwhile]
    ) -> Chain:
        """Select the hooks as they stand at this moment (VO-SEL-7), and ask them."""
        bundle = None if self._app is None else self._app.get("bundleId")
        bundle_id = bundle if isinstance(bundle, str) else None
        hooks = [
            Selected.of(integration, happening.event)
            for integration in self._integrations.values()
            # Tool taps hear of their own tools only (VO-SEL-4).
            if happening.owner in (None, integration.id)
            and integration.loads(happening.event)
            and integration.fires_before(happening.event, bundle_id)
        ]
        interlude = Interlude(meanwhile, self._carry_out_meanwhile)
        chain = Chain(happening, self._app, interlude, self._allowance)
        chain.run(hooks, answers)
        return chain

    def _fire(self, step: Fire) -> JsonObject:
        happening = step.happening
        owner: Integration | None = None
        if happening.owner is not None:
            owner = self._find_owner(happening.owner, str(happening.members["toolName"]))
        chain = self._run(happening, step.answers, step.meanwhile)
        value = chain.composition.value
        match happening.event:
            case Event.PRE_TOOL_USE if owner is not None:
                outcome, cards = self._confirm(owner, chain, step.user)
                return {**chain.observe(outcome), **cards}
            case Event.TURN_COMPLETE:
                outcome = {"sent": {}}
            case _ if chain.composition.winner is Decision.BLOCK:
                outcome = {"blocked": {}}
            case Event.DICTATION:
                outcome = (
                    {"consumed": {}} if chain.composition.decided else {"pasted": {"text": value}}
                )
            case Event.TRANSCRIPT if chain.composition.decided:
                outcome = {"handled": {}}
            case _:
                went_on: JsonObject = {"value": value}
                if chain.context:
                    went_on["context"] = chain.context
                outcome = {"went_on": went_on}
        if happening.event is Event.TRANSCRIPT and self._turn is not None:
            self._note_transcript(self._turn, chain)
        return chain.observe(outcome)

    def _note_transcript(self, turn: Turn, chain: Chain) -> None:
        """The receipt has the text as rewritten (VO-FOLD-16b) and what ended it (VO-FOLD-16c)."""
        turn.transcript = chain.composition.value
        if chain.composition.decided:
            turn.answered = str(chain.shown.get("text", ""))
        else:
            turn.answered = None

    def _confirm(
        self, owner: Integration, chain: Chain, user: User
    ) -> tuple[JsonObject, JsonObject]:
        """Give what becomes of a call behind its preToolUse hook, and the card if one is shown."""
        if chain.composition.decided:
            return {"blocked": {}}, {}  # and no card for a call that will not run (VO-CONF-5)
        tool = str(chain.happening.members["toolName"])
        args = chain.composition.value
        if not chain.asks and not owner.asks_for(tool):
            return {"executed": {"args": args}}, {}
        if user is Presence.ABSENT:
            return {"not_run": {}}, {}  # VO-CONF-8
        cards: JsonObject = {"cards": [{"tool": tool, "args": args}]}  # as rewritten (VO-CONF-6)
        self._allowance.charge(args)
        match user:
            case Edit(edited):
                return {"executed": {"args": edited}}, cards
            case Presence.APPROVE:
                return {"executed": {"args": args}}, cards
            case _:
                return {"declined": {}}, cards

    def _agent_call(self, step: AgentCall) -> JsonObject:
        """The story of one call: hook, card, tool, hook (VO-EVT-3, VO-EVT-4)."""
        try:
            owner = self._find_owner(step.integration, step.tool)
        except Refused as refused:
            # Whether it is a hook's tool or none: the server is not contacted (VO-HIDE-2).
            return {"error": refused.error.value, "contacted": False}
        members: JsonObject = {"toolName": step.tool, "args": step.args}
        before = Happening(Event.PRE_TOOL_USE, members, owner.id)
        chain = self._run(before, {owner.id: step.pre}, [])
        outcome, cards = self._confirm(owner, chain, step.user)
        seen = {**chain.observe(outcome), **cards, "contacted": False}
        match outcome:
            case {"executed": {"args": args}}:
                return self._execute(owner, step, args, seen)
            case _:
                return seen

    def _execute(
        self, owner: Integration, step: AgentCall, args: Json, seen: JsonObject
    ) -> JsonObject:
        stub = owner.stubs.get(step.tool, ToolStub())
        if self._turn is not None:
            status = "failed" if stub.fails else "done"
            self._turn.tools.append({"tool": step.tool, "status": status})
        # The arguments are those that ran (VO-FOLD-17b), and a failed tool counts (VO-FOLD-17a).
        members: JsonObject = {"toolName": step.tool, "args": args, "result": stub.result}
        after = self._run(
            Happening(Event.POST_TOOL_USE, members, owner.id), {owner.id: step.post}, []
        )
        seen["contacted"] = True
        seen["model_sees"] = after.composition.value
        self._allowance.charge(after.composition.value)
        for name, more in (("calls", after.calls), ("logged", after.logged)):
            known = seen.get(name, [])
            if more and isinstance(known, list):
                seen[name] = known + more
        return seen

    # Turns

    def _begin_turn(self, step: BeginTurn) -> JsonObject:
        if self._turn is not None:
            raise Refused(HostError.TURN_OPEN)
        self._turn = Turn(step.session_id)
        return {}

    def _end_turn(self, step: EndTurn) -> JsonObject:
        """Send the receipt, of a turn that a hook ended as of any other (VO-FOLD-13)."""
        turn = self._turn
        if turn is None:
            raise Refused(HostError.NO_TURN)
        self._turn = None
        receipt: JsonObject = {} if turn.session_id is None else {"sessionId": turn.session_id}
        receipt["transcript"] = turn.transcript
        receipt["responseText"] = step.response_text if turn.answered is None else turn.answered
        receipt["tools"] = turn.tools
        chain = self._run(Happening(Event.TURN_COMPLETE, receipt), step.answers, [])
        return chain.observe({"sent": {}})
