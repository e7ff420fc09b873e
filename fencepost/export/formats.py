"""The formats that a model can be written in, for tools that others wrote.

Each format is a module of this room with `export(model) -> Exported`, loaded when it is asked for.
A module raises `CannotSay` for a model that its format has no words for.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Protocol

from attrs import field, frozen

from fencepost.errors import UsageError
from fencepost.ir.model import Model


class CannotSay(UsageError):
    """The format cannot say what the model says; the message is one line: what, and what would do."""


@frozen
class Exported:
    """The text, and what lies beside it under the same name, by suffix (`.cfg`)."""

    text: str
    beside: Mapping[str, str | bytes] = field(factory=dict)


class Writer(Protocol):
    """The one function that a format's module exposes."""

    def __call__(self, model: Model) -> Exported: ...


@frozen
class Format:
    """A format, the module that writes it, and the usual suffix of its files."""

    name: str
    module: str
    suffix: str

    def export(self, model: Model) -> Exported:
        """The model in this format.

        Raises:
            CannotSay: the format has no words for something in the model.
        """
        writer: Writer = importlib.import_module(self.module).export
        return writer(model)


FORMATS: dict[str, Format] = {
    each.name: each
    for each in (
        Format("murphi", "fencepost.export.murphi", ".m"),
        Format("promela", "fencepost.export.promela", ".pml"),
        Format("tla", "fencepost.export.tla", ".tla"),
        Format("smtlib", "fencepost.export.smtlib", ".smt2"),
        Format("vmt", "fencepost.export.vmt", ".vmt"),
        Format("btor2", "fencepost.export.btor2", ".btor2"),
        Format("aiger", "fencepost.export.aiger", ".aag"),
    )
}
"""By name."""
