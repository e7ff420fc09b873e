"""A model as a circuit of single bits.

`graph` holds Boolean functions, `words` integers made of them; `evaluate` takes the low form of
`exec` there, with no state ever packed (`scope`); `circuit` is a whole model so lowered, and the
interface of the room; `cone` finds what a condition depends on; `aiger` writes circuits for other
tools and `witness` reads what they find.
"""
