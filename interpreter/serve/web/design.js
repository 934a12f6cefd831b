/**
 * For whoever makes the game: what a change of its rules does to the game on the board, and the way from what is seen to
 * the line of the rules that it comes from.
 */
import { all, button, make, target, the } from "./dom.js";
import { ask, tell } from "./link.js";
import { closePop, fail, openPop } from "./pop.js";
import { say } from "./design.words.js";
import { number, takeIn } from "./table.js";

/** Listens to the strip and, while Alt is held, to everything else. */
function startDesign() {
  /* Another empty board, such as a map with other places: the page begins anew. */
  const sheet = () => the("sheet").dataset.sheet;
  const first = sheet();
  new MutationObserver(() => {
    if (sheet() !== first) location.reload();
    /* What the board has taken in may have been written elsewhere. */
    else if (document.body.classList.contains("editing")) void import("./edit.js").then(({ follow }) => follow());
  }).observe(the("design"), { childList: true });
  addEventListener("click", clicked, true);
  addEventListener("keydown", (event) => event.key === "Alt" && document.body.classList.add("seeking"));
  const follow = () => location.hash.startsWith("#edit=") && void go(decodeURIComponent(location.hash.slice(6)), true);
  addEventListener("hashchange", follow);
  follow();
  for (const kind of ["keyup", "blur"]) addEventListener(kind, () => document.body.classList.remove("seeking"));
}

/** @param {MouseEvent} event */
function clicked(event) {
  const at = target(event);
  const act = at?.closest("[data-design]:not(body)")?.getAttribute("data-design");
  const place = at?.closest("[data-at]")?.getAttribute("data-at") ?? named(at);
  if (!act && !place && !event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (act) void tell("design", { act }).then(takeIn, fail);
  else if (place) void go(place, event.shiftKey);
  else if (at) void seek(at, event.shiftKey);
}

/** A place that stands somewhere as text, such as below a reason. @param {Element | null} at */
const named = (at) => at?.closest(".pop code, figcaption")?.textContent?.match(/^\S.*\.(blazon|ron|tsv|txt):\d+(:\d+)?$/)?.[0];

/** Where in the rules it comes from. @param {Element} at @param {boolean} beside */
async function seek(at, beside) {
  const option = at.closest("[data-option]");
  const line = at.closest("#log li");
  const thing = at.closest("[data-t]");
  /** @type {Record<string, string | number>} */
  const what = option ? { option: option.getAttribute("data-option") ?? "", number: number() }
    : line ? { line: all("#log li").indexOf(/** @type {HTMLElement} */ (line)) }
    : thing ? { thing: thing.getAttribute("data-t") ?? "" } : {};
  /** @type {{what: string, at: string}[] | undefined} */
  const places = await ask("where", what).catch(fail);
  if (!places) return;
  if (places.length === 1 && places[0]) return go(places[0].at, beside);
  openPop("pick", at, say("where"), places.length > 0 ? places.map(({ what: name, at: place }) =>
    button(name, () => (closePop(), go(place, beside)), { role: "menuitem", class: "go", title: place }))
    : [make("p", {}, say("nowhere"))], { menu: true });
}

/**
 * Opens a place of the rules: in the editor that the server was given, or beside the board where there is none, where it
 * does not have the page, or where that is asked for.
 * @param {string} place @param {boolean} beside
 */
async function go(place, beside) {
  /** @type {{link: string | null} | undefined} */
  const own = !beside && "editor" in the("design").dataset ? await ask("edit/link", { at: place }).catch(fail) : undefined;
  /* An anchor, not an address: the page stays, and with it what it listens to. */
  if (own?.link) return make("a", { href: own.link }).click();
  closePop();
  const { openEdit } = await import("./edit.js");
  await openEdit(place).catch(fail);
}

startDesign();
