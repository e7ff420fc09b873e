# continue_in_a_branch.py:13: `continue` leaves a `with m.when(...)` block, which would leave out the rest for every state; write the other case under m.otherwise()
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    for queue in m.each(Queue):
        with m.when(s.busy[queue]):
            continue
        s.last = queue
