"""Looking for violated properties and reached twins in batches of states."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.exec.codegen import Watches, compile_watches
from fencepost.exec.layout import Layout
from fencepost.exec.lower_model import Watch
from fencepost.ir.model import Property


class Watcher:
    """Checks states, and drops each condition once it is decided so that later states cost less.

    One that may break an obligation stays: a later state may be the first that breaks it.

    `violated` maps a property, `broken` an obligation's name, and `twins` a property whose twin was
    reached, to the first such state.
    """

    def __init__(self, layout: Layout, properties: Sequence[Property]) -> None:
        self.layout = layout
        self.violated: dict[str, int] = {}
        self.broken: dict[str, int] = {}
        self.twins: dict[str, int] = {}
        self._open = [(prop, wanted) for prop in properties for wanted in (False, True)]
        self._compiled: Watches | None = None

    def look(self, states: Sequence[int]) -> None:
        """Check states, in order."""
        if not self._open:
            return
        if self._compiled is None:
            watches = [Watch(prop.name, prop.twin if wanted else prop.holds, wanted) for prop, wanted in self._open]
            self._compiled = compile_watches(self.layout, watches)
        before = len(self.violated) + len(self.twins)
        self._compiled.check(states, self._report)
        if len(self.violated) + len(self.twins) > before:
            self._drop_decided(self._compiled)

    def _drop_decided(self, compiled: Watches) -> None:
        still = [
            (prop, wanted)
            for number, (prop, wanted) in enumerate(self._open)
            if number in compiled.risky or prop.name not in self._decided(wanted)
        ]
        if still != self._open:
            self._open, self._compiled = still, None

    def _decided(self, wanted: bool) -> dict[str, int]:
        return self.twins if wanted else self.violated

    def _report(self, state: int, number: int, obligation: int) -> None:
        prop, wanted = self._open[number]
        if obligation >= 0:
            assert self._compiled is not None
            self.broken.setdefault(self._compiled.obligations[obligation], state)
        else:
            self._decided(wanted).setdefault(prop.name, state)
