/** The decision's panel: who, prompt, sentence, verbs, rows and tools. It shows a state and keeps none but the field's text. */
import { make, parse, sample, the } from "./dom.js";
import { blank, byVerb, next, open, option, rows, search, verbOf } from "./narrowing.js";
import { steppers } from "./numbers.js";
import { list, say } from "./words.js";


/** No more rows than this are listed; above `ALL` values only those that are near. */
const ROWS = 24;
const ALL = 200;
const NEAR = 12;

/** @type {Record<string, HTMLElement>} */
const part = {};
let typed = "";

/** Builds the parts once, so that what is live stays live. @param {Acts} acts */
export function startPanel(acts) {
  part.who = make("p", { class: "who" });
  part.prompt = make("h1", { id: "prompt", tabindex: -1, "aria-live": "polite" });
  part.note = make("p", { class: "note", role: "status" });
  part.sentence = make("p", { class: "sentence", "aria-live": "polite" });
  part.verbs = make("div", { class: "verbs", role: "group", "aria-label": say("verbs") });
  part.find = make("input", { id: "find", type: "search", placeholder: say("find"), "aria-label": say("find"), autocomplete: "off" });
  part.rows = make("ul", { class: "opts", "aria-label": say("open") });
  part.numbers = make("div", {});
  part.tools = make("div", { class: "tools" });
  the("decision").replaceChildren(...Object.values(part));
  part.find.addEventListener("input", () => find(acts));
  part.find.addEventListener("keydown", (e) => finding(/** @type {KeyboardEvent} */ (e), acts));
}

/** @type {Shown | null} */
let shown = null;

/** @param {Shown} state @param {Acts} acts */
export function showPanel(state, acts) {
  const fresh = state.decision?.number !== shown?.decision?.number || state.over !== shown?.over;
  const focus = the("decision").contains(document.activeElement) ? document.activeElement : null;
  if (fresh) setTyped("");
  shown = state;
  head(state, fresh);
  const yours = state.decision?.yours ? state.decision : null;
  sentence(yours, state, acts);
  verbs(yours, state.now, acts);
  lists(yours, state.now, acts);
  tools(state, acts);
  if (focus && !(focus.isConnected && !fresh)) refocus(focus, fresh);
}

/** The focus stays where it was, if that is still there; a new decision's prompt takes it. @param {Element} was @param {boolean} fresh */
function refocus(was, fresh) {
  const key = was.getAttribute("data-k");
  const same = key && !fresh && the("decision").querySelector(`[data-k="${CSS.escape(key)}"]`);
  const to = same instanceof HTMLElement ? same : part.prompt;
  to?.focus({ preventScroll: true });
}

/** @param {string} text */
function setTyped(text) {
  typed = text;
  const field = /** @type {HTMLInputElement} */ (part.find);
  if (field.value !== text) field.value = text;
}

