/**
 * The page of a table: holds what the server said and what is picked, and hands both to the modules that show them.
 * A decision is narrowed here and sent; whatever comes back is shown. Nothing of the rules is known.
 */
import { bearing, board, make, parse, sample, the } from "./dom.js";
import { startKeys } from "./keys.js";
import { light, point, rove } from "./lights.js";
import { ask, listen, Refused, tell } from "./link.js";
import { openParagraph, order, startDrawer, startMenu } from "./menu.js";
import { chooseVerb, NOTHING, open, option, outcome, pick, rows, verbOf } from "./narrowing.js";
import { nameOf, showPanel, startPanel } from "./panel.js";
import { patch } from "./patch.js";
import { closePop, inPop, openDialog, openPop, pass } from "./pop.js";
import { startPreview } from "./preview.js";
import { openReplay } from "./replay.js";
import { openOn, reveal, startView } from "./view.js";
import { sayWhy } from "./why.js";
import { learn, say } from "./words.js";

/** What the server said last. @type {Update} */
let last = JSON.parse(the("state").textContent ?? "");
let now = NOTHING;
/** The narrowings before this one, for one step back. @type {Narrowing[]} */
let before = [];
let asking = false;
let busy = false;
let replaying = false;

const seat = document.body.dataset.seat ?? "";
/** The seats of this browser, and all. */
const [mine, all] = ["seats", "all"].map((name) => /** @type {string[]} */ (JSON.parse(document.body.dataset[name] || "[]")));

/** @type {Acts} */
const acts = { click, verb, take, drop, undo, why: toggleWhy, rematch, command };

/** The decision, if it is this seat's and nothing is under way. */
function mineNow() {
  return last.decision?.yours && !busy && !replaying ? last.decision : null;
}

/** Shows the panel and the lights as things stand. */
function show() {
  document.body.classList.toggle("asking", asking);
  document.title = last.title;
  showPanel({ decision: replaying ? null : last.decision, now, undo: last.undo && !replaying, over: last.over, asking, spectator: !seat }, acts);
  const d = replaying ? null : last.decision;
  if (!d?.yours) return light(new Map(), []);
  /** @type {Map<string, {verbs: string[], lines: number[], count: number}>} */
  const can = new Map();
  for (const row of rows(d, now)) {
    const verbs = [...row.verbs.keys()];
    const count = [...row.verbs.values()].reduce((n, ids) => n + ids.length, 0);
    if (typeof row.value === "string") can.set(row.value, { verbs: [d.names[row.value] ?? "", ...verbs.map((v) => verbOf(d, v).name)].slice(1), lines: verbs, count });
  }
  light(can, now.picks.flatMap((p) => (typeof p.value === "string" ? [p.value] : [])));
}

/** @param {Narrowing} then */
function go(then) {
  before.push(now);
  now = then;
  show();
}

/** A click on a thing, on the board or in a row; a row's button brings its verb along. @param {Value} value @param {number} [by] @param {Element | null} [at] */
function click(value, by = -1, at = null) {
  const d = mineNow();
  if (!d) return;
  closePop(false);
  for (const old of document.querySelectorAll(".changed")) old.classList.remove("changed");
  if (asking) return void whyNot([value], at, true);
  const then = pick(d, by >= 0 ? { verb: by, picks: now.picks } : now, value);
  const had = now.picks.map((p) => p.value);
  if (!then) return void whyNot([...had, value], at, had.length > 0);
  go(then);
  if (!then.picks.some((p) => p.value === value)) return;
  const anew = !had.every((v) => then.picks.some((p) => p.value === v));
  if (anew && at) void whyNot([...had, value], at, false);
  follow(d, then, value, at);
}

/** @param {Decision} d @param {Narrowing} then @param {Value} value @param {Element | null} at */
function follow(d, then, value, at) {
  const result = outcome(d, then);
  if (result === "ask") return;
  if ("take" in result) return take(result.take);
  const buttons = result.menu.map((id) => make("button", { type: "button", role: "menuitem", class: "go", "data-option": id, onclick: () => take(id) }, sample(option(d, id)[0]), option(d, id)[2]));
  openPop("pick", anchor(value, at), nameOf(d, value), buttons, { role: "menu" });
}

/** Where a thing stands now, to open something beside it. @param {Value | undefined} value @param {Element | null} at */
function anchor(value, at) {
  const found = typeof value === "string" ? [...bearing(value, "#stage"), ...bearing(value)] : [];
  return at?.isConnected ? at : (found[0] ?? document.querySelector("#decision .sentence"));
}

