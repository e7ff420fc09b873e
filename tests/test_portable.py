"""Nothing but the C engine needs POSIX: what only POSIX has is named here, with why it is no harm elsewhere."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# What Python has on POSIX alone; https://docs.python.org/3/library/os.html and signal.html say so of each.
OS = re.findall(
    r"\w+",
    """
chown chroot ctermid eventfd fchdir fchmod fchown fdatasync fork forkpty getegid geteuid getgid getgrouplist
getgroups getloadavg getpgid getpgrp getpriority getresgid getresuid getsid getuid initgroups killpg lchown
lockf major makedev minor mkfifo mknod nice openpty pipe2 posix_fadvise posix_fallocate posix_spawn pread
preadv pwrite pwritev sched_getaffinity sched_setaffinity sched_yield sendfile setegid seteuid setgid setgroups
setpgid setpgrp setpriority setregid setresgid setresuid setreuid setsid setuid statvfs sync sysconf tcgetpgrp
tcsetpgrp uname wait wait3 wait4 waitid WEXITSTATUS WIFEXITED WIFSIGNALED WNOHANG
""",
)
SIGNAL = re.findall(
    r"\w+",
    """
SIGALRM SIGBUS SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGPROF SIGQUIT SIGSTOP SIGTSTP SIGUSR1 SIGUSR2 SIGVTALRM
SIGWINCH SIG_BLOCK SIG_SETMASK SIG_UNBLOCK Sigmasks alarm getitimer pause pthread_kill pthread_sigmask setitimer
siginterrupt sigpending sigtimedwait sigwait sigwaitinfo
""",
)
MODULES = ("crypt", "fcntl", "grp", "nis", "pty", "pwd", "readline", "resource", "spwd", "syslog", "termios", "tty")

KNOWN = {
    "fencepost/engines.py": {"signal.pthread_kill"},  # asks hasattr; else interrupts the main thread by Python's means
    "fencepost/explore/bfs.py": {"os.sched_getaffinity"},  # behind an AttributeError
    "fencepost/memory.py": {"os.sysconf", "resource"},  # behind a look at /proc, and an ImportError
    "fencepost/processes.py": {  # ask hasattr
        "os.killpg",
        "os.setpgrp",
        "signal.SIGKILL",
        "signal.SIG_BLOCK",
        "signal.SIG_SETMASK",
        "signal.SIG_UNBLOCK",
        "signal.pthread_sigmask",
    },
    "fencepost/proof/abc.py": {"signal.SIGKILL"},  # how ABC ended, where that is installed
    "fencepost/side_by_side.py": {"os.nice"},  # asks hasattr
    "fencepost/others.py": {"os.killpg", "os.sysconf", "signal.SIGKILL"},  # runs other programs, where installed
}


def posix_only(source: str) -> Iterator[str]:
    """What a source uses that only POSIX has."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Attribute(value=ast.Name(id="os"), attr=name) if name in OS:
                yield f"os.{name}"
            case ast.Attribute(value=ast.Name(id="signal"), attr=name) if name in SIGNAL:
                yield f"signal.{name}"
            case ast.Import(names=names):
                yield from (alias.name for alias in names if alias.name in MODULES)
            case ast.ImportFrom(module=("os" | "signal") as module, names=names):
                yield from (f"{module}.{alias.name}" for alias in names if alias.name in (*OS, *SIGNAL))
            case ast.ImportFrom(module=str(module)) if module in MODULES:
                yield module
            case ast.Call(func=ast.Attribute(attr="get_context"), args=[ast.Constant(value="fork" | "forkserver")]):
                yield "fork"


def sources() -> list[Path]:
    return [path for root in ("fencepost", "model", "properties") for path in sorted((ROOT / root).rglob("*.py"))]


def test_what_only_posix_has_is_used_where_it_is_known() -> None:
    found = {str(path.relative_to(ROOT)): set(posix_only(path.read_text("utf-8"))) for path in sources()}
    assert {name: used - KNOWN.get(name, set()) for name, used in found.items() if used - KNOWN.get(name, set())} == {}


def test_such_uses_are_seen() -> None:
    source = """
import os, signal, fcntl
from os import fork
from signal import SIGALRM
os.killpg(1, signal.SIGKILL)
multiprocessing.get_context("fork")
os.getcwd(); signal.SIGINT
"""
    assert sorted(posix_only(source)) == [
        "fcntl",
        "fork",
        "os.fork",
        "os.killpg",
        "signal.SIGALRM",
        "signal.SIGKILL",
    ]


def test_no_file_has_a_name_that_windows_refuses() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\0")
    if listed == [""]:
        pytest.skip("no git, or no repository: there is no list of files")
    assert [name for name in listed if re.search(r'[:*?"<>|\\]|[ .](/|$)', name)] == []
    lowered = [name.lower() for name in listed]
    assert len(set(lowered)) == len(lowered), "two files are one where upper and lower case are the same"


ELSEWHERE = f"""
import os, signal, sys
import multiprocessing.connection, subprocess, tempfile, platform, hypothesis, z3  # they find what POSIX has
for name in {OS!r}:
    if name not in ("WNOHANG", "getuid", "sysconf", "uname"):  # Python's own library needs them here, or /proc is there
        vars(os).pop(name, None)
for name in {SIGNAL!r}:
    vars(signal).pop(name, None)
for name in {MODULES!r}:
    sys.modules[name] = None
from fencepost.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (["new", "mine"], 0, "mine.py, test_mine.py: written"),
        (["--protocol", "recycled-handle", "--quiet", "--memory", "2G"], 0, "EXHAUSTED"),
        (["--protocol", "recycled-handle", "--variant", "buggy", "--engine", "all", "--depth", "6",
          "--export", "traces"], 1, "is violated after 6 steps"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)  # fmt: skip
def test_it_works_without_what_only_posix_has(tmp_path: Path, args: list[str], code: int, says: str) -> None:
    """No Windows, but what it lacks is taken away, a C compiler too.

    Engines side by side have processes of their own, from which nothing is taken.
    """
    done = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, *args],
        cwd=tmp_path,
        env={**os.environ, "PATH": str(Path(sys.executable).parent), "CC": "", "FENCEPOST_CACHE": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, says in done.stdout) == (code, True), done.stdout + done.stderr
