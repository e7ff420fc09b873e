"""Programs of others that more than one room looks for, by the names under which systems have them."""

from __future__ import annotations

ABC = ("berkeley-abc", "abc", "yosys-abc")
"""ABC, a system for sequential circuits, by the names of Debian, its authors and yosys; the first found is taken."""
