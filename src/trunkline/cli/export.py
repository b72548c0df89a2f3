"""`export`: the network in the form of another program."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from trunkline.cli.app import Net, Quiet, app, guarded
from trunkline.model.problem import Problem, Problems


class Target(StrEnum):
    """What can be exported to."""

    GRAPHML = "graphml"
    NODE_LINK = "node-link"
    CONTAINERLAB = "containerlab"
    NETLAB = "netlab"


_LABS = (Target.CONTAINERLAB, Target.NETLAB)


@app.command()
@guarded
def export(
    net: Net,
    to: Annotated[Target, typer.Option("--to", help="A graph, or a lab to boot.", show_default=False)],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write this file instead of standard output.", metavar="FILE")
    ] = None,
    kind: Annotated[
        str | None,
        typer.Option(
            help="Labs: containerlab's kind (ceos, cisco_xrv9k, juniper_vmx) or netlab's device (eos, iosxr, vmx).",
            show_default="linux with FRR, frr",
        ),
    ] = None,
    image: Annotated[
        str | None, typer.Option(help="Labs: the container image of every node.", show_default="FRR's, netlab's own")
    ] = None,
    quiet: Quiet = False,
) -> int:
    """Write the network for another program: a graph to compute on, or a lab with the routers you have images of.

    Example: trunkline export examples/aurora.yaml --to netlab --kind eos -o aurora.netlab.yml
    """
    from trunkline.report.files import bytes_of, write_whole

    if to not in _LABS and (kind or image):
        raise Problems([Problem("", 0, 0, "option", f"--kind and --image are for labs, and {to} is a graph")])
    text = _text(net, to, kind, image)
    if out is None:
        sys.stdout.write(text)
        return 0
    write_whole({out: bytes_of(text)})
    if not quiet:
        print(f"trunkline: wrote {out}", file=sys.stderr)
    return 0


def _text(net: Path, to: Target, kind: str | None, image: str | None) -> str:
    from trunkline.export import containerlab, graphs, netlab
    from trunkline.model.load import load

    network = load(net).network
    match to:
        case Target.GRAPHML:
            return graphs.graphml(network, net.stem)
        case Target.NODE_LINK:
            return graphs.node_link(network, net.stem)
        case Target.CONTAINERLAB:
            return containerlab.containerlab(network, net.stem, kind or containerlab.KIND, image)
        case Target.NETLAB:
            return netlab.netlab(network, net.stem, kind or netlab.DEVICE, image)
