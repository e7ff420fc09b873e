"""What holds for every test: the same random programs every day, others in each deep run."""

from __future__ import annotations

import signal

from hypothesis import settings

from tests.profile import DEEP, examples

# A job that `nohup` began ignores Ctrl-C, and so would every process that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "fencepost", deadline=None, database=None, derandomize=not DEEP, print_blob=True, max_examples=examples(100)
)
settings.load_profile("fencepost")
