"""The default hooks of the platform, and which profiles a later one reaches (MX-DEF)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hookproof_candidate.matrices.hooks import Hook, Processor
from hookproof_candidate.matrices.points import Point
from hookproof_candidate.matrices.profile import MOST_HOOKS, read_default
from hookproof_candidate.reading import NoScript
from hookproof_candidate.values import Json

MOST_DEFAULTS = 16

_CONVENTION = tuple(
    Hook(id_, Point.BEFORE_TOOL_CALL, Processor.CLIENT, tools=(pattern,))
    for id_, pattern in (
        ("default-approve-payments", "payments.*"),
        ("default-approve-billing", "billing.*"),
        ("default-approve-email", "email.send"),
        ("default-approve-files", "files.delete"),
        ("default-approve-shell", "shell.*"),
        ("default-approve-deploy", "deploy.*"),
    )
)


@dataclass
class Profile:
    """A profile: its hooks, in the order in which they run."""

    hooks: tuple[Hook, ...]


class BadDefault(Exception):
    """The default is no hook, or the catalogue cannot take it."""


class Catalogue:
    """The default hooks, each under an id that is reserved for it."""

    def __init__(self, hooks: Iterable[Hook] = _CONVENTION) -> None:
        self._hooks = {hook.id: hook for hook in hooks}

    @classmethod
    def of_script(cls, values: list[Json]) -> Catalogue:
        """The catalogue that a script gives."""
        catalogue = cls(())
        for value in values:
            try:
                catalogue.introduce(value, ())
            except BadDefault as error:
                raise NoScript("matrices/catalogue: it has a bad default") from error
        if len(catalogue._hooks) != len(values):
            raise NoScript("matrices/catalogue: it has a default twice")
        return catalogue

    @property
    def hooks(self) -> tuple[Hook, ...]:
        return tuple(self._hooks.values())

    def introduce(self, value: Json, profiles: Iterable[Profile]) -> None:
        """Take a later default, and append it where it belongs (MX-DEF-8a)."""
        hook = read_default(value)
        if hook is None:
            raise BadDefault
        known = self._hooks.get(hook.id)
        if known == hook:
            return  # adding it twice is adding it once (MX-DEF-7)
        if known is not None or len(self._hooks) >= MOST_DEFAULTS:
            raise BadDefault
        for profile in profiles:
            if self._reaches(profile, hook):
                profile.hooks = (*profile.hooks, hook)
        self._hooks[hook.id] = hook

    def _reaches(self, profile: Profile, hook: Hook) -> bool:
        """A profile that holds a default (MX-DEF-6), has room, and nothing under the id."""
        return (
            any(self._hooks.get(held.id) == held for held in profile.hooks)
            and len(profile.hooks) < MOST_HOOKS
            and all(held.id != hook.id for held in profile.hooks)
        )
