/** The decision's panel: who, prompt, sentence, verbs, rows and tools. It keeps nothing but what is typed. */
import { bearers, button, make, onBoard, parse, sample, set, the } from "./dom.js";
import { blank, byVerb, next, NOTHING, open, option, rows, saysMore, search, verbOf } from "./narrowing.js";
import { steppers } from "./numbers.js";
import { list, say } from "./words.js";

/** No more rows than these are listed; above `ALL` values only those that are near. */
const ROWS = 24;
const ALL = 200;
const NEAR = 12;

/** The parts of the panel, built once so that what is live stays live. @type {Record<"who" | "note" | "prompt" | "sentence" | "verbs" | "numbers" | "find" | "rows" | "tools", HTMLElement>} */
let part;
/** @type {Acts} */
let acts;
/** @type {Shown} */
let shown = { mine: null, decision: null, now: NOTHING, undo: false, over: null, asking: false, refused: [], spectator: true, playing: false, by: [] };
let typed = "";

/** @param {Acts} does */
export function startPanel(does) {
  acts = does;
  const find = make("input", { id: "find", type: "search", placeholder: say("find"), "aria-label": say("find"), autocomplete: "off", onkeydown: finding,
    oninput: () => type(find.value.trim()) });
  part = {
    who: make("p", { class: "who" }),
    note: make("p", { class: "note", role: "status" }),
    prompt: make("h1", { id: "prompt", tabindex: -1, "aria-live": "polite" }),
    sentence: make("p", { class: "sentence", "aria-live": "polite" }),
    verbs: make("div", { class: "verbs", role: "group", "aria-label": say("verbs") }),
    numbers: make("div", {}),
    find,
    rows: make("ul", { class: "opts", "aria-label": say("open") }),
    tools: make("div", { class: "tools" }),
  };
  the("decision").replaceChildren(...Object.values(part));
}

/** @param {Shown} state */
export function showPanel(state) {
  const fresh = state.decision?.number !== shown.decision?.number || state.over !== shown.over;
  const again = fresh || state.playing !== shown.playing;
  const focus = the("decision").contains(document.activeElement) ? document.activeElement : null;
  shown = state;
  if (fresh) {
    typed = /** @type {HTMLInputElement} */ (part.find).value = "";
  }
  if (again) head();
  part.sentence.replaceChildren(...sentence());
  part.verbs.replaceChildren(...verbs());
  part.numbers.replaceChildren(...numbers());
  part.tools.replaceChildren(...tools());
  listRows();
  if (focus && (fresh || !focus.isConnected)) refocus(focus.getAttribute("data-k"), fresh);
}

/** The focus stays where it was, if that is still there; a new decision's prompt takes it. @param {string | null} key @param {boolean} fresh */
function refocus(key, fresh) {
  const same = key && !fresh && the("decision").querySelector(`[data-k="${CSS.escape(key)}"]`);
  (same instanceof HTMLElement ? same : part.prompt).focus({ preventScroll: true });
}

/**
 * What was the only choice stands above the prompt until its reader has chosen: by a clock it would go from above
 * what he is about to press. Whoever only looks on reads it until something else happens.
 * @param {Node[]} lines  of the log @param {boolean} [answered]  what he was asked
 */
export function tellForced(lines, answered) {
  const forced = shown.over === null && lines.findLast((n) => n instanceof Element && n.matches(".forced"));
  if (forced) part.note.textContent = say("only", { what: forced.textContent ?? "" });
  else if (answered || shown.over !== null || (shown.spectator && lines.length > 0)) part.note.replaceChildren();
}

/** Who decides and what. */
function head() {
  const { decision: d, over } = shown;
  const who = over !== null ? say("over") : !d ? "" : d.yours ? say("yours", { seat: d.seat }) : say(d.deciders.length > 1 ? "decideTogether" : "decides", { seats: list(d.deciders) });
  part.who.replaceChildren(...parse(d?.badge ?? ""), make("span", {}, who));
  /* While it is shown what others did, what they were asked first is not how things stand. */
  if (over === null && shown.playing) return part.prompt.replaceChildren("…");
  const cited = over !== null ? shown.by.map(([p, title]) => paragraph(p, title)) : (d?.paragraphs ?? []).map((p) => paragraph(p));
  part.prompt.replaceChildren(...(over !== null ? [over] : parse(d?.prompt ?? "")), " ", ...cited);
}

/** A paragraph of the rules; the page opens its text. @param {string} number @param {string} [title] */
export const paragraph = (number, title = "") => make("button", { type: "button", class: "par", "data-paragraph": number }, `§ ${number} ${title}`);

