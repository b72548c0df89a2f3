/** Circuits as curves between the points that are drawn, parallel ones beside each other. */

/**
 * @typedef {{x: number, y: number}} Point
 * @typedef {{from: Point, bend: Point, to: Point}} Curve  a quadratic Bezier curve
 * @typedef {{key: string, a: string, b: string}} Joined  a circuit and the points at its ends
 */

/** Pixels between parallel circuits at their middle. @param {number} length */
const gap = (length) => Math.min(length / 4, Math.max(8, length * 0.03));

/**
 * Where each circuit stands among those between the same two points: -0.5 and 0.5 for two, and so on.
 * @param {Joined[]} circuits @returns {Map<string, number>}
 */
export function lanes(circuits) {
  /** @type {Map<string, Joined[]>} */
  const bundles = new Map();
  for (const circuit of circuits) {
    const ends = circuit.a < circuit.b ? `${circuit.a} ${circuit.b}` : `${circuit.b} ${circuit.a}`;
    bundles.set(ends, [...(bundles.get(ends) ?? []), circuit]);
  }
  const found = new Map();
  for (const bundle of bundles.values()) {
    bundle.forEach((circuit, i) => {
      const lane = i - (bundle.length - 1) / 2;
      found.set(circuit.key, circuit.a < circuit.b ? lane : -lane);
    });
  }
  return found;
}

/** @param {Point} from @param {Point} to @param {number} lane @returns {Curve} */
export function curve(from, to, lane) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const shift = (2 * lane * gap(length)) / length;
  return { from, to, bend: { x: (from.x + to.x) / 2 - dy * shift, y: (from.y + to.y) / 2 + dx * shift } };
}

/** @param {Point} p @param {Point} q @returns {Point} */
const between = (p, q) => ({ x: (p.x + q.x) / 2, y: (p.y + q.y) / 2 });

/** The point halfway along. @param {Curve} c @returns {Point} */
export const half = (c) => between(between(c.from, c.bend), between(c.bend, c.to));

/** The two halves, each from its own end to the middle. @param {Curve} c @returns {[Curve, Curve]} */
export function halves(c) {
  const middle = half(c);
  return [
    { from: c.from, bend: between(c.from, c.bend), to: middle },
    { from: c.to, bend: between(c.to, c.bend), to: middle },
  ];
}

/** @param {Point} p */
const at = (p) => `${p.x.toFixed(1)} ${p.y.toFixed(1)}`;

/** As an SVG path. @param {Curve} c @returns {string} */
export const path = (c) => `M${at(c.from)}Q${at(c.bend)} ${at(c.to)}`;

/** An arrow head at the middle, pointing along. @param {Curve} c @param {number} size @returns {string} */
export function arrow(c, size) {
  const middle = half(c);
  const turn = (Math.atan2(c.to.y - c.from.y, c.to.x - c.from.x) * 180) / Math.PI;
  return `translate(${at(middle)}) rotate(${turn.toFixed(1)}) scale(${size})`;
}
