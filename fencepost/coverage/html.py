"""The model's source with its lines marked: one page that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path

from fencepost.coverage.collect import Coverage
from fencepost.coverage.text import counts, told_hole
from fencepost.errors import Location
from fencepost.trace.html import assemble

_SKELETON = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="<!-- policy -->">
<title><!-- title --></title>
<style><!-- style --></style>
</head>
<body>
<!-- data -->
</body>
</html>
"""
_STYLE = """
body { font-family: sans-serif; margin: 1.5em; }
table { border-collapse: collapse; font-family: monospace; white-space: pre; }
td { padding: 0 0.6em; vertical-align: top; }
td:first-child { color: #777; text-align: right; }
.met { background: #e3f4e3; }
.hole { background: #fbdcdc; }
.why { color: #a00; white-space: normal; }
"""


def render_html(found: Coverage) -> str:
    """The page: numbers, then each file; a line with a hole is red and says what is missing, a covered one green."""
    model = found.model
    title = escape(f"Coverage of {model.protocol}" + (f", variant {model.variant}" if model.variant else ""))
    body = "\n".join([f"<h1>{title}</h1>", *_numbers(found), *_files(found)])
    return assemble(_SKELETON, "img-src 'none'", _STYLE, "", title=title, data=body)


def _numbers(found: Coverage) -> Iterator[str]:
    yield "<ul>"
    how = "every state reached" if found.complete else f"to depth {found.depth}"
    yield f"<li>{found.states:,} states, {how}</li>"
    yield from (f"<li>{label}: {told}</li>" for label, told in counts(found))
    yield "</ul>"


def _files(found: Coverage) -> Iterator[str]:
    holes: dict[str, dict[int, list[str]]] = {}
    met: dict[str, set[int]] = {}
    for at, text in found.holes():
        if at is not None:
            holes.setdefault(at.file, {}).setdefault(at.line, []).append(told_hole(None, text))
    for place in _places(found):
        met.setdefault(place.file, set()).add(place.line)
    for name in sorted({*holes, *met}):
        path = Path(name)
        if not path.is_file():
            continue
        yield f"<h2>{escape(name)}</h2>"
        yield "<table>"
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            why = holes.get(name, {}).get(number, [])
            mark = ' class="hole"' if why else ' class="met"' if number in met.get(name, ()) else ""
            told = escape("; ".join(why))
            yield f'<tr{mark}><td>{number}</td><td>{escape(line)}</td><td class="why">{told}</td></tr>'
        yield "</table>"


def _places(found: Coverage) -> Iterator[Location]:
    """Every place of which it is known whether it is covered."""
    places = [action.at for action in found.actions] + [part.at for part in found.parts]
    places += [branch.at for branch in found.branches] + [prop.at for prop in found.properties]
    yield from (at for at in places if at is not None)
