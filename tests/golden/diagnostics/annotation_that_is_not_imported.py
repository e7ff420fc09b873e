# annotation_that_is_not_imported.py:10: an annotation of 'dispatch' cannot be read: name 'Qeue' is not defined; import its names where the function is defined
from __future__ import annotations

from fencepost import Step
from toy import HOST, State, toy

protocol = toy()


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State, queue: Qeue) -> None:
    """Dispatch."""
    s.busy[queue] = True
