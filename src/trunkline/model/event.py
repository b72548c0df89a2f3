"""What can happen to a network: events, and the condition each one leaves behind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from trunkline.model.nouns import Condition


@dataclass(frozen=True)
class Cut:
    """These (circuits, cards, routers, ports, peers, sites, regions, risks) fail together."""

    things: tuple[str, ...]


@dataclass(frozen=True)
class Restore:
    """These come back; what else is down stays down."""

    things: tuple[str, ...]


@dataclass(frozen=True)
class Grow:
    """Demands (of a class, from a source, to a target) grow by a factor in parts per million."""

    factor_ppm: int
    cls: str | None = None
    source: str | None = None
    target: str | None = None


@dataclass(frozen=True)
class Overload:
    """These routers set the overload bit."""

    routers: tuple[str, ...]


class Setting(StrEnum):
    """What a drain sets, and on what."""

    TE_METRIC = "te metric"
    """Circuits at the highest TE metric: CSPF takes them where nothing else is left."""
    METRIC = "metric"
    """Circuits at the highest IS-IS metric."""
    OVERLOAD = "overload"
    """Routers with the overload bit."""
    SHUTDOWN = "graceful shutdown"
    """Routers in graceful shutdown (RFC 8326)."""
    STOPPED = "stopped"
    """Data centres whose traffic has stopped."""


@dataclass(frozen=True)
class Configure:
    """A setting is made on these, or taken back."""

    setting: Setting
    things: tuple[str, ...]
    on: bool = True


@dataclass(frozen=True)
class Reoptimize:
    """Every head-end re-runs CSPF for its LSPs, make before break, and moves those with a cheaper path.

    `lsps` are the identities of the only ones that are tried; none named is all.
    """

    lsps: tuple[str, ...] = ()


Event = Cut | Restore | Grow | Overload | Configure | Reoptimize


def after(condition: Condition, event: Event) -> Condition:
    """Return the condition that an event leaves behind.

    A restore of what is not down raises KeyError with the name.
    """
    match event:
        case Cut(things):
            return replace(condition, down=condition.down | set(things))
        case Restore(things):
            for thing in things:
                if thing not in condition.down:
                    raise KeyError(thing)
            return replace(condition, down=condition.down - set(things))
        case Grow(factor, cls, source, target):
            return replace(condition, growth=(*condition.growth, (factor, cls, source, target)))
        case Overload(routers):
            return replace(condition, overloaded=condition.overloaded | set(routers))
        case Configure(setting, things, on):
            mine, old = {(setting, thing) for thing in things}, condition.settings
            return replace(condition, settings=old | mine if on else old - mine)
        case Reoptimize():
            return condition


def describe(event: Event) -> str:
    """Return the event in a few words, as the terminal prints it."""
    match event:
        case Cut(things):
            return "cut " + ", ".join(things)
        case Restore(things):
            return "restore " + ", ".join(things)
        case Grow(factor, cls, source, target):
            scope = "".join(
                f" {word} {value}" for word, value in (("class", cls), ("from", source), ("to", target)) if value
            )
            return f"grow x{factor / 1e6:g}{scope}"
        case Overload(routers):
            return "overload " + ", ".join(routers)
        case Configure(setting, things, on):
            return f"{setting} {'on' if on else 'off'} " + ", ".join(things)
        case Reoptimize(lsps):
            return " ".join(("re-optimise", ", ".join(lsps))).rstrip()
