/** What a bot would do that knows what the seat knows, and what it expects of it. It comes when it is asked for. */
import { button, make } from "./dom.js";
import { ask } from "./link.js";
import { openPop } from "./pop.js";
import { say } from "./words.js";

/** @typedef {{option: number, tries: number, worth: number, outlook: [string, number, number][]}} Hint */

/** @param {Decision} d @param {(id: number) => void} take */
export async function sayHint(d, take) {
  /** @type {{number: number, hints: Hint[]}} */
  const { number, hints } = await ask("hint");
  if (number !== d.number) return;
  const told = (/** @type {Hint} */ h) => [say("hintWorth", { tries: h.tries, worth: h.worth }), ...h.outlook.map(([name, now, then]) => `${name} ${now} → ${then}`)].join("; ");
  openPop("why", null, say("hint"), hints.length === 0 ? [make("p", { class: "rs" }, say("noHint"))] : hints.map((h) =>
    make("div", { class: "yes" }, make("p", { class: "lbl" }, d.options[h.option]?.[2] ?? ""), make("p", { class: "rs" }, told(h)),
      button(say("doIt"), () => take(h.option), { class: "go" }))));
}
