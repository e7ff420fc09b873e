# property_that_returns_nothing.py:9: None is used where Bool is expected in the property 'calm'; give it a condition; does a function lack its `return`?
from fencepost import Properties
from toy import State, toy

protocol = toy()
properties = Properties("toy")


@properties.invariant("calm", protects="f()", twin=lambda s: s.enabled)
def calm(s: State) -> None:
    """The level stays low."""
    s.level < 3
