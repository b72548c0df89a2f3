"""The file that `trunkline init` writes: small, commented, and it plans."""

from __future__ import annotations

_STARTER = """\
# A backbone of two regions.  Every key: docs/file.md.  Read it with `trunkline check`, prove it with `trunkline plan`.
trunkline: 1
name: starter

# What entries below leave out.
defaults:
  wiring: {capacity: 800G, metric: 1}      # inside a site: every DR and PR to every BB, BBs to each other
  circuits: {capacity: 400G}
  ports: {port: 400G}

regions: [us-east, us-west]

# Routers by count: nyc-dr1 (data centre), nyc-bb1 nyc-bb2 (backbone), nyc-pr1 (peering), and likewise for sjc.
sites:
  nyc: {region: us-east, at: [40.71, -74.01], routers: {dr: 1, bb: 2, pr: 1}}
  sjc: {region: us-west, at: [37.34, -121.89], routers: {dr: 1, bb: 2, pr: 1}}

# Long haul.  What shares a risk fails together; metrics follow from latency.
circuits:
  - {a: nyc-bb1, b: sjc-bb1, length: 4700 km, risks: [north]}
  - {a: nyc-bb2, b: sjc-bb2, length: 5200 km, risks: [south]}

# Who else is out there.  Transit routes stay in the region where they enter; the fallback default crosses.
prefix_groups:
  internet: {v4: 900000, v6: 200000}
peers:
  transit1: {kind: transit, asn: 64501, at: [nyc-pr1, sjc-pr1], announces: [internet]}

datacenters:
  nyc-dc: {site: nyc}
  sjc-dc: {site: sjc}

igp: {topology: single, metric_rule: latency}
ibgp: {design: regional, fallback_default: true}
te: {v6_over_lsp: 6pe}

# Customers first: a strict queue, LSPs of a better priority.
classes:
  customer: {dscp: 34, tc: 4, queue: strict, lsp_priority: 2}
  internal: {dscp: 10, tc: 1, queue: {weight: 1}, lsp_priority: 5}

# One LSP of each class from every DR and PR to every other; each reserves what its demands need.
lsps:
  - {class: customer, mesh: {from: {role: [dr, pr]}}}
  - {class: internal, mesh: {from: {role: dr}}}

demands:
  - gravity: {total: 120G, class: customer, from: [nyc-dc, sjc-dc], v6: 30%}
  - gravity: {total: 200G, class: internal, from: [nyc-dc, sjc-dc]}
  - {from: nyc-dc, to: internet, class: customer, rate: 40G, v6: 40%}
  - {from: internet, to: sjc-dc, class: customer, rate: 20G, v6: 40%}

# What must hold, or `plan` exits with 1.
objectives:
  - {utilisation: 80%}
  - {loss: 0%, class: customer}
  - {placed: 100%}
  - {confined: true}
"""


def starter() -> str:
    """Return the file: two regions, eight routers, every kind of section."""
    return _STARTER
