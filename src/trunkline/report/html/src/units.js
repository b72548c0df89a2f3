/** Quantities as the terminal prints them, and back: `model/units.py` says the rules, a test compares the two. */

/** @typedef {number | bigint | string | boolean | null} Cell */

const POWERS = /** @type {const} */ ([
  ["P", 1e15],
  ["T", 1e12],
  ["G", 1e9],
  ["M", 1e6],
  ["k", 1e3],
]);

const BYTES = /** @type {const} */ ([
  ["TiB", 2 ** 40],
  ["GiB", 2 ** 30],
  ["MiB", 2 ** 20],
  ["KiB", 2 ** 10],
]);

/**
 * A number with so many decimals; a tie goes to the even digit, as Python rounds (`toFixed` rounds ties up).
 * @param {number} value @param {number} digits @returns {string}
 */
function fixed(value, digits) {
  const exact = Math.abs(value).toFixed(20); // a tie needs few binary digits: twenty decimals show it whole
  const kept = exact.slice(0, exact.indexOf(".") + 1 + digits);
  const rest = exact.slice(exact.indexOf(".") + 1 + digits);
  const last = kept.replace(".", "").slice(-1);
  if (/^50*$/.test(rest) && Number(last) % 2 === 0) return (value < 0 ? "-" : "") + kept.replace(/\.$/, "");
  return value.toFixed(digits);
}

/**
 * Three significant digits, or all of them before the point where there are more; no trailing zeros.
 * @param {number} value @returns {string}
 */
function short(value) {
  if (Math.abs(value) >= 999.5) return fixed(value, 0);
  const whole = Math.floor(Math.abs(value)).toString().length;
  let text = fixed(value, 3 - whole);
  if (text.replace(/\..*|-/g, "").length > whole) text = fixed(value, Math.max(0, 2 - whole)); // 9.996 is 10, not 10.00
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** `1.6T` @param {number | bigint} bps @returns {string} */
export function showRate(bps) {
  const value = Number(bps);
  for (const [letter, power] of POWERS.slice(1)) if (Math.abs(value) >= power) return short(value / power) + letter;
  return String(bps);
}

/** `90.0 %` @param {number | bigint} ppm @returns {string} */
export const showShare = (ppm) => `${fixed(Number(ppm) / 10_000, 1)} %`;

/** `64.4 ms` @param {number | bigint} us @returns {string} */
export const showTime = (us) => (us >= 1000 ? `${short(Number(us) / 1000)} ms` : `${us} us`);

/** `1,560`, and from a million on `90.2M` @param {number | bigint} n @returns {string} */
export const showCount = (n) => (Math.abs(Number(n)) < 1e6 ? n.toLocaleString("en-US") : showRate(n));

/** `1.38 GiB` @param {number | bigint} n @returns {string} */
export function showBytes(n) {
  const value = Number(n);
  for (const [unit, power] of BYTES) if (Math.abs(value) >= power) return `${short(value / power)} ${unit}`;
  return `${n} B`;
}

/**
 * A cell as people read it.
 * @param {Cell} value @param {string} unit @returns {string}
 */
export function show(value, unit) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  if (unit === "bit/s") return showRate(value);
  if (unit === "ppm") return showShare(value);
  if (unit === "us") return showTime(value);
  if (unit === "B") return showBytes(value);
  if (unit === "udeg") return `${fixed(Number(value) / 1e6, 2)}°`;
  return value.toLocaleString("en-US");
}

/**
 * The base-unit number that a person typed (`100G`, `90 %`, `5ms`, `12`), or NaN.
 * @param {string} text @param {string} unit @returns {number}
 */
export function parse(text, unit) {
  const found = /^\s*(-?[0-9]*\.?[0-9]+)\s*([a-zA-Z/%°]*)\s*$/.exec(text);
  if (!found) return NaN;
  const value = Number(found[1]);
  if (unit === "ppm") return value * 10_000;
  if (unit === "us") return found[2] === "ms" ? value * 1000 : found[2] === "s" ? value * 1e6 : value;
  if (unit === "udeg") return value * 1e6;
  const bytes = unit === "B" && BYTES.find(([name]) => name[0] === found[2][0]?.toUpperCase());
  if (bytes) return value * bytes[1];
  const power = POWERS.find(
    ([letter]) => found[2].replace(/(bps|bit\/s|b\/s)$/, "").toUpperCase() === letter.toUpperCase(),
  );
  return value * (power ? power[1] : 1);
}
