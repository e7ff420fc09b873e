"""Where is kept what saves work the next time: compiled models and verdicts."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """$FENCEPOST_CACHE, or a folder in the user's cache."""
    own = os.environ.get("FENCEPOST_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "fencepost"
