"""Processes that work for this one: deaf to Ctrl-C until asked, and ended when this one ends, however it ends."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import queue
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO

from attrs import mutable

from fencepost.errors import FencepostError, InternalError, refused

ASK_AGAIN = 2.0
"""Seconds after which an interrupted worker that does not answer is asked again: a solver can miss a signal."""

_PATIENCE = 5
"""How often it is asked."""

_INTERRUPTED = 130
"""The exit code of a worker that Ctrl-C ended."""

_HAS_SIGNALS = hasattr(signal, "SIGKILL")
"""Processes can be sent signals; on Windows, where they cannot, one that is asked to stop is ended."""

Send = Callable[[object], None]
Work = Callable[[object, Send], object]
"""What a worker does with a task: it may send news on its way, and returns the result."""


@contextlib.contextmanager
def ctrl_c_blocked(*, but_let_through: bool = False) -> Iterator[None]:
    """Block Ctrl-C (or let it through) while the block runs; a process that starts meanwhile inherits that.

    Without effect on Windows, which has no such mask.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_UNBLOCK if but_let_through else signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Ended(Exception):
    """A worker ended before it had a result.

    `asked` says that it was told to; `code` is its exit code, or minus the signal that ended it.
    """

    def __init__(self, code: int | None, *, asked: bool) -> None:
        super().__init__(f"ended with status {code} and no result")
        self.code = code
        self.asked = asked and (code in (-signal.SIGTERM, _INTERRUPTED) or not _HAS_SIGNALS)

    @property
    def killed(self) -> bool:
        """Killed by the system: it ends a process that takes all memory in just this way."""
        return _HAS_SIGNALS and self.code == -signal.SIGKILL


@mutable
class Worker:
    """A process that does one task after the other, and the pipe on which it reports."""

    process: multiprocessing.process.BaseProcess
    reports: Connection
    _orders: Connection
    _asked: int = 0

    @classmethod
    def start(cls, work: Work) -> Worker:
        context = multiprocessing.get_context("spawn")
        reports, theirs = context.Pipe(duplex=False)
        held, orders = context.Pipe(duplex=False)
        process = context.Process(target=_serve, args=(work, theirs, held), daemon=True)
        with ctrl_c_blocked():  # it hears nothing until it can answer
            process.start()
        theirs.close()
        held.close()
        return cls(process, reports, orders)

    def give(self, task: object) -> None:
        """Let it do this next."""
        with contextlib.suppress(OSError):  # it is gone; `receive` says so
            self._orders.send(task)

    def receive(self) -> object:
        """What it sent last: news, or a result.

        Raises:
            Ended: the process is gone.
            FencepostError: the work raised it; whatever else it raised comes as an InternalError.
        """
        try:
            report: object = self.reports.recv()
        except (EOFError, OSError):
            self.process.join()
            raise Ended(self.process.exitcode, asked=bool(self._asked)) from None
        if isinstance(report, FencepostError):
            raise report
        return report

    def interrupt(self) -> None:
        """Ask for what was covered; one that does not answer after some asking is ended."""
        self._asked += 1
        if self.process.pid is not None and self.process.is_alive():
            os.kill(self.process.pid, signal.SIGINT if self._asked <= _PATIENCE else signal.SIGTERM)

    def end(self) -> None:
        """End it now, whatever it does."""
        self.process.kill()
        self.process.join()
        self.reports.close()
        self._orders.close()

    def dismiss(self) -> None:
        """Nothing is left to do."""
        with contextlib.suppress(OSError):
            self._orders.send(None)
        self.process.join()
        self.reports.close()
        self._orders.close()


@mutable
class CtrlC:
    """Ctrl-C as something to wait for, so that it cannot strike while a worker or a report is in hand.

    The first is taken to ask every worker for what it covered; a second ends the program.
    """

    pipe: socket.socket
    taken: bool = False

    @classmethod
    @contextlib.contextmanager
    def heard(cls) -> Iterator[CtrlC]:
        """Listen while the block runs; in another thread than the main one there is nothing to hear."""
        reading, writing = socket.socketpair()  # not a pipe: Windows cannot wait for one of those
        with reading, writing:
            if threading.current_thread() is not threading.main_thread():
                yield cls(reading)
                return
            before = signal.signal(signal.SIGINT, lambda *_: writing.send(b"!"))
            try:
                yield cls(reading)
            finally:
                signal.signal(signal.SIGINT, before)

    def take(self) -> None:
        """One was heard."""
        self.taken = True
        self.pipe.recv(1)
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def program(
    command: Sequence[str], folder: Path, out: IO[bytes] | None = None, err: IO[bytes] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A program of others at work in a folder; it is gone when the block ends, and when this process does.

    What it prints goes into files, or nowhere. It has a group of its own, so that Ctrl-C is not for it and what it
    starts is ended with it.
    """
    with (
        _guard() as guard,
        subprocess.Popen(  # noqa: S603
            list(command),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL if out is None else out,
            stderr=subprocess.DEVNULL if err is None else err,
            start_new_session=True,
        ) as process,
    ):
        try:
            guard(process.pid)
            yield process
        finally:
            if hasattr(os, "killpg"):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()


@contextlib.contextmanager
def _guard() -> Iterator[Callable[[int], None]]:
    """A shell that waits for the end of this process, which closes the pipe to it even if it is killed.

    It then ends the group that it was told of. It is there before that group is, which would otherwise be nobody's
    while the shell starts. Without effect on Windows, which has no groups to end.
    """
    if not hasattr(os, "killpg"):
        yield lambda _: None
        return
    with subprocess.Popen(
        ["/bin/sh", "-c", 'read -r group; read -r end; test -z "$group" || kill -s KILL -- "-$group"'],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as guard:
        told = guard.stdin
        assert told is not None

        def of(group: int) -> None:
            told.write(b"%d\n" % group)
            told.flush()

        try:
            yield of
        finally:
            guard.kill()


def _serve(work: Work, reports: Connection, orders: Connection) -> None:
    """The body of a worker: do each task, send what happens, end with the parent."""
    if hasattr(os, "setpgrp"):
        os.setpgrp()  # the parent alone hears Ctrl-C, and passes it on once
    tasks: queue.SimpleQueue[object] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(orders, tasks), daemon=True).start()
    try:
        _work_off(work, tasks, reports)
    except KeyboardInterrupt:  # Python tells of a signal late, perhaps when it is blocked again
        os._exit(_INTERRUPTED)


def _work_off(work: Work, tasks: queue.SimpleQueue[object], reports: Connection) -> None:
    while (task := tasks.get()) is not None:
        try:
            reports.send(work(task, reports.send))
        except FencepostError as error:
            reports.send(error)
        except OSError as error:  # the system refuses something, as on a full disk
            reports.send(refused(error))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is ours, and the parent must hear of it
            reports.send(InternalError(f"{type(error).__name__}: {error}"))


def _listen(orders: Connection, tasks: queue.SimpleQueue[object]) -> None:
    """Take in the tasks; the end of the pipe is the parent's end."""
    try:
        while True:
            tasks.put(orders.recv())
    except (EOFError, OSError):
        os._exit(_INTERRUPTED)
