# property_that_assigns.py:12: the property 'calm' assigns enabled; it may only read; assign in an action
from fencepost import Bool, Properties
from toy import State, toy

protocol = toy()
properties = Properties("toy")


@properties.invariant("calm", protects="f()", twin=lambda s: s.enabled)
def calm(s: State) -> Bool:
    """The level stays low."""
    s.enabled = True
    return s.level < 3
