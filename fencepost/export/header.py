"""What each exported text says of itself at its top."""

from __future__ import annotations

from fencepost.ir.digest import digest
from fencepost.ir.model import Model, responses


def header_lines(model: Model) -> list[str]:
    """The model's protocol, variant, sizes, features and digest, and which properties are not in the text."""
    sizes = ", ".join(f"{name} {count}" for name, count in model.sizes)
    lines = [f"{model.protocol}, variant {model.variant or 'default'}{', ' if sizes else ''}{sizes}"]
    if model.features:
        lines.append(f"with {', '.join(model.features)}")
    if model.without:
        lines.append(f"without {', '.join(model.without)}")
    lines.append(f"exported by fencepost; model {digest(model)}")
    return lines


def left_out(model: Model, why: str) -> list[str]:
    """The lines that say which responses the text has no words for, and why; none if the model has no response."""
    names = [prop.name for prop in responses(model.properties)]
    return [f"not exported: {', '.join(names)} ({why})"] if names else []
