"""The entry point: runs the command and turns whatever happens into one line and an exit code."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections.abc import Sequence

import click

from fencepost.cli.anchors import anchors
from fencepost.cli.certify import certify
from fencepost.cli.console import Patient, patient_stdout
from fencepost.cli.coverage import coverage
from fencepost.cli.crosscheck import crosscheck, import_command
from fencepost.cli.diff import diff
from fencepost.cli.explorer import explore_ui
from fencepost.cli.export import export_command
from fencepost.cli.graph import graph_command
from fencepost.cli.matrix import matrix_command
from fencepost.cli.mutate import mutate
from fencepost.cli.new import new
from fencepost.cli.pins import pins
from fencepost.cli.record import record
from fencepost.cli.render import render
from fencepost.cli.replay import replay_command
from fencepost.cli.sweep import sweep_command
from fencepost.cli.verify import verify
from fencepost.errors import FencepostError, InternalError, refused

verify.add_command(anchors)
verify.add_command(certify)
verify.add_command(crosscheck)
verify.add_command(coverage)
verify.add_command(diff)
verify.add_command(explore_ui)
verify.add_command(export_command)
verify.add_command(graph_command)
verify.add_command(import_command)
verify.add_command(matrix_command)
verify.add_command(mutate)
verify.add_command(new)
verify.add_command(pins)
verify.add_command(record)
verify.add_command(render)
verify.add_command(replay_command)
verify.add_command(sweep_command)

USAGE, INTERNAL, INTERRUPTED = 2, 70, 130


def main(args: Sequence[str] | None = None) -> int:
    """Run `verify` with these arguments (the process's own by default) and give the exit code.

    Whatever goes wrong is one line on standard error; FENCEPOST_TRACEBACK=1 adds the traceback.
    """
    out: Patient | None = None
    try:
        with patient_stdout() as out:
            code = verify.main(args=None if args is None else list(args), prog_name="verify", standalone_mode=False)
    except (KeyboardInterrupt, click.Abort) as error:
        done = "; what is said above was done" if out is not None and out.used else " before anything was checked"
        return _say(str(error.__cause__ or error) or f"interrupted{done}", INTERRUPTED)
    except click.ClickException as error:
        return _say(error.format_message(), USAGE)
    except InternalError as error:
        return _say(f"internal error: {error}", INTERNAL)
    except FencepostError as error:
        return _say(str(error), USAGE)
    except OSError as error:  # the system refuses something, as on a full disk
        return _say(str(refused(error)), USAGE)
    except Exception as error:  # noqa: BLE001 - a defect of ours is reported as one
        return _say(f"internal error: {type(error).__name__}: {error}{_where(error)}", INTERNAL)
    return code if isinstance(code, int) else 0


def _say(message: str, code: int) -> int:
    if os.environ.get("FENCEPOST_TRACEBACK") and sys.exc_info()[0] is not None:
        traceback.print_exc()
    with contextlib.suppress(OSError):  # perhaps nobody listens
        click.echo(f"verify: {_one_line(message)}", err=True)
    return code


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _where(error: Exception) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f" ({frames[-1].filename}:{frames[-1].lineno}; FENCEPOST_TRACEBACK=1 shows more)" if frames else ""
