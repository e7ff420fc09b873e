"""Serving the explorer's page on this machine alone: nothing is written, and nobody gets in without the token.

Other pages that the same browser shows can send requests here too, so each has to bring the random
token of the address, and to name this very address as its host.
"""

from __future__ import annotations

import json
import secrets
import urllib.parse
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any

from fencepost.errors import FencepostError, UsageError
from fencepost.explore.bfs import run
from fencepost.ir.model import Model
from fencepost.trace.html import assemble, part, whole
from fencepost.ui.session import View, parse_path, show_path

HOST = "127.0.0.1"

SEARCH_SECONDS = 30.0
"""How long the page looks for a counterexample."""


class Server(ThreadingHTTPServer):
    """The explorer of one model."""

    daemon_threads = True

    def __init__(self, model: Model, title: str, port: int = 0) -> None:
        """Listen at `port` (any that is free if 0).

        Raises:
            UsageError: the port is taken, or not ours to take.
        """
        self.view, self.title, self.token = View(model), title, secrets.token_urlsafe(16)
        self.page = _page()
        try:
            super().__init__((HOST, port), _Handler)
        except OSError as error:
            raise UsageError(f"port {port}: {error.strerror}; --port 0 takes any that is free") from error

    @property
    def url(self) -> str:
        """The address to open, with its token."""
        return f"http://{HOST}:{self.server_address[1]}/{self.token}/"

    def answer(self, path: str) -> dict[str, Any]:
        """What the page asks for.

        Raises:
            UsageError: it asks for what there is not.
        """
        name, _, query = path.partition("?")
        asked = {key: values[-1] for key, values in urllib.parse.parse_qs(query).items()}
        match name:
            case "state":
                return {"title": self.title, **self.view.at(parse_path(asked.get("path", "")))}
            case "find":
                return self._find(asked.get("property", ""))
            case _:
                raise UsageError(f"there is no {name!r} here")

    def _find(self, name: str) -> dict[str, Any]:
        """A shortest run that violates the property."""
        found = run(self.view.model, timeout=SEARCH_SECONDS, properties=[name])
        for finding in found.findings:
            if finding.name == name:
                return {"path": show_path(finding.path)}
        return {"none": f"no violation in {found.states:,} states, to depth {found.depth} ({found.stop.value})"}


def _page() -> bytes:
    def own(name: str) -> str:
        return files("fencepost.ui").joinpath("page", name).read_text(encoding="utf-8")

    style, allowed = part("page.css") + own("explorer.css"), "connect-src 'self'; img-src data:"
    return assemble(own("explorer.html"), allowed, style, whole(own("explorer.js"))).encode()


class _Handler(BaseHTTPRequestHandler):
    server: Server
    server_version, sys_version = "fencepost", ""

    def do_GET(self) -> None:
        """Answer a question of the page, or send it."""
        _, token, path = (*self.path.split("/", 2), "", "")[:3]
        if not self._is_let_in(token):
            self._send(HTTPStatus.NOT_FOUND, b"open the address that verify explore-ui printed\n", "text/plain")
        elif path == "":
            self._send(HTTPStatus.OK, self.server.page, "text/html")
        else:
            self._answer(path)

    def _is_let_in(self, token: str) -> bool:
        port = self.server.server_address[1]
        at_home = self.headers.get("Host") in {f"{HOST}:{port}", f"localhost:{port}"}
        return at_home and secrets.compare_digest(token.encode(), self.server.token.encode())

    def _answer(self, path: str) -> None:
        try:
            status, told = HTTPStatus.OK, self.server.answer(path)
        except FencepostError as error:
            status, told = HTTPStatus.BAD_REQUEST, {"error": str(error)}
        self._send(status, json.dumps(told).encode(), "application/json")

    def _send(self, status: HTTPStatus, body: bytes, kind: str) -> None:
        self.send_response(status)
        for name, value in {
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "X-Frame-Options": "DENY",
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Say nothing: the terminal is the user's."""
