"""Settings from `[tool.fencepost]` of the nearest pyproject.toml, and the forms in which sizes are written.

```toml
[tool.fencepost]
protocol = "./my_protocol.py"   # what `verify` checks when it is not told
depth = 12
timeout = 60                    # seconds an engine; 0 is no limit
memory = "2GiB"                 # resident memory an engine
engine = "auto"
color = "auto"

[tool.fencepost.sizes.retiring] # per protocol
queues = 2
```
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import Attribute, field, fields, frozen

from fencepost.errors import UsageError, shortened
from fencepost.names import require_known

DEFAULT_TIMEOUT = 60.0
"""Seconds an engine may take unless told otherwise."""

ENGINE_CHOICES = ("auto", "explore", "bmc", "sat", "walk", "induction", "pdr", "learn", "all")
COLOR_CHOICES = ("auto", "always", "never")

LONGEST = 1_000_000
"""Seconds of a time limit: the system's clocks wait for no more than some weeks at a time."""

_MOST_BYTES = 2**63
_UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)


def parse_memory(text: str) -> int:
    """Bytes written as `2G`, `512MiB`, `1.5 GB` (powers of 1024) or a plain number.

    Raises:
        ValueError: it is none of these, or 0.
    """
    match = _SIZE.fullmatch(text.strip())
    amount = 0.0 if match is None else float(match[1]) * _UNITS[match[2].lower()]
    if not 1 <= amount < _MOST_BYTES:
        raise ValueError(f"{shortened(text)!r} is not an amount of memory; write it as 512M or 2GiB")
    return int(amount)


def _whole(low: int) -> Any:
    def check(_: object, attribute: Attribute[Any], value: object) -> None:
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < low):
            raise ValueError(f"{attribute.name} must be a whole number from {low} up, not {value!r}")

    return check


def _seconds(_: object, attribute: Attribute[Any], value: object) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0):
        raise ValueError(f"{attribute.name} must be seconds, 0 for no limit, not {value!r}")
    if value is not None and value > LONGEST:
        raise ValueError(f"{attribute.name} must be at most {LONGEST:,} seconds, 0 for no limit, not {value!r}")


def _text(_: object, attribute: Attribute[Any], value: object) -> None:
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{attribute.name} must be a string, not {value!r}")


def _one_of(*choices: str) -> Any:
    def check(_: object, attribute: Attribute[Any], value: object) -> None:
        if value is not None and value not in choices:
            raise ValueError(f"{attribute.name} must be one of {', '.join(choices)}, not {value!r}")

    return check


def _memory(_: object, attribute: Attribute[Any], value: object) -> None:
    if value is not None:
        _text(_, attribute, value)
        parse_memory(str(value))


def _sizes(_: object, attribute: Attribute[Any], value: object) -> None:
    tables = value.items() if isinstance(value, dict) else [("", None)]
    for name, table in tables:
        if not isinstance(table, dict):
            raise ValueError(f"sizes is a table a protocol; write [tool.fencepost.sizes.{name or 'NAME'}]")
        for size, count in table.items():
            if isinstance(count, bool) or not isinstance(count, int):
                raise ValueError(f"{attribute.name}.{name}.{size} must be a whole number, not {count!r}")


@frozen
class Config:
    """What a project sets for every run; None is not set."""

    protocol: str | None = field(default=None, validator=_text)
    depth: int | None = field(default=None, validator=_whole(0))
    timeout: float | None = field(default=None, validator=_seconds)
    memory: str | None = field(default=None, validator=_memory)
    engine: str | None = field(default=None, validator=_one_of(*ENGINE_CHOICES))
    color: str | None = field(default=None, validator=_one_of(*COLOR_CHOICES))
    sizes: Mapping[str, Mapping[str, int]] = field(factory=dict, validator=_sizes)


def load_config(start: Path) -> Config:
    """The settings of the nearest pyproject.toml at or above `start`; the defaults if it says nothing.

    Raises:
        UsageError: the file does not parse, or has an unknown or ill-typed setting.
    """
    folder = start.resolve()
    path = next((f / "pyproject.toml" for f in (folder, *folder.parents) if (f / "pyproject.toml").is_file()), None)
    if path is None:
        return Config()
    try:
        table: object = tomllib.loads(path.read_text("utf-8")).get("tool", {}).get("fencepost", {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}") from error
    if not isinstance(table, dict):
        raise UsageError(f"{path}: tool.fencepost must be a table; write [tool.fencepost]")
    try:
        for key in table:
            require_known("setting in [tool.fencepost]", key, [attribute.name for attribute in fields(Config)])
        return Config(**table)
    except (ValueError, UsageError) as error:
        raise UsageError(f"{path}: {error}") from error
