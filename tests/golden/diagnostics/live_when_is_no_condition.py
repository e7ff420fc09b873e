# live_when_is_no_condition.py:8: None is used where Bool is expected in live_when of level; give it a condition; does a function lack its `return`?
from fencepost import Protocol, Record, Size, boolean, number
from toy import Queue


class State(Record):
    enabled = boolean()
    level = number(0, 3, live_when=lambda s: None)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
