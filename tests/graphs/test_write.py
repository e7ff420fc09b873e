"""Graphs as text: each format read back, and names that are text in all of them."""

from __future__ import annotations

from io import BytesIO

import networkx as nx

from fencepost.graphs.write import WRITERS, Graph

EVIL = 'x"]; rm -rf\\ </data> %%{init}%% \x1b[2J'


def graph() -> Graph:
    drawn: Graph = nx.MultiDiGraph(name="it")
    drawn.add_node("a", label="first\nline")
    drawn.add_node("b", label=EVIL)
    drawn.add_edge("a", "b", label="go", cycle=True)
    drawn.add_edge("a", "b", label=EVIL, cycle=False)
    return drawn


def test_dot() -> None:
    shown = 'x\\"]; rm -rf\\\\ </data> %%{init}%% ?[2J'
    assert WRITERS["dot"](graph()).splitlines() == [
        'digraph "it" {',
        '  node [shape=box, fontname="monospace"];',
        '  0 [label="first\\nline"];',
        f'  1 [label="{shown}"];',
        '  0 -> 1 [label="go", color=red, penwidth=2];',
        f'  0 -> 1 [label="{shown}"];',
        "}",
    ]


def test_mermaid() -> None:
    lines = WRITERS["mermaid"](graph()).splitlines()
    assert lines[0] == "flowchart TD"
    assert lines[1] == '    n0["first<br/>line"]'
    assert lines[3] == '    n0 -->|"go"| n1'
    assert lines[-1] == "    linkStyle 0 stroke:red,stroke-width:2px"
    assert not any(mark in lines[2] for mark in ("rm -rf\\", "</data>", "%%", "\x1b"))


def test_graphml_is_read_back() -> None:
    again = nx.read_graphml(BytesIO(WRITERS["graphml"](graph()).encode()), node_type=int, force_multigraph=True)
    assert dict(again.nodes(data="label")) == {0: "first\nline", 1: EVIL.replace("\x1b", "?")}
    assert sorted(label for _, _, label in again.edges(data="label")) == ["go", EVIL.replace("\x1b", "?")]
