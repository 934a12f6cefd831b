/**
 * For whoever makes the game: what a change of its rules does to the game on the board, and the way from what is seen to
 * the line of the rules that it comes from.
 */
import { all, button, make } from "./dom.js";
import { ask, tell } from "./link.js";
import { closePop, fail, openPop } from "./pop.js";
import { say } from "./words.js";

/** @type {() => number} */
let decision = () => 0;
/** @type {(update: Update) => void} */
let takeIn = () => {};

/**
 * Listens to the strip and, while Alt is held, to everything else.
 * @param {() => number} number the decision's @param {(update: Update) => void} take  takes in what the server answers
 */
export function startDesign(number, take) {
  [decision, takeIn] = [number, take];
  addEventListener("click", clicked, true);
  addEventListener("keydown", (event) => event.key === "Alt" && document.body.classList.add("seeking"));
  const follow = () => location.hash.startsWith("#edit=") && void go(decodeURIComponent(location.hash.slice(6)));
  addEventListener("hashchange", follow);
  follow();
  for (const kind of ["keyup", "blur"]) addEventListener(kind, () => document.body.classList.remove("seeking"));
}

/** @param {MouseEvent} event */
function clicked(event) {
  const at = event.target instanceof Element ? event.target : null;
  const act = at?.closest("[data-design]:not(body)")?.getAttribute("data-design");
  const place = at?.closest("[data-at]")?.getAttribute("data-at") ?? named(at);
  if (!act && !place && !event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (act) void tell("design", { act }).then(takeIn, fail);
  else if (place) void go(place);
  else if (at) void seek(at);
}

/** A place that stands somewhere as text, such as below a reason. @param {Element | null} at */
const named = (at) => at?.closest(".pop code, figcaption")?.textContent?.match(/^\S.*\.(blazon|ron|tsv|txt):\d+(:\d+)?$/)?.[0];

/** Where in the rules it comes from. @param {Element} at */
async function seek(at) {
  const option = at.closest("[data-option]");
  const line = at.closest("#log li");
  const thing = at.closest("[data-t]");
  /** @type {Record<string, string | number>} */
  const what = option ? { option: option.getAttribute("data-option") ?? "", number: decision() }
    : line ? { line: all("#log li").indexOf(/** @type {HTMLElement} */ (line)) }
    : thing ? { thing: thing.getAttribute("data-t") ?? "" } : {};
  /** @type {{what: string, at: string}[] | undefined} */
  const places = await ask("where", what).catch(fail);
  if (!places) return;
  if (places.length === 1 && places[0]) return go(places[0].at);
  openPop("pick", at, say("whereRules"), places.length > 0 ? places.map(({ what: name, at: place }) =>
    button(name, () => (closePop(), go(place)), { role: "menuitem", class: "go", title: place }))
    : [make("p", {}, say("nowhere"))], { menu: true });
}

/** Opens a place of the rules beside the board. @param {string} place */
async function go(place) {
  const { openEdit } = await import("./edit.js");
  await openEdit(place).catch(fail);
}

