# empty_range.py:7: the range 3..1 is empty; put the lower bound first
from fencepost import Protocol, Record, Size, number
from toy import Queue


class State(Record):
    level = number(3, 1)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
