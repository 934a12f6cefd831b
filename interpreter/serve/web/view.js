/** Pan and zoom of the board by its viewBox: wheel, drag, pinch, buttons and keys. */
import { board, draw, make, narrow, the } from "./dom.js";
import { say } from "./words.js";

/** @typedef {{x: number, y: number, w: number, h: number}} Box */

const NEAREST = 12;

/** What of the board is seen, and all of it. @type {Box} */
let seen = { x: 0, y: 0, w: 1, h: 1 };
/** @type {Box} */
let whole = seen;
/** How far the board may be left behind: whether it is shown whole as the window changes. */
let fitted = true;
/** @type {Map<number, {x: number, y: number}>} */
const fingers = new Map();
let dragged = false;

/** Starts it, if there is a board. */
export function startView() {
  const svg = board();
  if (!svg) return;
  const { x, y, width, height } = svg.viewBox.baseVal;
  whole = { x, y, w: width, h: height };
  the("stage").append(buttons());
  svg.addEventListener("wheel", wheel, { passive: false });
  svg.addEventListener("pointerdown", down);
  svg.addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, (e) => up(/** @type {PointerEvent} */ (e)));
  svg.addEventListener("click", (e) => dragged && (e.stopPropagation(), (dragged = false)), { capture: true });
  new ResizeObserver(() => (fitted ? fit() : show(seen))).observe(svg);
  fit();
}

function buttons() {
  /** @param {string} sign @param {string} name @param {() => void} does */
  const button = (sign, name, does) => make("button", { type: "button", "aria-label": name, title: name, onclick: does }, sign);
  return make("div", { id: "zoom", role: "group", "aria-label": say("zoom") },
    button("+", say("nearer"), () => zoom(1.4)), button("−", say("farther"), () => zoom(1 / 1.4)), button("⤢", say("wholeBoard"), fit));
}

/** Shows the whole board. */
export function fit() {
  fitted = true;
  show(whole);
}

/** Zooms around the middle. @param {number} by */
export function zoom(by) {
  around(by, seen.x + seen.w / 2, seen.y + seen.h / 2);
}

/** Zooms so that the point of the board stays where it is. @param {number} by @param {number} x @param {number} y */
function around(by, x, y) {
  const widest = shaped(whole).w;
  const w = Math.min(widest, Math.max(widest / NEAREST, seen.w / by));
  const k = w / seen.w;
  fitted = w >= widest * 0.999;
  show({ x: x - (x - seen.x) * k, y: y - (y - seen.y) * k, w, h: seen.h * k });
}

/** The box, grown to the shape of the window. @param {Box} box @returns {Box} */
function shaped(box) {
  const svg = board();
  const ratio = svg && svg.clientHeight > 0 ? svg.clientWidth / svg.clientHeight : 1;
  const w = Math.max(box.w, box.h * ratio);
  const h = w / ratio;
  return { x: box.x + (box.w - w) / 2, y: box.y + (box.h - h) / 2, w, h };
}

/** @param {Box} box */
function show(box) {
  const svg = board();
  if (!svg) return;
  const b = shaped(box);
  seen = { ...b, x: hold(b.x, b.w, whole.x, whole.w), y: hold(b.y, b.h, whole.y, whole.h) };
  svg.setAttribute("viewBox", `${seen.x} ${seen.y} ${seen.w} ${seen.h}`);
  const scale = svg.clientWidth / seen.w;
  svg.dataset.near = scale < 0.6 ? "0" : scale < 1.4 ? "1" : "2";
}

/** Keeps a window of length `w` from leaving the board. @param {number} x @param {number} w @param {number} from @param {number} length */
function hold(x, w, from, length) {
  return w >= length ? from + (length - w) / 2 : Math.min(Math.max(x, from), from + length - w);
}

