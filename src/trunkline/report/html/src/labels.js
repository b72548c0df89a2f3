/** Which labels of a map have room. */

/**
 * @typedef {{label: SVGElement, where: {x: number, y: number} | null, size: number}} Wanted  a label centred at `where`
 */

/**
 * Shows, in order, each label that lies inside the map and overlaps none before it; hides the others.
 * @param {Wanted[]} wanted @param {number} width @param {number} height of the map, pixels
 */
export function showFitting(wanted, width, height) {
  /** @type {[number, number, number, number][]} */
  const taken = [];
  for (const { label, where, size } of wanted) {
    const text = label.textContent ?? "";
    const inside = where && where.x > 0 && where.y > 0 && where.x < width && where.y < height;
    const fits = text !== "" && inside && place(taken, where, text, size);
    label.classList.toggle("hidden", !fits);
    if (fits) label.setAttribute("transform", `translate(${where.x.toFixed(1)} ${where.y.toFixed(1)})`);
  }
}

/**
 * Takes the room of a text if it is free.
 * @param {[number, number, number, number][]} taken @param {{x: number, y: number}} where
 * @param {string} text @param {number} size @returns {boolean}
 */
function place(taken, { x, y }, text, size) {
  const [w, h] = [text.length * size * 0.31 + 3, size * 0.7]; // half of it; a digit is about 0.62 of the size wide
  if (taken.some(([l, t, r, b]) => x - w < r && x + w > l && y - h < b && y + h > t)) return false;
  taken.push([x - w, y - h, x + w, y + h]);
  return true;
}
