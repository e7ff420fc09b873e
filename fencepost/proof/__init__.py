"""Proofs for every depth, and certificates of them that other solvers check.

Three engines are here, each a module with `run`. `induction` asks Z3 whether things follow from
themselves over k steps; it needs no invariant, and leaves no certificate. `pdr` and `learn` look for an
inductive invariant, in one way: `prove` asks a `prover` about the model's circuit, for everything at
once and then for one thing after the other; what violates something it hands to the interpreter
(`found`), an invariant it makes smaller (`minimise`, over one `step` in a SAT solver) and has looked at
by Z3 (`selfcheck`), which knows the model by another lowering. The prover of `pdr` is `abc`, a program
of its own, whose answer `pla` reads. That of `learn` is ours: `search` finds every state, `reached`
holds them as sets of bits, and clauses are learnt that hold in all of them.

A `clause` is in the words of the model, and so is a `certificate`: the file that holds an invariant, with
what it is of and what it proves. `questions` makes of a model and an invariant what has to be answered
with no, over `symbolic` states; `recheck` puts that to `solvers` that did not make it, `script` writes it
for others still, and `refusal` tells what is wrong with an invariant that is not accepted. Nothing in a
certificate is trusted.
"""
