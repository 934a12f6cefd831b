/** Numbers: all that an option still asks for in numbers is one stepper each and one button for all. */
import { button, make, set } from "./dom.js";
import { nearest, option, verbOf } from "./narrowing.js";
import { say } from "./words.js";

/** The option that the steppers stand at, at a decision, by what they choose from. @type {Map<string, number>} */
const drafts = new Map();
let draftsFor = -1;

/**
 * The steppers for the arguments `free`, in which the options of one verb differ.
 * @param {Decision} d @param {number[]} ids @param {number[]} free @param {(id: number) => void} take
 */
export function steppers(d, ids, free, take) {
  if (d.number !== draftsFor) drafts.clear();
  draftsFor = d.number;
  const key = ids.join();
  const at = () => drafts.get(key) ?? ids[0] ?? 0;
  const go = button("", () => take(at()), { class: "verb do", "data-k": `go${ids[0]}` });
  const show = () => {
    for (const control of controls) control.show();
    go.textContent = option(d, at())[2];
    set(go, { "data-option": at() });
  };
  const controls = free.map((argument) => {
    const value = (id = at()) => Number(option(d, id)[1][argument]);
    const verb = option(d, at())[0];
    const all = [...new Set(ids.map(value))].sort((a, b) => a - b);
    return stepper(`n${verb}-${argument}`, verbOf(d, verb).args[argument]?.name ?? "", all, value, (to) => {
      drafts.set(key, nearest(d, ids, at(), argument, to));
      show();
    });
  });
  show();
  return make("div", { class: "numbers" }, ...controls.flatMap((c) => c.nodes), go);
}

/** @param {string} key @param {string} of @param {number[]} all @param {() => number} now @param {(to: number) => void} move */
function stepper(key, of, all, now, move) {
  const [least = 0, most = 0] = [all[0], all.at(-1)];
  const name = `${of} (${say("fromTo", { least, most })})`;
  const typed = (/** @type {Event} */ e) => move(Number(/** @type {HTMLInputElement} */ (e.target).value));
  const field = make("input", { inputmode: "numeric", "data-k": key, "aria-label": name, onchange: typed });
  const range = make("input", { type: "range", "data-k": `${key}r`, min: least, max: most, "aria-label": name, oninput: typed });
  const few = all.length <= 6 ? all : all.filter((n, i) => i === 0 || i === all.length - 1 || [5, 10, 25, 50, 100].includes(n));
  const quick = few.map((n) => button(String(n), () => move(n), { class: "go", "data-k": `${key}=${n}` }));
  const row = make("div", { class: "number", role: "group", "aria-label": name },
    button("−", () => move(all.filter((n) => n < now()).at(-1) ?? least), { "data-k": `${key}-`, "aria-label": say("less") }), field,
    button("+", () => move(all.find((n) => n > now()) ?? most), { "data-k": `${key}+`, "aria-label": say("more") }), range);
  const show = () => {
    field.value = range.value = String(now());
    quick.forEach((b, i) => set(b, { "aria-pressed": String(few[i] === now()) }));
  };
  return { nodes: [row, make("div", { class: "quick" }, ...quick)], show };
}
