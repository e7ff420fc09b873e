# forall_of_a_number.py:12: a number is used where Bool is expected in the body of forall(); compare it, as in x > 0 or x == y
from fencepost import Bool, Properties, forall
from toy import Queue, State, toy

protocol = toy()
properties = Properties("toy")


@properties.invariant("calm", protects="f()", twin=lambda s: s.enabled)
def calm(s: State) -> Bool:
    """Every packet is short."""
    return forall(Queue, lambda queue: s.packets[queue].length)
