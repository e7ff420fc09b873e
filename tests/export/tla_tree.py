"""What a TLA+ module says, as read by tree-sitter's grammar, which is not ours."""

from __future__ import annotations

import importlib.util
import re
import warnings
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from tests.foreign import lacking


def parse(text: str) -> Any:
    """The root of the syntax tree; the text has no errors in it."""
    if importlib.util.find_spec("tree_sitter_tlaplus") is None:
        lacking("tree-sitter-tlaplus")
    tree_sitter, tree_sitter_tlaplus = map(importlib.import_module, ("tree_sitter", "tree_sitter_tlaplus"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        language = tree_sitter.Language(tree_sitter_tlaplus.language())
    root = tree_sitter.Parser(language).parse(text.encode()).root_node
    wrong = [node for node in below(root) if node.type == "ERROR" or node.is_missing]
    assert not wrong, f"line {wrong[0].start_point[0] + 1}: {said(wrong[0])[:80]}"
    return root


def below(node: Any) -> Iterator[Any]:
    """The node and all below it, in order."""
    yield node
    for child in node.children:
        yield from below(child)


def said(node: Any) -> str:
    """The text of a node."""
    return str(node.text.decode())


@frozen
class Operator:
    """A definition of the module's own."""

    params: tuple[str, ...]
    guards: tuple[str, ...]
    """Items of its conjunction that speak of the state before the step alone, comments left out."""
    primed: frozenset[str]
    unchanged: frozenset[str]
    body: Any


@frozen
class Module:
    """A module's variables and operators."""

    variables: tuple[str, ...]
    operators: dict[str, Operator]

    def numbers(self, name: str) -> list[tuple[int, int]]:
        """Every range `a..b` in an operator, in order."""
        pairs = re.findall(r"(-?\d+)\.\.(-?\d+)", said(self.operators[name].body))
        return [(int(a), int(b)) for a, b in pairs]


def module_of(text: str) -> Module:
    """Read a module."""
    module = next(node for node in below(parse(text)) if node.type == "module")
    variables: list[str] = []
    operators: dict[str, Operator] = {}
    for node in module.children:
        if node.type == "variable_declaration":
            variables += [said(child) for child in node.children if child.type == "identifier"]
        if node.type == "operator_definition":
            name = said(node.child_by_field_name("name"))
            assert name not in operators, f"{name} is defined twice"
            operators[name] = _operator(node)
    return Module(tuple(variables), operators)


def _operator(node: Any) -> Operator:
    params = tuple(said(child) for child in node.children_by_field_name("parameter") if child.type == "identifier")
    body = node.child_by_field_name("definition")
    items = [child for child in body.children if child.type == "conj_item"] if body.type == "conj_list" else [body]
    step = [item for item in items if any(part.type in {"prime", "unchanged"} for part in below(item))]
    kept = [part for item in step for part in below(item) if _is_unchanged(part)]
    return Operator(
        params,
        tuple(said([item, *item.children][-1]) for item in items if item not in step),
        frozenset(said(part.children[0]) for item in step for part in below(item) if _is_primed(part)),
        frozenset(said(name) for part in kept for name in below(part) if name.type == "identifier_ref"),
        body,
    )


def _is_primed(node: Any) -> bool:
    return bool(node.type == "bound_postfix_op" and node.children[-1].type == "prime")


def _is_unchanged(node: Any) -> bool:
    return bool(node.type == "bound_prefix_op" and node.children[0].type == "unchanged")


def unknown_names(text: str) -> set[str]:
    """Names that are used and nowhere defined or bound."""
    nodes = list(below(parse(text)))
    known = {said(node) for node in nodes if node.type == "identifier"}
    fields = {said(node) for node in nodes if node.type == "identifier_ref" and node.parent.type in _FIELDS}
    used = {said(node) for node in nodes if node.type == "identifier_ref"}
    return used - known - fields - {"Integers", "FiniteSets", "Cardinality"}


_FIELDS = {"record_value", "except_update_record_field"}
