/** Why not? What the rules refuse, asked once per decision and looked up by what is picked. */
import { button, draw, make } from "./dom.js";
import { ask } from "./link.js";
import { paragraph } from "./panel.js";
import { openPop } from "./pop.js";
import { list, say, sentence } from "./words.js";

/** @type {Promise<Why> | null} */
let known = null;
let knownFor = -1;

/** @param {Decision} d @returns {Promise<Why>} */
export function refusals(d) {
  const asked = known && knownFor === d.number ? known : ask("why");
  [known, knownFor] = [asked, d.number];
  asked.catch(() => (known = null));
  return asked;
}

/**
 * Says beside a thing why not, and what goes. A quiet answer is none if there is nothing to tell.
 * @param {Decision} d
 * @param {{things: Value[], verb: number, open: number[], about: Element | null, quiet: boolean}} what
 * @param {(value: Value) => string} name
 * @param {(id: number) => void} take
 */
export async function sayWhy(d, what, name, take) {
  const why = await refusals(d);
  const no = why.refusals.filter((r) => (what.verb < 0 || r.verb === what.verb) && what.things.every((t) => r.args.includes(t)));
  if (no.length === 0 && what.quiet) return;
  const blocks = no.length > 4 ? byReason(d, no).map((r) => refusal(r, why)) : no.map((r) => refusal(r, why));
  const goes = what.quiet ? [] : what.open.slice(0, 4).map((id) =>
    make("div", { class: "yes" }, lead(d.options[id]?.[2] ?? "", "M2.5 8.5l4 4 7-9"), button(say("doIt"), () => take(id), { class: "go" })));
  const none = blocks.length + goes.length === 0 ? [make("p", { class: "rs" }, say("notOffered"))] : [];
  openPop("why", what.about, list(what.things.map(name)), [...blocks, ...none, ...goes], { quiet: what.quiet });
}

/** Many refusals of one thing, by their reasons, with how many there are of each verb. @param {Decision} d @param {Refusal[]} no */
function byReason(d, no) {
  /** @type {Map<string, Refusal[]>} */
  const reasons = new Map();
  for (const r of no) reasons.set(r.reason, [...(reasons.get(r.reason) ?? []), r]);
  const most = [...reasons.values()].sort((a, b) => b.length - a.length).slice(0, 8);
  return most.flatMap(([first, ...more]) => {
    if (!first || more.length === 0) return first ?? [];
    const all = [first, ...more];
    const label = [...new Set(all.map((r) => r.verb))].map((v) => `${d.verbs[v]?.name} (${all.filter((r) => r.verb === v).length})`).join(", ");
    return { ...first, label, paragraphs: [...new Set(all.flatMap((r) => r.paragraphs))] };
  });
}

/** @param {Refusal} no @param {Why} why */
const refusal = (no, why) => make("div", { class: "no" }, lead(no.label, "M8 1.5a6.5 6.5 0 1 0 .01 0M3.5 12.5l9-9"), make("p", { class: "rs" }, sentence(no.reason)),
  make("p", { class: "pg" }, ...no.paragraphs.map((p) => paragraph(p, why.titles[p])), no.place && make("code", {}, no.place)));

/** A label behind a sign. @param {string} text @param {string} sign */
const lead = (text, sign) => make("p", { class: "lbl" }, draw("svg", { width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" }, draw("path", { class: "o", d: sign })), text);
