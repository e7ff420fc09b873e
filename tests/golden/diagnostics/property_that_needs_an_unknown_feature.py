# property_that_needs_an_unknown_feature.py:9: the protocol has no feature 'timings'; did you mean 'timing'?
from fencepost import Bool, Properties
from toy import State, toy

protocol = toy()
properties = Properties("toy")


@properties.invariant("calm", protects="f()", twin=lambda s: s.enabled, needs=["timings"])
def calm(s: State) -> Bool:
    """The level stays low."""
    return s.level < 3
