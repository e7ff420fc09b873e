"""What holds for every test: the same random programs every day, others in each deep run."""

from __future__ import annotations

from hypothesis import settings

from tests.profile import DEEP, examples

settings.register_profile(
    "fencepost", deadline=None, database=None, derandomize=not DEEP, print_blob=True, max_examples=examples(100)
)
settings.load_profile("fencepost")
