# two_sizes_of_one_class.py:10: the sizes 'queues' and 'more' are both of an index class called Queue; give each class one size, and each its own name
from fencepost import Protocol, Record, Size, number
from toy import Queue


class State(Record):
    level = number(0, 3)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2), Size("more", Queue, default=2)])
