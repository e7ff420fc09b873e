"""The checkers that others wrote, by name."""

from __future__ import annotations

from fencepost.peers import rumur, spin
from fencepost.peers.seen import Peer

PEERS: dict[str, Peer] = {
    peer.name: peer
    for peer in (
        Peer("rumur", rumur.search, rumur.version, counts_past_obligations=True),
        Peer("spin", spin.search, spin.version, asks_later=True),
    )
}
"""In the order in which a report names them."""
