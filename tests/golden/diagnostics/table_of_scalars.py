# table_of_scalars.py:7: table(...) needs a Record class; write array(SomeIndex, ...) for scalars
from fencepost import Protocol, Record, Size, number, table
from toy import Queue


class State(Record):
    levels = table(Queue, number(0, 3))


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
