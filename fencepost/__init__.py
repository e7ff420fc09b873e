"""fencepost: a formal model and property-based verifier of GPU signal lifetime protocols.

What a protocol of your own imports is here; everything else is the tool's inside.
"""

from fencepost.errors import FencepostError, InternalError, ModelError, UsageError
from fencepost.ir.model import Actor, Fairness, Kind
from fencepost.lang.definitions import Feature, Size, Variant, action
from fencepost.lang.fields import array, boolean, choice, index, maybe, members, number
from fencepost.lang.properties import Properties
from fencepost.lang.protocol import Protocol
from fencepost.lang.quantifiers import count, exists, forall, ite, total
from fencepost.lang.records import Component, Record, part, table
from fencepost.lang.step import Step
from fencepost.lang.values import Bool, Choice, Index, Int, Maybe, SetOf
from fencepost.sources import DefinedIn, Described

__all__ = [
    "Actor",
    "Bool",
    "Choice",
    "Component",
    "DefinedIn",
    "Described",
    "Fairness",
    "Feature",
    "FencepostError",
    "Index",
    "Int",
    "InternalError",
    "Kind",
    "Maybe",
    "ModelError",
    "Properties",
    "Protocol",
    "Record",
    "SetOf",
    "Size",
    "Step",
    "UsageError",
    "Variant",
    "action",
    "array",
    "boolean",
    "choice",
    "count",
    "exists",
    "forall",
    "index",
    "ite",
    "maybe",
    "members",
    "number",
    "part",
    "table",
    "total",
]
