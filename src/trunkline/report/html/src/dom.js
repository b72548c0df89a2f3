/** Elements without markup in strings: data reaches the page only as text. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {string | number | bigint | boolean | Node | null | undefined} Child
 * @typedef {Record<string, unknown>} Attributes  `on...` are listeners; null and false leave an attribute out
 */

/**
 * Gives an element its attributes, listeners and children.
 * @template {Element} E
 * @param {E} element @param {Attributes} attributes @param {Child[]} children @returns {E}
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
  return element;
}

/**
 * An HTML element.
 * @param {string} tag @param {Attributes} [attributes] @param {...Child} children @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
 * @param {string} tag @param {Attributes} [attributes] @param {...Child} children @returns {SVGElement}
 */
export function s(tag, attributes = {}, ...children) {
  return fill(/** @type {SVGElement} */ (document.createElementNS(SVG, tag)), attributes, children);
}

/**
 * The element with an id; the template has it.
 * @param {string} id @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page lacks #${id}`);
  return found;
}
