"""What the files beside this one share: a state, actors, and a protocol without actions."""

from __future__ import annotations

import enum
from typing import Any

from fencepost import (
    Actor,
    Bool,
    Component,
    Feature,
    Index,
    Protocol,
    Record,
    Size,
    Step,
    action,
    array,
    boolean,
    choice,
    index,
    maybe,
    members,
    number,
    part,
    table,
)


class Queue(Index):
    """A queue."""


class Handle(Index):
    """A handle."""


class Phase(enum.Enum):
    FREE = "free"
    ARMED = "armed"


class Colour(enum.Enum):
    RED = "red"


class Packet(Record):
    phase = choice(Phase)
    waits_for = maybe(Handle)
    length = number(0, 3, live_when=lambda packet: packet.phase != Phase.FREE)

    def is_free(self) -> Bool:
        return self.phase == Phase.FREE


class Mutex(Component):
    held = boolean()

    @action(by=Actor("thread"), src="pthread_mutex_lock")
    def acquire(self, m: Step) -> None:
        m.require(~self.held, "free")
        self.held = True


class State(Record):
    packets = table(Queue, Packet)
    lock = part(Mutex)
    busy = array(Queue, boolean())
    level = number(0, 3)
    enabled = boolean()
    last = index(Queue)
    current = maybe(Handle)
    held = members(Handle)
    seen = boolean(ghost=True)


HOST = Actor("host")


def toy(**more: Any) -> Protocol:
    """A protocol with this state; the file adds what it gets wrong."""
    sizes = [Size("queues", Queue, default=2, high=4), Size("handles", Handle, default=2, high=4)]
    return Protocol("toy", state=State, sizes=sizes, **{"features": [Feature("timing", "takes times")], **more})
