"""Draws the pictures of the concept pages from what the program answers:  python docs/pictures/draw.py [FOLDER].

A test draws them again and compares, so that a picture never says what the program does not.
"""

from __future__ import annotations

import sys
from pathlib import Path

from trunkline.flow import State, prove
from trunkline.model.event import Cut, Event, Reoptimize, Restore
from trunkline.model.load import load
from trunkline.model.units import show_rate

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"
WIDTH, HEIGHT = 230, 215
COLOURS = {"customer": "#0072b2", "internal": "#d55e00"}
"""Two colours that readers with any colour vision tell apart (Okabe and Ito, 2008); a dash tells them apart too."""
DASHES = {"customer": "none", "internal": "7 4"}


def main(folder: Path = HERE) -> None:
    """Write every picture into a folder."""
    tiny = EXAMPLES / "tiny.yaml"
    cut, mend = Cut(("short",)), Restore(("short",))
    history: list[tuple[str, list[Event]]] = [
        ("from cold", []),
        ("short is cut", [cut]),
        ("short is back", [cut, mend]),
        ("re-optimised", [cut, mend, Reoptimize()]),
    ]
    panels = [routes(title, prove(load(tiny).network, events).settled) for title, events in history]
    (folder / "history.svg").write_text(
        side_by_side(panels, "LSPs of tiny before and after a cut, and after its repair")
    )
    trap = prove(load(EXAMPLES / "traps" / "seven-zero.yaml").network).settled
    sound = prove(load(tiny).network).settled
    panels = [routes("2/2 and 5/5", sound), routes("7/0 for both", trap)]
    (folder / "priorities.svg").write_text(side_by_side(panels, "The same two LSPs with two sets of priorities"))
    leak = prove(load(EXAMPLES / "traps" / "fib-leak.yaml").network).settled
    (folder / "confinement.svg").write_text(side_by_side([leaks(leak)], "A packet that leaves its region's transit"))


def routes(title: str, state: State) -> str:
    """Two parallel circuits and which LSP is on which."""
    net = state.net
    rows = {"short": 60, "long": 120}
    parts = [text(WIDTH // 2, 20, title, "700")]
    for name, y in rows.items():
        up = name in net.circuit
        style = 'stroke="#bbb" stroke-width="16"' if up else 'stroke="#bbb" stroke-width="2" stroke-dasharray="2 5"'
        parts += [f'<path d="M40 90 Q115 {2 * y - 90} 190 90" fill="none" {style}/>']
        label = f"{name}, {show_rate(net.circuit[name].capacity)}" if up else f"{name}: cut"
        parts.append(text(WIDTH // 2, y - 14 if name == "short" else y + 22, label))
    used = dict.fromkeys(rows, 0)
    waiting = []
    for row in state.records["lsps"]:
        name = next((n for n in rows if f"{n}@" in str(row["path"])), None)
        said = f"{row['class']} {show_rate(int(row['wanted'] or 0))}"
        if name is None:
            waiting.append(f"{said}: down")
            continue
        sag = 2 * rows[name] - 90 + 16 * used[name]  # of a second LSP on the same circuit: beside the first
        used[name] += 1
        line = f'stroke="{COLOURS[str(row["class"])]}" stroke-dasharray="{DASHES[str(row["class"])]}" stroke-width="4"'
        parts.append(f'<path d="M40 90 Q115 {sag} 190 90" fill="none" {line}/>')
    parts += [node(40, 90, "a"), node(190, 90, "b")]
    legend = [
        (cls, f"{cls} {show_rate(int(r['wanted'] or 0))}") for r in state.records["lsps"] for cls in [str(r["class"])]
    ]
    for number, (cls, said) in enumerate(legend):
        y = 162 + 18 * number
        line = f'stroke="{COLOURS[cls]}" stroke-dasharray="{DASHES[cls]}" stroke-width="4"'
        down = ": down" if f"{said}: down" in waiting else ""
        parts += [f'<path d="M40 {y - 4} h30" {line}/>', text(78, y, said + down, anchor="start")]
    return "\n".join(parts)


def leaks(state: State) -> str:
    """The FIB walk of the trap: where a-bb1 aims, and where the packet goes."""
    (row,) = (r for r in state.records["deflections"] if r["family"] == "v4")
    at = {"a-dr1": (40, 150), "a-bb1": (120, 150), "a-pr1": (260, 60), "b-pr1": (260, 160)}
    parts = [text(170, 20, f"{row['demand']}", "700")]
    for circuit in state.net.circuits:
        (x1, y1), (x2, y2) = at[circuit.a], at[circuit.b]
        parts.append(f'<path d="M{x1} {y1} L{x2} {y2}" stroke="#bbb" stroke-width="3"/>')
        parts.append(
            text(
                (x1 + x2) // 2 + 12,
                (y1 + y2) // 2 + (4 if x1 == x2 else -6 if y2 > 100 else 12),
                f"{circuit.metric_ab}",
            )
        )
    way = [(40, 150), (120, 150), at[str(row["router"])], (330, 160)]
    drawn = " L".join(f"{x} {y}" for x, y in way)
    parts.append(f'<path d="M{drawn}" fill="none" stroke="#d55e00" stroke-width="4"/>')
    x, y = at[str(row["aimed"])]
    parts.append(
        f'<path d="M120 150 Q170 90 {x} {y}" fill="none" stroke="#0072b2" stroke-width="3" stroke-dasharray="3 5"/>'
    )
    parts += [node(x, y, name) for name, (x, y) in at.items()]
    parts += [text(340, 64, "alpha-transit", anchor="start"), text(340, 164, "beta-transit", anchor="start")]
    parts.append('<path d="M272 60 H330" stroke="#bbb" stroke-width="3"/>')
    parts.append(text(30, 206, f"dashed: aimed at {row['aimed']}; whole: turned at {row['router']}", anchor="start"))
    return "\n".join(parts)


def node(x: int, y: int, name: str) -> str:
    """A router, or a site."""
    return f'<circle cx="{x}" cy="{y}" r="11" fill="#fff" stroke="#333" stroke-width="2"/>' + text(
        x, y + 26 if len(name) > 1 and y > 100 else y - 16 if len(name) > 1 else y + 4, name
    )


def text(x: int, y: int, words: str, weight: str = "400", anchor: str = "middle") -> str:
    """A line of text."""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-weight="{weight}">{words}</text>'


def side_by_side(panels: list[str], title: str) -> str:
    """One picture of several panels, on a ground of its own so that it reads in the dark too."""
    width = WIDTH * max(2, len(panels))
    moved = (f'<g transform="translate({WIDTH * n},0)">\n{panel}\n</g>' for n, panel in enumerate(panels))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" role="img" '
        'font-family="sans-serif" font-size="12" fill="#222">\n'
        f'<title>{title}</title>\n<rect width="{width}" height="{HEIGHT}" rx="8" fill="#fff"/>\n'
        + "\n".join(moved)
        + "\n</svg>\n"
    )


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
