"""An integration as it is installed, and whether its hooks may be heard (VO-CONSENT, VO-LIFE)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from hookproof_candidate.voiceos.events import Event
from hookproof_candidate.voiceos.manifest import Manifest
from hookproof_candidate.voiceos.steps import Install, Policy, ToolStub


@dataclass(eq=False)
class Integration:
    """One installation, from `install` to `uninstall`.

    A firing holds on to the object: what the user decided about the tools still stands there for
    a call under way after the integration was removed (VO-CONF-9).
    """

    manifest: Manifest
    offered: frozenset[str]
    stubs: dict[str, ToolStub]
    installed: bool = True
    stripped: bool = False
    access: bool = True
    """Transcript access is on after installation (VO-CONSENT-4)."""
    policies: dict[str, Policy] = field(default_factory=dict)
    locked: set[str] = field(default_factory=set)
    _withdrawals: int = 0
    """How often consent was withdrawn: a toggle moved there and back leaves a trace."""
    _removals: Counter[Event] = field(default_factory=Counter)
    """How often an update took each hook away: so does one that comes back."""

    @classmethod
    def install(cls, manifest: Manifest, step: Install) -> Integration:
        return cls(manifest, _offered(manifest, step), step.tools)

    @property
    def id(self) -> str:
        return self.manifest.id

    def update(self, manifest: Manifest, step: Install) -> None:
        """Take a new version; consent (VO-CONSENT-4) and stripping (VO-LOAD-3) stay as they are."""
        for event in self.manifest.apps:
            if event not in manifest.apps:
                self._removals[event] += 1
        self.manifest = manifest
        self.offered = _offered(manifest, step)
        self.stubs = step.tools

    def uninstall(self) -> None:
        self.installed = False

    def set_access(self, on: bool) -> None:
        if self.access and not on:
            self._withdrawals += 1
        self.access = on

    def loads(self, event: Event) -> bool:
        """Whether the hook is loaded: declared (VO-LOAD-2b) and not stripped (VO-LOAD-1)."""
        return self.installed and not self.stripped and event in self.manifest.apps

    def fires_before(self, event: Event, bundle_id: str | None) -> bool:
        """Whether the hook's apps let it fire while this one is frontmost (VO-SEL-1 to 3)."""
        apps = self.manifest.apps[event]
        return apps is None or bundle_id in apps

    def asks_for(self, tool: str) -> bool:
        """Whether policy or lock demand a confirmation (VO-CONF-1, VO-CONF-3)."""
        return tool in self.locked or self.policies.get(tool) is Policy.ASK


def _offered(manifest: Manifest, step: Install) -> frozenset[str]:
    return frozenset(manifest.hooks) if step.offers is None else step.offers


@dataclass(frozen=True)
class Selected:
    """A hook as a firing selected it.

    It stays selected while the firing runs, but what takes it away in the meantime takes it away
    for the whole firing, even if it is back before its turn comes (VO-LIFE-1, VO-LIFE-2).
    """

    integration: Integration
    event: Event
    removals: int

    @classmethod
    def of(cls, integration: Integration, event: Event) -> Selected:
        return cls(integration, event, integration._removals[event])

    def may_be_called(self) -> bool:
        """Whether it is still there and the user consents (VO-CONSENT-1)."""
        return (
            self.integration.loads(self.event)
            and self.integration._removals[self.event] == self.removals
            and self.integration.access
        )

    def is_offered(self) -> bool:
        """Whether the server offers what the manifest declares (VO-LOAD-2a)."""
        return self.event in self.integration.offered

    def ask(self) -> Asked:
        return Asked(self, self.integration._withdrawals)


@dataclass(frozen=True)
class Asked:
    """A hook whose answer is on its way."""

    hook: Selected
    withdrawals: int

    def may_be_heard(self) -> bool:
        """Whether consent stood all the while, and not just now again (VO-CONSENT-2)."""
        return self.hook.may_be_called() and self.hook.integration._withdrawals == self.withdrawals
