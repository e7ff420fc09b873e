# unknown_variant.py:11: the protocol has no variant 'eagre'; did you mean 'eager'?
from fencepost import Step, Variant
from toy import HOST, State, toy

protocol = toy(variants=[Variant("eager", "does not wait")])


@protocol.action(by=HOST, src="dispatch()")
def dispatch(m: Step, s: State) -> None:
    """Dispatch."""
    if m.variant("eagre"):
        s.level = 1
    s.enabled = True
