"""Sizes that a shipped protocol says it takes: it can be built with them, or says which of them do not go together."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fencepost.errors import UsageError
from fencepost.registry import find, names


@pytest.mark.parametrize("protocol", names())
def test_the_smallest_of_all(protocol: str) -> None:
    entry = find(protocol)
    sizes = {size.name: size.low for size in entry.protocol.sizes}
    assert dict(entry.build(sizes=sizes).sizes) == sizes


def corners(protocol: str) -> Iterator[dict[str, int]]:
    """Each size and each pair of sizes at an end of what they take; the others as by default."""
    sizes = find(protocol).protocol.sizes
    for one in sizes:
        for other in sizes:
            for value in (one.low, one.high):
                for beside in (other.low, other.high):
                    yield {other.name: beside, one.name: value}


@pytest.mark.deep
@pytest.mark.parametrize("protocol", names())
def test_the_ends_of_each_two(protocol: str) -> None:
    refusals = [refusal(protocol, sizes) for sizes in corners(protocol)]
    assert None in refusals
    assert all("takes at most" in told for told in refusals if told is not None)


def refusal(protocol: str, sizes: dict[str, int]) -> str | None:
    """What is said of sizes that do not go together."""
    try:
        find(protocol).build(sizes=sizes)
    except UsageError as error:
        return str(error)
    return None
