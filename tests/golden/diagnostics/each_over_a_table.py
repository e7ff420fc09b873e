# each_over_a_table.py:11: the table packets is given where an Index class is expected; give it the class itself
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    for queue in m.each(s.packets):
        s.last = queue
