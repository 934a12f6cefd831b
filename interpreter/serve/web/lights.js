/** What is lit: pieces and cards that can be picked, places that can be reached, names that point to things. */
import { all, bearers, bearing, draw, set } from "./dom.js";
import { say } from "./words.js";

/** With more places than this, outlines are not cut to the inside: the browser would be slow. */
const CUT = 200;
const ANY = "#pieces .piece, #reach .to, #ground .place";

/** Lights what can be picked and what is. @param {Map<string, Light>} can @param {string[]} picked */
export function light(can, picked) {
  const had = document.activeElement?.closest("#board [data-t]");
  for (const old of all(".can, .sel, .open")) unlight(old);
  const there = can.size + picked.length > 0 ? bearers() : new Map();
  for (const token of picked) {
    for (const e of there.get(token) ?? []) {
      if (!isThing(e)) continue;
      e.classList.add("sel");
      e.tabIndex = -1;
    }
  }
  const shapes = document.createDocumentFragment();
  for (const [token, how] of can) {
    for (const e of there.get(token) ?? []) {
      if (isThing(e)) lit(e, how);
      if (e.matches("#board text")) e.classList.add("open");
      if (e.matches(":is(#ground, #lines) *")) shapes.append(reach(e, token, how, can.size <= CUT));
    }
  }
  document.getElementById("reach")?.replaceChildren(shapes);
  rove(null);
  if (had && had !== document.activeElement) refocus(had);
}

/**
 * The focus stays on the thing, or on the place as it is lit now; or else it goes to the first that is, or to any, for whoever
 * uses keys: for others that would be a ring where nobody has been.
 * @param {Element} had
 */
function refocus(had) {
  const again = had.isConnected && had.hasAttribute("tabindex") ? had : bearing(had.getAttribute("data-t"), "#reach")[0];
  const to = /** @type {HTMLElement | undefined} */ (again ?? (document.body.classList.contains("keys") ? (stops(false)[0] ?? all(ANY)[0]) : undefined));
  to?.focus();
}

/** Whether it is no ground, no name, no log and no list. @param {Element} e */
const isThing = (e) => e.matches(":is(#pieces, #hand, #trays, #scene) :not(text)");

/** @param {Element} element */
function unlight(element) {
  element.classList.remove("can", "sel", "open");
  element.removeAttribute("tabindex");
  const label = element.getAttribute("data-label");
  if (label === null) return;
  if (element instanceof SVGElement) element.querySelector("title")?.remove();
  set(element, { "aria-label": label || null, "data-label": null, title: null, role: label ? "img" : null });
}

/** @param {Element} thing @param {Light} how */
function lit(thing, how) {
  thing.classList.add("can");
  thing.closest("details")?.setAttribute("open", "");
  const label = thing.getAttribute("aria-label") ?? "";
  const told = [label, say("options", { n: how.count })].filter(Boolean).join(", ");
  const svg = thing instanceof SVGElement;
  if (svg) thing.prepend(draw("title", {}, new Text(told)));
  // What is seen on it stays part of its name, as those need who say what they see.
  set(thing, { "data-label": label, "aria-label": null, title: svg ? null : told, role: "button", tabindex: -1 });
}

/**
 * A place or line that can be reached: its shape once more, tinted, with an outline inside, in the verb's line.
 * @param {Element} ground @param {string} token @param {Light} how @param {boolean} cut
 */
function reach(ground, token, how, cut) {
  const line = how.lines.length === 1 ? `v${(how.lines[0] ?? 0) % 4}` : "vx";
  const open = ground.closest("#lines") !== null;
  const group = draw("g", { class: `to ${line}${open ? " line" : ""}`, "data-t": token, role: "button", tabindex: -1, "aria-label": `${how.name}: ${how.verbs.join(", ")}` });
  let outline = shape(ground, "ht");
  if (cut && !open) {
    group.append(draw("clipPath", { id: `cut-${token}` }, shape(ground, null)));
    /* Around it: its own clip would be moved as it is, once more. */
    outline = draw("g", { "clip-path": `url(#cut-${token})` }, outline);
  }
  group.append(shape(ground, open ? "hw" : "hf"), outline);
  return group;
}

/** The shape once more, bare, where it is on the board. @param {Element} ground @param {string | null} name */
function shape(ground, name) {
  const copy = /** @type {Element} */ (ground.cloneNode(true));
  const moves = [];
  for (let e = /** @type {Element | null} */ (ground); e && e.id !== "board"; e = e.parentElement) moves.unshift(e.getAttribute("transform") ?? "");
  for (const e of [copy, ...copy.querySelectorAll("*")]) set(e, { id: null, "data-t": null, "aria-label": null, role: null });
  copy.querySelector("title")?.remove();
  set(copy, { class: name, transform: moves.join(" ").trim() || null });
  return copy;
}

/** Where the focus can go on the board. @param {boolean} any  to what cannot be picked, too */
export const stops = (any) => all(any ? ANY : "#pieces .can, #pieces .sel, #reach .to");

/** The board is one stop for Tab: this thing, or else the first that can be picked, or any. @param {Element | null | undefined} to */
export function rove(to) {
  for (const old of all('#board [tabindex="0"]')) old.setAttribute("tabindex", "-1");
  (to ?? stops(false)[0] ?? document.querySelector(ANY))?.setAttribute("tabindex", "0");
}

/** Lights up everything that bears one of the tokens. @param {(string | null)[]} tokens */
export function point(...tokens) {
  for (const old of all(".hov")) old.classList.remove("hov");
  for (const token of tokens) if (token) for (const e of bearing(token)) e.classList.add("hov");
}
