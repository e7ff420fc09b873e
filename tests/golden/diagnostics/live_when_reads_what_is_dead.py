# live_when_reads_what_is_dead.py:9: live_when of second cannot be decided at the start (first is read while dead); write (what makes it readable) & (...)
from fencepost import Protocol, Record, Size, boolean, number
from toy import Queue


class State(Record):
    enabled = boolean()
    first = number(0, 3, live_when=lambda s: s.enabled)
    second = number(0, 3, live_when=lambda s: s.first > 0)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
