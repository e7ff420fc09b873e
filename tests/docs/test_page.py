"""What runs the pages sees a page that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.page import Block, Runner, Typed, blocks, matches, replaced, run_page, typed

PAGE = """\
# Title

<!-- file: a.txt -->
```text
one
```

```console
$ cat a.txt
one
$ false
$ echo $?
1
```
"""


def test_blocks_have_their_language_directive_and_line() -> None:
    assert list(blocks(PAGE)) == [
        Block("text", "file", "a.txt", "one\n", 5),
        Block("console", "", "", "$ cat a.txt\none\n$ false\n$ echo $?\n1\n", 9),
    ]


def test_commands_have_the_output_below_them() -> None:
    console = list(blocks(PAGE))[1]
    assert list(typed(console)) == [Typed("cat a.txt", "one\n"), Typed("false", ""), Typed("echo $?", "1\n")]


def test_a_page_that_is_right_passes(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(PAGE)
    assert run_page(path, tmp_path) == 1


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("$ cat a.txt\none", "$ cat a.txt\ntwo"),
        ("1\n```", "0\n```"),
        ("```console", "```python"),
        ("<!-- file", "<!-- fiel"),
    ],
)
def test_a_page_that_is_wrong_does_not(tmp_path: Path, right: str, wrong: str) -> None:
    path = tmp_path / "page.md"
    path.write_text(PAGE.replace(right, wrong))
    with pytest.raises(AssertionError):
        run_page(path, tmp_path)


@pytest.mark.parametrize(
    ("shown", "output", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\nb\n", "a\nb\nc\n", False),
        ("a\n...\nc\n", "a\nb\nb\nc\n", True),
        ("a\n...\nc\n", "a\nc\n", True),
        ("a\n...\nc\n", "b\nc\n", False),
        ("...\n", "", True),
        ("a b ...\n", "a b c d\n", True),
        ("a b ...\n", "a x c d\n", False),
        ("a.c\n", "abc\n", False),
        ("", "anything\n", False),
    ],
)
def test_dots_stand_for_what_is_left_out(shown: str, output: str, same: bool) -> None:
    assert matches(shown, output) is same


def test_a_definition_takes_the_place_of_its_namesake() -> None:
    source = "import x\n\n@mark\ndef f():\n    return 1\n\nA = 1\n"
    assert replaced(source, "@other\ndef f():\n    return 2\n\nA = (\n    2,\n)\n") == (
        "import x\n\n@other\ndef f():\n    return 2\n\nA = (\n    2,\n)\n"
    )
    with pytest.raises(StopIteration):
        replaced(source, "def g(): ...\n")


def test_a_quotation_is_in_the_file_it_names(tmp_path: Path) -> None:
    runner = Runner(tmp_path)
    runner.run(Block("python", "excerpt", "fencepost/errors.py", "class FencepostError(Exception):\n", 1))
    with pytest.raises(AssertionError):
        runner.run(Block("python", "excerpt", "fencepost/errors.py", "class OtherError(Exception):\n", 1))


def test_what_is_refused_is_refused_with_that_line(tmp_path: Path, plain_terminal: None) -> None:
    runner = Runner(tmp_path)
    runner.run(Block("python", "refused", "none.py", "x = 1\n", 1))
    with pytest.raises(AssertionError):
        runner.run(Block("text", "", "", "another message\n", 4))
