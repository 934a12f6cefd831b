/** Looking back: a slider over all choices, from the viewpoints that are allowed, and a fork from any point. */
import { make, the } from "./dom.js";
import { ask, tell } from "./link.js";
import { pass } from "./pop.js";
import { say } from "./words.js";

/**
 * Opens the slider above the panel.
 * @param {{choices: number, seats: string[], seat: string}} game
 * @param {(update: Update) => void} show
 * @param {() => void} leave
 */
export function openReplay(game, show, leave) {
  if (document.getElementById("replay")) return;
  let at = game.choices;
  let seat = game.seat;
  let asked = 0;
  const go = async (/** @type {number} */ to) => {
    at = Math.max(0, Math.min(game.choices, to));
    slider.value = String(at);
    count.textContent = say("choiceOf", { n: at, all: game.choices });
    const mine = ++asked;
    try {
      const update = await ask(`replay/${at}`, { seat });
      if (mine === asked && bar.isConnected) show(update);
    } catch (error) {
      pass(String(error), null, { bad: true });
    }
  };
  const button = (/** @type {string} */ sign, /** @type {"first" | "back" | "on" | "last"} */ word, /** @type {() => number} */ to) =>
    make("button", { type: "button", class: "tool", "aria-label": say(word), title: say(word), onclick: () => go(to()) }, sign);
  const slider = make("input", { type: "range", min: 0, max: game.choices, value: at, "aria-label": say("replay"), oninput: () => go(Number(slider.value)) });
  const count = make("p", { role: "status" });
  const views = make("select", { "aria-label": say("viewpoint"), onchange: () => ((seat = views.value), go(at)) },
    ...["", ...game.seats].map((s) => make("option", { value: s, selected: s === seat }, s || say("spectator"))));
  const shut = () => (bar.remove(), document.body.classList.remove("replaying"), leave());
  const bar = make("section", { id: "replay", "aria-label": say("replay") }, count, slider, make("div", { class: "tools" },
    button("⏮", "first", () => 0), button("◀", "back", () => at - 1), button("▶", "on", () => at + 1), button("⏭", "last", () => game.choices),
    views, make("button", { type: "button", class: "verb", onclick: () => fork(at) }, say("fork")),
    make("button", { type: "button", class: "verb do", onclick: shut }, say("now"))));
  the("panel").prepend(bar);
  document.body.classList.add("replaying");
  slider.focus();
  go(at);
}

/** A new table that goes on from here. @param {number} at */
async function fork(at) {
  try {
    location.assign((await tell("fork", { at })).url);
  } catch (error) {
    pass(String(error), null, { bad: true });
  }
}
