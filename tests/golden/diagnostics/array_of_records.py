# array_of_records.py:7: array(...) holds scalars; write table(SomeIndex, ...) for records
from fencepost import Protocol, Record, Size, array
from toy import Packet, Queue


class State(Record):
    packets = array(Queue, Packet)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
