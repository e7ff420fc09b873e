# live_when_starts_with_a_value.py:8: level is dead at the start but starts as 2; let it start as 0, as every dead field of its sort
from fencepost import Protocol, Record, Size, boolean, number
from toy import Queue


class State(Record):
    enabled = boolean()
    level = number(0, 3, init=2, live_when=lambda s: s.enabled)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
