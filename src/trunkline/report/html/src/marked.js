/** What of the network a selection stands for on the map. */

import { arcsOf, arcsOfWay } from "./data.js";

/**
 * Arcs by name, and nodes as `router NAME` or `site NAME`.
 * @param {import("./data.js").Side} side @param {import("./store.js").Selection | null} selection
 * @returns {{arcs: Set<string>, nodes: Set<string>}}
 */
export function marked(side, selection) {
  /** @type {Set<string>} */
  let arcs = new Set();
  /** @type {Set<string>} */
  const nodes = new Set();
  const { kind, name } = selection ?? { kind: "", name: "" };
  if (kind === "circuit") {
    const row = side.by("circuit_ends", "circuit", name)[0];
    arcs = new Set(row ? [`${name}@${row.a}`, `${name}@${row.b}`] : [name]);
  } else if (kind === "lsp") {
    const lsp = side.lsp(name);
    arcs = new Set(arcsOf(lsp?.path ?? null));
    if (lsp) [lsp.head, lsp.tail].forEach((end) => nodes.add(`router ${end}`));
  } else if (kind === "demand") {
    for (const row of side.by("demands", "demand", name)) for (const arc of arcsOfWay(side, row.path)) arcs.add(arc);
  } else if (kind === "port") {
    nodes.add(`router ${side.by("ports", "port", name)[0]?.router}`);
  } else if (kind) {
    nodes.add(`${kind} ${name}`);
  }
  return { arcs, nodes };
}
