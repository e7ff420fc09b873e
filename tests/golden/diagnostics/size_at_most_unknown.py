# size_at_most_unknown.py:10: the size 'queues' is at most the unknown size 'handels'; did you mean 'handles'?
from fencepost import Protocol, Record, Size, number
from toy import Handle, Queue


class State(Record):
    level = number(0, 3)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2, at_most=("handels",)), Size("handles", Handle, default=2)])
