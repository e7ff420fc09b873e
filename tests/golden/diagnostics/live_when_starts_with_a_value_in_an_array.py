# live_when_starts_with_a_value_in_an_array.py:8: levels is dead at the start but starts as 1; let it start as 0, as every dead field of its sort
from fencepost import Protocol, Record, Size, array, boolean, number
from toy import Queue


class State(Record):
    enabled = boolean()
    levels = array(Queue, number(0, 3, init=lambda queue: queue, live_when=lambda s: s.enabled))


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
