"""Submission batches hold a bounded number of signals, and each variant breaks what it says."""

from __future__ import annotations

from fencepost.testing import ProtocolTests


class TestSubmissionBatch(ProtocolTests):
    subject = "submission-batch"
    depth = 24


class TestRetiringSubmissionBatch(ProtocolTests):
    subject = "retiring-submission-batch"
    depth = 16
