"""The file that a new network starts from: small, whole, and commented."""

from __future__ import annotations

_STARTER = """\
# A small backbone: two sites in two regions, each with a DR (data centres), two BBs (long haul) and a PR (BGP).
# Change names and numbers, then check the file. Every key: docs/file.md.
trunkline: 1
name: starter

regions: [east, west]

# `wiring` joins every DR and PR of a site to each of its BBs, and its BBs to each other.
defaults:
  wiring: {capacity: 800G, latency: 10us, metric: 1}
  ports: {port: 400G}
sites:
  nyc: {region: east, at: [40.71, -74.01], routers: {dr: 1, bb: 2, pr: 1}}    # makes nyc-dr1, nyc-bb1, nyc-bb2, nyc-pr1
  sjc: {region: west, at: [37.34, -121.89], routers: {dr: 1, bb: 2, pr: 1}}

# Two long-haul circuits over different ground. Circuits that share a risk fail together.
igp: {topology: single, metric_rule: latency}
circuits:
  - {a: nyc-bb1, b: sjc-bb1, capacity: 400G, length: 4700 km, risks: [northern]}
  - {a: nyc-bb2, b: sjc-bb2, capacity: 400G, length: 5200 km, risks: [southern]}

# What the world announces to us, and where. Transit routes stay in their region, except as the fallback default.
ibgp: {design: regional, fallback_default: yes}
prefix_groups:
  internet: {v4: 980000, v6: 215000}
peers:
  transit-a: {kind: transit, asn: 64496, at: [nyc-pr1, sjc-pr1], announces: [internet], commit: 100G}
datacenters:
  nyc-dc: {site: nyc, prefixes: {v4: 8, v6: 4}}
  sjc-dc: {site: sjc, prefixes: {v4: 8, v6: 4}}

# LSPs of a better (lower) priority take what they need from the others.
classes:
  customer: {dscp: 34, tc: 4, queue: {weight: 70}, lsp_priority: 2}
  internal: {dscp: 10, tc: 1, queue: {weight: 30}, lsp_priority: 5}
te: {v6_over_lsp: 6pe}
lsps:
  - {name: customer, class: customer, mesh: {from: {role: [dr, pr]}, to: {role: [dr, pr]}}}
  - {name: internal, class: internal, mesh: {from: {role: dr}, to: {role: dr}}}

demands:
  - {from: nyc-dc, to: internet, class: customer, rate: 60G, v6: 30%}
  - {from: sjc-dc, to: internet, class: customer, rate: 60G, v6: 30%}
  - gravity: {total: 200G, class: internal, from: [nyc-dc, sjc-dc], to: [nyc-dc, sjc-dc]}

objectives:
  - {utilisation: 90%}
  - {loss: 0}
  - {placed: 100%}
"""


def starter() -> str:
    """Return the text of a network file to start from."""
    return _STARTER
