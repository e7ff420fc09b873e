"""A graph as text for other tools: Graphviz, Mermaid, GraphML."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any, TypeAlias

import networkx as nx

from fencepost.trace.escape import line, mermaid

Graph: TypeAlias = "nx.MultiDiGraph[Any]"


def to_dot(graph: Graph) -> str:
    """For Graphviz. Nodes are numbered in the order in which they were found."""
    numbers = {node: number for number, node in enumerate(graph)}
    lines = [f"digraph {_quoted(str(graph.graph['name']))} {{", '  node [shape=box, fontname="monospace"];']
    lines += [f"  {numbers[node]} [label={_quoted(str(label))}];" for node, label in graph.nodes(data="label")]
    for before, after, data in graph.edges(data=True):
        style = ", color=red, penwidth=2" if data.get("cycle") else ""
        lines.append(f"  {numbers[before]} -> {numbers[after]} [label={_quoted(str(data['label']))}{style}];")
    return "\n".join([*lines, "}"]) + "\n"


def to_mermaid(graph: Graph) -> str:
    """A flow chart, for Markdown."""
    numbers = {node: number for number, node in enumerate(graph)}
    lines = ["flowchart TD"]
    for node, label in graph.nodes(data="label"):
        lines.append(f'    n{numbers[node]}["{_broken(label)}"]')
    marked = []
    for number, (before, after, data) in enumerate(graph.edges(data=True)):
        lines.append(f'    n{numbers[before]} -->|"{_broken(data["label"])}"| n{numbers[after]}')
        if data.get("cycle"):
            marked.append(str(number))
    if marked:
        lines.append(f"    linkStyle {','.join(marked)} stroke:red,stroke-width:2px")
    return "\n".join(lines) + "\n"


def to_graphml(graph: Graph) -> str:
    """For programs that read GraphML."""
    numbers = {node: number for number, node in enumerate(graph)}
    plain: Graph = nx.MultiDiGraph()
    plain.add_nodes_from((numbers[node], {"label": _printable(label)}) for node, label in graph.nodes(data="label"))
    for before, after, data in graph.edges(data=True):
        plain.add_edge(numbers[before], numbers[after], **(data | {"label": _printable(data["label"])}))
    out = BytesIO()
    nx.write_graphml(plain, out)
    return out.getvalue().decode() + "\n"


def _printable(label: Any) -> str:
    return "\n".join(map(line, str(label).split("\n")))


def _broken(label: Any) -> str:
    return "<br/>".join(map(mermaid, str(label).split("\n")))


def _quoted(text: str) -> str:
    body = "\\n".join(line(part).replace("\\", "\\\\").replace('"', '\\"') for part in text.split("\n"))
    return f'"{body}"'


WRITERS: dict[str, Callable[[Graph], str]] = {"dot": to_dot, "mermaid": to_mermaid, "graphml": to_graphml}
