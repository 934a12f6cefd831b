/** Finding and building elements, and the one door by which the server's HTML comes in. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/**
 * The element with this id; the page has it or is broken.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function the(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** @returns {SVGSVGElement | null} games of pure choices have no board */
export function board() {
  return /** @type {SVGSVGElement | null} */ (/** @type {unknown} */ (document.getElementById("board")));
}

/**
 * A new HTML element. Attributes named `on…` are listeners; `false`, `null` and `undefined` are left out.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {(Node | string | null | false)[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children.filter((c) => c !== null && c !== false));
  return element;
}

/**
 * A new SVG element.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {Node[]} children
 * @returns {SVGElement}
 */
export function draw(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  set(element, attributes);
  element.append(...children);
  return element;
}

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * The server's HTML (or SVG) as nodes. All of it comes in here, and nothing else does: names, labels and
 * reasons are set as text.
 * @param {string} html
 * @param {boolean} [svg] whether it belongs into an SVG
 * @returns {Node[]}
 */
export function parse(html, svg = false) {
  const template = document.createElement("template");
  template.innerHTML = svg ? `<svg xmlns="${SVG}">${html}</svg>` : html;
  const from = svg ? template.content.firstElementChild : template.content;
  return from ? [...from.childNodes] : [];
}

/** @param {string} token @param {string} [within] */
export function bearing(token, within = "") {
  return /** @type {NodeListOf<HTMLElement | SVGElement>} */ (
    document.querySelectorAll(`${within} [data-t="${CSS.escape(token)}"]`)
  );
}

/**
 * The line by which a verb's places are known on the board, as a small sample.
 * @param {number} line
 */
export function sample(line) {
  return draw("svg", { width: 22, height: 10, "aria-hidden": "true" }, draw("path", { class: `vl v${line % 4}`, d: "M1 5h20" }));
}

/** Whether the player has asked that nothing move. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether the screen is narrow: the board above, a drawer below. */
export const narrow = () => matchMedia("(max-width: 759px)").matches;
