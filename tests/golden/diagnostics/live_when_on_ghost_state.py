# live_when_on_ghost_state.py:8: live_when of level reads ghost state (seen); ghost state may decide ghost fields only
from fencepost import Protocol, Record, Size, boolean, number
from toy import Queue


class State(Record):
    seen = boolean(ghost=True)
    level = number(0, 3, live_when=lambda s: s.seen)


protocol = Protocol("mine", state=State, sizes=[Size("queues", Queue, default=2)])
