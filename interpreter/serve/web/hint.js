/** What a bot would do that knows what the seat knows, and what it expects of it. It comes when it is asked for. */
import { button, make } from "./dom.js";
import { ask } from "./link.js";
import { openPop } from "./pop.js";
import { say } from "./words.js";

/** @typedef {{player: string, now: number, then: number, clauses: [string, number][]}} Looks */
/** @typedef {{option: number, tries: number, worth: number, outlook: Looks[]}} Hint */

/** By how much a clause of an outlook changes, with its sign. @param {number} tenths */
const signed = (tenths) => `${tenths < 0 ? "−" : "+"}${Math.abs(tenths / 10)}`;

/** How things look for a player, and by which clauses. @param {Looks} looks */
function prospect({ player, now, then, clauses }) {
  const why = clauses.map(([label, tenths]) => `${label} ${signed(tenths)}`).join(" · ");
  return make("p", {}, `${player} ${now} → ${then}`, why === "" ? "" : `: ${why}`);
}

/** @param {Decision} d @param {(id: number) => void} take */
export async function sayHint(d, take) {
  /** @type {{number: number, hints: Hint[]}} */
  const { number, hints } = await ask("hint");
  if (number !== d.number) return;
  const worth = hints.some((h) => h.outlook.length > 0) ? "hintWorth" : "hintWon";
  openPop("why", null, say("hint"), hints.length === 0 ? [make("p", { class: "rs" }, say("noHint"))] : hints.map((h) =>
    make("div", { class: "yes hint" }, make("p", { class: "lbl" }, d.options[h.option]?.[2] ?? ""),
      button(say("doIt"), () => take(h.option), { class: "go" }),
      make("div", { class: "rs" }, make("p", {}, say(worth, { tries: h.tries, worth: h.worth })), ...h.outlook.map(prospect)))));
}
