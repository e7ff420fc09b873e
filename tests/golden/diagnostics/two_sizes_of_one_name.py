# two_sizes_of_one_name.py:10: two sizes are called 'queues'; give each its own name
from fencepost import Protocol, Record, Size, number
from toy import Handle, Queue


class State(Record):
    level = number(0, 3)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2), Size("queues", Handle, default=2)])
