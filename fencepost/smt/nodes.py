"""Z3 terms taken apart, for whoever writes them in another language."""

from __future__ import annotations

from collections.abc import Iterator

import z3
from attrs import field, frozen

from fencepost.errors import InternalError
from fencepost.smt.kernel import Term, number_in

_OPS = {
    z3.Z3_OP_TRUE: "true",
    z3.Z3_OP_FALSE: "false",
    z3.Z3_OP_NOT: "not",
    z3.Z3_OP_AND: "and",
    z3.Z3_OP_OR: "or",
    z3.Z3_OP_EQ: "=",
    z3.Z3_OP_IFF: "=",
    z3.Z3_OP_ITE: "ite",
    z3.Z3_OP_ULT: "bvult",
    z3.Z3_OP_BADD: "bvadd",
    z3.Z3_OP_BSUB: "bvsub",
    z3.Z3_OP_ZERO_EXT: "zero_extend",
    z3.Z3_OP_EXTRACT: "extract",
    z3.Z3_OP_BNUM: "number",
    z3.Z3_OP_UNINTERPRETED: "name",
}


@frozen(eq=False)
class Node:
    """One term; equal terms are one node.

    `op` is SMT-LIB's word, or `number` or `name`. `width` is 0 for a Boolean. `values` are the numbers
    that belong to the operator: a number's value, how many zeros are put above, highest and lowest bit.
    """

    op: str
    width: int
    args: tuple[Node, ...] = ()
    name: str = ""
    values: tuple[int, ...] = ()

    @property
    def is_leaf(self) -> bool:
        """A number, a name, true or false."""
        return not self.args


@frozen
class Nodes:
    """Takes terms apart; keeps each term, so that no two have the same number."""

    _known: dict[int, tuple[Term, Node]] = field(factory=dict, init=False)

    def of(self, term: Term) -> Node:
        """The node of a term.

        Raises:
            InternalError: an operator that the kernel does not make.
        """
        waiting = [term]
        while waiting:
            top = waiting[-1]
            if top.get_id() in self._known:
                waiting.pop()
                continue
            below = top.children()  # type: ignore[attr-defined]
            missing = [each for each in below if each.get_id() not in self._known]
            if missing:
                waiting += missing
                continue
            args = tuple(self._known[each.get_id()][1] for each in below)
            self._known[top.get_id()] = (top, _node(top, args))
            waiting.pop()
        return self._known[term.get_id()][1]


def _node(term: Term, args: tuple[Node, ...]) -> Node:
    kind = term.decl().kind()  # type: ignore[attr-defined]
    if kind not in _OPS:
        raise InternalError(f"no words for Z3's operator {term.decl().name()}")  # type: ignore[attr-defined]
    width = term.size() if isinstance(term, z3.BitVecRef) else 0
    match _OPS[kind]:
        case "number":
            return Node("number", width, values=(number_in(term),))
        case "name":
            return Node("name", width, name=term.decl().name())  # type: ignore[attr-defined]
        case "zero_extend" | "extract" as op:
            return Node(op, width, args, values=tuple(term.params()))  # type: ignore[attr-defined]
        case op:
            return Node(op, width, args)


def below(*roots: Node) -> Iterator[Node]:
    """Every node below some, each once and after its operands."""
    done: set[Node] = set()
    for root in roots:
        waiting = [root]
        while waiting:
            top = waiting[-1]
            missing = [] if top in done else [each for each in top.args if each not in done]
            if missing:
                waiting += reversed(missing)
                continue
            waiting.pop()
            if top not in done:
                done.add(top)
                yield top