/** What is picked, as chips, and the next blank. */
function sentence() {
  const { mine: d, now } = shown;
  if (shown.over !== null) return lastSaid();
  if (!d) return [document.getElementById("strip")?.dataset.waits ?? (shown.decision && !shown.spectator ? say("waiting") : "")];
  const others = d.deciders.filter((s) => s !== d.seat);
  return [
    ...now.picks.map(({ value }) => {
      const name = nameOf(d, value);
      const chip = button(name, () => acts.drop(value), { class: "chip", "data-k": `chip${value}`, "data-t": String(value), "aria-label": say("putDown", { name }) });
      chip.append(make("i", { "aria-hidden": "true" }, "×"));
      return chip;
    }),
    make("span", { class: "blank" }, say(shown.asking ? "askWhat" : blank(d, now))),
    others.length > 0 ? make("span", { class: "wait" }, say("together", { seats: list(others) })) : "",
  ];
}

/** What the rules said last before they ended the game. */
function lastSaid() {
  const said = document.querySelector("#log li:has(+ .over)");
  return said?.matches(".said") ? [...said.childNodes].map((node) => node.cloneNode(true)) : [];
}

/** @param {Decision} d @param {Value} value */
export const nameOf = (d, value) => (value === null ? say("none") : (d.names[value] ?? String(value)));

/** Verbs that want arguments, each with the number of its options; those that want no more are filled. */
function verbs() {
  const { mine: d, now } = shown;
  if (!d) return [];
  const left = byVerb(d, now);
  const any = byVerb(d, { verb: -1, picks: now.picks });
  const choices = [...byVerb(d, NOTHING).keys()].filter((v) => verbOf(d, v).args.length > 0);
  if (choices.length < 2 && now.picks.length === 0) return [];
  return choices.map((v) => {
    const [only, ...more] = left.get(v) ?? [];
    if (only !== undefined && more.length === 0 && next(d, now, only) < 0) return taking(d, only, verbOf(d, v).label, "verb do");
    const count = any.get(v)?.length ?? 0;
    const chip = button(sample(v), () => acts.verb(v), { class: count ? "verb" : "verb none", "data-k": `verb${v}`, "aria-pressed": String(now.verb === v) });
    chip.append(make("span", {}, verbOf(d, v).label), make("em", {}, String(count)));
    return chip;
  });
}

/** A button that takes an option. @param {Decision} d @param {number} id @param {string} text @param {string} kind */
function taking(d, id, text, kind) {
  const label = option(d, id)[2];
  return button(text, () => acts.take(id), { class: kind, "data-k": `do${id}`, "data-option": id, title: text === label ? null : label });
}

/** What is asked for in numbers, verb by verb. */
function numbers() {
  const { mine: d, now } = shown;
  if (!d) return [];
  return [...byVerb(d, now)].flatMap(([verb, ids]) => {
    const args = verbOf(d, verb).args;
    const asked = ids.filter((id) => args[next(d, now, id)]?.ask === "number");
    const free = [...args.keys()].filter((i) => args[i]?.ask === "number" && !now.picks.some((p) => p.roles[verb] === i));
    return asked.length > 0 ? [steppers(d, asked, free, acts.take)] : [];
  }).slice(0, 4);
}

/** The rows: what is open, what was searched for, or what is refused. */
function listRows() {
  const { mine: d, now } = shown;
  const values = d ? rows(d, now) : [];
  part.find.hidden = !d || (values.length < 7 && !typed && !shown.asking);
  part.rows.replaceChildren(...(!d ? [] : shown.asking ? refusedRows() : typed ? foundRows(d) : openRows(d, values)));
  const pressed = part.prompt.parentElement?.querySelectorAll(".verbs button, .opts .to, .tools .verb") ?? [];
  [...pressed].forEach((b, i) => set(b, { "data-digit": i < 9 ? String(i + 1) : null }));
}

/** @param {string} text */
const heading = (text) => make("li", { class: "group" }, text);

/** @param {Decision} d @param {Row[]} values */
function openRows(d, values) {
  const some = values.length > ALL ? nearest(values) : values.slice(0, ROWS);
  const group = (/** @type {Row | undefined} */ row) => d.groups[String(row?.value)] ?? "";
  const grouped = some.length > 8 && some.some(group);
  if (grouped) some.sort((a, b) => group(a).localeCompare(group(b)));
  const lines = some.flatMap((row, i) => {
    const line = rowOf(d, row, grouped ? "" : group(row));
    return grouped && group(row) !== group(some[i - 1]) ? [heading(group(row)), line] : [line];
  });
  return values.length > some.length ? [...lines, heading(say("further", { n: values.length - some.length }))] : lines;
}

