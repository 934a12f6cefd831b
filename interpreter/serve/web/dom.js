/** Finding and building elements, and the one door by which the server's HTML comes in. */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */
/** @typedef {(Node | string | null | false | undefined)[]} Children */

/** The element with this id; the page has it or is broken. @param {string} id */
export function the(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** All that fits, in order. @param {string} selector @returns {(HTMLElement | SVGElement)[]} */
export const all = (selector) => [...document.querySelectorAll(/** @type {"g"} */ (selector))];

/** All that bears a token. @param {Value | undefined} token @param {string} [within] */
export const bearing = (token, within = "") => all(`${within} [data-t="${CSS.escape(String(token))}"]`);

/** What bears tokens on board, trays and hand, by token: to look many up at once. */
export const bearers = () => Map.groupBy(all("#stage [data-t], #trays [data-t], #hand [data-t]"), (element) => element.dataset.t);

/** The board; games of pure choices have none. */
export const board = () => /** @type {SVGSVGElement | null} */ (document.querySelector("svg#board"));

/** What was touched. @param {Event} event */
export const target = (event) => (event.target instanceof Element ? event.target : null);

/** Whether an element is on the board. @param {any} element */
export const onBoard = (element) => !!board()?.contains(element);

/**
 * A new HTML element. Attributes named `on…` are listeners; those that are false or nothing are left out.
 * @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Attributes} attributes @param {Children} children
 */
export function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(.../** @type {Node[]} */ (children.filter(Boolean)));
  return element;
}

/** A new button. @param {Children[number]} text @param {() => void} does @param {Attributes} [attributes] */
export const button = (text, does, attributes = {}) => make("button", { type: "button", onclick: does, ...attributes }, text);

/** A new SVG element. @param {string} tag @param {Attributes} attributes @param {Node[]} children */
export function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

/** @param {Element} element @param {Attributes} attributes */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if ((value ?? false) === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * The server's HTML (or SVG) as nodes. All of it comes in here, and nothing else does: names, labels and reasons are
 * set as text.
 * @param {string} html @param {boolean} [svg] whether it belongs into an SVG @returns {Node[]}
 */
export function parse(html, svg = false) {
  const template = document.createElement("template");
  template.innerHTML = svg ? `<svg xmlns="${SVG}">${html}</svg>` : html;
  return [...((svg ? template.content.firstElementChild : template.content)?.childNodes ?? [])];
}

/** The line by which a verb's places are known on the board. @param {number} verb */
export const sample = (verb) => draw("svg", { width: 22, height: 10, "aria-hidden": "true" }, draw("path", { class: `vl v${verb % 4}`, d: "M1 5h20" }));
