/** What moves: pieces from where they stood to where they stand, computed from the page before and after. */
import { all, board, onBoard } from "./dom.js";

/** @typedef {{at: DOMRect, home: string | undefined, lost: number}} Stand  where, in which layer, with how many pips lost */

const MOVE = 280;
const TURN = 200;
const GAP = 60;
const MANY = 12;

/** @param {string} id @returns {NodeListOf<HTMLElement>} */
const pieces = (id) => document.querySelectorAll(`#${CSS.escape(id)} [data-key]`);

/** Remembers where the pieces of some fragments stand; the answer shows what has changed in them since. @param {string[]} ids */
export function watch(ids) {
  /** @type {Map<string | undefined, Stand>} */
  const before = new Map();
  for (const id of ids) for (const piece of pieces(id)) before.set(piece.dataset.key, stand(piece));
  return () => animate(ids, before);
}

/** @param {Element} piece @returns {Stand} */
const stand = (piece) => ({ at: piece.getBoundingClientRect(), home: piece.closest("#pieces, #trays, #hand, #scene")?.id, lost: piece.querySelectorAll(".pip.lost").length });

/** What changed last. @type {Element[]} */
export let moved = [];
/** What has changed since one's own last click, where nothing may move. @type {Set<string | undefined>} */
const marked = new Set();

/** Whoever acts has seen what had changed. */
export function unmark() {
  marked.clear();
  for (const old of all(".changed")) old.classList.remove("changed");
}

/** Shows what has changed since; if nothing may move, by a ring until the next click. @param {string[]} ids @param {Map<string | undefined, Stand>} before */
function animate(ids, before) {
  const changed = ids.flatMap((id) => [...pieces(id)]).flatMap((piece) => {
    const frames = change(piece, before.get(piece.dataset.key));
    return frames ? [{ piece, frames }] : [];
  });
  moved = changed.map(({ piece }) => piece);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const fade = changed.length > MANY;
  if (still) {
    for (const { piece } of changed) marked.add(piece.dataset.key);
    for (const id of ids) for (const piece of pieces(id)) piece.classList.toggle("changed", marked.has(piece.dataset.key));
    return;
  }
  changed.forEach(({ piece, frames }, i) => {
    const shown = fade ? [{ opacity: 0 }, { opacity: 1 }] : frames;
    piece.animate(shown, { duration: "translate" in (frames[0] ?? {}) ? MOVE : TURN, delay: fade ? 0 : i * GAP, easing: "cubic-bezier(.3,.7,.3,1)", fill: "backwards" });
  });
}

/** How a piece changed: turned up, came from elsewhere, moved along a curve, lost a step. @param {Element} piece @param {Stand | undefined} was @returns {Keyframe[] | null} */
function change(piece, was) {
  const is = stand(piece);
  if (!was) return [{ scale: "0 1" }, { scale: "1 1" }];
  if (was.home !== is.home) return [{ scale: "0.2", opacity: 0.3 }, { scale: "1", opacity: 1 }];
  const unit = onBoard(piece) ? (board()?.getScreenCTM()?.a ?? 1) : 1;
  const [dx, dy] = [(was.at.x - is.at.x) / unit, (was.at.y - is.at.y) / unit];
  const moved = Math.hypot(dx, dy) * unit > 6;
  if (moved) return [{ translate: `${dx}px ${dy}px` }, { translate: `${dx / 2 - dy * 0.12}px ${dy / 2 + dx * 0.12}px` }, { translate: "0px 0px" }];
  return is.lost !== was.lost ? [{ translate: "0px 0px" }, { translate: "0px 3px" }, { translate: "0px 0px" }] : null;
}