/** @param {number} chosen */
function verb(chosen) {
  const d = mineNow();
  if (d) go(chooseVerb(d, now, chosen));
}

/** Puts one of the picked things down. @param {Value} value */
function drop(value) {
  go({ verb: now.verb, picks: now.picks.filter((p) => p.value !== value) });
}

/** One step back: what is open over the page, the question why, the last pick. */
function back() {
  if (closePop()) return;
  if (asking) return toggleWhy();
  const was = before.pop();
  if (!was) return;
  now = was;
  show();
}

/** Takes an option, after a question if the player wants to be asked. @param {number} id */
function take(id) {
  const d = mineNow();
  if (!d) return;
  closePop(false);
  const [chosen, args, label] = option(d, id);
  const others = new Set(d.options.map((o) => o[0]));
  const early = args.length === 0 && verbOf(d, chosen).args.length === 0 && others.size > 2;
  if (early && localStorage.getItem("careful")) openDialog(say("sure", { label }), [], [{ name: label, does: () => void send(d, id, label) }]);
  else void send(d, id, label);
}

/** @param {Decision} d @param {number} id @param {string} label */
async function send(d, id, label) {
  await during("choose", { number: d.number, option: id, since: last.version });
  if (last.decision?.number !== d.number) pass(say("taken", { label }), last.undo ? { name: say("undo"), does: undo } : null);
}

function undo() {
  if (last.undo && !replaying) void during("undo", { since: last.version });
}

/** Tells the server and shows what it answers, or why it does not. @param {string} path @param {object} body */
async function during(path, body) {
  if (busy) return;
  busy = true;
  document.body.classList.add("busy");
  try {
    take_in(await tell(path, body));
  } catch (error) {
    if (error instanceof Refused && error.update) take_in(error.update);
    pass(/** @type {Error} */ (error).message, null, { bad: true });
  }
  busy = false;
  document.body.classList.remove("busy");
  show();
}

/** Takes an update in, unless a newer one was faster. @param {Update} update */
function take_in(update) {
  if (!update.whole && update.version < last.version) return;
  const other = update.decision?.number !== last.decision?.number || update.over !== last.over;
  last = update;
  patch(update, false);
  if (other) {
    [now, before, asking] = [NOTHING, [], false];
    closePop(false);
  }
  show();
  handOver();
}

/** Asks for what is new. One question at a time; what comes meanwhile is asked after it. */
let syncing = false;
let again = false;
async function sync() {
  again = syncing;
  if (syncing || busy) return;
  syncing = true;
  try {
    take_in(await ask("update", { since: last.version }));
  } catch {
    setTimeout(sync, 2000);
  }
  syncing = false;
  if (again) void sync();
}

/** Another seat of this browser decides: the board is hidden until its player says so. */
function handOver() {
  const to = last.decision && !last.decision.yours ? last.decision.deciders.find((s) => mine?.includes(s)) : undefined;
  if (!to || replaying || document.getElementById("cover")) return;
  const go = () => location.assign(`?${new URLSearchParams({ seat: to })}`);
  const cover = make("div", { id: "cover", role: "dialog", "aria-modal": "true", "aria-label": say("pass", { seat: to }) },
    make("h1", {}, say("pass", { seat: to })), make("button", { type: "button", class: "verb do", onclick: go }, say("passReady", { seat: to })));
  setTimeout(() => {
    document.body.append(cover);
    for (const e of document.body.children) if (e !== cover) e.setAttribute("inert", "");
    cover.querySelector("button")?.focus();
  }, 900);
}

function toggleWhy() {
  asking = !asking;
  show();
}

/** @param {Value[]} things @param {Element | null} about @param {boolean} always */
async function whyNot(things, about, always) {
  const d = mineNow();
  if (!d) return;
  asking = false;
  show();
  const asked = [...new Set([...now.picks.map((p) => p.value), ...things])];
  const named = things.length === 1 && always ? asked : things;
  const left = open(d, now).filter((id) => named.every((t) => option(d, id)[1].includes(t)));
  try {
    await sayWhy(d, { things: named, verb: now.verb, about: anchor(things.at(-1), about), always }, { name: (v) => shownName(d, v), open: always ? left : [], take });
  } catch (error) {
    if (always) pass(/** @type {Error} */ (error).message, null, { bad: true });
  }
}

