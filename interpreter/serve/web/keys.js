/** The keyboard: everything that the pointer can do. */
import { all, bearing, onBoard, the } from "./dom.js";
import { point, rove, stops } from "./lights.js";
import { fit, reveal, zoom } from "./view.js";

/** @param {Acts} acts @param {(thing: Element) => void} press */
export function startKeys(acts, press) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || all("dialog[open], #cover")[0]) return;
    document.body.classList.add("keys");
    const at = document.activeElement;
    if (event.key === "Escape") return acts.back();
    if (!at?.matches("input, select") && act(event, at, acts, press)) event.preventDefault();
  });
  // The digits make room for themselves: as long as the button is down, what is under the pointer stays there.
  addEventListener("click", (event) => event.detail > 0 && document.body.classList.remove("keys"));
}

/** Does what the key says; answers whether it says something. @param {KeyboardEvent} event @param {Element | null} at @param {Acts} acts @param {(thing: Element) => void} press */
function act(event, at, acts, press) {
  const { key } = event;
  const thing = at?.closest(":is(#board, #trays, #hand, #scene) [data-t]") ?? null;
  const menu = at?.closest("[role=menu]");
  /** @type {Record<string, () => void>} */
  const keys = { "/": () => the("find").focus(), "?": () => acts.why(thing), u: acts.undo, l: () => all("#log ol")[0]?.focus(),
    b: () => all("#scene > *")[0]?.toggleAttribute("open"), "+": () => zoom(1.4), "-": () => zoom(1 / 1.4), 0: fit };
  if (/^[1-9]$/.test(key)) (all(`[role=menu] button:nth-of-type(${key})`)[0] ?? all(`[data-digit="${key}"]`)[0])?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  else if (key.startsWith("Arrow") && menu) step(menu, at, key);
  else if (key.startsWith("Arrow") && at && onBoard(at)) walk(at, event);
  else if (key.startsWith("Arrow") && at?.matches("#log ol")) read(at, key);
  else if ((key === "Enter" || key === " ") && thing && !at?.matches("button, summary")) press(thing);
  else if (keys[key]) keys[key]?.();
  else return false;
  return true;
}

/** @param {Element} menu @param {Element | null} at @param {string} key */
function step(menu, at, key) {
  const buttons = [...menu.querySelectorAll("button")];
  const by = key === "ArrowDown" || key === "ArrowRight" ? 1 : -1;
  buttons.at((buttons.findIndex((b) => b === at) + by) % buttons.length)?.focus();
}

/** To the nearest open thing in the arrow's direction; with Shift, to any. @param {Element} at @param {KeyboardEvent} event */
function walk(at, event) {
  const [tx = 0, ty = 0] = { ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowUp: [0, -1] }[event.key] ?? [];
  const from = middle(at);
  let least = Infinity;
  let best = null;
  for (const stop of stops(event.shiftKey)) {
    const to = middle(stop);
    const ahead = (to.x - from.x) * tx + (to.y - from.y) * ty;
    const aside = Math.abs((to.x - from.x) * ty - (to.y - from.y) * tx);
    if (stop === at || ahead < 2 || aside > ahead * 2 || ahead + aside * 2 >= least) continue;
    [best, least] = [stop, ahead + aside * 2];
  }
  if (!best) return;
  rove(best);
  reveal([best]);
  best.focus();
}

/** @param {Element} element */
function middle(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}

/** Up and down in the log; the names of the line light up. @param {Element} log @param {string} key */
function read(log, key) {
  const now = log.querySelector(".now");
  const to = now ? (key === "ArrowUp" ? now.previousElementSibling : now.nextElementSibling) : log.lastElementChild;
  if (!to) return;
  now?.classList.remove("now");
  to.classList.add("now");
  to.scrollIntoView({ block: "nearest" });
  const tokens = [...to.querySelectorAll("[data-t]")].map((n) => n.getAttribute("data-t"));
  point(...tokens);
  reveal(tokens.flatMap((t) => bearing(t, "#board")));
}
