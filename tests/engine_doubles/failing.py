"""An engine with a defect."""

from typing import Any

from fencepost.verdict import Run


def run(model: Any, **_: Any) -> Run:
    raise ZeroDivisionError("oh")
