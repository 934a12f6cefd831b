/** Why not? What the rules refuse, asked once per decision and looked up by what is picked. */
import { make, draw } from "./dom.js";
import { ask } from "./link.js";
import { openPop } from "./pop.js";
import { paragraph } from "./panel.js";
import { list, say, sentence } from "./words.js";

/** @type {Promise<Why> | null} */
let known = null;
let knownFor = -1;

/** @param {Decision} d @returns {Promise<Why>} */
export function refusals(d) {
  if (!known || knownFor !== d.number) {
    known = ask("why");
    knownFor = d.number;
    known.catch(() => (known = null));
  }
  return known;
}

/**
 * Says why not, beside the thing. Without `always` it says nothing where there is nothing to tell.
 * @param {Decision} d
 * @param {{things: Value[], verb: number, about: Element | null, always: boolean}} what
 * @param {{name: (value: Value) => string, open: number[], take: (id: number) => void}} page
 */
export async function sayWhy(d, what, page) {
  const why = await refusals(d);
  const no = why.refusals.filter((r) => (what.verb < 0 || r.verb === what.verb) && what.things.every((t) => r.args.includes(t)));
  if (no.length === 0 && !what.always) return;
  const title = what.things.length > 0 ? list(what.things.map(page.name)) : say("whyNot");
  const blocks = no.length > 4 ? byReason(d, no, why) : no.map((r) => refusal(r.label, r.reason, why, r.paragraphs, r.place));
  const open = page.open.slice(0, 4).map((id) => make("div", { class: "yes" }, lead(d.options[id]?.[2] ?? "", "M2.5 8.5l4 4 7-9"),
    make("button", { type: "button", class: "go", onclick: () => page.take(id) }, say("doIt"))));
  const out = no.length + open.length === 0 ? [make("p", { class: "rs" }, say("notOffered"))] : [];
  openPop("why", what.about, title, [...blocks, ...out, ...open], { quiet: !what.always });
}

/** Many refusals of one thing, by their reasons, verbs counted. @param {Decision} d @param {Refusal[]} no @param {Why} why */
function byReason(d, no, why) {
  /** @type {Map<string, Refusal[]>} */
  const reasons = new Map();
  for (const r of no) reasons.set(r.reason, [...(reasons.get(r.reason) ?? []), r]);
  return [...reasons].sort((a, b) => b[1].length - a[1].length).slice(0, 8).map(([reason, all]) => {
    const verbs = [...new Set(all.map((r) => r.verb))];
    const label = verbs.map((v) => `${d.verbs[v]?.name} (${all.filter((r) => r.verb === v).length})`).join(", ");
    return refusal(all.length > 1 ? label : (all[0]?.label ?? ""), reason, why, [...new Set(all.flatMap((r) => r.paragraphs))], all[0]?.place ?? "");
  });
}

/** @param {string} label @param {string} reason @param {Why} why @param {string[]} paragraphs @param {string | null} place */
function refusal(label, reason, why, paragraphs, place) {
  return make("div", { class: "no" }, lead(label, "M8 1.5a6.5 6.5 0 1 0 .01 0M3.5 12.5l9-9"), make("p", { class: "rs" }, sentence(reason)),
    make("p", { class: "pg" }, ...paragraphs.map((p) => {
      const link = paragraph(p);
      link.append(` ${why.titles[p] ?? ""}`);
      return link;
    }), place ? make("code", {}, place) : null));
}

/** A label behind a sign. @param {string} text @param {string} sign */
function lead(text, sign) {
  return make("p", { class: "lbl" }, draw("svg", { width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" }, draw("path", { class: "o", d: sign })), text);
}
