"""The models that a recorded trace speaks of: its own, and the one that does right."""

from __future__ import annotations

from pathlib import Path

from fencepost.errors import UsageError
from fencepost.ir.model import Model
from fencepost.registry import Entry, find
from fencepost.trace.causes import Other
from fencepost.trace.model import Header

REPAIRED = "repaired"
"""The variant that mends a protocol whose default is violated."""


def entry_of(header: Header, protocol: str | None, trace: Path) -> Entry:
    """The protocol of the trace in the file `trace`, or the one that the user says it is of.

    Raises:
        UsageError: it cannot be found.
    """
    try:
        return find(protocol or header.protocol)
    except UsageError as error:
        if protocol is not None:
            raise
        raise UsageError(f"{trace}: {error}; say where it is with --protocol FILE.py") from error


def model_of(header: Header, entry: Entry, *, variant: str | None = None) -> Model:
    """The model that a trace was made with, as it is now; or another variant of it."""
    return entry.build(
        variant=header.variant if variant is None else variant,
        sizes=dict(header.sizes),
        features=header.features,
        without=header.without,
    )


def correct(header: Header, entry: Entry) -> Other | None:
    """For a trace of a variant the protocol as it is; for one of the protocol itself the variant called `repaired`.

    None where there is none, or where it cannot be had at the trace's sizes and features.
    """
    names = [variant.name for variant in entry.protocol.variants]
    try:
        if header.variant is not None or header.without:
            model = entry.build(sizes=dict(header.sizes), features=header.features)
            return Other(entry.protocol.default, model)
        if REPAIRED in names:
            return Other(REPAIRED, model_of(header, entry, variant=REPAIRED))
    except UsageError:
        pass
    return None
