"""Text from names, notes and files of other people, made safe for where it is put."""

from __future__ import annotations

import re


def line(text: str) -> str:
    """One line of plain text that cannot move a terminal's cursor: what is not printable becomes `?`."""
    return "".join(c if c.isprintable() else " " if c in "\n\t" else "?" for c in text)


def prose(text: str) -> str:
    """Markdown that shows the text as it is, in a table too: no markup, HTML or mention of a user."""
    text = line(text).translate(_MARKUP)
    return re.sub(r"^(\s*[0-9]*)([-+=.)])", r"\1\\\2", text)  # what would begin a list or underline a heading


_MARKUP = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "@<!-- -->", "|": "&#124;"} | {c: f"\\{c}" for c in "\\`*_[]{}#~$!"}
)


def code(text: str) -> str:
    """A Markdown code span, in a table too. Its fence is longer than any run of backticks inside."""
    text = line(text)
    if "|" in text:
        # A bar ends a table's cell inside a code span too; escaped it is right in a table only.
        return f"<code>{prose(text)}</code>"
    if not text:
        return ""
    fence = "`" * (_longest(text) + 1)
    pad = " " if text[0] in "` " or text[-1] in "` " else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def block(text: str, language: str = "") -> str:
    """A Markdown code block of lines that are already one line each."""
    fence = "`" * max(3, _longest(text) + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}\n"


def mermaid(text: str) -> str:
    """A label of a Mermaid diagram: whatever its grammar might read becomes a character code."""
    safe = re.sub(r"[^A-Za-z0-9 _.,()=+'/?-]", lambda match: f"#{ord(match.group())};", line(text))
    # `end` closes a block wherever it stands alone; a label of two dashes or arrows is no label.
    return re.sub(r"\bend\b", "#101;nd", safe.replace("--", "#45;#45;"), flags=re.IGNORECASE)


def _longest(text: str) -> int:
    """The longest run of backticks."""
    return max((len(run) for run in re.findall("`+", text)), default=0)
