/**
 * The rules beside the board, for whoever has no editor: a text area, with the colours, messages and completions of the
 * language server. What is saved is on the disk; the board follows by itself.
 */
import { say } from "./design.words.js";
import { button, make } from "./dom.js";
import { ask, tell } from "./link.js";
import { fail, openDialog, pass } from "./pop.js";
import { reveal } from "./view.js";

/** @typedef {{line: number, character: number}} Spot */
/** @typedef {{range: {start: Spot, end: Spot}, severity: number, message: string, code?: string}} Said */
/** @typedef {{label: string, detail?: string, insertText?: string, textEdit?: {newText: string, range?: {start: Spot, end: Spot}, replace?: {start: Spot, end: Spot}}, filterText?: string}} Item */

/** The parts of the panel, while it is open. @type {{all: HTMLElement, file: HTMLSelectElement, area: HTMLTextAreaElement, paint: HTMLElement, said: HTMLElement, hint: HTMLElement, list: HTMLElement, save: HTMLButtonElement} | null} */
let part = null;
/** The file that is open, with its print and its text as they were when it was last read or saved. */
let open = { name: "", print: "", text: "" };
/** What the language server said last. @type {{tokens: number[], legend: string[], messages: Said[]}} */
let known = { tokens: [], legend: [], messages: [] };
/** What is known of a word without asking. */
let plainly = /$^/gu;
/** @type {Item[]} */
let items = [];
let chosen = 0;
/** Which question was the last: answers to older ones are late. */
let asked = 0;

/** Opens a place such as `game/page.blazon:12:3` beside the board. @param {string} place */
export async function openEdit(place) {
  const [, name = place, line = "1", column = "1"] = /^(.*?):(\d+)(?::(\d+))?$/.exec(place) ?? [];
  if (!part) await build();
  if (!part) return;
  const wanted = name || ([...part.file.options].find((o) => o.value.endsWith(".blazon")) ?? part.file).value;
  if (wanted !== open.name && leaves()) await load(wanted);
  const lines = part.area.value.split("\n");
  const at = lines.slice(0, Number(line) - 1).join("\n").length + (line === "1" ? 0 : 1) + Number(column) - 1;
  part.area.focus();
  part.area.setSelectionRange(at, at);
  part.area.scrollTop = Math.max(0, (Number(line) - 6) * height());
  look();
}

/** Looks whether the page is still what was read here. */
export const follow = () => look();

