"""Who may ask the explorer, and what; over a real socket."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any

import pytest

from fencepost.errors import UsageError
from fencepost.ui.server import HOST, Server
from tests.trace.toy import TOY


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(TOY, "toy") as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(server: Server, path: str, method: str = "GET", host: str | None = None) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection(HOST, server.server_address[1], timeout=10)
    connection.request(method, path, headers={"Host": host} if host else {})
    response = connection.getresponse()
    told = (response.status, dict(response.getheaders()), response.read())
    connection.close()
    return told


def answer(server: Server, question: str) -> tuple[int, Any]:
    status, _, body = ask(server, f"/{server.token}/{question}")
    return status, json.loads(body)


def test_it_listens_on_this_machine_alone(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.url == f"http://127.0.0.1:{server.server_address[1]}/{server.token}/"


def test_the_page_is_sent_to_who_has_the_token(server: Server) -> None:
    status, headers, body = ask(server, f"/{server.token}/")
    assert (status, headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert b"connect-src 'self'" in body
    assert (body.count(b"function make("), body.count(b"const theme ="), b"// include" in body) == (1, 1, False)
    assert headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "", "/x/", "/x/state?path=", "//", "/%00/"])
def test_nobody_gets_in_without_it(server: Server, path: str) -> None:
    assert ask(server, path or "/")[0] == 404


def test_nor_under_another_name(server: Server) -> None:
    assert ask(server, f"/{server.token}/", host="evil.example")[0] == 404
    assert ask(server, f"/{server.token}/", host=f"localhost:{server.server_address[1]}")[0] == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_nothing_can_be_changed(server: Server, method: str) -> None:
    assert ask(server, f"/{server.token}/state", method)[0] == 501


def test_a_question_is_answered(server: Server) -> None:
    status, told = answer(server, "state?path=arm.1%3Bclear.1")
    assert (status, told["title"]) == (200, "toy")
    assert [step["call"] for step in told["path"]] == ["arm(h=1)", "clear(h=1)"]


@pytest.mark.parametrize(
    ("question", "complaint"),
    [("state?path=fly", "'fly'"), ("find?property=nope", "nope"), ("secrets", "there is no 'secrets' here")],
)
def test_a_bad_question_is_one_line(server: Server, question: str, complaint: str) -> None:
    status, told = answer(server, question)
    assert status == 400
    assert complaint in told["error"]


def test_it_finds_a_shortest_violation(server: Server) -> None:
    status, told = answer(server, "find?property=not-destroyed")
    assert status == 200
    assert len(told["path"].split(";")) == 4


def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        with pytest.raises(UsageError, match=rf"port {taken.getsockname()[1]}: .*; --port 0 takes any that is free"):
            Server(TOY, "toy", taken.getsockname()[1])
