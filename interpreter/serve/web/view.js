/** Pan and zoom of the board by its viewBox: wheel, drag, pinch, buttons and keys. */
import { board, button, make, onBoard, the } from "./dom.js";
import { say } from "./words.js";

/** @typedef {{x: number, y: number}} Point */
/** @typedef {Point & {w: number, h: number}} Box */

/** How near one can go. */
const NEAREST = 12;

/** What is seen of the board, and all of it. @type {Box} */
let seen = { x: 0, y: 0, w: 1, h: 1 };
let whole = seen;
/** Whether it is to be seen whole as the window changes. */
let fitted = true;
/** How wide the window was when that was shown. */
let wide = 0;
/** How much of a window one may drag the board beyond its edges, to see what lies below something. */
const SLACK = 0.25;
/** @type {Map<number, Point>} */
const fingers = new Map();
let dragged = false;
let opened = false;

/** Starts it, if there is a board. */
export function startView() {
  const svg = board();
  if (!svg) return;
  const { x, y, width, height } = svg.viewBox.baseVal;
  whole = { x, y, w: width, h: height };
  /** @param {string} sign @param {"nearer" | "farther" | "wholeBoard"} word @param {() => void} does */
  const sign = (sign, word, does) => button(sign, does, { "aria-label": say(word), title: say(word) });
  the("stage").append(make("div", { id: "zoom", role: "group", "aria-label": say("zoom") },
    sign("+", "nearer", () => zoom(1.4)), sign("−", "farther", () => zoom(1 / 1.4)), sign("⤢", "wholeBoard", fit)));
  svg.addEventListener("wheel", wheel, { passive: false });
  svg.addEventListener("pointerdown", down);
  svg.addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, (e) => fingers.delete(/** @type {PointerEvent} */ (e).pointerId));
  svg.addEventListener("click", (e) => dragged && e.stopPropagation(), { capture: true });
  new ResizeObserver(resized).observe(svg);
  fit();
}

/** Another window is a larger or smaller part of the board, around the same point and as near. */
function resized() {
  const w = Math.min(shaped(whole).w, (seen.w / (wide || 1)) * the("stage").clientWidth);
  if (fitted || w === 0) return show(whole);
  show({ x: seen.x + (seen.w - w) / 2, y: seen.y + seen.h / 2, w, h: 0 }, SLACK);
}

/** Shows the whole board. */
export function fit() {
  fitted = true;
  show(whole);
}

/** Zooms by a factor; the point of the board, or its middle, stays where it is. @param {number} by @param {Point} [at] */
export function zoom(by, at = { x: seen.x + seen.w / 2, y: seen.y + seen.h / 2 }) {
  const widest = shaped(whole).w;
  const w = Math.min(widest, Math.max(widest / NEAREST, seen.w / by));
  const k = w / seen.w;
  fitted = w >= widest * 0.999;
  if (fitted) return show(whole);
  show({ x: at.x - (at.x - seen.x) * k, y: at.y - (at.y - seen.y) * k, w, h: seen.h * k }, SLACK);
}

/** The box, grown to the shape of the window. @param {Box} box */
function shaped(box) {
  const { width, height } = (board() ?? the("stage")).getBoundingClientRect();
  const ratio = height > 0 ? width / height : 1;
  const w = Math.max(box.w, box.h * ratio);
  const h = w / ratio;
  return { x: box.x + (box.w - w) / 2, y: box.y + (box.h - h) / 2, w, h };
}

/** @param {Box} box @param {number} [slack]  how far it may leave the board, in windows */
function show(box, slack = 0) {
  const { x, y, w, h } = shaped(box);
  /** Keeps the window from leaving the board. @param {number} at @param {number} length @param {number} from @param {number} all */
  const hold = (at, length, from, all) => {
    if (slack === 0 && length >= all) return from + (all - length) / 2;
    const [one, other] = [from, from + all - length];
    return Math.min(Math.max(at, Math.min(one, other) - slack * length), Math.max(one, other) + slack * length);
  };
  seen = { x: hold(x, w, whole.x, whole.w), y: hold(y, h, whole.y, whole.h), w, h };
  const svg = board();
  svg?.setAttribute("viewBox", `${seen.x} ${seen.y} ${w} ${h}`);
  wide = the("stage").clientWidth;
  const scale = wide / w;
  if (svg) svg.dataset.near = scale < 0.6 ? "0" : scale < 1.4 ? "1" : "2";
}

/** The middle of an element on the screen. @param {Element} element */
function middle(element) {
  const at = element.getBoundingClientRect();
  return { x: at.x + at.width / 2, y: at.y + at.height / 2 };
}

/** Pans to the first of the elements if none is seen. A small screen comes near to the very first. @param {Element[]} elements */
export function reveal(elements) {
  const stage = the("stage").getBoundingClientRect();
  const there = elements.filter(onBoard).map(middle);
  const inside = there.some(({ x, y }) => x > stage.left && x < stage.right && y > stage.top && y < stage.bottom);
  const open = !opened && matchMedia("(max-width: 759px), (max-width: 1100px) and (max-height: 560px)").matches;
  if (!there[0] || (inside && !open)) return;
  opened = true;
  centre(under(there[0]), open ? Math.min(shaped(whole).w / 2.4, stage.width) : seen.w);
}

/** @param {Point} at @param {number} w */
function centre(at, w) {
  const h = (w * seen.h) / seen.w;
  fitted = false;
  show({ x: at.x - w / 2, y: at.y - h / 2, w, h });
}

/** The point of the board under a point of the screen. @param {Point} at */
const under = (at) => new DOMPoint(at.x, at.y).matrixTransform(board()?.getScreenCTM()?.inverse());

/** @param {WheelEvent} event */
function wheel(event) {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), under(event));
}

/** @param {PointerEvent} event */
function down(event) {
  if (event.button !== 0) return;
  dragged = fingers.size > 0;
  fingers.set(event.pointerId, event);
}

/** @param {PointerEvent} event */
function move(event) {
  const was = fingers.get(event.pointerId);
  const slack = event.pointerType === "mouse" ? 5 : 10;
  if (!was || (!dragged && Math.hypot(event.x - was.x, event.y - was.y) < slack)) return;
  if (!dragged) board()?.setPointerCapture(event.pointerId);
  dragged = true;
  fingers.set(event.pointerId, event);
  const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
  if (other) {
    const far = (/** @type {Point} */ p) => Math.max(10, Math.hypot(p.x - other.x, p.y - other.y));
    return zoom(far(event) / far(was), under({ x: (event.x + other.x) / 2, y: (event.y + other.y) / 2 }));
  }
  const scale = seen.w / the("stage").clientWidth;
  fitted = false;
  show({ ...seen, x: seen.x - (event.x - was.x) * scale, y: seen.y - (event.y - was.y) * scale }, SLACK);
}
