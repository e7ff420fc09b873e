# break_in_a_branch_of_each.py:14: a loop over m.each(...) cannot be left early; put the condition in m.when(...) inside it
from fencepost import Step
from toy import HOST, Queue, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    for queue in m.each(Queue):
        with m.when(s.busy[queue]):
            s.last = queue
            break
