/** Taking in an update: fragments replace their elements, the log is cut and grows, what moved is seen to move. */
import { all, parse, the } from "./dom.js";
import { watch } from "./motion.js";

const LAYERS = ["names", "pieces", "head", "design", "trays", "hand", "scene"];

/** What fragments were last told, by id: one that comes once more stays, and what moves in it goes on. @type {Map<string, string>} */
const told = new Map();

/** Answers which lines of the log are new. @param {Update} update @param {() => void} [show]  shows what else there is, before it is seen what has moved */
export function patch(update, show) {
  const fresh = update.fragments.filter(([, id, html]) => told.get(id) !== html);
  const animate = watch(fresh.map(([, id]) => id));
  const refocus = focused();
  for (const [layer, id, html] of fresh) {
    told.set(id, html);
    fragment(layer, id, html);
  }
  if (update.whole) sweep(new Set(update.fragments.map(([, id]) => id)));
  const lines = log(update.whole ? 0 : update.log.from, update.log.lines);
  document.body.classList.toggle("fighting", !!all("#scene > *")[0]);
  refocus();
  show?.();
  animate();
  return lines;
}

/** @param {string} layer @param {string} id @param {string} html */
function fragment(layer, id, html) {
  const home = document.getElementById(layer);
  const old = document.getElementById(id);
  const fresh = parse(html, home instanceof SVGElement);
  if (old instanceof HTMLDetailsElement && fresh[0] instanceof HTMLDetailsElement) fresh[0].open = old.open;
  if (old) old.replaceWith(...fresh);
  else home?.append(...fresh);
}

/** Drops what a whole update no longer names. @param {Set<string>} named */
function sweep(named) {
  for (const layer of LAYERS) {
    for (const child of [...(document.getElementById(layer)?.children ?? [])]) if (child.id && !named.has(child.id)) {
      told.delete(child.id);
      child.remove();
    }
  }
}

/** Keeps the log at its end, whatever room it has, unless somebody reads further up. */
export function startLog() {
  const list = all("#log ol")[0];
  if (!list) return;
  let top = 0;
  list.addEventListener("scroll", () => {
    /* Lines may have come since it was scrolled to the end: only who goes up reads. */
    const isUp = list.scrollTop < top;
    top = list.scrollTop;
    reading = list.scrollHeight - top - list.clientHeight > 40 && (reading || isUp);
  }, { passive: true });
  new ResizeObserver(() => reading || list.scrollTo(0, list.scrollHeight)).observe(list);
}

let reading = false;

/**
 * Lines that are there already stay, so that nobody hears them again; answers the others.
 * @param {number} from @param {string[]} lines
 */
function log(from, lines) {
  const list = all("#log ol")[0];
  if (!list) return [];
  const next = lines.flatMap((line) => parse(line));
  const tells = (/** @type {any} */ line) => `${line?.ariaLabel} ${line?.textContent}`;
  const same = next.findIndex((line, i) => tells(line) !== tells(list.children[from + i]));
  const kept = same < 0 ? next.length : same;
  while (list.children.length > from + kept) list.lastElementChild?.remove();
  const fresh = next.slice(kept);
  list.append(...fresh);
  /* Not at once: to know how high it is would lay out the page once more. */
  if (fresh.length > 0) requestAnimationFrame(() => reading || list.scrollTo(0, list.scrollHeight));
  return fresh;
}

/** Remembers which thing has the focus; gives what finds it again in the new fragments, or goes to the prompt. */
function focused() {
  const had = document.activeElement;
  const thing = had?.closest("[data-t]");
  const layer = had?.closest(LAYERS.map((l) => `#${l}`).join());
  const mark = thing?.hasAttribute("data-key") ? "data-key" : "data-t";
  const again = `[${mark}="${CSS.escape(thing?.getAttribute(mark) ?? "")}"]`;
  return () => {
    if (had?.isConnected) return;
    const to = /** @type {HTMLElement} */ (layer?.querySelector(again) ?? the("prompt"));
    to.tabIndex = -1;
    to.focus();
  };
}
