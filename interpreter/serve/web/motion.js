/** What moves: pieces from where they stood to where they stand, computed from the page before and after. */
import { board, still } from "./dom.js";

/**
 * @typedef {object} Stand
 * @property {DOMRect} at
 * @property {Element | null} home  the layer it stands in
 * @property {number} lost  how many of its pips are hollow
 */

const MOVE = 280;
const GAP = 60;
const MANY = 12;
const EASE = "cubic-bezier(.3,.7,.3,1)";

/** @returns {Map<string, Stand>} */
export function positions() {
  const found = new Map();
  for (const piece of keyed()) found.set(piece.getAttribute("data-key"), stand(piece));
  return found;
}

function keyed() {
  return /** @type {NodeListOf<SVGGraphicsElement>} */ (document.querySelectorAll("[data-key]"));
}

/** @param {Element} piece @returns {Stand} */
function stand(piece) {
  const home = piece.closest("#pieces, #trays, #hand, #scene");
  return { at: piece.getBoundingClientRect(), home, lost: piece.querySelectorAll(".pip.lost").length };
}

/** @param {Map<string, Stand>} before */
export function animate(before) {
  for (const old of document.querySelectorAll(".changed")) old.classList.remove("changed");
  const changed = [...keyed()].map((piece) => change(piece, before)).filter((c) => c !== null);
  if (still()) return changed.forEach(({ piece }) => piece.classList.add("changed"));
  const fade = changed.length > MANY;
  changed.forEach(({ piece, frames, time }, i) => {
    const shown = fade ? [{ opacity: 0 }, { opacity: 1 }] : frames;
    piece.animate(shown, { duration: time, delay: fade ? 0 : i * GAP, easing: EASE, fill: "backwards" });
  });
}

/**
 * @param {SVGGraphicsElement} piece
 * @param {Map<string, Stand>} before
 * @returns {{piece: SVGGraphicsElement, frames: Keyframe[], time: number} | null}
 */
function change(piece, before) {
  const was = before.get(piece.getAttribute("data-key") ?? "");
  const is = stand(piece);
  if (!was) return { piece, frames: flip(), time: 200 };
  if (was.home?.id !== is.home?.id) return { piece, frames: grow(), time: MOVE };
  const scale = unit(piece);
  const dx = (was.at.left - is.at.left) / scale;
  const dy = (was.at.top - is.at.top) / scale;
  if (Math.hypot(dx, dy) > 2) return { piece, frames: curve(dx, dy), time: MOVE };
  return is.lost > was.lost ? { piece, frames: dip(), time: 200 } : null;
}

/** How many pixels of the screen a unit of the piece's own space is. @param {Element} piece */
function unit(piece) {
  const svg = board();
  return svg?.contains(piece) ? (svg.getScreenCTM()?.a ?? 1) : 1;
}

/** @param {number} dx @param {number} dy @returns {Keyframe[]} */
function curve(dx, dy) {
  const bend = 0.12;
  const middle = `${dx / 2 - dy * bend}px ${dy / 2 + dx * bend}px`;
  return [{ translate: `${dx}px ${dy}px` }, { translate: middle }, { translate: "0px 0px" }];
}

/** @returns {Keyframe[]} */
const grow = () => [{ scale: "0.2", opacity: 0.3 }, { scale: "1", opacity: 1 }];

/** @returns {Keyframe[]} */
const flip = () => [{ scale: "0 1" }, { scale: "1 1" }];

/** @returns {Keyframe[]} */
const dip = () => [{ translate: "0px 0px" }, { translate: "0px 3px" }, { translate: "0px 0px" }];
