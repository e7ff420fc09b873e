"""The bounded check under Z3.

`values` and `bits` are symbolic values, made by `kernel`; `evaluate` and `execute` run the IR on
them; `system` is a whole model so lowered, with `discharge` taking out obligations that cannot
break; `unroll` copies its step for each depth into a `solver`, and `bmc` has `bounded` ask for
its runs, `endless` ones among them; `follow` takes a run that another engine found.
"""
