# size_out_of_its_bounds.py:10: the size 'handles' is 9 by default, but takes 1 to 4; give a default within low and high
from fencepost import Protocol, Record, Size, number
from toy import Handle, Queue


class State(Record):
    level = number(0, 3)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2), Size("handles", Handle, default=9, high=4)])
