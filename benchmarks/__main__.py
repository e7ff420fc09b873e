"""`python -m benchmarks [PART]...`: measures ours and others in turn, prints it, and writes docs/performance.md."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from benchmarks import machine
from benchmarks.page import Section, put
from benchmarks.settings import Settings
from benchmarks.timing import END

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
IMAGES = "images"

PARTS: Mapping[str, str] = {
    "explore": "the search on the recycled handle, by size, threads and symmetry",
    "probe": "probes of the search beside a bare hash set",
    "compile": "compiling and loading, anew and from the cache",
    "sizes": "every protocol, exhausted as far as time and memory allow",
    "peers": "every state by rumur and SPIN, beside ours",
    "first_error": "the first counterexample by rumur, SPIN, ABC, cvc5 and bitwuzla, beside ours",
    "bounded_peers": "bounded questions by ABC, cvc5 and bitwuzla, beside ours",
    "proofs": "answers for every depth by ABC, beside ours",
    "bmc": "the bounded checks against depth and size",
    "stepping": "a page of a thousand steps in a browser",
}
"""In the order in which they are measured."""


def measured(part: str, settings: Settings) -> Section:
    """One part's section, with what was going on on the machine below it."""
    measure: Callable[[Settings], Section] = importlib.import_module(f"benchmarks.sections.{part}").section
    before = machine.load()
    section = measure(settings)
    how = (
        f"Measured by `python -m benchmarks {part}`: {settings.rounds} rounds, models of at most {settings.most:,}"
        f" states, {settings.seconds:.0f} s a run; load of the machine {before} before, {machine.load()} after."
    )
    return Section(f"{section.text}\n\n{how}", section.drawings)


def write(page: Path, name: str, section: Section) -> None:
    """Put a section and its drawings where they belong.

    Raises:
        ValueError: the page has no place for it.
    """
    text = put(page.read_text("utf-8"), name, section.text)
    for drawing, svg in section.drawings.items():
        (page.parent / IMAGES / drawing).write_text(svg, "utf-8")
    page.write_text(text, "utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the parts that are asked for, all without an argument."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("part", nargs="*", metavar="PART", help="; ".join(f"{k}: {v}" for k, v in PARTS.items()))
    parser.add_argument("--rounds", type=int, default=3, help="of each pair, in turn")
    parser.add_argument("--most", type=int, default=3_000_000, metavar="N", help="states of the largest model")
    parser.add_argument("--seconds", type=float, default=60, metavar="S", help="that one run may take")
    parser.add_argument("--depth", type=int, default=30, metavar="N", help="of bounded checks")
    parser.add_argument("--memory", type=float, default=8, metavar="GIB", help="that a search may hold")
    parser.add_argument("--minutes", type=float, metavar="M", help="after which no further round begins")
    parser.add_argument("--print", action="store_true", dest="only_print", help="do not write the page")
    parser.add_argument("--page", type=Path, default=PAGE)
    given = parser.parse_args(arguments)
    unknown = [part for part in given.part if part not in PARTS]
    if unknown or given.rounds < 1:
        parser.error(f"no part is called {unknown[0]!r}; there are {', '.join(PARTS)}" if unknown else "no rounds")
    if given.minutes is not None:
        END.at = time.monotonic() + 60 * given.minutes
    with tempfile.TemporaryDirectory(prefix="fencepost-benchmarks-") as scratch:
        os.environ["FENCEPOST_CACHE"] = f"{scratch}/cache"
        settings = Settings(
            Path(scratch), given.rounds, given.most, given.seconds, given.depth, int(given.memory * 2**30)
        )
        try:
            for name in ("machine", *(given.part or PARTS)):
                section = Section(machine.described()) if name == "machine" else measured(name, settings)
                print(f"## {name}\n\n{section.text}\n", flush=True)
                if not given.only_print:
                    write(given.page, name, section)
        except (ValueError, OSError) as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
