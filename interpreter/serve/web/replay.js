/** Looking back: a slider over all choices, from the viewpoints that are allowed, and a fork from any point. */
import { button, make, the } from "./dom.js";
import { ask, tell } from "./link.js";
import { fail } from "./pop.js";
import { say } from "./words.js";

/**
 * Opens the slider above the panel.
 * @param {{choices: number, seats: string[], seat: string}} game @param {(update: Update) => void} show @param {() => void} leave
 */
export function openReplay({ choices, seats, seat }, show, leave) {
  let at = choices;
  let asked = 0;
  const come = (/** @type {number} */ to) => {
    at = Math.max(0, Math.min(choices, to));
    slider.value = String(at);
    count.textContent = say("choiceOf", { n: at, all: choices });
  };
  const go = async (/** @type {number} */ to) => {
    const back = String(to < at);
    come(to);
    const mine = ++asked;
    const update = await ask(`replay/${at}`, { seat: views.value, back }).catch(fail);
    if (!update || mine !== asked || !bar.isConnected) return;
    come(update.choices);
    show(update);
  };
  const step = (/** @type {string} */ sign, /** @type {"first" | "back" | "on" | "last"} */ word, /** @type {() => number} */ to) =>
    button(sign, () => go(to()), { class: "tool", "aria-label": say(word), title: say(word) });
  const slider = make("input", { type: "range", min: 0, max: choices, value: at, "aria-label": say("replay"), oninput: () => go(Number(slider.value)) });
  const count = make("p", { role: "status" });
  const views = make("select", { "aria-label": say("viewpoint"), onchange: () => go(at) }, ...seats.map((s) => make("option", { value: s, selected: s === seat }, s || say("spectator"))));
  const fork = async () => {
    const made = await tell("fork", { at }).catch(fail);
    if (made) location.assign(made.url);
  };
  const bar = make("section", { id: "replay", "aria-label": say("replay") }, count, slider, make("div", { class: "tools" },
    step("«", "first", () => 0), step("‹", "back", () => at - 1), step("›", "on", () => at + 1), step("»", "last", () => choices),
    seats.length > 1 && views, button(say("fork"), fork, { class: "verb", title: say("forkAlone") }), button(say("now"), () => (bar.remove(), the("prompt").focus(), leave()), { class: "verb do" })));
  the("panel").prepend(bar);
  slider.focus();
  void go(at);
}
