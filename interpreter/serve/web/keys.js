/** The keyboard: everything that the pointer can do. */
import { board, the } from "./dom.js";
import { rove, stops } from "./lights.js";
import { fit, reveal, zoom } from "./view.js";

/** @param {{thing: (element: Element) => void, why: (element: Element | null) => void, back: () => void, undo: () => void}} acts */
export function startKeys(acts) {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    document.body.classList.add("keys");
    const at = document.activeElement;
    if (event.key === "Escape") return acts.back();
    if (at instanceof HTMLInputElement || at instanceof HTMLSelectElement || document.querySelector("dialog[open]")) return;
    if (act(event, at, acts)) event.preventDefault();
  });
  addEventListener("pointerdown", () => document.body.classList.remove("keys"));
}

/**
 * @param {KeyboardEvent} event
 * @param {Element | null} at
 * @param {Parameters<typeof startKeys>[0]} acts
 * @returns {boolean | void} whether the key was one of ours
 */
function act(event, at, acts) {
  const menu = at?.closest("[role=menu], #tabs");
  if (event.key.startsWith("Arrow")) return menu ? step(menu, at, event.key) : board()?.contains(at) ? walk(at, event) : at?.matches("#log ol") ? read(at, event.key) : false;
  const thing = at?.closest("#board [data-t], #trays [data-t], #hand [data-t], #scene [data-t]");
  if ((event.key === "Enter" || event.key === " ") && thing && !at?.matches("button")) return acts.thing(thing), true;
  if (event.key >= "1" && event.key <= "9") return digit(Number(event.key));
  /** @type {Record<string, () => void>} */
  const keys = { "/": () => the("find").focus(), "?": () => acts.why(thing ?? null), u: acts.undo, l: () => the("log").querySelector("ol")?.focus(),
    b: () => document.body.classList.toggle("folded"), "+": () => zoom(1.4), "-": () => zoom(1 / 1.4), 0: fit };
  const does = keys[event.key];
  does?.();
  return !!does;
}

/** Presses the row or button that bears the digit. @param {number} n */
function digit(n) {
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pop[role=menu] button, #decision .verbs button, #decision .opts .to, #decision .tools .verb"));
  all[n - 1]?.click();
  return true;
}

/** @param {Element} menu @param {Element | null} at @param {string} key */
function step(menu, at, key) {
  const all = [...menu.querySelectorAll("button")];
  const by = key === "ArrowDown" || key === "ArrowRight" ? 1 : -1;
  all.at((all.findIndex((b) => b === at) + by) % all.length)?.focus();
  return true;
}

/** To the nearest open thing in the arrow's direction; with Shift, to any. @param {Element | null} at @param {KeyboardEvent} event */
function walk(at, event) {
  if (!at) return false;
  const angle = { ArrowRight: 0, ArrowDown: 90, ArrowLeft: 180, ArrowUp: 270 }[event.key] ?? 0;
  const turn = { x: Math.cos((angle * Math.PI) / 180), y: Math.sin((angle * Math.PI) / 180) };
  const from = middle(at);
  let best = null;
  let least = Infinity;
  for (const stop of stops(event.shiftKey)) {
    const to = middle(stop);
    const ahead = (to.x - from.x) * turn.x + (to.y - from.y) * turn.y;
    const aside = Math.abs((to.x - from.x) * turn.y - (to.y - from.y) * turn.x);
    if (stop === at || ahead < 2 || aside > ahead * 2 || ahead + aside * 2 >= least) continue;
    [best, least] = [stop, ahead + aside * 2];
  }
  if (!best) return true;
  rove(best);
  reveal([best]);
  best.focus();
  return true;
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
  if (!to) return true;
  now?.classList.remove("now");
  to.classList.add("now");
  to.scrollIntoView({ block: "nearest" });
  for (const old of document.querySelectorAll(".hov")) old.classList.remove("hov");
  const named = [...to.querySelectorAll("[data-t]")].flatMap((n) => [...document.querySelectorAll(`#stage [data-t="${CSS.escape(n.getAttribute("data-t") ?? "")}"]`)]);
  for (const thing of named) thing.classList.add("hov");
  reveal(named);
  return true;
}