/** @param {Shown} state @param {boolean} fresh */
function head(state, fresh) {
  const d = state.decision;
  if (!fresh) return;
  const badge = parse(d?.badge ?? d?.who ?? "").find((n) => n instanceof SVGElement);
  const who = state.over !== null ? say("over") : !d ? "" : d.yours ? say("yours", { seat: d.seat }) : say(d.deciders.length > 1 ? "decideTogether" : "decides", { seats: list(d.deciders) });
  part.who?.replaceChildren(...(badge ? [badge] : []), make("span", {}, who));
  part.prompt?.replaceChildren(...(state.over !== null ? [state.over] : parse(d?.prompt ?? "")));
  if (d?.paragraphs.length) part.prompt?.append(" ", ...d.paragraphs.map(paragraph));
  note(d?.note ?? "");
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let noted;

/** What was the only choice stands above the prompt for four seconds. @param {string} html */
function note(html) {
  clearTimeout(noted);
  part.note?.replaceChildren(...parse(html));
  if (html) noted = setTimeout(() => part.note?.replaceChildren(), 4000);
}

/** A paragraph of the rules; the page opens its text. @param {string} number */
export function paragraph(number) {
  return make("button", { type: "button", class: "par", "data-paragraph": number, "data-k": `§${number}` }, `§ ${number}`);
}

/** @param {Decision | null} d @param {Shown} state @param {Acts} acts */
function sentence(d, state, acts) {
  if (!d) return part.sentence?.replaceChildren(state.over === null && !state.spectator ? say("waiting") : "");
  const chips = state.now.picks.map((p) => {
    const name = nameOf(d, p.value);
    return make("button", { type: "button", class: "chip", "data-k": `chip${p.value}`, "data-t": String(p.value), "aria-label": say("putDown", { name }), onclick: () => acts.drop(p.value) }, name, make("i", { "aria-hidden": "true" }, "×"));
  });
  const asks = blank(d, state.now);
  const others = d.deciders.filter((s) => s !== d.seat);
  part.sentence?.replaceChildren(...chips, " ",
    make("span", { class: "blank" }, state.asking ? say("askWhat") : asks === "nothing" ? "" : say(asks)),
    ...(others.length > 0 ? [make("span", { class: "wait" }, say("together", { seats: list(others) }))] : []));
}

/** @param {Decision} d @param {Value} value */
export function nameOf(d, value) {
  return value === null ? say("none") : typeof value === "number" ? String(value) : (d.names[value] ?? value);
}

/** Verbs with arguments; those that are complete are filled. @param {Decision | null} d @param {Narrowing} now @param {Acts} acts */
function verbs(d, now, acts) {
  if (!d) return part.verbs?.replaceChildren();
  const left = byVerb(d, now);
  const all = byVerb(d, { verb: -1, picks: now.picks });
  const every = byVerb(d, { verb: -1, picks: [] });
  const choices = [...every.keys()].filter((v) => verbOf(d, v).args.length > 0);
  const buttons = choices.map((v) => {
    const ids = left.get(v) ?? [];
    const [only] = ids;
    if (ids.length === 1 && only !== undefined && next(d, now, only) < 0) return doing(d, only, verbOf(d, v).label, acts);
    const count = all.get(v)?.length ?? 0;
    return make("button", { type: "button", class: count ? "verb" : "verb none", "data-k": `verb${v}`, "aria-pressed": now.verb === v ? "true" : "false", onclick: () => acts.verb(v) },
      sample(v), make("span", {}, verbOf(d, v).label), make("em", {}, String(count)));
  });
  part.verbs?.replaceChildren(...(choices.length > 1 || now.picks.length > 0 ? buttons : []));
}

/** A button that takes an option. @param {Decision} d @param {number} id @param {string} text @param {Acts} acts @param {string} [kind] */
function doing(d, id, text, acts, kind = "verb do") {
  return make("button", { type: "button", class: kind, "data-k": `do${id}`, "data-option": id, title: text === option(d, id)[2] ? null : option(d, id)[2], onclick: () => acts.take(id) }, text);
}

/** @param {Decision | null} d @param {Narrowing} now @param {Acts} acts */
function lists(d, now, acts) {
  part.numbers?.replaceChildren(...(d ? numbers(d, now, acts) : []));
  const all = d ? rows(d, now) : [];
  const many = d !== null && all.length > 0 && d.options.length > 6;
  part.find?.toggleAttribute("hidden", !many);
  if (!d) return part.rows?.replaceChildren();
  if (typed) return part.rows?.replaceChildren(...found(d, acts));
  const some = all.length > ALL ? nearRows(all) : all.slice(0, ROWS);
  const grouped = some.length > 8 && some.some((r) => groupOf(d, r));
  if (grouped) some.sort((a, b) => groupOf(d, a).localeCompare(groupOf(d, b)));
  part.rows?.replaceChildren(...some.flatMap((row, i) => {
    const group = groupOf(d, row);
    const heads = grouped && group && (i === 0 || group !== groupOf(d, /** @type {Row} */ (some[i - 1])));
    return [...(heads ? [make("li", { class: "group" }, group)] : []), line(d, now, row, acts, grouped ? "" : group)];
  }), ...(all.length > some.length ? [make("li", { class: "group" }, say("further", { n: all.length - some.length }))] : []));
}

/** @param {Decision} d @param {Row} row */
function groupOf(d, row) {
  return typeof row.value === "string" ? (d.groups[row.value] ?? "") : "";
}

/** Of very many values the twelve that stand nearest to the last thing used. @param {Row[]} all */
function nearRows(all) {
  const last = document.querySelector("#pieces .sel, #reach .sel, #ground .sel")?.getBoundingClientRect();
  if (!last) return all.slice(0, NEAR);
  const far = (/** @type {Row} */ row) => {
    const at = document.querySelector(`#board [data-t="${CSS.escape(String(row.value))}"]`)?.getBoundingClientRect();
    return at ? Math.hypot(at.x + at.width / 2 - last.x - last.width / 2, at.y + at.height / 2 - last.y - last.height / 2) : Infinity;
  };
  return all.map((row) => ({ row, away: far(row) })).sort((a, b) => a.away - b.away).slice(0, NEAR).map((r) => r.row);
}

/** One value, with a button for each verb. @param {Decision} d @param {Narrowing} now @param {Row} row @param {Acts} acts @param {string} where */
function line(d, now, row, acts, where) {
  const name = nameOf(d, row.value);
  const single = row.verbs.size === 1;
  const buttons = [...row.verbs].map(([verb, ids]) => {
    const only = ids.length === 1 ? ids[0] : undefined;
    const text = [sample(verb), verbOf(d, verb).name];
    return make("button", { type: "button", class: "go", "data-k": `row${row.value}-${verb}`, "data-option": only, "aria-label": only === undefined ? `${name}: ${verbOf(d, verb).label}` : option(d, only)[2], onclick: () => acts.click(row.value, verb) }, ...text);
  });
  const only = single ? [...row.verbs.values()][0]?.[0] : undefined;
  const takes = only !== undefined && [...row.verbs.values()][0]?.length === 1 ? only : null;
  return make("li", { "data-t": typeof row.value === "string" ? row.value : null },
    make("button", { type: "button", class: "to", "data-k": `row${row.value}`, "data-option": takes, title: takes === null ? null : option(d, takes)[2], onclick: () => acts.click(row.value) }, name, where ? make("small", {}, where) : null),
    byVerb(d, now).size > 1 ? make("span", { class: "gos" }, ...buttons) : null);
}

/** What is asked for in numbers, verb by verb. @param {Decision} d @param {Narrowing} now @param {Acts} acts */
function numbers(d, now, acts) {
  const found = [];
  for (const [verb, ids] of byVerb(d, now)) {
    const asked = ids.filter((id) => verbOf(d, verb).args[next(d, now, id)]?.ask === "number");
    if (asked.length === 0) continue;
    const free = verbOf(d, verb).args.flatMap((a, i) => (a.ask === "number" && !now.picks.some((p) => p.roles[verb] === i) ? [i] : []));
    found.push(steppers(d, asked, free, acts.take));
  }
  return found.slice(0, 4);
}

/** @param {Decision} d @param {Acts} acts */
function found(d, acts) {
  const ids = search(d, typed);
  const lines = ids.slice(0, ROWS).map((id) => make("li", {}, doing(d, id, option(d, id)[2], acts, "to")));
  if (ids.length > ROWS) lines.push(make("li", { class: "group" }, say("further", { n: ids.length - ROWS })));
  if (ids.length === 0) lines.push(make("li", { class: "group" }, say("noneFound")));
  return lines;
}

/** @param {Acts} acts */
function find(acts) {
  typed = /** @type {HTMLInputElement} */ (part.find).value.trim();
  if (shown?.decision) lists(shown.decision, shown.now, acts);
}

/** Enter takes the only option that is left, or does what the terminal would. @param {KeyboardEvent} event @param {Acts} acts */
function finding(event, acts) {
  if (event.key === "Escape" && typed) {
    event.stopPropagation();
    setTyped("");
    find(acts);
  }
  if (event.key !== "Enter" || !shown?.decision) return;
  const d = shown.decision;
  const ids = search(d, typed);
  const exact = ids.find((id) => option(d, id)[2].toLowerCase() === typed.toLowerCase());
  const only = exact ?? (ids.length === 1 ? ids[0] : undefined);
  if (only !== undefined && typed) acts.take(only);
  else if (acts.command(typed.toLowerCase())) setTyped("");
}

/** Options without arguments, then what is always there. @param {Shown} state @param {Acts} acts */
function tools(state, acts) {
  const d = state.decision?.yours ? state.decision : null;
  const plain = d ? open(d, { verb: -1, picks: [] }).filter((id) => verbOf(d, option(d, id)[0]).args.length === 0) : [];
  const all = d !== null && plain.length === d.options.length;
  const tool = (/** @type {string} */ key, /** @type {string} */ text, /** @type {string} */ title, /** @type {() => void} */ does, pressed = false) =>
    make("button", { type: "button", class: "tool", "data-k": key, title, "aria-pressed": pressed ? "true" : null, onclick: does }, text);
  part.tools?.replaceChildren(
    ...plain.map((id) => doing(/** @type {Decision} */ (d), id, option(/** @type {Decision} */ (d), id)[2], acts, all ? "verb do" : "verb end")),
    make("span", { class: "sp" }),
    ...(d ? [tool("why", say("whyNot"), `${say("whyNot")} (?)`, acts.why, state.asking)] : []),
    ...(state.undo ? [tool("undo", say("undo"), `${say("undo")} (u)`, acts.undo)] : []),
    ...(state.over !== null && !state.spectator ? [make("button", { type: "button", class: "verb do", "data-k": "rematch", onclick: acts.rematch }, say("rematch"))] : []));
}
