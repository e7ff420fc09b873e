# range_that_is_empty_at_a_size.py:7: the range 4..2 is empty; put the lower bound first
from fencepost import Protocol, Record, Size, number
from toy import Queue


class State(Record):
    level = number(4, Queue)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
