"""The index classes that the parts use; a protocol gives sizes for those that its parts need."""

from fencepost import Index


class Thread(Index):
    """A thread that takes locks and waits."""


class Core(Index):
    """A core, with the store buffer that is its own."""


class Address(Index):
    """A place in memory."""


class StorePlace(Index):
    """A place in a store buffer, 0 the store that reaches memory next."""


class Point(Index):
    """A point on a timeline. There are as many as it may reach: the code has no end, so a bound keeps below it."""
