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


def shortened(text: str, most: int = 60) -> str:
    """A text of somebody else's, for a message of one line."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def refused(error: OSError) -> UsageError:
    """What the system does not do for us, such as to write on a full disk: nothing of a defect in that."""
    about = f"{error.filename}: " if error.filename else ""
    return UsageError(f"{about}{error.strerror or error}")


class InternalError(FencepostError):
    """Two readers of one model disagree, or an invariant of fencepost itself is broken."""
