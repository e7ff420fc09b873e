# twin_that_is_no_condition.py:9: a number is used where Bool is expected in the situation of 'calm'; compare it, as in x > 0 or x == y
from fencepost import Bool, Properties
from toy import State, toy

protocol = toy()
properties = Properties("toy")


@properties.invariant("calm", protects="f()", twin=lambda s: s.level)
def calm(s: State) -> Bool:
    """The level stays low."""
    return s.level < 3
