# live_when_reads_itself.py:7: live_when of level reads level itself; let it read other fields
from fencepost import Protocol, Record, Size, number
from toy import Queue


class State(Record):
    level = number(0, 3, live_when=lambda s: s.level > 0)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
