# part_that_is_no_record.py:7: part(...) needs a Record class; declare the field by itself
from fencepost import Protocol, Record, Size, part
from toy import Queue


class State(Record):
    level = part(Queue)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