async function build() {
  /** @type {{files: string[], words: string[]}} */
  const { files, words } = await ask("edit");
  plainly = new RegExp(`(?<comment>--.*)|(?<string>"[^"]*")|(?<decorator>@[\\w.]+)|(?<number>\\b\\d+\\b)|(?<keyword>(?<![\\p{L}-])(${words.join("|")})(?![\\p{L}-]))`, "gu");
  const file = make("select", { "aria-label": say("file"), onchange: () => (leaves() ? void load(file.value).catch(fail) : (file.value = open.name)) }, ...files.map((f) => make("option", { value: f }, f)));
  const area = make("textarea", { spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": say("rules"), oninput: () => (typed(), look("typed")), onkeydown: key, onfocus: () => look(), onkeyup: (/** @type {KeyboardEvent} */ e) => e.key.startsWith("Arrow") && look(), onclick: () => look(), onscroll: scroll, onblur: () => setTimeout(hide, 150) });
  const paint = make("pre", { "aria-hidden": "true" });
  const list = make("ul", { class: "offer", role: "listbox", hidden: true });
  const said = make("ul", { class: "said", role: "status" });
  const hint = make("p", { class: "hint" });
  const save = button(say("save"), () => void store(), { class: "verb do", title: "Ctrl+S" });
  const all = make("section", { id: "edit", "aria-label": say("rules") },
    make("header", {}, file, save, button("×", close, { class: "tool", "aria-label": say("close") })),
    make("div", { class: "code" }, paint, area, list), make("div", { class: "foot" }, said, hint));
  part = { all, file, area, paint, said, hint, list, save };
  document.body.append(all);
  document.body.classList.add("editing");
  reveal([]);
}

/** Whether something here is not on the disk. */
const isDirty = () => !!part && part.area.value !== open.text;
/* However the page is left, by another seat's turn or a board that begins anew as well: the browser asks. */
addEventListener("beforeunload", (event) => isDirty() && event.preventDefault());

/** Whether what is not saved may be left. */
const leaves = () => !isDirty() || confirm(say("unsaved"));

function close() {
  if (!part || !leaves()) return;
  part.all.remove();
  part = null;
  asked++;
  open = { name: "", print: "", text: "" };
  document.body.classList.remove("editing");
  history.replaceState(null, "", location.pathname + location.search);
}

/** Reads a file anew; not over what is typed meanwhile. @param {string} name */
async function load(name) {
  const before = part?.area.value;
  const { text, print, reads } = await ask("edit/page", { name });
  if (!part) return;
  if (part.area.value !== before) return void (part.file.value = open.name);
  if (![...part.file.options].some((o) => o.value === name)) part.file.append(make("option", { value: name }, name));
  part.area.readOnly = reads;
  open = { name, print, text };
  known = { tokens: [], legend: [], messages: [] };
  part.file.value = name;
  part.area.value = text;
  typed();
  look();
}

let storing = false;
/** Saves what stands here, over a file of that print. */
async function store(over = open.print) {
  if (!part || storing) return;
  const { name } = open;
  const text = part.area.value;
  storing = true;
  try {
    const { print } = await tell("edit/save", { name, text, print: over });
    if (open.name !== name) return;
    pass(say(text === open.text ? "same" : "saved"), null);
    open = { name, print, text };
    typed();
    look();
  } catch (error) {
    if (/** @type {any} */ (error).update?.code === "serve::stale") conflict(name);
    else fail(error);
  } finally {
    storing = false;
  }
}

/** The file is another by now than was read here: one of the two goes, by whose will is asked. @param {string} name */
function conflict(name) {
  const read = () => ask("edit/page", { name });
  openDialog(say("changed"), [make("p", {}, name)],
    { name: say("mine"), does: () => void read().then(({ print }) => store(print)).catch(fail) },
    { name: say("theirs"), does: () => void read().then((theirs) => take(name, theirs)).catch(fail) });
}

/** What is on the disk stands here, as if it had been typed: what was here before can be had back. @param {string} name @param {{text: string, print: string}} theirs */
function take(name, { text, print }) {
  if (!part || open.name !== name) return;
  const mine = part.area.value;
  let [from, least] = [0, Math.min(mine.length, text.length)];
  while (from < least && mine[from] === text[from]) from++;
  let same = 0;
  while (same < least - from && mine.at(-1 - same) === text.at(-1 - same)) same++;
  /* No letter of two parts is cut. */
  if (from > 0 && /[\uD800-\uDBFF]/.test(mine[from - 1] ?? "")) from--;
  if (same > 0 && /[\uDC00-\uDFFF]/.test(mine.at(-same) ?? "")) same--;
  put(text.slice(from, text.length - same), from, mine.length - same);
  open = { name, print, text };
  pass(say("undo"), null, 8);
  typed();
  look();
}

/** Shows what was typed at once; its colours come when they are known. */
function typed() {
  if (!part) return;
  part.save.disabled = !isDirty();
  draw();
}

/** How long it waits before it asks, and asks again: what is wrong with the whole is known a little later. */
const WAITS = [40, 310, 850];
/** And so on, as long as it is not known. */
const LONG = 2000;

/**
 * Asks what there is to be said of the text as it is, until what is wrong is said of this text and of no older one.
 * @param {"" | "typed" | "asked"} [complete]  whether to say what could stand there, and who wants to know
 */
function look(complete = "") {
  const mine = ++asked;
  const ask = async (turn = 0) => {
    const known = mine !== asked || (await once(turn === 0 ? complete : "", mine));
    if (mine === asked && (turn + 1 < WAITS.length || !known)) setTimeout(ask, WAITS[turn + 1] ?? LONG, turn + 1);
  };
  setTimeout(ask, WAITS[0]);
}

/** Asks it once; answers whether all is known. @param {"" | "typed" | "asked"} complete @param {number} mine */
async function once(complete, mine) {
  if (!part || part.area.readOnly) return true;
  const text = part.area.value;
  const before = text.slice(0, part.area.selectionStart).split("\n");
  const character = before.at(-1)?.length ?? 0;
  const told = await tell("edit/look", { name: open.name, text, line: before.length - 1, character, complete: complete !== "" }).catch(() => null);
  if (!told || !part || mine !== asked || text !== part.area.value) return false;
  /* Somebody else wrote it: what has not been touched here follows. */
  if (told.print !== open.print && text === open.text) {
    void load(open.name).catch(fail);
    return true;
  }
  known = { tokens: told.tokens ?? [], legend: told.legend ?? [], messages: told.messages ?? [] };
  draw();
  part.hint.textContent = plain(told.hover);
  part.said.replaceChildren(...known.messages.slice(0, 20).map((m) => make("li", { class: m.severity === 1 ? "wrong" : "" },
    button(`${m.range.start.line + 1}`, () => void openEdit(`${open.name}:${m.range.start.line + 1}:${m.range.start.character + 1}`), { class: "at" }), " ", m.message)));
  if (complete) offer(told.items?.items ?? told.items ?? [], before.at(-1) ?? "", complete === "asked");
  return told.checked === true;
}

/** What a hover says, without the marks of its form. @param {any} hover */
const plain = (hover) => String(hover?.value ?? hover ?? "").replace(/```\w*|\*\*|`/g, "").replace(/^\*(.*)\*$/gm, "$1").replace(/\n{2,}/g, "\n").trim();

/** Draws the text: a class for each run of letters. */
function draw() {
  if (!part) return;
  const lines = part.area.value.split("\n");
  /** @type {string[][]} */
  const marks = lines.map((l) => new Array(l.length).fill(""));
  const fill = (/** @type {number} */ line, /** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ name) => {
    const row = marks[line];
    for (let i = from; row && i < Math.min(to, row.length); i++) row[i] += ` ${name}`;
  };
  for (const [l, text] of lines.entries())
    for (const found of text.matchAll(plainly)) {
      const kind = Object.entries(found.groups ?? {}).find(([, had]) => had !== undefined)?.[0] ?? "";
      fill(l, found.index, found.index + found[0].length, `tk-${kind}`);
    }
  for (let i = 0, line = 0, start = 0; i + 4 < known.tokens.length; i += 5) {
    const [down = 0, on = 0, length = 0, kind = 0] = known.tokens.slice(i, i + 4);
    line += down;
    start = down ? on : start + on;
    fill(line, start, start + length, `tk-${known.legend[kind] ?? ""}`);
  }
  for (const { range: { start, end }, severity } of known.messages)
    for (let l = start.line; l <= Math.min(end.line, lines.length - 1); l++)
      fill(l, l === start.line ? start.character : 0, l === end.line ? Math.max(end.character, start.character + 1) : Infinity, severity === 1 ? "wrong" : "warn");
  part.paint.replaceChildren(...lines.flatMap((text, l) => [...runs(text, marks[l] ?? []), "\n"]));
  scroll();
}

/** @param {string} text @param {string[]} marks */
function runs(text, marks) {
  const found = [];
  for (let from = 0, to = 0; from < text.length; from = to) {
    while (to < text.length && marks[to] === marks[from]) to++;
    const run = text.slice(from, to);
    found.push(marks[from] ? make("span", { class: (marks[from] ?? "").trim() }, run) : run);
  }
  return found;
}

function scroll() {
  part?.paint.style.setProperty("transform", `translate(${-part.area.scrollLeft}px, ${-part.area.scrollTop}px)`);
}

const height = () => (part ? parseFloat(getComputedStyle(part.area).lineHeight) : 18);

/** What of a line an item goes on with: a name may have several words. @param {Item} item @param {string} line */
function begunBy(item, line) {
  const range = item.textEdit?.range ?? item.textEdit?.replace;
  return range ? line.slice(range.start.character) : (/[\p{L}\d]*$/u.exec(line)?.[0] ?? "");
}

/** Offers what could stand at the caret, as far as it goes on with what stands there. @param {Item[]} all @param {string} before @param {boolean} asked */
function offer(all, before, asked) {
  items = all.filter((i) => {
    const begun = begunBy(i, before);
    const wanted = begun.length > 0 || asked || /[.@=(:]\s?$/.test(before);
    return wanted && (i.filterText ?? i.label).toLowerCase().startsWith(begun.toLowerCase()) && i.label !== begun;
  }).slice(0, 9);
  /* Enter ends a line as long as nobody has gone into the list. */
  chosen = -1;
  showOffer();
}

function showOffer() {
  if (!part) return;
  part.list.hidden = items.length === 0;
  if (items.length === 0) return;
  const { list, area } = part;
  const before = part.area.value.slice(0, part.area.selectionStart).split("\n");
  const wide = part.area.clientWidth > 0 ? measure() : 8;
  list.replaceChildren(...items.map((item, i) => {
    const line = make("li", { role: "option", "aria-selected": String(i === chosen), onmousedown: (/** @type {Event} */ e) => (e.preventDefault(), accept(i)) }, item.label);
    if (item.detail) line.append(make("small", {}, item.detail));
    return line;
  }));
  /* Below the line, or above it where there is more room: never where nobody sees it. */
  const beneath = before.length * height() - area.scrollTop + 8;
  const above = beneath - height();
  list.style.setProperty("max-height", "none");
  const tall = list.offsetHeight;
  const turns = tall > area.clientHeight - beneath && above > area.clientHeight - beneath;
  const room = turns ? above : area.clientHeight - beneath;
  list.style.setProperty("max-height", `${room}px`);
  list.style.setProperty("top", `${turns ? above - Math.min(tall, room) : beneath}px`);
  const left = (before.at(-1)?.length ?? 0) * wide - area.scrollLeft;
  list.style.setProperty("left", `${Math.max(0, Math.min(left, area.clientWidth - list.offsetWidth))}px`);
  list.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
}

/** How wide a letter is. */
function measure() {
  const probe = make("span", { class: "probe" }, "0".repeat(50));
  part?.paint.append(probe);
  const { width } = probe.getBoundingClientRect();
  probe.remove();
  return width / 50;
}

function hide() {
  items = [];
  if (part) part.list.hidden = true;
}

/**
 * Puts a text in the place of a stretch as if it had been typed: what else changes the text, the browser cannot take back.
 * @param {string} text @param {number} start @param {number} end
 */
function put(text, start, end) {
  if (!part) return;
  const { area } = part;
  area.focus();
  area.setSelectionRange(start, end);
  const done = text === "" ? start === end || document.execCommand("delete") : document.execCommand("insertText", false, text);
  if (!done) area.setRangeText(text, start, end, "end");
}

/** @param {number} place */
function accept(place) {
  const item = items[place];
  if (!part || !item) return;
  const { area } = part;
  const end = area.selectionStart;
  const begun = begunBy(item, area.value.slice(0, end).split("\n").at(-1) ?? "").length;
  put(item.textEdit?.newText ?? item.insertText ?? item.label, end - begun, end);
  hide();
  typed();
  look();
}

/** @param {KeyboardEvent} event */
function key(event) {
  if (!part) return;
  event.stopPropagation();
  const has = items.length > 0;
  if (event.key === "s" && (event.ctrlKey || event.metaKey)) void store();
  else if (event.key === " " && event.ctrlKey) look("asked");
  else if (has && event.key === "Escape") hide();
  else if (has && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
    chosen = (chosen + (event.key === "ArrowDown" ? 1 : chosen < 0 ? items.length : items.length - 1)) % items.length;
    showOffer();
  } else if (has && (event.key === "Tab" || (event.key === "Enter" && chosen >= 0))) accept(Math.max(0, chosen));
  else return;
  event.preventDefault();
}
