# array_over_a_number.py:7: array(...) needs an index class first; write array(SomeIndex, ...), with class SomeIndex(Index)
from fencepost import Protocol, Record, Size, array, number
from toy import Queue


class State(Record):
    levels = array(3, number(0, 3))


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
