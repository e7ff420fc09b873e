# iterate_table.py:11: the table packets cannot be iterated; write `for i in m.each(SomeIndex):`
from fencepost import Step
from toy import HOST, Phase, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    for packet in s.packets:
        packet.phase = Phase.FREE
