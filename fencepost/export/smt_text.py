"""Terms as SMT-LIB: what is used more than once is bound by `let`, and long lines are broken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from fencepost.smt.nodes import Node, below

ROOM = 110
_LEAST = 24
"""What is shorter is written out again."""


def symbol(name: str) -> str:
    """A name, quoted."""
    return f"|{name.replace('|', '/').replace(chr(92), '/')}|"


def sort(width: int) -> str:
    """The sort of a term."""
    return f"(_ BitVec {width})" if width else "Bool"


def literal(width: int, value: int) -> str:
    """A constant."""
    return f"#b{value:0{width}b}" if width else ("true" if value else "false")


def names(*roots: Node) -> set[str]:
    """The state's elements that terms speak of."""
    return {node.name for node in below(*roots) if node.op == "name"}


def call(name: str, arguments: Iterable[str]) -> str:
    """A function applied, or a constant."""
    given = list(arguments)
    return f"({symbol(name)} {' '.join(given)})" if given else symbol(name)


def head(node: Node) -> str:
    """The operator, with the numbers that belong to it."""
    if node.op in {"zero_extend", "extract"}:
        return f"(_ {node.op} {' '.join(map(str, node.values))})"
    return node.op


def leaf(node: Node) -> str:
    """A term without operands."""
    match node.op:
        case "number":
            return literal(node.width, node.values[0])
        case "name":
            return symbol(node.name)
        case op:
            return op


def text(root: Node) -> str:
    """The term, with a `let` for each level of what is shared."""
    nodes = list(below(root))
    uses = Counter(arg for node in nodes for arg in node.args)
    said: dict[Node, str] = {}
    level: dict[Node, int] = {}
    levels: dict[int, list[tuple[str, str]]] = {}
    for node in nodes:
        if node.is_leaf:
            said[node], level[node] = leaf(node), 0
            continue
        level[node] = max(level[arg] for arg in node.args)
        said[node] = f"({head(node)} {' '.join(said[arg] for arg in node.args)})"
        if node is not root and ((uses[node] > 1 and len(said[node]) > _LEAST) or len(said[node]) > 3 * ROOM):
            level[node] += 1
            bound = levels.setdefault(level[node], [])
            bound.append((f"?{level[node]}.{len(bound) + 1}", said[node]))
            said[node] = bound[-1][0]
    opened = ("\n      ".join(f"({name} {value})" for name, value in levels[at]) for at in sorted(levels))
    lines = [f"(let ({each})" for each in opened]
    return "\n".join([*lines, pretty(said[root], 0) + ")" * len(lines)])


def pretty(expr: str, indent: int) -> str:
    """An expression in several lines: operands of what does not fit go below each other."""
    if len(expr) + indent <= ROOM and "\n" not in expr:
        return " " * indent + expr
    parts = split(expr)
    if len(parts) < 2:
        return " " * indent + expr
    lines = [" " * indent + "(" + parts[0]]
    lines += [pretty(part, indent + 1) for part in parts[1:]]
    return "\n".join(lines) + ")"


def split(expr: str) -> list[str]:
    """The operator and the operands of an expression in parentheses; an atom alone."""
    if not expr.startswith("("):
        return [expr]
    parts, depth, start, quoted = list[str](), 0, 1, False
    for at, char in enumerate(expr[1:-1], 1):
        if char == "|":
            quoted = not quoted
        elif not quoted and char in "()":
            depth += 1 if char == "(" else -1
        elif not quoted and depth == 0 and char.isspace():
            parts.append(expr[start:at])
            start = at + 1
    return [part for part in (*parts, expr[start:-1]) if part]


def define(name: str, parameters: Mapping[str, int], result: int, body: str) -> str:
    """A function of parameters with their widths."""
    given = " ".join(f"({symbol(each)} {sort(width)})" for each, width in parameters.items())
    opening = f"(define-fun {symbol(name)} ({given}) {sort(result)}"
    if len(opening) + len(body) < ROOM and "\n" not in body:
        return f"{opening} {body})"
    inside = body.replace("\n", "\n  ")
    return f"{opening}\n  {inside})"
