"""A manifest of the counter's, counted on paper."""

from __future__ import annotations

SOUND = """
[[pin]]
protocol = "counter"
sizes = { limit = 3 }
features = []
levels = 3
states = 4
transitions = 6
[pin.properties]
whole = { verdict = "EXHAUSTED", twin = 2 }
no-hang = { verdict = "EXHAUSTED", twin = 1 }
"""
LARGER = SOUND.replace("limit = 3", "limit = 5").replace("= 3\n", "= 5\n").replace("= 4\n", "= 6\n")
LARGER = LARGER.replace("transitions = 6", "transitions = 10")
BRITTLE = """
[[pin]]
protocol = "counter"
variant = "brittle"
sizes = { limit = 3 }
features = []
levels = 6
states = 7
[pin.properties]
whole = { verdict = "VIOLATED", length = 3, twin = 2 }
no-hang = { verdict = "EXHAUSTED", twin = 1 }
"""
EAGER = """
[[pin]]
protocol = "counter"
variant = "eager"
sizes = { limit = 3 }
features = []
states = 4
[pin.properties]
whole = { verdict = "EXHAUSTED" }
no-hang = { verdict = "EXHAUSTED" }
"range:push/value" = { verdict = "VIOLATED", length = 4 }
"""
STUCK = """
[[pin]]
protocol = "counter"
variant = "stuck"
sizes = { limit = 3 }
features = []
states = 4
[pin.properties]
whole = { verdict = "EXHAUSTED" }
no-hang = { verdict = "VIOLATED", length = 1 }
"""
WALLED = STUCK.replace("stuck", "walled")
MANIFEST = f"schema = 1\n{SOUND}{LARGER}{EAGER}{BRITTLE}{STUCK}{WALLED}"
TITLES = ("sound", "sound limit=5", "eager", "brittle", "stuck", "walled")
"""The pins' titles, in the order of the report."""
