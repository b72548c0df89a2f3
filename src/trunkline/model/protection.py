"""What the file asks of protection: facility bypasses (RFC 4090) around circuits and routers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from trunkline.model.nouns import MILLION


class Guard(StrEnum):
    """What LSPs ask for."""

    NONE = "none"
    LINK = "link"
    """A bypass to the next hop, around the circuit."""
    NODE = "node"
    """A bypass to the hop behind the next router, around both; around the circuit alone where there is none."""


class Risks(StrEnum):
    """What a backup path makes of circuits that share a risk with what it stands in for."""

    AVOID = "avoid"
    PREFER = "prefer"
    """Avoid them where that is possible, and use them where it is not."""
    IGNORE = "ignore"


@dataclass(frozen=True)
class Protection:
    """Bypasses that the file asks for.

    A group of LSPs with the same circuit and merge point shares at most `per_circuit` bypasses.  A bypass reserves
    `bandwidth` bit/s, or `share` (parts per million) of what its LSPs reserve; at most one of the two is not 0.
    """

    bypass: Guard = Guard.NONE
    per_circuit: int = 1
    bandwidth: int = 0
    share: int = 0
    risks: Risks = Risks.AVOID
    classes: tuple[str, ...] | None = None
    """Classes whose LSPs ask; None is every class."""

    def asks(self, cls: str) -> bool:
        """Whether LSPs of a class ask for a bypass."""
        return self.bypass is not Guard.NONE and (self.classes is None or cls in self.classes)

    def reserves(self, protected: int) -> int:
        """Return what a bypass of LSPs that reserve so much in all reserves itself, bit/s, a share rounded up."""
        return self.bandwidth + -(-protected * self.share // MILLION)
