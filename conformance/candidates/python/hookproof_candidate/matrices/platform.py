"""The Matrices platform: profiles, threads, waits, and what a step does."""

from __future__ import annotations

from collections import deque
from enum import StrEnum

from hookproof_candidate.faults import Faults
from hookproof_candidate.limits import Allowance
from hookproof_candidate.matrices.catalogue import BadDefault, Catalogue, Profile
from hookproof_candidate.matrices.engine import Engine
from hookproof_candidate.matrices.firing import Firing, Scene, Thread, Wait, WaitState
from hookproof_candidate.matrices.profile import Unmentioned, read_profile
from hookproof_candidate.matrices.result import Failure, read_body
from hookproof_candidate.matrices.steps import (
    AddDefault,
    Advance,
    Audit,
    CancelThread,
    Fire,
    GetProfile,
    OpenThread,
    PutProfile,
    Resolve,
    Step,
    WaitingThreads,
)
from hookproof_candidate.values import Json, JsonObject


class PlatformError(StrEnum):
    """Why the platform refuses a step, but for what became of a wait."""

    UNKNOWN_PROFILE = "unknown_profile"
    UNKNOWN_THREAD = "unknown_thread"
    THREAD_CANCELLED = "thread_cancelled"
    LABEL_TAKEN = "label_taken"
    UNKNOWN_WAIT = "unknown_wait"
    NOT_A_RESULT = "not_a_result"
    BAD_DEFAULT = "bad_default"
    NOT_A_CONTROL_STEP = "not_a_control_step"


class Refused(Exception):
    """The step is refused and changes nothing."""

    def __init__(self, error: PlatformError | WaitState) -> None:
        super().__init__(error.value)
        self.error = error


