# one_field_under_two_names.py:7: one field is called 'first' and 'second'; declare it twice
from fencepost import Protocol, Record, Size, number
from toy import Queue


class State(Record):
    first = number(0, 3)
    second = first


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