/** Of very many values the twelve that stand nearest to what is picked. @param {Row[]} values */
function nearest(values) {
  const there = bearers();
  const at = (/** @type {Value | undefined} */ value) => there.get(String(value))?.find(onBoard)?.getBoundingClientRect();
  const from = at(shown.now.picks.at(-1)?.value);
  const far = (/** @type {Row} */ row) => {
    const to = at(row.value);
    return from && to ? Math.hypot(to.x + to.width / 2 - from.x - from.width / 2, to.y + to.height / 2 - from.y - from.height / 2) : Infinity;
  };
  return values.map((row) => ({ row, far: far(row) })).sort((a, b) => a.far - b.far).slice(0, NEAR).map((r) => r.row);
}

/** One value, with a button for each verb if there are several. @param {Decision} d @param {Row} row @param {string} where */
function rowOf(d, row, where) {
  const name = nameOf(d, row.value);
  const verbs = [...row.verbs];
  const single = (/** @type {number[]} */ ids) => (ids.length === 1 ? ids[0] : undefined);
  const only = single(verbs.flatMap(([, ids]) => ids));
  const to = button((only !== undefined && saysMore(d, only)) || name, () => acts.click(row.value), { class: "to", "data-k": `row${row.value}`, "data-option": only, title: only === undefined ? null : option(d, only)[2] });
  if (where) to.append(make("small", {}, where));
  const each = verbs.map(([verb, ids]) => {
    const one = single(ids);
    const go = button(sample(verb), () => acts.click(row.value, verb), { class: "go", "data-k": `row${row.value}-${verb}`, "data-option": one,
      "aria-label": `${name}: ${verbOf(d, verb).name}`, title: one === undefined ? null : option(d, one)[2] });
    go.append(verbOf(d, verb).name);
    return go;
  });
  return make("li", { "data-t": row.value }, to, byVerb(d, shown.now).size > 1 && make("span", { class: "gos" }, ...each));
}

/** @param {Decision} d */
function foundRows(d) {
  const ids = search(d, typed);
  const lines = ids.slice(0, ROWS).map((id) => make("li", {}, taking(d, id, option(d, id)[2], "to")));
  if (ids.length > ROWS) lines.push(heading(say("further", { n: ids.length - ROWS })));
  return ids.length > 0 ? lines : [heading(say("noneFound"))];
}

/** What is refused, and why: for those who cannot click on it, too. */
function refusedRows() {
  const has = (/** @type {Refusal} */ r) => shown.now.picks.every((p) => r.args.includes(p.value)) && typed.toLowerCase().split(/\s+/).every((w) => r.label.toLowerCase().includes(w));
  return shown.refused.filter(has).slice(0, ROWS).map((r) => make("li", { class: "refused" }, make("span", {}, r.label), make("small", {}, r.reason)));
}

/** @param {string} text */
function type(text) {
  typed = text;
  listRows();
}

/** Enter takes the only option that is left, or does what the terminal would; Esc empties the field. @param {KeyboardEvent} event */
function finding(event) {
  const d = shown.mine;
  if (event.key === "Escape" && typed) {
    event.stopPropagation();
    type((/** @type {HTMLInputElement} */ (part.find).value = ""));
  }
  if (event.key !== "Enter" || !d || !typed) return;
  const ids = search(d, typed);
  const only = ids.find((id) => option(d, id)[2].toLowerCase() === typed.toLowerCase()) ?? (ids.length === 1 ? ids[0] : undefined);
  if (only !== undefined) acts.take(only);
  else acts.command(typed.toLowerCase());
}

/** Options without arguments, and what is always there. */
function tools() {
  const { mine: d, over } = shown;
  const plain = d ? open(d, NOTHING).filter((id) => option(d, id)[1].length === 0) : [];
  const kind = plain.length === d?.options.length ? "verb do" : "verb end";
  const tool = (/** @type {"whyNot" | "undo"} */ word, /** @type {string} */ key, /** @type {() => void} */ does) =>
    button(say(word), does, { class: "tool", "data-k": word, title: `${say(word)} (${key})`, "aria-pressed": word === "whyNot" && String(shown.asking) });
  const after = (/** @type {"replay" | "newGame" | "rematch"} */ word, /** @type {() => void} */ does, kind = "verb") => button(say(word), does, { class: kind, "data-k": word });
  return [
    ...plain.map((id) => taking(/** @type {Decision} */ (d), id, option(/** @type {Decision} */ (d), id)[2], kind)),
    make("span", { class: "sp" }),
    shown.playing ? button(say("skip"), acts.skip, { class: "verb do", "data-k": "skip", title: `${say("skip")} (Esc)` }) : "",
    d ? tool("whyNot", "?", () => acts.why()) : "",
    shown.undo ? tool("undo", "u", acts.undo) : "",
    ...(over === null ? [] : [after("replay", () => acts.command("replay")), after("newGame", () => location.assign("/")), shown.spectator ? "" : after("rematch", acts.rematch, "verb do")]),
  ];
}
