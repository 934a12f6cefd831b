/** What an option would change, told while it is pointed at; dice and hidden faces are not told. */
import { make, parse, target } from "./dom.js";
import { ask } from "./link.js";
import { place } from "./pop.js";
import { say } from "./words.js";

/** What was answered, by decision and option. @type {Map<string, Promise<any>>} */
const known = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/** Watches what stands for one option. @param {() => number} number  the decision's */
export function startPreview(number) {
  const tip = make("div", { id: "preview", role: "tooltip" });
  document.body.append(tip);
  for (const kind of ["pointerover", "focusin", "pointerdown", "keydown"]) {
    addEventListener(kind, (event) => {
      const at = target(event)?.closest("[data-option]");
      clearTimeout(waiting);
      tip.replaceChildren();
      if (at) waiting = setTimeout(() => void show(tip, at, number()), 300);
    });
  }
}

/** @param {HTMLElement} tip @param {Element} at @param {number} number */
async function show(tip, at, number) {
  const option = at.getAttribute("data-option") ?? "";
  const key = `${number}/${option}`;
  known.set(key, known.get(key) ?? ask("try", { number, option }));
  const said = await known.get(key)?.catch(() => null);
  if (!said || !at.isConnected || !at.matches(":hover, :focus")) return;
  /** @type {string[]} */
  const changes = said.changes ?? [];
  const lines = said.chance ? [say("chance")] : changes.length > 0 ? [] : [say("noChange")];
  tip.replaceChildren(...lines, ...changes.map((html) => make("p", {}, ...parse(html))));
  place(tip, at);
}
