/** What an option would change, told while it is pointed at; dice and hidden faces are not told. */
import { make, parse, target } from "./dom.js";
import { ask } from "./link.js";
import { put } from "./pop.js";
import { say } from "./words.js";

/** No more lines than these are told. */
const MOST = 8;

/** What was answered at a decision, by option. @type {Map<string, Promise<any>>} */
const known = new Map();
let knownFor = -1;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;
const tip = make("div", { id: "preview", role: "tooltip" });

/**
 * Watches what stands for one option. What is pressed is not told any more.
 * @param {() => number} number  the decision's @param {() => boolean} together  whether others are asked, too
 */
export function startPreview(number, together) {
  document.body.append(tip);
  for (const kind of ["pointerover", "focusin", "pointerdown", "keydown"]) {
    addEventListener(kind, (event) => {
      const at = kind === "pointerdown" || kind === "keydown" ? null : target(event)?.closest("[data-option]");
      closePreview();
      if (at) waiting = setTimeout(() => void show(at, number(), together()), 300);
    });
  }
}

/** What was told is of no use any more. */
export function closePreview() {
  clearTimeout(waiting);
  tip.replaceChildren();
}

/** @param {Element} at @param {number} number @param {boolean} together */
async function show(at, number, together) {
  const option = at.getAttribute("data-option") ?? "";
  if (number !== knownFor) known.clear();
  knownFor = number;
  const asked = known.get(option) ?? ask("try", { number, option });
  known.set(option, asked);
  const said = await asked.catch(() => {
    // A question that was lost is asked again.
    if (known.get(option) === asked) known.delete(option);
    return null;
  });
  if (!said || !at.isConnected || !at.matches(":hover, :focus")) return;
  /** @type {string[]} */
  const changes = said.changes ?? [];
  const lines = said.chance ? [say("chance")] : changes.length > 0 ? [] : [say(together ? "notYet" : "noChange")];
  // One line more takes no more room than to say that there is one.
  const told = changes.length > MOST + 1 ? changes.slice(0, MOST) : changes;
  const more = changes.length - told.length;
  tip.replaceChildren(...lines, ...told.map((html) => make("p", {}, ...parse(html))), more > 0 ? make("p", {}, say("furtherChanges", { n: more })) : "");
  beside(at);
}

/** Beside the list that one chooses from, not over it; above it where it is as wide as the window. @param {Element} at */
function beside(at) {
  const list = (at.closest(".pop, #panel") ?? at).getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const { y } = at.getBoundingClientRect();
  if (innerWidth - list.right >= width + 16) put(tip, list.right + 8, y);
  else if (list.left >= width + 16) put(tip, list.left - width - 8, y);
  else put(tip, 8, list.top - height - 24);
}
