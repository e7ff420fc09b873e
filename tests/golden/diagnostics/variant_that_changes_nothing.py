# variant_that_changes_nothing.py:5: the variant 'sleepy' changes nothing; ask for it with m.variant('sleepy'), or give it the features= and sizes= that it needs
from fencepost import Step, Variant
from toy import HOST, State, toy

protocol = toy(variants=[Variant("eager", "does not wait"), Variant("sleepy", "waits twice")])


@protocol.action(by=HOST, src="run()")
def run(m: Step, s: State) -> None:
    """Run."""
    if not m.variant("eager"):
        m.require(s.enabled, "enabled")
    if m.variant("sleepy"):
        m.note("sleeps")
    s.level = 1
