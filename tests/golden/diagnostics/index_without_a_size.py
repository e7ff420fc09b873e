# index_without_a_size.py:10: Handle has no size in this protocol; add Size("...", Handle, default=...) to its sizes
from fencepost import Protocol, Record, Size, maybe
from toy import Handle, Queue


class State(Record):
    current = maybe(Handle)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