/** A thing's name: the decision's, or what the board says of it. @param {Decision} d @param {Value} value */
function shownName(d, value) {
  if (typeof value !== "string" || d.names[value]) return nameOf(d, value);
  const thing = document.querySelector(`[data-t="${CSS.escape(value)}"][aria-label], [data-t="${CSS.escape(value)}"]`);
  return (thing?.getAttribute("aria-label") ?? thing?.textContent ?? "").split(",")[0]?.trim() || "?";
}

async function rematch() {
  const answer = await order("rematch");
  if (answer) location.assign(answer.url);
}

function replay() {
  replaying = true;
  show();
  openReplay({ choices: last.choices, seats: last.over !== null || !seat ? (all ?? []) : [seat], seat }, (update) => patch(update, false), async () => {
    replaying = false;
    take_in(await ask("update", { since: 0 }));
  });
}

/** The terminal's commands that the field knows. @param {string} words */
function command(words) {
  /** @type {Record<string, () => void>} */
  const known = { undo, why: toggleWhy, replay, log: () => the("log").querySelector("ol")?.focus() };
  known[words]?.();
  return words in known;
}

/** Which thing a click on the board means: the first open one under it or, for a finger, near it. @param {MouseEvent} event */
function under(event) {
  const near = /** @type {PointerEvent} */ (event).pointerType === "touch" ? [0, 8, 15, 22] : [0];
  /** @type {Element[]} */
  const found = [];
  for (const r of near) {
    for (let i = 0; i < (r ? 8 : 1); i++) {
      const [x, y] = [event.clientX + r * Math.cos((i * Math.PI) / 4), event.clientY + r * Math.sin((i * Math.PI) / 4)];
      found.push(...document.elementsFromPoint(x, y).flatMap((e) => (board()?.contains(e) ? (e.closest("[data-t]") ?? []) : [])));
      const open = found.find((e) => e.matches(".can, .sel, .to"));
      if (open) return open;
    }
  }
  const d = mineNow();
  return found.find((e) => d && pick(d, NOTHING, e.getAttribute("data-t"))) ?? found[0] ?? null;
}

/** @param {MouseEvent} event */
function clicked(event) {
  const at = event.target instanceof Element ? event.target : null;
  if (!at) return;
  const par = at.closest("[data-paragraph]");
  if (par) return void openParagraph(par, par.getAttribute("data-paragraph") ?? "", parse);
  if (inPop(at)) return;
  if (at.closest("#panel button, #tabs, #zoom, #menu, dialog, a, input, select")) return;
  const thing = board()?.contains(at) ? under(event) : at.closest("[data-t]");
  if (thing?.closest("#log, #decision")) return reveal([...document.querySelectorAll(`#board [data-t="${CSS.escape(thing.getAttribute("data-t") ?? "")}"]`)]);
  if (thing) return pressed(thing);
  const was = closePop(false);
  if (!was && board()?.contains(at)) back();
}

/** @param {Element} thing */
function pressed(thing) {
  const token = thing.getAttribute("data-t");
  if (token !== null) click(token, -1, thing);
}

/** Whatever bears a token lights up with its like under the pointer and the focus. @param {Event} event */
function pointed(event) {
  const thing = event.target instanceof Element ? event.target.closest("[data-t]") : null;
  point(thing?.getAttribute("data-t") ?? null);
  if (event.type === "focusin" && thing instanceof SVGElement && board()?.contains(thing)) rove(thing);
}

async function start() {
  await learn();
  startMenu({ replay, seats: all ?? [], over: () => last.over !== null, refresh: take_in });
  startDrawer();
  startPanel(acts);
  startView();
  startPreview(() => last.decision?.number ?? -1);
  startKeys({ thing: pressed, why: (thing) => (thing ? void whyNot([thing.getAttribute("data-t")], thing, true) : toggleWhy()), back, undo });
  addEventListener("click", clicked);
  for (const kind of ["pointerover", "focusin"]) addEventListener(kind, pointed);
  the("panel").addEventListener("click", (e) => e.target instanceof Element && e.target.closest(".scene-fold") && document.body.classList.toggle("folded"));
  patch(last, true);
  show();
  openOn([...document.querySelectorAll("#board .can, #reach .to")]);
  handOver();
  listen((version) => version !== String(last.version) && !replaying && void sync(), (there) => document.body.classList.toggle("lost", !there));
}

void start();
