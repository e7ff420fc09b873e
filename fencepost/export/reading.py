"""The formats whose counterexamples can be read back, by name."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from fencepost.export import aiger_trace, murphi_trace, promela_trace
from fencepost.ir.model import Model
from fencepost.verdict import Path


@frozen
class Reader:
    """How the steps are read, and what the run says that it breaks (empty if it does not say)."""

    read: Callable[[str, Model], Path]
    broken: Callable[[str], str]


READERS: dict[str, Reader] = {
    "murphi": Reader(murphi_trace.read, murphi_trace.broken),
    "promela": Reader(promela_trace.read, promela_trace.broken),
    "aiger": Reader(aiger_trace.read, lambda _: ""),
}
"""By the name of the format."""
