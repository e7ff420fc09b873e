# field_called_place.py:6: State has a field called 'place'; give it another name
from fencepost import Protocol, Record, Size, number
from toy import Queue


class State(Record):
    place = number(0, 3)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
