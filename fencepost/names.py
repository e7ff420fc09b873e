"""What to say when a name is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from fencepost.errors import UsageError


def unknown(what: str, name: str, known: Iterable[str]) -> UsageError:
    """The error for an unknown name: with the nearest known one, else with all of them."""
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if near:
        return UsageError(f"unknown {what} {name!r}; did you mean {near[0]!r}?")
    return UsageError(f"unknown {what} {name!r}; {'known: ' + ', '.join(names) if names else 'there is none'}")


def require_known(what: str, name: str, known: Iterable[str]) -> None:
    """Check a name that a user gave.

    Raises:
        UsageError: it is not one of `known`.
    """
    names = set(known)
    if name not in names:
        raise unknown(what, name, names)
