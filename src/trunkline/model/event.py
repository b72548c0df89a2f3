"""What can happen to a network: events, and the condition each one leaves behind."""

from __future__ import annotations

from dataclasses import dataclass, replace

from trunkline.model.nouns import Condition


@dataclass(frozen=True)
class Cut:
    """These (circuits, routers, ports, peers, sites, regions, risks) fail together."""

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
    """These routers set the overload bit: a drain's second step."""

    routers: tuple[str, ...]


@dataclass(frozen=True)
class Reoptimize:
    """Every head-end re-runs CSPF for its LSPs, make before break, and moves those with a cheaper path."""


Event = Cut | Restore | Grow | Overload | Reoptimize


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
        case Reoptimize():
            return "re-optimise"
