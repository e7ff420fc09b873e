"""Compiling generated C: with the system's compiler, in the background, cached by content."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from attrs import frozen, mutable

from fencepost.kept import cache_folder

_OPTIONS = ("-O1", "-shared", "-fPIC", "-pthread", "-x", "c")


def find_compiler() -> str | None:
    """The path of the system's C compiler ($CC, cc, gcc or clang), or None."""
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        if name and (path := shutil.which(name)):
            return path
    return None


def cached(source: str, compiler: str) -> Path:
    """Where the library of a source is, or is to be."""
    name = hashlib.sha256("\0".join((source, compiler, *_OPTIONS)).encode()).hexdigest()[:32] + ".so"
    return cache_folder() / name


@frozen
class Failed:
    """The compiler could not do it; `reason` is one line."""

    reason: str


@mutable
class Compilation:
    """One source on its way to a library."""

    target: Path
    process: subprocess.Popen[bytes] | None = None
    scratch: Path | None = None

    @classmethod
    def begin(cls, source: str, compiler: str) -> Compilation:
        """Start compiling, unless the cache has it.

        Raises:
            OSError: neither the cache nor a temporary folder can be written, or the compiler cannot be run.
        """
        target = cached(source, compiler)
        if target.is_file():
            return cls(target)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            scratch = Path(tempfile.mkdtemp(dir=target.parent))
        except OSError:  # a read-only home or a full disk: nothing is cached, the search goes on
            scratch = Path(tempfile.mkdtemp(prefix="fencepost-"))
            target = scratch / target.name
        (scratch / "model.c").write_text(source, encoding="ascii")
        command = [compiler, *_OPTIONS, "-o", str(scratch / "model.so"), str(scratch / "model.c")]
        process = subprocess.Popen(  # noqa: S603 - the user's own compiler on our own source
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        return cls(target, process, scratch)

    def poll(self, wait: bool = False) -> ctypes.CDLL | Failed | None:
        """The library once it is there, None while the compiler runs."""
        if self.process is not None:
            if not wait and self.process.poll() is None:
                return None
            _, errors = self.process.communicate()
            code, self.process = self.process.returncode, None
            assert self.scratch is not None
            try:
                if code != 0:
                    lines = errors.decode(errors="replace").strip().splitlines()
                    return Failed(f"the C compiler ended with status {code}: {lines[0] if lines else 'no message'}")
                # At once, so that nobody loads half a library.
                (self.scratch / "model.so").replace(self.target)
            except OSError as error:
                return Failed(f"the compiled model could not be kept: {error.strerror}")
            finally:
                if self.target.parent != self.scratch:
                    shutil.rmtree(self.scratch, ignore_errors=True)
        try:
            return ctypes.CDLL(str(self.target))
        except OSError as error:
            self.target.unlink(missing_ok=True)
            return Failed(f"the compiled model could not be loaded: {error}")

    def cancel(self) -> None:
        """Stop the compiler and remove what it left."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None
        if self.scratch is not None:
            shutil.rmtree(self.scratch, ignore_errors=True)
