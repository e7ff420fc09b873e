"""Submission batches hold a bounded number of signals, and each variant breaks what it says."""

from __future__ import annotations

from fencepost.testing import ProtocolTests

DEEP = "it takes a batch or two to come to, which is farther than these runs go; the pins come to it"


class TestSubmissionBatch(ProtocolTests):
    subject = "submission-batch"
    depth = 24
    unexercised = {"parked-signals-come-back": DEEP, "free-parked-signal-is-reclaimed": DEEP}


class TestRetiringSubmissionBatch(ProtocolTests):
    subject = "retiring-submission-batch"
    depth = 16
