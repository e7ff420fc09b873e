"""Proofs for every depth, and certificates of them that other solvers check.

`clause` is an invariant in the words of the model, `certificate` the file that holds one, with what
it is of and what it proves. `questions` makes of a model and an invariant what has to be answered with
no; `recheck` puts that to `solvers` that did not make it, and `refusal` tells what is wrong with one
that they do not accept. Invariants come from a `prover`: `abc` (read by `pla`); `prove` asks it and
`selfcheck` looks again.
"""
