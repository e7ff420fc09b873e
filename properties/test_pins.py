"""Every pin of the manifest still holds, and nothing that should be pinned is not."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from fencepost.engines import Limits
from fencepost.manifest import Pin, differences, load, pinned
from fencepost.registry import find
from fencepost.rows.look import look
from fencepost.rows.row import QUICK, title
from fencepost.verdict import Verdict

HERE = Path(__file__).parent
MANIFEST = load(HERE / "fencepost_rocm_properties" / "manifest.toml")
PROTOCOLS = sorted({pin.protocol for pin in MANIFEST.pin})
OBLIGATIONS = ("range:", "dead:")
"""What names of obligations begin with; these have no situation of their own."""
FINDINGS = HERE.parent / "docs" / "findings.md"


def name_of(pin: Pin) -> str:
    return f"{pin.protocol} {title(find(pin.protocol), pin)}"


@cache
def own_pin(protocol: str, variant: str | None) -> Pin | None:
    """The pin of the protocol or variant at its own sizes and features."""
    return MANIFEST.of(find(protocol).build(variant=variant))


EACH = [
    pytest.param(pin, id=name_of(pin), marks=[] if QUICK.takes(pin.states or 0) else [pytest.mark.deep])
    for pin in MANIFEST.pin
]


@pytest.mark.parametrize("pin", EACH)
def test_as_pinned(pin: Pin) -> None:
    model = find(pin.protocol).build(variant=pin.variant, sizes=pin.sizes, features=pin.features)
    assert pin.fits(model)
    assert differences(pin, pinned(look(model, pin, Limits()))) == []


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_protocol_and_each_variant_are_pinned(protocol: str) -> None:
    entry = find(protocol)
    for variant in (None, *(variant.name for variant in entry.protocol.variants)):
        pin = own_pin(protocol, variant)
        assert pin is not None, f"{variant or entry.protocol.default} is not pinned"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_variant_breaks_what_it_says(protocol: str) -> None:
    entry = find(protocol)
    for variant in entry.protocol.variants:
        pin = own_pin(protocol, variant.name)
        assert pin is not None
        if variant.breaks is not None:
            assert pin.properties[variant.breaks].verdict is Verdict.VIOLATED, variant.name


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_default_that_fails_is_written_up(protocol: str) -> None:
    pin = own_pin(protocol, None)
    assert pin is not None
    anchors = re.findall(r'<a id="([^"]+)">', FINDINGS.read_text("utf-8"))
    for name, prop in pin.properties.items():
        if prop.verdict is Verdict.VIOLATED:
            assert prop.finding in anchors, f"{name} is violated, but {prop.finding!r} is no entry of findings.md"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_property_is_exercised_by_some_pin(protocol: str) -> None:
    mine = [pin for pin in MANIFEST.pin if pin.protocol == protocol]
    exercised = {name for pin in mine for name, prop in pin.properties.items() if prop.twin is not None}
    named = {name for pin in mine for name in pin.properties if not name.startswith(OBLIGATIONS)}
    assert named <= exercised
