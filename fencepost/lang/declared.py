"""Whether what a protocol declares fits together: its state, sizes, features and variants."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.errors import ModelError
from fencepost.lang.definitions import Feature, Size, Variant
from fencepost.lang.location import here
from fencepost.lang.mend import shown
from fencepost.lang.records import Record
from fencepost.lang.refusals import near
from fencepost.lang.values import Index


def check_declared(
    state: object,
    sizes: Sequence[Size],
    features: Sequence[Feature],
    variants: Sequence[Variant],
    default: str,
) -> None:
    """Accept declarations that fit together.

    Raises:
        ModelError: they do not; it is told of the declaration at fault.
    """
    if not (isinstance(state, type) and issubclass(state, Record)):
        raise ModelError(f"the state of a protocol is {shown(state)}", "give state= a Record class", here())
    for what, declared in (("size", sizes), ("feature", features), ("variant", variants)):
        _check_names(what, declared)
    for size in sizes:
        _check_size(size)
    _check_index_classes(sizes)
    _check_bounding_sizes(sizes)
    for variant in variants:
        if variant.name == default:
            raise ModelError(
                f"the variant {variant.name!r} is called like the default", "rename it, or give default=", variant.at
            )
        _check_variant(variant, {size.name: size for size in sizes}, {feature.name for feature in features})


def _check_names(what: str, declared: Sequence[Size | Feature | Variant]) -> None:
    seen: set[str] = set()
    for one in declared:
        if one.name in seen:
            raise ModelError(f"two {what}s are called {one.name!r}", "give each its own name", one.at)
        seen.add(one.name)


def _check_size(size: Size) -> None:
    cls: object = size.index
    if not (isinstance(cls, type) and issubclass(cls, Index)):
        raise ModelError(f"the size {size.name!r} is of {shown(cls)}", "give it an Index class", size.at)
    if size.low < 1:
        raise ModelError(f"the size {size.name!r} may be {size.low}", "let it be at least 1", size.at)
    if not size.low <= size.default <= size.high:
        raise ModelError(
            f"the size {size.name!r} is {size.default} by default, but takes {size.low} to {size.high}",
            "give a default within low and high",
            size.at,
        )


def _check_bounding_sizes(sizes: Sequence[Size]) -> None:
    known = {size.name for size in sizes}
    for size in sizes:
        for other in size.at_most:
            if other not in known:
                mend = near(other, known) or "name a size of this protocol"
                raise ModelError(f"the size {size.name!r} is at most the unknown size {other!r}", mend, size.at)


def _check_index_classes(sizes: Sequence[Size]) -> None:
    seen: dict[str, Size] = {}
    for size in sizes:
        name = size.index.__name__
        if name in seen:
            raise ModelError(
                f"the sizes {seen[name].name!r} and {size.name!r} are both of an index class called {name}",
                "give each class one size, and each its own name",
                size.at,
            )
        seen[name] = size


def _check_variant(variant: Variant, sizes: dict[str, Size], features: set[str]) -> None:
    for name, count in variant.sizes:
        if name not in sizes:
            mend = near(name, sizes) or "declare it in Protocol(sizes=...)"
            raise ModelError(f"the variant {variant.name!r} sets the unknown size {name!r}", mend, variant.at)
        low, high = sizes[name].low, sizes[name].high
        if not low <= count <= high:
            raise ModelError(
                f"the variant {variant.name!r} sets {name} to {count}", f"it takes {low} to {high}", variant.at
            )
    for name in variant.features or ():
        if name not in features:
            mend = near(name, features) or "declare it in Protocol(features=...)"
            raise ModelError(f"the variant {variant.name!r} needs the unknown feature {name!r}", mend, variant.at)
