"""`--export DIR`: the report and each trace as files, of which no reader ever sees half of one."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

import click
from attrs import evolve

from fencepost.agree import Disagreement
from fencepost.check import Check
from fencepost.cli.models import correct, model_of
from fencepost.engines import CERTIFIERS
from fencepost.errors import InternalError, UsageError
from fencepost.graphs.waits import waits
from fencepost.ir.model import Model, PropertyKind
from fencepost.proof.certificate import certificate_of, dump
from fencepost.registry import Entry
from fencepost.report_json import run_to_json
from fencepost.trace.build import build_trace
from fencepost.trace.causes import Reasons, reasons
from fencepost.trace.html import render_html
from fencepost.trace.itf import dump_itf
from fencepost.trace.markdown import render_markdown, replay_command
from fencepost.trace.model import Trace
from fencepost.trace.text import render_text

DISAGREEMENT = Path("fencepost-disagreement")
"""Where engines' contradictory answers are written if nobody said where."""


def save(check: Check, document: str, entry: Entry, folder: Path) -> None:
    """Write `report.json`, and each trace as `<variant>.<property>.itf.json`, `.md`, `.html` and `.txt`.

    Further ones of one property have a number before the dot.

    Raises:
        UsageError: the folder cannot be made or written; then none of the files is in place.
    """
    contents = {"report.json": document}
    for decision in check.decisions:
        for number, trace in enumerate(decision.traces, 1):
            stem = f"{file_stem(check.model.variant or entry.protocol.default)}.{file_stem(decision.name)}"
            stem += f".{number}" if number > 1 else ""
            contents |= trace_files(trace, stem, entry, folder)
            contents[f"{stem}.txt"] = render_text(trace)
    write_files(folder, contents)


def save_certificate(check: Check, file: Path) -> None:
    """Write what the runs proved; where they proved nothing, say so and write nothing.

    Raises:
        UsageError: the file cannot be written.
    """
    proved = [(run.engine, run.proof) for run in check.runs if run.proof is not None]
    if not proved:
        click.echo(f"verify: nothing was proved, so {file} was not written", err=True)
        return
    made = certificate_of(check.model, *proved[0])
    write_files(file.parent, {file.name: dump(made)})


def save_disagreement(error: Disagreement, model: Model, entry: Entry, folder: Path | None) -> InternalError:
    """Write what two engines say that cannot both be right: runs, traces, proofs. Gives the error that says where."""
    into = folder or DISAGREEMENT
    contents: dict[str, str] = {}
    for run in error.runs:
        contents[f"{run.engine}.run.json"] = run_to_json(model, run)
        if run.proof is not None and run.engine in CERTIFIERS:
            contents[f"{run.engine}.certificate.json"] = dump(certificate_of(model, run.engine, run.proof))
        for found in run.findings:
            try:
                trace = build_trace(model, found)
            except InternalError:
                continue  # it cannot even be taken; the run has its steps
            contents |= trace_files(trace, f"{run.engine}.{file_stem(found.name)}", entry, into)
    try:
        write_files(into, contents)
    except UsageError as why:
        return InternalError(f"{error}; {why}")
    return InternalError(f"{error}; what each of them says is in {into}")


def trace_files(trace: Trace, stem: str, entry: Entry, folder: Path) -> dict[str, str]:
    """The trace as `<stem>.itf.json`, and its pages, which have the command that replays it from here."""
    name = f"{stem}.itf.json"
    path, colon, chosen = entry.file.partition(".py:")
    protocol = f"{_from_here(path + '.py' if colon else path)}{colon and ':'}{chosen}" if path else ""
    command = replay_command(_from_here(folder / name), protocol)
    model = model_of(trace.header, entry)
    why = _reasons(trace, model, entry)
    return {
        name: dump_itf(trace),
        f"{stem}.md": render_markdown(trace, why, command=command),
        f"{stem}.html": render_html(trace, model, why, command=command),
    }


def _reasons(trace: Trace, model: Model, entry: Entry) -> Reasons:
    why = reasons(trace, model, correct(trace.header, entry))
    if any(prop.name == trace.header.violated and prop.kind is PropertyKind.HANG for prop in model.properties):
        why = evolve(why, waits=waits(model, trace.states[-1]))
    return why


def _from_here(path: str | Path) -> str:
    """Never absolute: what is written says nothing of this machine."""
    return Path(os.path.relpath(path)).as_posix()


def write_files(folder: Path, contents: Mapping[str, str | bytes]) -> None:
    """Write every file under a temporary name, then move each into place.

    Raises:
        UsageError: the folder cannot be made or written.
    """
    written: list[tuple[Path, Path]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for target in map(folder.joinpath, contents):
            if target.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if target.is_symlink() or (target.exists() and not target.is_file()):
                raise UsageError(f"{target} is not a regular file; give the name of a new one or of one to replace")
        for name, text in contents.items():
            handle, temporary = tempfile.mkstemp(prefix=".", suffix=".part", dir=folder)
            written.append((Path(temporary), folder / name))
            with os.fdopen(handle, "wb") as file:
                file.write(text if isinstance(text, bytes) else text.encode("utf-8"))
            Path(temporary).chmod(0o644)
        for path, target in written:
            path.replace(target)
    except OSError as error:
        raise UsageError(f"cannot write to {folder}: {error.strerror}") from error
    finally:
        for path, _ in written:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def file_stem(name: str) -> str:
    """The name with whatever a file system may refuse as `-`."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-.")
