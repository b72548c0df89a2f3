"""`headroom` on one screen: a figure and what limits it, or sites by sites, red where there is nothing."""

from __future__ import annotations

from collections import Counter

from rich.console import Console
from rich.text import Text

from trunkline.model.units import exact_rate, show_rate
from trunkline.report.headroom import Headroom
from trunkline.report.terminal import BAD, DIM, GOOD, WARN, grid, line, show_grid
from trunkline.risk.headroom import Limit, Proof

MOST = 5
"""How many limits the screen shows below a matrix."""
LITTLE = 4
"""Less than one in so many of the most that any pair has is little."""


def show_headroom(console: Console, found: Headroom) -> None:
    """Print it."""
    many = found.scenarios
    after = f" and after {'the' if many == 1 else 'each of'} {many:,} failure{'' if many == 1 else 's'}" if many else ""
    line(console, (found.name, "bold"), f"  {found.wanted.cls}, with everything in order{after}")
    if found.proof is not None:
        _proof(console, found.proof)
    else:
        _matrix(console, found.limits)


def _proof(console: Console, proof: Proof) -> None:
    limit = proof.limit
    line(
        console, f"{limit.pair[0]} to {limit.pair[1]}: ", (exact_rate(limit.rate), GOOD if limit.rate else BAD), " more"
    )
    when = f"when {limit.failure} fails" if limit.failure else "with everything in order"
    line(console, f"with {exact_rate(proof.beyond)}, {when}: ", _loss(proof))
    states = proof.scenarios
    line(
        console,
        (f"both replayed: the first in {states:,} state{'' if states == 1 else 's'}, the second in that one", DIM),
    )


def _loss(proof: Proof) -> str:
    limit, miss = proof.limit, proof.loses
    where = f" ({limit.where})" if limit.where else ""
    what = f"{limit.lsp} lacks" if limit.lsp else f"{miss.what} loses"
    return f"{what} {show_rate(miss.rate)}: {limit.reason}{where}"


def _matrix(console: Console, limits: tuple[Limit, ...]) -> None:
    rate = {limit.pair: limit.rate for limit in limits}
    sites = sorted({a for a, _ in rate})
    most = max(rate.values(), default=0)
    shown = grid("from, to", *(f">{site}" for site in sites))
    for a in sites:
        shown.add_row(a, *(_cell(rate.get((a, b)), most) for b in sites))
    console.print()
    show_grid(console, shown)
    console.print()
    ways = Counter((limit.failure, limit.where, limit.reason) for limit in limits)
    for (failure, where, reason), pairs in sorted(ways.items(), key=lambda item: (-item[1], item[0]))[:MOST]:
        when = f"when {failure} fails" if failure else "with everything in order"
        line(console, f"{pairs:,} pair{'' if pairs == 1 else 's'}: {reason} ({where}), {when}")
    line(console, ("by the formula; `headroom NET FROM TO` replays one", DIM))


def _cell(rate: int | None, most: int) -> Text:
    if rate is None:
        return Text("-", DIM)
    return Text(show_rate(rate), BAD if not rate else WARN if rate * LITTLE < most else GOOD)
