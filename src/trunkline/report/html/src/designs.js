/** The network under each design: the geometry that all share, and each design's own rows of the comparison. */

import { Side, Table } from "./data.js";

/**
 * @typedef {import("./data.js").Packed} Packed
 * @typedef {import("./data.js").Row} Row
 * @typedef {{schema: string, title: string, designs: string[], texts: string[],
 *   tables: Record<string, Packed>, geometry: Record<string, Packed>}} Document
 */

/** Tables whose rows belong to a design and that the map or a detail reads, by the name they have there. */
const OWN = { circuits: "circuits", exits: "exits", routers: "tallies" };

/** The rows of one design. @param {Packed} packed @param {number} design its place among the texts @returns {Packed} */
function own(packed, design) {
  const kept = packed.data[0].flatMap((cell, row) => (cell === design ? [row] : []));
  return { columns: packed.columns, data: packed.data.map((cells) => kept.map((row) => cells[row])) };
}

/** One design on the network. */
export class Design extends Side {
  /** @param {Document} document @param {string} name */
  constructor(document, name) {
    const place = document.texts.indexOf(name);
    const { meshes, clients, ...drawn } = document.geometry;
    const mine = Object.entries(OWN).map(([table, here]) => [here, own(document.tables[table], place)]);
    const tables = { ...drawn, ...Object.fromEntries(mine), meshes: own(meshes, place), clients: own(clients, place) };
    super({ label: name, classes: [], tables }, document.texts);
  }

  /** A router's row in a family. @param {string} router @param {string} family @returns {Row | undefined} */
  tally(router, family) {
    return this.find(
      "tallies",
      "router and family",
      (row) => [`${row.router} ${row.family}`],
      `${router} ${family}`,
    )[0];
  }

  /**
   * Who has an iBGP session with a router, by what they are to it; client before reflector before peer, as sessions
   * are made (bgp/design.py).
   * @param {string} router @returns {Record<"client" | "reflector" | "peer", string[]>}
   */
  neighbours(router) {
    const client = this.by("clients", "reflector", router).map((row) => String(row.client));
    const others = new Set([router, ...client]);
    const fresh = (/** @type {string[]} */ names) => {
      const found = [...new Set(names)].filter((name) => !others.has(name)).sort();
      for (const name of found) others.add(name);
      return found;
    };
    const reflector = fresh(this.by("clients", "client", router).map((row) => String(row.reflector)));
    const meshes = this.by("meshes", "router", router).map((row) => String(row.mesh));
    const peer = fresh(meshes.flatMap((mesh) => this.by("meshes", "mesh", mesh).map((row) => String(row.router))));
    return { client, reflector, peer };
  }
}

/** Every table by its name: those of the comparison, and of the geometry those that no other takes the name of. */
export function everyTable(/** @type {Document} */ document) {
  const all = { ...document.geometry, ...document.tables };
  return Object.fromEntries(
    Object.entries(all).map(([name, packed]) => [name, new Table(name, packed, document.texts)]),
  );
}
