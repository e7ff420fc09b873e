# size_of_nothing.py:10: the size 'handles' may be 0; let it be at least 1
from fencepost import Protocol, Record, Size, number
from toy import Handle, Queue


class State(Record):
    level = number(0, 3)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2), Size("handles", Handle, default=0, low=0)])
