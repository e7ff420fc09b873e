"""Looking for violated properties and reached twins in batches of states."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.exec.codegen import compile_watches
from fencepost.exec.layout import Layout
from fencepost.exec.lower_model import Watch
from fencepost.ir.model import Property


class Watcher:
    """Checks states, and skips each condition once it is decided so that later states cost less.

    One that may break an obligation stays: a later state may be the first that breaks it.

    `violated` maps a property, `broken` an obligation's name, and `twins` a property whose twin was
    reached, to the first such state.
    """

    def __init__(self, layout: Layout, properties: Sequence[Property]) -> None:
        self.violated: dict[str, int] = {}
        self.broken: dict[str, int] = {}
        self.twins: dict[str, int] = {}
        self._watched = [(prop.name, wanted) for prop in properties for wanted in (False, True)]
        self._compiled = compile_watches(
            layout,
            [
                Watch(prop.name, prop.twin if wanted else prop.holds, wanted)
                for prop in properties
                for wanted in (False, True)
            ],
        )
        self._active = [True] * len(self._watched)

    def look(self, states: Sequence[int]) -> None:
        """Check states, in order."""
        if True not in self._active:
            return
        before = len(self.violated) + len(self.twins)
        self._compiled.check(states, self._report, self._active)
        if len(self.violated) + len(self.twins) > before:
            self._active = [
                number in self._compiled.risky or name not in self._decided(wanted)
                for number, (name, wanted) in enumerate(self._watched)
            ]

    def _decided(self, wanted: bool) -> dict[str, int]:
        return self.twins if wanted else self.violated

    def _report(self, state: int, number: int, obligation: int) -> None:
        name, wanted = self._watched[number]
        if obligation >= 0:
            self.broken.setdefault(self._compiled.obligations[obligation], state)
        else:
            self._decided(wanted).setdefault(name, state)
