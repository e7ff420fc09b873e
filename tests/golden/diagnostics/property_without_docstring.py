# property_without_docstring.py:9: the property 'calm' has no docstring; say in plain language what holds
from fencepost import Bool, Properties
from toy import State, toy

protocol = toy()
properties = Properties("toy")


@properties.invariant("calm", protects="f()", twin=lambda s: s.enabled)
def calm(s: State) -> Bool:
    return s.level < 3
