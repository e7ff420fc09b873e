"""Circuits as AIGER files, for the tools of hardware model checking.

`design` cuts a circuit down to what some conditions depend on and numbers it as AIGER wants;
`ascii_text` and `binary` write it. Format 1.9 has bad states and constraints in sections of their
own; `Form.ABC` is what ABC reads best: all latches begin as 0 (those that do not are negated), and
what is bad is an output. The symbol table names latches after the model's elements.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterator, Mapping

from attrs import frozen

from fencepost.aig.circuit import Circuit
from fencepost.aig.cone import cone_of
from fencepost.errors import UsageError


class Form(enum.Enum):
    """Which of AIGER's possibilities are used."""

    FULL = "1.9"
    """Reset values, bad states and constraints."""
    ABC = "abc"
    """Latches begin as 0; what is bad is an output; no constraints."""


@frozen
class Held:
    """A latch of a design: its place in the circuit, its next value, and whether it holds the bit negated."""

    place: int
    next: int
    reset: int
    flipped: bool


@frozen
class Design:
    """A circuit in AIGER's numbering: inputs, then latches, then gates, each in order, the variables from 1.

    Latch number `i` (from 0) is the variable `1 + len(inputs) + i`.
    """

    circuit: Circuit
    form: Form
    inputs: tuple[int, ...]
    """Places in the circuit's inputs."""
    latches: tuple[Held, ...]
    gates: tuple[tuple[int, int], ...]
    bads: tuple[tuple[str, int], ...]
    constraints: tuple[tuple[str, int], ...] = ()

    @property
    def variables(self) -> int:
        """The greatest variable."""
        return len(self.inputs) + len(self.latches) + len(self.gates)

    @property
    def header(self) -> str:
        """The numbers of the first line, without the word that names the format."""
        counts = [self.variables, len(self.inputs), len(self.latches), 0, len(self.gates)]
        if self.form is Form.ABC:
            counts[3] = len(self.bads)
        else:
            counts += [len(self.bads)] + [len(self.constraints)] * bool(self.constraints)
        return " ".join(map(str, counts))


def design(
    circuit: Circuit,
    bads: Collection[str] | None = None,
    *,
    form: Form = Form.FULL,
    constraints: Mapping[str, int] | None = None,
    whole: bool = False,
) -> Design:
    """The part of a circuit that tells whether something bad happens, all of it or what is named.

    Args:
        circuit: what to write.
        bads: names in `circuit.bads`.
        form: which of AIGER's possibilities to use.
        constraints: literals that are to be taken as true in every state, by name.
        whole: keep what does not matter as well.

    Raises:
        UsageError: a name that the circuit has not, or constraints in a form without them.
    """
    known = circuit.bads
    wanted = {name: known[name] for name in known if bads is None or name in bads}
    if unknown := sorted(set(bads or ()) - set(known)):
        raise UsageError(f"nothing bad is called {unknown[0]!r}; there are {', '.join(known) or 'none'}")
    if constraints and form is Form.ABC:
        raise UsageError("this form of AIGER has no constraints")
    assumed = dict(constraints or {})
    roots = [*wanted.values(), *assumed.values()]
    cone = cone_of(circuit, [*roots, *circuit.nexts, *circuit.inputs] if whole else roots)
    latches = range(len(circuit.latches)) if whole else cone.latches
    new = {0: 0}
    for place in cone.inputs:
        new[circuit.inputs[place]] = 2 * len(new)
    flipped = {place for place in latches if form is Form.ABC and circuit.latches[place].reset}
    for place in latches:
        new[circuit.latches[place].literal] = 2 * len(new) ^ (place in flipped)
    gates: list[tuple[int, int]] = []

    def at(literal: int) -> int:
        return new[literal & ~1] ^ literal & 1

    for var in cone.gates:
        pair = circuit.graph.gate(2 * var)
        assert pair is not None
        a, b = sorted(map(at, pair), reverse=True)
        gates.append((a, b))
        new[2 * var] = 2 * len(new)
    held = tuple(
        Held(p, at(circuit.nexts[p]) ^ (p in flipped), circuit.latches[p].reset ^ (p in flipped), p in flipped)
        for p in latches
    )
    return Design(
        circuit,
        form,
        cone.inputs,
        held,
        tuple(gates),
        tuple((name, at(literal)) for name, literal in wanted.items()),
        tuple((name, at(literal)) for name, literal in assumed.items()),
    )


def ascii_text(what: Design) -> str:
    """The design in AIGER's format for people."""
    first = 1 + len(what.inputs)
    lines = [f"aag {what.header}", *(str(2 * (1 + i)) for i in range(len(what.inputs)))]
    lines += [f"{2 * (first + i)} {line}" for i, line in enumerate(_latch_lines(what))]
    lines += [str(literal) for _, literal in (*what.bads, *what.constraints)]
    first += len(what.latches)
    lines += [f"{2 * (first + i)} {a} {b}" for i, (a, b) in enumerate(what.gates)]
    return "\n".join([*lines, *_symbols(what)]) + "\n"


def binary(what: Design) -> bytes:
    """The design in AIGER's format for tools."""
    lines = [f"aig {what.header}", *_latch_lines(what)]
    lines += [str(literal) for _, literal in (*what.bads, *what.constraints)]
    body = bytearray()
    first = 1 + len(what.inputs) + len(what.latches)
    for i, (a, b) in enumerate(what.gates):
        body += _delta(2 * (first + i) - a) + _delta(a - b)
    return ("\n".join(lines) + "\n").encode("ascii") + bytes(body) + ("\n".join(_symbols(what)) + "\n").encode("utf-8")


def _delta(number: int) -> bytes:
    """A number in groups of seven bits, the lowest first; each but the last with its highest bit set."""
    groups = [number >> shift & 127 for shift in range(0, max(number.bit_length(), 1), 7)]
    return bytes([*(group | 128 for group in groups[:-1]), groups[-1]])


def _latch_lines(what: Design) -> Iterator[str]:
    for latch in what.latches:
        yield f"{latch.next} {latch.reset}" if latch.reset else str(latch.next)


def _symbols(what: Design) -> Iterator[str]:
    """The symbol table, and a comment that says which number chooses which step."""
    for number, place in enumerate(what.inputs):
        yield f"i{number} step.{place}"
    for number, latch in enumerate(what.latches):
        yield f"l{number} {'not ' * latch.flipped}{what.circuit.latches[latch.place].name}"
    for number, (name, _) in enumerate(what.bads):
        yield f"{'o' if what.form is Form.ABC else 'b'}{number} {name}"
    for number, (name, _) in enumerate(what.constraints):
        yield f"c{number} {name}"
    yield "c"
    model = what.circuit.model
    yield f"{model.protocol}{f' {model.variant}' if model.variant else ''}: what the number of a step means"
    for number, instance in enumerate(what.circuit.instances):
        name, args = instance.label
        yield f"{number} {model.action(name).call(args)}"
