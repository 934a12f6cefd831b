/** Numbers: all that an option still asks for in numbers is one stepper each and one button for all. */
import { make, set } from "./dom.js";
import { nearest, option, verbOf } from "./narrowing.js";
import { say } from "./words.js";

/** The option that the steppers stand at, by what they choose from. @type {Map<string, number>} */
const drafts = new Map();

/**
 * The controls for the numbers in which these options of one verb differ.
 * @param {Decision} decision
 * @param {number[]} ids
 * @param {number[]} free  the arguments that are asked for
 * @param {(id: number) => void} take
 */
export function steppers(decision, ids, free, take) {
  const key = `${decision.number}/${ids.join()}`;
  const at = () => drafts.get(key) ?? ids[0] ?? 0;
  const go = make("button", { type: "button", class: "verb do", "data-k": `go${ids[0]}`, onclick: () => take(at()) });
  const show = () => {
    for (const control of controls) control.show(at());
    go.textContent = option(decision, at())[2];
    set(go, { "data-option": at() });
  };
  const controls = free.map((argument) =>
    control(decision, ids, argument, at, (wanted) => {
      drafts.set(key, nearest(decision, ids, at(), argument, wanted));
      show();
    }));
  show();
  return make("div", { class: "numbers" }, ...controls.flatMap((c) => c.nodes), go);
}

/**
 * @param {Decision} decision
 * @param {number[]} ids
 * @param {number} argument
 * @param {() => number} at
 * @param {(wanted: number) => void} move
 */
function control(decision, ids, argument, at, move) {
  const value = (/** @type {number} */ id) => Number(option(decision, id)[1][argument]);
  const all = [...new Set(ids.map(value))].sort((a, b) => a - b);
  const [least = 0, most = 0] = [all[0], all.at(-1)];
  const verb = option(decision, at())[0];
  const name = `${verbOf(decision, verb).args[argument]?.name} (${say("fromTo", { least, most })})`;
  const key = `n${verb}-${argument}`;
  const typed = (/** @type {Event} */ e) => move(Number(/** @type {HTMLInputElement} */ (e.target).value));
  /** @param {string} sign @param {string} label @param {() => number} to */
  const step = (sign, label, to) => make("button", { type: "button", "data-k": key + sign, "aria-label": label, onclick: () => move(to()) }, sign);
  const field = make("input", { inputmode: "numeric", "data-k": key, "aria-label": name, onchange: typed });
  const range = make("input", { type: "range", "data-k": `${key}r`, min: least, max: most, "aria-label": name, oninput: typed });
  const quick = quickValues(all, key, move);
  const row = make("div", { class: "number", role: "group", "aria-label": name },
    step("−", say("less"), () => all.filter((n) => n < value(at())).at(-1) ?? least), field,
    step("+", say("more"), () => all.find((n) => n > value(at())) ?? most), range);
  return { nodes: [row, quick.node], show: (/** @type {number} */ id) => {
    field.value = range.value = String(value(id));
    quick.show(value(id));
  } };
}

/** The least, the most, and some between. @param {number[]} all @param {string} key @param {(n: number) => void} move */
function quickValues(all, key, move) {
  const few = all.length <= 6 ? all : all.filter((n, i) => i === 0 || i === all.length - 1 || [5, 10, 25, 50, 100].includes(n));
  const buttons = few.map((n) => make("button", { type: "button", class: "go", "data-k": `${key}=${n}`, onclick: () => move(n) }, String(n)));
  const show = (/** @type {number} */ now) => buttons.forEach((b, i) => set(b, { "aria-pressed": few[i] === now ? "true" : "false" }));
  return { node: make("div", { class: "quick" }, ...buttons), show };
}
