/** What an option would change, told while it is pointed at; dice and hidden faces are not told. */
import { make, parse } from "./dom.js";
import { ask } from "./link.js";
import { say } from "./words.js";

/** @type {Map<string, Promise<{changes?: string[], chance?: boolean}>>} */
const known = new Map();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/** Watches rows and buttons that stand for one option. @param {() => number} number  the decision's */
export function startPreview(number) {
  const tip = make("div", { id: "preview", role: "tooltip" });
  document.body.append(tip);
  const at = (/** @type {Event} */ event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-option]") : null;
    clearTimeout(waiting);
    tip.replaceChildren();
    if (button) waiting = setTimeout(() => tell(tip, button, number()), 300);
  };
  for (const kind of ["pointerover", "focusin", "pointerdown", "keydown"]) addEventListener(kind, at);
}

/** @param {HTMLElement} tip @param {Element} button @param {number} number */
async function tell(tip, button, number) {
  const option = button.getAttribute("data-option") ?? "";
  const key = `${number}/${option}`;
  const asked = known.get(key) ?? ask("try", { number, option });
  known.set(key, asked);
  const said = await asked.catch(() => null);
  if (!said || !button.isConnected || !button.matches(":hover, :focus")) return;
  const lines = said.chance ? [say("chance")] : said.changes?.length ? [] : [say("noChange")];
  tip.replaceChildren(...lines.map((l) => make("p", {}, l)), ...(said.changes ?? []).map((/** @type {string} */ html) => make("p", {}, ...parse(html))));
  const box = button.getBoundingClientRect();
  const left = box.left > innerWidth / 2 ? box.left - tip.offsetWidth - 14 : box.left;
  const top = box.left > innerWidth / 2 ? box.top : box.bottom + 8;
  tip.style.setProperty("left", `${Math.max(8, left)}px`);
  tip.style.setProperty("top", `${Math.min(top, innerHeight - tip.offsetHeight - 8)}px`);
}
