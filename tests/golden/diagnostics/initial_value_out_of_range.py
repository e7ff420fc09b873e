# initial_value_out_of_range.py:7: the initial value 4 of level is out of its range; it has 0..3
from fencepost import Protocol, Record, Size, number
from toy import Queue


class State(Record):
    level = number(0, 3, init=4)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
