"""Looking for violated properties and reached twins in batches of states."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.exec.codegen import Check, compile_watches
from fencepost.exec.layout import Layout
from fencepost.exec.lower_model import Watch
from fencepost.ir.model import Property


class Watcher:
    """Checks states, and drops each condition once it is decided so that later states cost less.

    `violated` maps a property, `broken` an obligation's name, and `twins` a property whose twin was
    reached, to the first such state.
    """

    def __init__(self, layout: Layout, properties: Sequence[Property]) -> None:
        self.layout = layout
        self.violated: dict[str, int] = {}
        self.broken: dict[str, int] = {}
        self.twins: dict[str, int] = {}
        self._open = [(prop, wanted) for prop in properties for wanted in (False, True)]
        self._names: tuple[str, ...] = ()
        self._check: Check | None = None

    def look(self, states: Sequence[int]) -> None:
        """Check states, in order."""
        if not self._open:
            return
        if self._check is None:
            watches = [Watch(prop.name, prop.twin if wanted else prop.holds, wanted) for prop, wanted in self._open]
            compiled = compile_watches(self.layout, watches)
            self._names, self._check = compiled.obligations, compiled.check
        before = len(self.violated) + len(self.twins)
        self._check(states, self._report)
        if len(self.violated) + len(self.twins) > before:
            self._open = [(prop, wanted) for prop, wanted in self._open if prop.name not in self._decided(wanted)]
            self._check = None

    def _decided(self, wanted: bool) -> dict[str, int]:
        return self.twins if wanted else self.violated

    def _report(self, state: int, number: int, obligation: int) -> None:
        prop, wanted = self._open[number]
        if obligation >= 0:
            self.broken.setdefault(self._names[obligation], state)
        else:
            self._decided(wanted).setdefault(prop.name, state)
