"""What is counted in the serializer protocol."""

from fencepost import Index


class Dispatch(Index):
    """Dispatches of one queue that are under way at once."""


class Transition(Index):
    """Calls that enable or disable serialization."""
