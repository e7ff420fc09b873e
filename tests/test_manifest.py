"""Pins: written, read back, found, compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from fencepost.errors import UsageError
from fencepost.manifest import Manifest, Pin, PropertyPin, differences, dump, known, load, merged
from fencepost.verdict import Verdict

TEXT = """\
schema = 1

[[pin]]
protocol = "counter"
sizes = { limit = 3 }
features = []
levels = 3
states = 4
transitions = 6
[pin.properties]
whole = { verdict = "EXHAUSTED", twin = 2 }

[[pin]]
protocol = "counter"
variant = "brittle"
sizes = { limit = 3 }
features = ["reset"]
depth = 12
states = 1_000
[pin.properties]
"range:push/value" = { verdict = "VIOLATED", length = 4 }
whole = { verdict = "VIOLATED", length = 3, bmc = 8, finding = "brittle-mark" }
"""
MANIFEST = Manifest(
    1,
    (
        Pin(
            "counter",
            sizes={"limit": 3},
            levels=3,
            states=4,
            transitions=6,
            properties={"whole": PropertyPin(Verdict.EXHAUSTED, twin=2)},
        ),
        Pin(
            "counter",
            variant="brittle",
            sizes={"limit": 3},
            features=("reset",),
            depth=12,
            states=1000,
            properties={
                "range:push/value": PropertyPin(Verdict.VIOLATED, length=4),
                "whole": PropertyPin(Verdict.VIOLATED, length=3, bmc=8, finding="brittle-mark"),
            },
        ),
    ),
)


def saved(folder: Path, text: str) -> Path:
    path = folder / "manifest.toml"
    path.write_text(text)
    return path


def test_reads_what_a_person_writes(tmp_path: Path) -> None:
    assert load(saved(tmp_path, TEXT)) == MANIFEST


def test_writes_what_a_person_would() -> None:
    assert dump(Manifest(1, MANIFEST.pin[::-1])) == TEXT


def test_no_manifest_is_an_empty_one() -> None:
    assert load(None) == Manifest()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("schema = 2", "schema 2 is not known here; this fencepost reads 1"),
        ("[[pin]]\nprotocol = 'x'\nstate = 3", "state"),
        ("[[pin]]\nprotocol = 'x'\n[pin.properties]\na = { verdict = 'FINE' }", "FINE"),
        ("[[pin]]\nvariant = 'x'", "protocol"),
        ("[[pin", "Expected"),
    ],
)
def test_a_bad_manifest_is_one_line_with_the_file(tmp_path: Path, text: str, complaint: str) -> None:
    path = saved(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert complaint in message
    assert "\n" not in message


def test_known_beforehand() -> None:
    assert known(None) == {}
    pins = known(MANIFEST.pin[1])
    assert (pins["whole"].twin, pins["whole"].anchor) == (None, "brittle-mark")
    assert known(MANIFEST.pin[0])["whole"].twin == 2


def test_differences_name_what_changed() -> None:
    pin = MANIFEST.pin[0]
    assert differences(pin, pin) == []
    now = evolve(pin, states=5, properties={"whole": PropertyPin(Verdict.VIOLATED, twin=1, length=9)})
    assert differences(pin, now) == [
        "states: pinned 4, now 5",
        "whole: pinned EXHAUSTED, now VIOLATED",
        "whole: twin pinned 2, now 1",
    ]
    assert differences(pin, evolve(pin, properties={"new": PropertyPin(Verdict.PROVED)})) == [
        "new: not pinned",
        "whole: pinned, but not checked",
    ]


def test_what_a_pin_leaves_out_is_not_compared() -> None:
    bare = evolve(MANIFEST.pin[0], states=None, transitions=None, levels=None)
    assert differences(bare, MANIFEST.pin[0]) == []


def test_a_new_pin_takes_the_old_ones_place() -> None:
    new = evolve(MANIFEST.pin[0], states=5)
    assert merged(MANIFEST, [new]) == Manifest(1, (new, MANIFEST.pin[1]))
    other = evolve(new, sizes={"limit": 2})
    assert merged(MANIFEST, [other]) == Manifest(1, (other, *MANIFEST.pin))
