"""Engine `sat`: the bounded check by an incremental SAT solver.

`solver` is the solver and its limits, `unroll` the runs of a circuit in it, `discharge` takes out
obligations that cannot break, and `bmc` has `bounded` ask.
"""
