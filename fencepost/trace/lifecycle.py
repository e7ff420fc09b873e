"""The life of each handle: the events that notes tell of it, in order."""

from __future__ import annotations

import re

from attrs import frozen

from fencepost.trace.model import Subject, Trace


@frozen
class Happening:
    """One event of a life, and the number of its step."""

    step: int
    text: str


@frozen
class Life:
    """All events of one subject. `at_fault` if the explanation blames it."""

    subject: Subject
    events: tuple[Happening, ...]
    at_fault: bool

    @property
    def line(self) -> str:
        """Such as `handle 1: ARMED(B) -> CLEARED(0) -> DESTROYED`."""
        return f"{subject_name(self.subject)}: {' -> '.join(event.text for event in self.events)}"


def lives(trace: Trace) -> tuple[Life, ...]:
    """Every life that the notes tell: those at fault first, then by sort and number."""
    events: dict[Subject, list[Happening]] = {}
    for number, step in enumerate(trace.steps, 1):
        for note in step.notes:
            if note.subject is not None:
                events.setdefault(note.subject, []).append(Happening(number, note.text))
    blamed = set(trace.explanation.blames)
    found = [Life(subject, tuple(told), subject in blamed) for subject, told in events.items()]
    return tuple(sorted(found, key=lambda life: (not life.at_fault, life.subject.sort, life.subject.value)))


def subject_name(subject: Subject) -> str:
    """Such as `signal handle 1` for position 1 of `SignalHandle`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", subject.sort).lower()
    return f"{words} {subject.value}"