/** Pans (and on a narrow screen zooms) so that the elements are seen. @param {Element[]} elements */
export function reveal(elements) {
  const box = around2(elements);
  if (!box) return;
  const cx = box.x + box.w / 2;
  const cy = box.y + box.h / 2;
  const inside = cx > seen.x && cx < seen.x + seen.w && cy > seen.y && cy < seen.y + seen.h;
  if (!inside) show({ ...seen, x: cx - seen.w / 2, y: cy - seen.h / 2 });
}

/** A narrow screen opens on what can be picked, not on the whole board. @param {Element[]} elements */
export function openOn(elements) {
  const box = narrow() ? around2(elements.slice(0, 1)) : null;
  if (!box) return;
  fitted = false;
  const w = shaped(whole).w / 2.4;
  show({ x: box.x + box.w / 2 - w / 2, y: box.y + box.h / 2 - w / 2, w, h: w });
}

/** The box around elements, on the board. @param {Element[]} elements @returns {Box | null} */
function around2(elements) {
  const svg = board();
  const matrix = svg?.getScreenCTM()?.inverse();
  const rects = elements.filter((e) => svg?.contains(e)).map((e) => e.getBoundingClientRect());
  if (!matrix || rects.length === 0) return null;
  const from = new DOMPoint(Math.min(...rects.map((r) => r.left)), Math.min(...rects.map((r) => r.top))).matrixTransform(matrix);
  const to = new DOMPoint(Math.max(...rects.map((r) => r.right)), Math.max(...rects.map((r) => r.bottom))).matrixTransform(matrix);
  return { x: from.x, y: from.y, w: to.x - from.x, h: to.y - from.y };
}

/** The point of the board under a point of the screen. @param {number} x @param {number} y */
function under(x, y) {
  const matrix = board()?.getScreenCTM()?.inverse();
  return new DOMPoint(x, y).matrixTransform(matrix);
}

/** @param {WheelEvent} event */
function wheel(event) {
  event.preventDefault();
  const at = under(event.clientX, event.clientY);
  around(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), at.x, at.y);
}

/** @param {PointerEvent} event */
function down(event) {
  if (event.button !== 0) return;
  if (fingers.size === 0) dragged = false;
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  if (fingers.size > 1) dragged = true;
}

/** @param {PointerEvent} event */
function move(event) {
  const was = fingers.get(event.pointerId);
  const svg = board();
  if (!was || !svg) return;
  const is = { x: event.clientX, y: event.clientY };
  const slack = event.pointerType === "mouse" ? 5 : 10;
  if (!dragged && Math.hypot(is.x - was.x, is.y - was.y) < slack) return;
  if (!dragged) svg.setPointerCapture(event.pointerId);
  dragged = true;
  const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
  fingers.set(event.pointerId, is);
  const scale = seen.w / svg.clientWidth;
  if (other) return pinch(was, is, other);
  fitted = false;
  show({ ...seen, x: seen.x - (is.x - was.x) * scale, y: seen.y - (is.y - was.y) * scale });
}

/** @typedef {{x: number, y: number}} Point */

/** @param {Point} was @param {Point} is @param {Point} other */
function pinch(was, is, other) {
  const far = (/** @type {Point} */ p) => Math.max(10, Math.hypot(p.x - other.x, p.y - other.y));
  const at = under((is.x + other.x) / 2, (is.y + other.y) / 2);
  around(far(is) / far(was), at.x, at.y);
}

/** @param {PointerEvent} event */
function up(event) {
  fingers.delete(event.pointerId);
}

/** A dotted line over the board, from thing to thing. @param {Element} from @param {Element} to */
export function ghost(from, to) {
  const [a, b] = [around2([from]), around2([to])];
  if (!a || !b) return null;
  const p = { x: a.x + a.w / 2, y: a.y + a.h / 2 };
  const q = { x: b.x + b.w / 2, y: b.y + b.h / 2 };
  const bend = { x: (p.x + q.x) / 2 - (q.y - p.y) * 0.12, y: (p.y + q.y) / 2 + (q.x - p.x) * 0.12 };
  return draw("path", { class: "ghost", d: `M${p.x} ${p.y}Q${bend.x} ${bend.y} ${q.x} ${q.y}` });
}
