"""Workers: one task after the other, news on the way, and how they end."""

from __future__ import annotations

import os
import signal
import time

import pytest

from fencepost.errors import InternalError, UsageError
from fencepost.processes import CtrlC, Ended, Send, Worker, ctrl_c_blocked


def play(task: object, send: Send) -> object:
    match task:
        case "news":
            send("on the way")
        case "wrong":
            raise UsageError("so it cannot be")
        case "defect":
            raise ZeroDivisionError("oh")
        case "gone":
            os._exit(3)
        case "wait":
            try:
                with ctrl_c_blocked(but_let_through=True):
                    send("begun")
                    time.sleep(600)
            except KeyboardInterrupt:
                return "so far"
        case "late":
            send("begun")
            with ctrl_c_blocked(but_let_through=True):
                time.sleep(600)
        case "deaf":
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            send("begun")
            time.sleep(600)
    return os.getpid()


def test_one_process_does_one_task_after_the_other() -> None:
    worker = Worker.start(play)
    worker.give("news")
    assert worker.receive() == "on the way"
    first = worker.receive()
    worker.give("wrong")
    with pytest.raises(UsageError, match="so it cannot be"):
        worker.receive()
    worker.give("defect")
    with pytest.raises(InternalError, match="ZeroDivisionError: oh"):
        worker.receive()
    worker.give("plain")
    assert worker.receive() == first == worker.process.pid != os.getpid()
    worker.dismiss()
    assert worker.process.exitcode == 0


def test_one_that_is_gone_says_how() -> None:
    worker = Worker.start(play)
    worker.give("gone")
    with pytest.raises(Ended, match="ended with status 3 and no result") as ended:
        worker.receive()
    assert (ended.value.asked, ended.value.killed) == (False, False)
    worker.give("plain")
    worker.dismiss()


def test_asked_for_what_it_covered_it_answers() -> None:
    worker = Worker.start(play)
    worker.give("wait")
    assert worker.receive() == "begun"
    worker.interrupt()
    assert worker.receive() == "so far"
    worker.dismiss()


@pytest.mark.parametrize(("how", "times"), [("deaf", 6), ("late", 1)])
def test_one_that_does_not_answer_is_ended(how: str, times: int) -> None:
    worker = Worker.start(play)
    worker.give(how)
    assert worker.receive() == "begun"
    for _ in range(times):
        worker.interrupt()
    with pytest.raises(Ended) as ended:
        worker.receive()
    assert (ended.value.asked, ended.value.killed) == (True, False)
    worker.dismiss()


def test_ctrl_c_is_something_to_wait_for_once() -> None:
    before = signal.getsignal(signal.SIGINT)
    with CtrlC.heard() as ctrl_c:
        os.kill(os.getpid(), signal.SIGINT)
        ctrl_c.take()
        assert ctrl_c.taken
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