class Platform:
    """A fresh platform."""

    def __init__(self, catalogue: Catalogue, allowance: Allowance) -> None:
        self._catalogue = catalogue
        self._allowance = allowance
        self._profiles: dict[str, Profile] = {}
        self._threads: dict[str, Thread] = {}
        self._firings: set[str] = set()
        self._engine = Engine(self._carry_out, allowance)
        self._scene: Scene | None = None
        """That of the step under way."""

    def carry_out(self, step: Step) -> JsonObject:
        """Carry out a step and tell what was observed."""
        return self._carry_out(step, False)

    def _carry_out(self, step: Step, meanwhile: bool) -> JsonObject:
        around = self._scene
        scene = self._scene = Scene(around)
        try:
            match step:
                case Fire() | Resolve() | Advance() if meanwhile:
                    raise Refused(PlatformError.NOT_A_CONTROL_STEP)
                case Fire():
                    seen = self._fire(step, scene)
                case Resolve():
                    seen = self._resolve(step, scene)
                case Advance(by_ms):
                    self._engine.drain(scene, self._engine.now + by_ms)
                    seen = {}
                case CancelThread(label):
                    self._engine.cancel(self._live_thread(label), scene)
                    seen = {}
                case _:
                    seen = self._control(step)
        except Refused as refused:
            return {"error": refused.error.value}
        finally:
            self._scene = around
        if scene.resumed:
            seen["resumed"] = scene.resumed
        return seen

    def _control(self, step: Step) -> JsonObject:
        match step:
            case PutProfile():
                return self._put_profile(step)
            case GetProfile(label):
                return self._see(self._profile(label))
            case AddDefault(hook):
                try:
                    self._catalogue.introduce(hook, self._profiles.values())
                except BadDefault as error:
                    raise Refused(PlatformError.BAD_DEFAULT) from error
                return {"accepted": True}
            case OpenThread(label, profile):
                if label in self._threads:
                    raise Refused(PlatformError.LABEL_TAKEN)
                self._profile(profile)
                self._threads[label] = Thread(label, profile)
                return {}
            case WaitingThreads():
                return self._waiting_threads()
            case Audit(label):
                audit = list(self._thread(label).audit)
                self._allowance.charge(audit)
                return {"audit": audit}
            case _:
                raise AssertionError(f"{step} is no control step")

    # Profiles

    def _profile(self, label: str) -> Profile:
        if label not in self._profiles:
            raise Refused(PlatformError.UNKNOWN_PROFILE)
        return self._profiles[label]

    def _put_profile(self, step: PutProfile) -> JsonObject:
        """Create or update a profile; one that is rejected changes nothing (MX-VAL-15)."""
        if step.is_update:
            profile = self._profile(step.profile)
        elif step.profile in self._profiles:
            raise Refused(PlatformError.LABEL_TAKEN)
        else:
            profile = Profile(self._catalogue.hooks)  # unless the text has others (MX-DEF-1)
        match read_profile(step.text):
            case Faults() as faults:
                seen: JsonObject = {"accepted": False, "faults": faults.seen()}
                self._allowance.charge(seen)
                return seen
            case Unmentioned():
                pass  # an update leaves the hooks as they are (MX-DEF-5)
            case hooks:
                profile.hooks = hooks  # authoritative, and none is an opt-out (MX-DEF-2, 3)
        self._profiles[step.profile] = profile
        return {"accepted": True, **self._see(profile)}

    def _see(self, profile: Profile) -> JsonObject:
        hooks: list[Json] = [hook.seen() for hook in profile.hooks]
        self._allowance.charge(hooks)
        return {"hooks": hooks}

    # Threads

    def _thread(self, label: str) -> Thread:
        if label not in self._threads:
            raise Refused(PlatformError.UNKNOWN_THREAD)
        return self._threads[label]

    def _live_thread(self, label: str) -> Thread:
        thread = self._thread(label)
        if thread.cancelled:
            raise Refused(PlatformError.THREAD_CANCELLED)
        return thread

    def _waiting_threads(self) -> JsonObject:
        """List exactly the threads that hold a wait (MX-WAIT-2)."""
        threads: JsonObject = {}
        for label, thread in self._threads.items():
            waits: list[Json] = [wait.show() for wait in thread.pending()]
            if waits:
                threads[label] = waits
        self._allowance.charge(threads)
        return {"threads": threads}

    # Firings

    def _fire(self, step: Fire, scene: Scene) -> JsonObject:
        thread = self._live_thread(step.thread)
        if step.firing in self._firings:
            raise Refused(PlatformError.LABEL_TAKEN)
        firing = Firing(
            label=step.firing,
            thread=thread,
            event=step.event,
            hooks=self._profile(thread.profile).hooks,
            replies=step.replies,
            order=len(self._firings),
            began=self._engine.now,
            within_run=self._engine.is_within_run,
            meanwhile=deque(sorted(step.meanwhile, key=lambda meanwhile: meanwhile.at_ms)),
        )
        self._firings.add(step.firing)
        scene.fires(firing)
        seen: JsonObject = {"fired": firing.seen}
        self._engine.begin(firing)
        self._engine.drain(scene)
        self._engine.finish(firing)
        if firing.meanwhile_seen:
            seen["meanwhile"] = firing.meanwhile_seen
        return seen

    def _resolve(self, step: Resolve, scene: Scene) -> JsonObject:
        wait = self._find_wait(self._thread(step.thread), step.wait)
        if wait is None:
            raise Refused(PlatformError.UNKNOWN_WAIT)
        if wait.state is not WaitState.PENDING:
            raise Refused(wait.state)  # each can be told apart (MX-WAIT-5)
        result = read_body(step.body, wait.firing.event.point)
        if isinstance(result, Failure):
            raise Refused(PlatformError.NOT_A_RESULT)  # and the wait stays (MX-WAIT-6)
        self._engine.answer(wait, result, scene)
        self._engine.drain(scene)
        return {}

    def _find_wait(self, thread: Thread, name: str) -> Wait | None:
        """A wait of this thread, never another's (MX-WAIT-8); labels may hold slashes."""
        found = [wait for wait in thread.waits if wait.name == name]
        pending = [wait for wait in found if wait.state is WaitState.PENDING]
        return next(iter(pending or found), None)
