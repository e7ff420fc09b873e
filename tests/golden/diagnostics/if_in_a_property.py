# if_in_a_property.py:12: a model expression has no truth value here; write `with m.when(...):` instead of `if`, m.require(...) for a guard, .implies(...) in a property
from fencepost import Bool, Properties
from toy import State, toy

protocol = toy()
properties = Properties("toy")


@properties.invariant("calm", protects="f()", twin=lambda s: s.enabled)
def calm(s: State) -> Bool:
    """The level stays low while enabled."""
    if s.enabled:
        return s.level < 3
    return s.level == 0
