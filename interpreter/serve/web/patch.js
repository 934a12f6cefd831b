/** Taking in an update: fragments replace their elements, the log is cut and grows, what moved is seen to move. */
import { parse, the } from "./dom.js";
import { animate, positions } from "./motion.js";


const LAYERS = ["names", "pieces", "head", "trays", "hand", "scene"];

/**
 * @param {Update} update
 * @param {boolean} quiet  whether nothing shall be seen to move
 */
export function patch(update, quiet) {
  const before = quiet ? null : positions();
  const focus = focused();
  for (const [layer, id, html] of update.fragments) fragment(layer, id, html);
  if (update.whole) sweep(new Set(update.fragments.map(([, id]) => id)));
  log(update.log, update.whole);
  document.body.classList.toggle("fighting", !!document.getElementById("scene")?.childElementCount);
  focus();
  if (before) animate(before);
}

/** @param {string} layer @param {string} id @param {string} html */
function fragment(layer, id, html) {
  const home = document.getElementById(layer);
  if (!home) return;
  const old = document.getElementById(id);
  const fresh = parse(html, home instanceof SVGElement).filter((n) => n instanceof Element);
  if (old) old.replaceWith(...fresh);
  else home.append(...fresh);
}

/** Drops what a whole update no longer names. @param {Set<string>} named */
function sweep(named) {
  for (const layer of LAYERS) {
    for (const child of [...(document.getElementById(layer)?.children ?? [])]) {
      if (child.id && !named.has(child.id)) child.remove();
    }
  }
}

/**
 * @param {{from: number, lines: string[]}} change
 * @param {boolean} whole
 */
function log(change, whole) {
  const list = the("log").querySelector("ol");
  if (!list) return;
  const from = whole ? 0 : change.from;
  while (list.children.length > from) list.lastElementChild?.remove();
  if (change.lines.length === 0) return;
  list.append(...change.lines.flatMap((line) => parse(line)));
  list.scrollTop = list.scrollHeight;
}

/** Remembers which thing has the focus; gives what finds it again in the new fragments. */
function focused() {
  const had = document.activeElement;
  const thing = had?.closest("[data-t]");
  const layer = had?.closest(LAYERS.map((l) => `#${l}`).join());
  const mark = thing?.getAttribute("data-key") ? "data-key" : "data-t";
  const value = thing?.getAttribute(mark);
  return () => {
    if (!layer || !value || had?.isConnected) return;
    const again = layer.querySelector(`[${mark}="${CSS.escape(value)}"]`);
    if (again instanceof HTMLElement || again instanceof SVGElement) again.focus();
  };
}
