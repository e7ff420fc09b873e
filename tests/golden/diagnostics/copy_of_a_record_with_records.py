# copy_of_a_record_with_records.py:11: State.packets is a record; copy or clear it on its own
from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    m.copy(s, s)
