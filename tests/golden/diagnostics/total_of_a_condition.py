# total_of_a_condition.py:12: Bool is used where a number is expected in the body of total(); write ite(condition, 1, 0)
from fencepost import Bool, Properties, total
from toy import Queue, State, toy

protocol = toy()
properties = Properties("toy")


@properties.invariant("calm", protects="f()", twin=lambda s: s.enabled)
def calm(s: State) -> Bool:
    """At most one queue is busy."""
    return total(Queue, lambda queue: s.busy[queue]) <= 1
