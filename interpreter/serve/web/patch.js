/** Taking in an update: fragments replace their elements, the log is cut and grows, what moved is seen to move. */
import { all, parse, the } from "./dom.js";
import { watch } from "./motion.js";

const LAYERS = ["names", "pieces", "head", "design", "trays", "hand", "scene"];

/** @param {Update} update @param {() => void} [show]  shows what else there is, before it is seen what has moved */
export function patch(update, show) {
  const animate = watch(update.fragments.map(([, id]) => id));
  const refocus = focused();
  for (const [layer, id, html] of update.fragments) fragment(layer, id, html);
  if (update.whole) sweep(new Set(update.fragments.map(([, id]) => id)));
  log(update.whole ? 0 : update.log.from, update.log.lines);
  document.body.classList.toggle("fighting", !!all("#scene > *")[0]);
  refocus();
  show?.();
  animate();
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
    for (const child of [...(document.getElementById(layer)?.children ?? [])]) if (child.id && !named.has(child.id)) child.remove();
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

/** @param {number} from @param {string[]} lines */
function log(from, lines) {
  const list = all("#log ol")[0];
  while (list && list.children.length > from) list.lastElementChild?.remove();
  list?.append(...lines.flatMap((line) => parse(line)));
  /* Not at once: to know how high it is would lay out the page once more. */
  if (lines.length > 0) requestAnimationFrame(() => reading || list?.scrollTo(0, list.scrollHeight));
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
