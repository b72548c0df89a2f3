/** The embedded tables, unpacked, with the ways in that the page needs. */

/**
 * @typedef {import("./units.js").Cell} Cell
 * @typedef {{name: string, type: string, unit: string}} Column
 * @typedef {Record<string, Cell>} Row
 * @typedef {{columns: [string, string, string][], data: Cell[][]}} Packed
 */

/** A table whose rows are made when first asked for. */
export class Table {
  /** @param {string} name @param {Packed} packed @param {string[]} texts */
  constructor(name, packed, texts) {
    this.name = name;
    /** @type {Column[]} */
    this.columns = packed.columns.map(([column, type, unit]) => ({ name: column, type, unit }));
    this.length = packed.data[0]?.length ?? 0;
    this.packed = packed;
    this.texts = texts;
    /** @type {Row[] | null} */
    this.made = null;
  }

  /** @returns {Row[]} */
  get rows() {
    if (!this.made) {
      this.made = Array.from({ length: this.length }, () => /** @type {Row} */ ({}));
      this.columns.forEach((column, c) =>
        this.packed.data[c].forEach((cell, r) => {
          /** @type {Row[]} */ (this.made)[r][column.name] = this.cell(column, cell);
        }),
      );
    }
    return this.made;
  }

  /** @param {Column} column @param {Cell} cell @returns {Cell} */
  cell(column, cell) {
    if (cell === null) return null;
    if (column.type === "str") return this.texts[Number(cell)];
    return typeof cell === "string" ? BigInt(cell) : cell; // beyond 2^53 integers travel as text
  }

  /** @param {string} name @returns {string} */
  unit(name) {
    return this.columns.find((column) => column.name === name)?.unit ?? "";
  }
}

/**
 * Rows by the text of a key; keys that repeat keep all their rows.
 * @param {Row[]} rows @param {(row: Row) => Iterable<Cell>} keys @returns {Map<string, Row[]>}
 */
function group(rows, keys) {
  /** @type {Map<string, Row[]>} */
  const found = new Map();
  for (const row of rows) {
    for (const key of keys(row)) {
      const mine = found.get(String(key));
      if (mine) mine.push(row);
      else found.set(String(key), [row]);
    }
  }
  return found;
}

/** @param {Row} lsp @returns {string} */
export const lspName = (lsp) => `${lsp.head}/${lsp.name}`;

/** @param {Cell} path @returns {string[]} */
export const arcsOf = (path) => (path ? String(path).split(" ") : []);

/** One state of the network. */
export class Side {
  /** @param {{label: string, classes: string[], tables: Record<string, Packed>}} packed @param {string[]} texts */
  constructor(packed, texts) {
    this.label = packed.label;
    this.classes = packed.classes;
    /** @type {Record<string, Table>} */
    this.tables = Object.fromEntries(
      Object.entries(packed.tables).map(([name, found]) => [name, new Table(name, found, texts)]),
    );
    /** @type {Map<string, Map<string, Row[]>>} */
    this.made = new Map();
  }

  /** @param {string} table @returns {Row[]} */
  rows(table) {
    return this.tables[table].rows;
  }

  /**
   * The rows of a table under a key, from an index that is made once.
   * @param {string} table @param {string} index @param {(row: Row) => Iterable<Cell>} keys @param {string} key
   * @returns {Row[]}
   */
  find(table, index, keys, key) {
    const name = `${table} by ${index}`;
    let found = this.made.get(name);
    if (!found) this.made.set(name, (found = group(this.rows(table), keys)));
    return found.get(key) ?? [];
  }

  /** Rows whose column holds the key. @param {string} table @param {string} column @param {string} key */
  by(table, column, key) {
    return this.find(table, column, (row) => [row[column]], key);
  }

  /** @param {string} name @returns {Row | undefined} */
  lsp(name) {
    return this.find("lsps", "name", (row) => [lspName(row)], name)[0];
  }

  /** LSPs whose path takes an arc. @param {string} arc */
  lspsOn(arc) {
    return this.find("lsps", "arc", (row) => new Set(arcsOf(row.path)), arc);
  }

  /** Lines of the log about an LSP, or where it displaced another. @param {string} lsp */
  log(lsp) {
    return this.find("displacements", "lsp or by", (row) => new Set([row.lsp, row.by]), lsp);
  }

  /** What an LSP carries, bit/s. @param {string} lsp @returns {Cell} */
  carried(lsp) {
    return this.by("lsp_loads", "lsp", lsp)[0]?.load ?? 0;
  }

  /** Demands whose main ways take an arc. @param {string} arc */
  demandsOn(arc) {
    return this.find("demands", "arc", (row) => arcsOfWay(this, row.path), arc);
  }

  /** Demands whose main ways go into an LSP. @param {string} lsp */
  demandsIn(lsp) {
    const lsps = (/** @type {Row} */ row) => new Set(stepsOf(row.path).map(([from, how]) => lspOfStep(from, how)));
    return this.find("demands", "lsp", lsps, lsp);
  }

  /** The arcs between two neighbours that carry IGP traffic. @param {string} from @param {string} to */
  arcsBetween(from, to) {
    return this.find("circuits", "ends", (row) => [`${row.from} ${row.to}`], `${from} ${to}`);
  }
}

/**
 * The steps of the main ways of a demand, `a -> b =lsp=> c : port; ...`: where from, how, where to.
 * @param {Cell} path @returns {[string, string, string][]}
 */
function stepsOf(path) {
  /** @type {[string, string, string][]} */
  const steps = [];
  for (const way of String(path ?? "").split("; ")) {
    const words = way
      .split(" : ")[0]
      .split(" ")
      .filter((word) => word !== "+");
    for (let i = 0; i + 2 < words.length; i += 2) steps.push([words[i], words[i + 1], words[i + 2]]);
  }
  return steps;
}

/** The LSP that a step goes into, or nothing where it follows the IGP. @param {string} from @param {string} how */
const lspOfStep = (from, how) => (how === "->" ? "" : `${from}/${how.slice(1, -2)}`);

/**
 * The arcs that the main ways of a demand take.
 * @param {Side} side @param {Cell} path @returns {Set<string>}
 */
export function arcsOfWay(side, path) {
  const arcs = new Set();
  for (const [from, how, to] of stepsOf(path)) {
    const lsp = side.lsp(lspOfStep(from, how));
    const taken = lsp
      ? arcsOf(lsp.path)
      : side
          .arcsBetween(from, to)
          .filter((row) => row.igp)
          .map((row) => String(row.arc));
    taken.forEach((arc) => arcs.add(arc));
  }
  return arcs;
}

/** The page's data. */
export class Data {
  /** @param {{title: string, texts: string[], sides: any[], moved: Record<string, Packed>}} packed */
  constructor(packed) {
    this.title = packed.title;
    this.sides = packed.sides.map((side) => new Side(side, packed.texts));
    this.last = this.sides[this.sides.length - 1];
    /** @type {Record<string, Table>} */
    this.moved = Object.fromEntries(
      Object.entries(packed.moved).map(([name, found]) => [name, new Table(name, found, packed.texts)]),
    );
  }
}
