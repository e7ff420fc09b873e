# initial_value_of_another_enum.py:7: Colour.RED is used where Phase is expected in the initial value of phase; it is one of Phase.FREE, Phase.ARMED
from fencepost import Protocol, Record, Size, choice
from toy import Colour, Phase, Queue


class State(Record):
    phase = choice(Phase, init=Colour.RED)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
