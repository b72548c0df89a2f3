"""Why traffic is not delivered: one table that code, docs and tests read."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why a demand, or a part of it, does not arrive."""

    SOURCE_DOWN = "no router where it starts is up"
    TARGET_DOWN = "no router where it would end is up"
    NOT_ANNOUNCED = "the destination is not announced where it would come in"
    NO_ROUTE = "a router on its way has no route to it"
    UNREACHABLE = "the exit is not reachable"
    LOOP = "it comes back to a router already on its way"
    DROPPED = "no LSP of its classes, and its class drops rather than follow the IGP"
    NO_FAMILY = "the circuit it is sent into does not carry its family"
    LSP_CUT = "the LSP it rides was just cut, and neither a bypass nor a standby leads around the failure"
    NEXT_HOP_DOWN = "its next hop has just failed, and no other is as near"
    START_DOWN = "the router where it starts has just failed"
    PORT_DOWN = "the peer port it uses has just failed"
    CONGESTION = "a circuit on its way is full"
    PORT_FULL = "the peer port it uses is full"
