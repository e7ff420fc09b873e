"""The errors that a user can meet, and the one that is ours."""

from __future__ import annotations

from attrs import frozen


@frozen
class Location:
    """A place in a source file, as shown to a person (`file:line`)."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class FencepostError(Exception):
    """Base of every error that fencepost raises on purpose."""


class ModelError(FencepostError):
    """A protocol or property is written wrongly.

    The message is one line: where, what is wrong, what to write instead.
    """

    def __init__(self, problem: str, instead: str = "", at: Location | None = None) -> None:
        self.problem = problem
        self.instead = instead
        self.at = at
        where = f"{at}: " if at is not None else ""
        mend = f"; {instead}" if instead else ""
        super().__init__(f"{where}{problem}{mend}")


class UsageError(FencepostError):
    """The user asked for something that cannot be: an unknown name, a size out of bounds, a bad file."""


class InternalError(FencepostError):
    """Two readers of one model disagree, or an invariant of fencepost itself is broken."""
