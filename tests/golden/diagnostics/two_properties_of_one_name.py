# two_properties_of_one_name.py:15: two properties are called 'calm'; rename one of them
from fencepost import Bool, Properties
from toy import State, toy

protocol = toy()
properties = Properties("toy")


@properties.invariant("calm", protects="f()", twin=lambda s: s.enabled)
def calm(s: State) -> Bool:
    """The level stays low."""
    return s.level < 3


@properties.invariant("calm", protects="f()", twin=lambda s: s.enabled)
def still_calm(s: State) -> Bool:
    """The level stays lower."""
    return s.level < 2
