# forall_over_a_table.py:12: the table packets is given where an Index class is expected; give it the class itself
from fencepost import Bool, Properties, forall
from toy import Phase, State, toy

protocol = toy()
properties = Properties("toy")


@properties.invariant("calm", protects="f()", twin=lambda s: s.enabled)
def calm(s: State) -> Bool:
    """Every packet is free."""
    return forall(s.packets, lambda packet: packet.phase == Phase.FREE)
