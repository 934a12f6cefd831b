/** What is lit: pieces and cards that can be picked, places that can be reached, names that point to things. */
import { bearing, board, draw, set } from "./dom.js";
import { say } from "./words.js";

/** @typedef {{verbs: string[], lines: number[], count: number}} Light  by which verbs a thing can be picked */

/** Above this, outlines are not cut to the inside of their places: the browser would be slow. */
const CUT = 200;

/**
 * Lights the things that can be picked and those that are.
 * @param {Map<string, Light>} can
 * @param {string[]} picked
 */
export function light(can, picked) {
  for (const old of document.querySelectorAll(".can, .sel, .rest, .from")) unlight(old);
  document.body.classList.toggle("picking", picked.length > 0);
  for (const token of picked) for (const e of things(token)) e.classList.add("sel");
  const shapes = document.createDocumentFragment();
  for (const [token, how] of can) {
    for (const thing of things(token)) lit(thing, how, picked.includes(token));
    for (const ground of bearing(token, "#board")) {
      if (ground.matches("#ground *, #lines *")) shapes.append(reach(ground, token, how, can.size <= CUT));
    }
  }
  document.getElementById("reach")?.replaceChildren(shapes);
  if (picked.length > 0) for (const rest of document.querySelectorAll("#pieces .piece:not(.can, .sel)")) rest.classList.add("rest");
  rove(null);
}

/** Pieces, cards, names and whatever else bears the token, but no ground, no log and no list. @param {string} token */
function things(token) {
  return [...bearing(token)].filter((e) => e.closest("#pieces, #hand, #trays, #scene, #names"));
}

/** @param {Element} element */
function unlight(element) {
  element.classList.remove("can", "sel", "rest");
  const label = element.getAttribute("data-label");
  if (label !== null) set(element, { "aria-label": label, "data-label": null, role: element.closest("svg") ? "img" : null, tabindex: null });
}

/** @param {Element} thing @param {Light} how @param {boolean} picked */
function lit(thing, how, picked) {
  if (!picked) thing.classList.add("can");
  if (thing.closest("#names")) return;
  const label = thing.getAttribute("aria-label") ?? thing.textContent?.trim() ?? "";
  set(thing, {
    "data-label": label, role: "button", tabindex: -1, "aria-pressed": picked ? "true" : null,
    "aria-label": `${label}, ${say("options", { n: how.count })}`,
  });
}

/**
 * A place or line that can be reached: its shape once more, tinted, its outline inside and in the verb's line.
 * @param {Element} ground
 * @param {string} token
 * @param {Light} how
 * @param {boolean} cut
 */
function reach(ground, token, how, cut) {
  const line = how.lines.length === 1 ? `v${(how.lines[0] ?? 0) % 4}` : "vx";
  const open = ground.closest("#lines") !== null;
  const name = ground.getAttribute("aria-label") ?? ground.querySelector("title")?.textContent ?? "";
  const parts = open ? [shape(ground, "hw"), shape(ground, "ht")] : [shape(ground, "hf"), shape(ground, "ht")];
  const group = draw("g", { class: `to ${line}${open ? " line" : ""}`, "data-t": token, role: "button", tabindex: -1, "aria-label": [name, how.verbs.join(", ")].filter(Boolean).join(": ") });
  if (cut && !open) {
    const id = `cut-${token}`;
    group.append(draw("clipPath", { id }, shape(ground, null)));
    parts[1]?.setAttribute("clip-path", `url(#${id})`);
  }
  group.append(...parts);
  return group;
}

/** @param {Element} ground @param {string | null} name */
function shape(ground, name) {
  const copy = /** @type {Element} */ (ground.cloneNode(true));
  for (const attribute of ["id", "data-t", "aria-label", "role", "class"]) copy.removeAttribute(attribute);
  for (const e of copy.querySelectorAll("title, [id], [data-t]")) e.tagName === "title" ? e.remove() : (e.removeAttribute("id"), e.removeAttribute("data-t"));
  set(copy, { class: name, transform: moved(ground) || null });
  return copy;
}

/** How the ground is moved on the board, its groups' transforms before its own. @param {Element | null} element */
function moved(element) {
  const found = [];
  for (let e = element; e && e.id !== "board"; e = e.parentElement) found.unshift(e.getAttribute("transform") ?? "");
  return found.filter(Boolean).join(" ");
}

/** Things on the board where the focus can go. @param {boolean} any  those that cannot be picked, too */
export function stops(any) {
  const what = any ? "#pieces .piece, #reach .to, #ground .place" : "#pieces .can, #pieces .sel, #reach .to";
  return /** @type {SVGElement[]} */ ([...(board()?.querySelectorAll(what) ?? [])]);
}

/** The board is one stop: the thing given, or else the first open one, can be reached by Tab. @param {SVGElement | null} to */
export function rove(to) {
  for (const old of board()?.querySelectorAll('[tabindex="0"]') ?? []) old.setAttribute("tabindex", "-1");
  (to ?? stops(false)[0])?.setAttribute("tabindex", "0");
}

/** Things, names and rows of a token under the pointer or the focus light up everywhere. @param {string | null} token */
export function point(token) {
  for (const old of document.querySelectorAll(".hov")) old.classList.remove("hov");
  if (token) for (const e of bearing(token)) e.classList.add("hov");
}
