"""Sharing: what is surely evaluated in a block, and used twice or more in it, is computed once.

Only pure expressions are moved. Each gets a local right before the first statement that uses it,
so that a state whose actions are disabled pays only for what its first guards look at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fencepost.exec.low import Lit, Local, Low
from fencepost.exec.low_code import Attempt, Block, Code, Let
from fencepost.exec.low_walk import expressions, operands, parts, rebuild, rewrite


def share(block: Block, prefix: str = "t") -> Block:
    """The block with its common parts named; `prefix` must begin no other local's name."""
    return _Sharing(prefix).block(block)


class _Sharing:
    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.count = 0

    def block(self, block: Block) -> Block:
        """Name the common parts of the block, then those of each nested block."""
        chosen = _chosen(block)
        if not chosen:
            return tuple(rewrite(code, lambda expr: expr, self.block) for code in block)
        renamed: dict[Low, Low] = {}
        result: list[Code] = []
        for code in block:
            result += self._first_used(code, chosen, renamed)
            result.append(_renamed(code, renamed))
        return tuple(rewrite(code, lambda expr: expr, self.block) for code in result)

    def _first_used(self, code: Code, chosen: set[Low], renamed: dict[Low, Low]) -> list[Code]:
        """Names for the chosen expressions that this statement is the first to use, inner ones before outer ones."""
        own, nested = parts(code)
        found: dict[Low, None] = {}
        looked: set[Low] = set()
        for root in (*own, *(expr for inner in nested for expr in expressions(inner))):
            _collect(root, chosen, found, looked)
        lets: list[Code] = []
        for node in found:
            chosen.discard(node)
            value = rebuild(node, lambda part: _rename(part, renamed))
            self.count += 1
            local = Local(f"{self.prefix}{self.count}", node.lo, node.hi)
            lets.append(Let(local, value))
            renamed[node] = local
        return lets


def _chosen(block: Block) -> set[Low]:
    """Pure expressions surely evaluated in the block, with two uses or more in all."""
    uses: Counter[Low] = Counter()
    seen: set[Low] = set()
    for root in expressions(block):
        _count(root, uses, seen)
    sure: set[Low] = set()
    _sure(block, sure)
    later = {code.local for inner in _nested(block) for code in inner if isinstance(code, Let)}
    tied: dict[Low, bool] = {}
    return {
        node
        for node in sure
        if uses[node] > 1 and not node.fails and not isinstance(node, Lit | Local) and not _reads(node, later, tied)
    }


def _nested(block: Block) -> Iterator[Block]:
    """The blocks inside this one: what they give locals to, nothing before them may read."""
    for code in block:
        for inner in parts(code)[1]:
            yield inner
            yield from _nested(inner)


def _reads(node: Low, locals_: set[Local], known: dict[Low, bool]) -> bool:
    if node not in known:
        known[node] = node in locals_ or any(
            _reads(operand, locals_, known) for group in operands(node) for operand in group
        )
    return known[node]


def _count(node: Low, uses: Counter[Low], seen: set[Low]) -> None:
    uses[node] += 1
    if node not in seen:
        seen.add(node)
        for group in operands(node):
            for operand in group:
                _count(operand, uses, seen)


def _sure(block: Block, sure: set[Low]) -> None:
    for code in block:
        own, _ = parts(code)
        for root in own:
            _surely(root, sure)
        if isinstance(code, Attempt):
            _sure(code.body, sure)


def _surely(node: Low, sure: set[Low]) -> None:
    if node not in sure:
        sure.add(node)
        for operand in operands(node)[0]:
            _surely(operand, sure)


def _collect(node: Low, chosen: set[Low], found: dict[Low, None], looked: set[Low]) -> None:
    if node not in looked:
        looked.add(node)
        for group in operands(node):
            for operand in group:
                _collect(operand, chosen, found, looked)
        if node in chosen:
            found[node] = None


def _rename(node: Low, renamed: dict[Low, Low]) -> Low:
    """The node with names in place of what has one.

    `renamed` remembers every answer. None gets stale: what has no name yet was in no statement so far.
    """
    if node not in renamed:
        after = rebuild(node, lambda part: _rename(part, renamed))
        renamed[node] = node if after == node else after
    return renamed[node]


def _renamed(code: Code, renamed: dict[Low, Low]) -> Code:
    def block(inner: Block) -> Block:
        return tuple(_renamed(one, renamed) for one in inner)

    return rewrite(code, lambda expr: _rename(expr, renamed), block)
