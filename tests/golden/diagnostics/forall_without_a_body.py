# forall_without_a_body.py:12: forall() was given no body; write forall(SomeIndex, lambda i: ...)
from fencepost import Bool, Properties, forall
from toy import Queue, State, toy

protocol = toy()
properties = Properties("toy")


@properties.invariant("calm", protects="f()", twin=lambda s: s.enabled)
def calm(s: State) -> Bool:
    """Every queue is idle."""
    return forall(Queue)
