/**
 * The page of a table: holds what the server said and what is picked, and hands both to the modules that show them.
 * A decision is narrowed here and sent; whatever comes back is shown. Nothing of the rules is known.
 */
import { all, bearing, button, make, onBoard, parse, sample, set, target, the } from "./dom.js";
import { startKeys } from "./keys.js";
import { light, point, rove, stops } from "./lights.js";
import { isPlaying, play, rest, skip, skips } from "./line.js";
import { ask, listen, tell } from "./link.js";
import { startDrawer, startMenu } from "./menu.js";
import { chooseVerb, drop, NOTHING, open, option, outcome, pick, rows, verbOf } from "./narrowing.js";
import { nameOf, showPanel, startPanel, tellForced } from "./panel.js";
import { moved, unmark } from "./motion.js";
import { patch, startLog } from "./patch.js";
import { closePop, fail, openDialog, openPop, pass } from "./pop.js";
import { closePreview, startPreview } from "./preview.js";
import { openReplay } from "./replay.js";
import { reveal, startView } from "./view.js";
import { refusals, sayWhy } from "./why.js";
import { learn, say } from "./words.js";

/** What the server said last. @type {Update} */
let last = JSON.parse(the("state").textContent ?? "");
/** How many choices are seen or wait to be, and the version of what waits. */
let reached = last.choices;
let coming = 0;
let now = NOTHING;
/** The narrowings before this one, for a step back. @type {Narrowing[]} */
let before = [];
/** Whether the next click asks why not, and what then is refused. */
let asking = false;
/** @type {Refusal[]} */
let refused = [];
let busy = false;
let replaying = false;
/** Whether it is being asked what is new, and whether that is to be asked again; when, if nobody answered. */
let syncing = false;
let again = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retry;
/** Why the server does not say what is new, in its own words. */
let refusal = "";

const seat = document.body.dataset.seat ?? "";
/** The seats of this browser, and all. @type {string[][]} */
const [own = [], seats = []] = ["seats", "all"].map((name) => JSON.parse(document.body.dataset[name] || "[]"));

/** @type {Acts} */
const acts = { click, verb, take, drop: (value) => go(drop(now, value)), back, undo, why, rematch, command, skip };

/** The decision, if it is this seat's and nothing is under way. */
const mine = () => (last.decision?.yours && !busy && !replaying && !away ? last.decision : null);

/** Shows the panel and the lights as things stand. */
function show() {
  const d = replaying || !last.decision?.yours ? null : last.decision;
  document.body.classList.toggle("asking", asking);
  // The tab of the decision is marked by this.
  set(the("tab-decide"), { "aria-label": d && say("yours", { seat: d.seat }) });
  document.title = last.title;
  const icon = last.decision?.yours ? "/web/turn.svg" : "/web/icon.svg";
  if (the("icon").getAttribute("href") !== icon) set(the("icon"), { href: icon });
  showPanel({ mine: d, decision: replaying ? null : last.decision, now, undo: last.undo && !replaying, over: last.over, asking, refused, spectator: !seat, playing: isPlaying(), by: last.by });
  /** @type {Map<string, Light>} */
  const can = new Map();
  for (const { value, verbs } of d && !away ? rows(d, now) : []) {
    if (!d || typeof value !== "string") continue;
    const lines = [...verbs.keys()];
    can.set(value, { name: nameOf(d, value), lines, verbs: lines.map((v) => verbOf(d, v).name), count: [...verbs.values()].flat().length });
  }
  light(can, now.picks.flatMap(({ value }) => (typeof value === "string" ? value : [])));
}

/** @param {Narrowing} then */
function go(then) {
  before.push(now);
  now = then;
  show();
}

/** A click on a thing, on the board or in a row; a row's button brings its verb along. @param {Value} value @param {number} [by] @param {Element} [at] */
function click(value, by = -1, at) {
  const d = mine();
  if (!d) return;
  closePop();
  unmark();
  const had = now.picks.map((p) => p.value);
  if (asking) return void whyNot(d, [...had, value], at, false);
  const then = pick(d, by < 0 ? now : { verb: by, picks: now.picks }, value);
  if (!then) return void whyNot(d, [...had, value], at, false);
  go(then);
  const has = then.picks.map((p) => p.value);
  if (!has.includes(value)) return;
  if (at && !had.every((v) => has.includes(v))) void whyNot(d, [...had, value], at, true);
  const { take: only, menu } = outcome(d, then);
  if (only !== undefined) take(only);
  else if (menu) openPop("pick", anchor(value, at), nameOf(d, value), menu.map((id) => {
    const item = button(sample(option(d, id)[0]), () => take(id), { role: "menuitem", class: "go", "data-option": id });
    item.append(option(d, id)[2]);
    return item;
  }), { menu: true });
}

/** Where a thing stands now, to open something beside it. @param {Value | undefined} value @param {Element} [at] */
const anchor = (value, at) => (at?.isConnected ? at : (bearing(value, "#board")[0] ?? bearing(value)[0] ?? the("prompt")));

/** @param {number} chosen */
function verb(chosen) {
  const d = mine();
  if (d) go(chooseVerb(d, now, chosen));
}

/** One step back: what is open over the page, the question why, the last pick. */
function back() {
  if (closePop()) return;
  if (isPlaying()) return skip();
  if (asking) return why();
  now = before.pop() ?? now;
  show();
}

/** Takes an option, after a question if the player wants to be asked. @param {number} id */
function take(id) {
  const d = mine();
  if (!d) return;
  closePop();
  unmark();
  const [chosen, args, label] = option(d, id);
  const early = args.length === 0 && new Set(d.options.map((o) => o[0])).size > 2 && verbOf(d, chosen).args.length === 0;
  if (early && localStorage.getItem("careful")) openDialog(say("sure", { label }), [], { name: label, does: () => void send(d, id) });
  else void send(d, id);
}

/** @param {Decision} d @param {number} id */
async function send(d, id) {
  const label = option(d, id)[2];
  const done = await during("choose", { number: d.number, option: id, since: last.version });
  if (done) pass(say("taken", { label }), last.undo ? { name: say("undo"), does: undo } : null);
}

async function undo() {
  if (last.undo && !replaying && (await during("undo", { since: last.version }))) pass("", null, 0);
}

/** Tells the server and shows what it answers; answers whether it did what it was told. @param {string} path @param {object} body */
async function during(path, body) {
  if (busy) return false;
  busy = true;
  set(the("decision"), { "aria-busy": "true" });
  let told = false;
  const slow = setTimeout(() => (pass(say("sent"), null, 3600), (told = true)), 1500);
  const update = await tell(path, body).catch((error) => {
    fail(error);
    return { ...error.update, refused: true };
  });
  clearTimeout(slow);
  if (told && !update.refused) pass("", null, 0);
  busy = false;
  set(the("decision"), { "aria-busy": null });
  skip();
  if (update.fragments) takeIn(update);
  else show();
  rest();
  // Where no answer came it may have been taken all the same.
  if (again || !update.fragments) void sync();
  return !update.refused;
}

/** The number of what is asked. */
export const number = () => last.decision?.number ?? 0;

/** Takes an update in, unless a newer one was faster. @param {Update} update */
export function takeIn(update) {
  if (!update.whole && update.version < last.version) return;
  const other = update.decision?.number !== last.decision?.number || update.over !== last.over;
  const answered = other && !!last.decision?.yours;
  last = update;
  /* What was to be taken back has gone by. */
  if (!last.undo) all("#pass button")[0]?.remove();
  if (!isPlaying()) [reached, coming] = [update.choices, 0];
  if (other) {
    [now, before, asking] = [NOTHING, [], false];
    closePop();
    closePreview();
  }
  const lines = patch(update, show);
  if (other) reveal(stops(false));
  tellForced(update.whole ? [] : lines, answered);
  handOver(900);
}

/** Takes in what others did: as a line of play, but where nothing may move or nobody looks. @param {Update} update */
async function follow(update) {
  if (update.version === coming) return;
  const still = document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  const since = skips();
  const from = reached;
  /** @type {[choices: number, step: Update][]} */
  const steps = still || update.whole || update.choices <= from + 1 ? [] : await ask(`line/${from}`).catch(() => []);
  // Whoever skips does not wait for what was asked for before.
  const plain = still || update.whole || update.choices < from || since !== skips();
  if (plain) skip();
  if (plain || (update.choices === from && !isPlaying())) return takeIn(update);
  [reached, coming] = [update.choices, update.version];
  const seen = steps.filter(([choices]) => choices <= reached);
  const shows = seen.map(([, step]) => () => (tellForced(patch(step, show)), reveal(moved)));
  const end = seen.at(-1)?.[0] === reached ? shows.pop() : null;
  play(...shows, () => (end?.(), takeIn(update)));
  show();
}

/** Asks for what is new. One question at a time; what comes meanwhile is asked after it. */
async function sync() {
  again = syncing || busy;
  if (again) return;
  clearTimeout(retry);
  syncing = true;
  const told = refusal;
  const update = await ask("update", { since: last.version }).catch((error) => void (refusal = error.update?.error ?? ""));
  if (update) refusal = "";
  else if (refusal && refusal !== told) pass(refusal, null, 3600);
  try {
    if (update && !replaying) await follow(update);
  } finally {
    syncing = false;
  }
  if (replaying) return;
  if (again || !update) retry = setTimeout(sync, update ? 0 : 2000);
}

let handing = false;
/** Another seat of this browser decides: the board is hidden until its player says so. @param {number} after  milliseconds */
function handOver(after) {
  const to = last.decision?.yours ? undefined : last.decision?.deciders.find((s) => own.includes(s));
  if (!to || replaying || handing) return;
  handing = true;
  const cover = make("div", { id: "cover", role: "dialog", "aria-label": say("pass", { seat: to }) }, make("h1", {}, say("pass", { seat: to })),
    button(say("passReady", { seat: to }), () => location.assign(`?${new URLSearchParams({ seat: to })}`), { class: "verb do" }));
  setTimeout(() => {
    for (const e of document.body.children) e.setAttribute("inert", "");
    document.body.append(cover);
    cover.querySelector("button")?.focus();
  }, after);
}

/** Asks what a bot would do. */
function hint() {
  const d = mine();
  if (d) void import("./hint.js").then(({ sayHint }) => sayHint(d, take)).catch(fail);
}

/** Asks why not: of a thing, or of what is clicked next. @param {Element | null} [thing] */
function why(thing) {
  const d = mine();
  if (!d) return;
  if (thing) return void whyNot(d, [...now.picks.map((p) => p.value), thing.getAttribute("data-t")], thing, false);
  asking = !asking;
  show();
  if (asking) void refusals(d).then((why) => (refused = why.refusals), fail).then(show);
}

/** @param {Decision} d @param {Value[]} asked @param {Element | undefined} at @param {boolean} quiet */
async function whyNot(d, asked, at, quiet) {
  asking = false;
  show();
  const things = [...new Set(asked)];
  const left = open(d, now).filter((id) => things.every((t) => option(d, id)[1].includes(t)));
  await sayWhy(d, { things, verb: now.verb, open: left, about: anchor(things.at(-1), at), quiet }, (value) => {
    const told = bearing(value).map((e) => e.dataset.label ?? e.getAttribute("aria-label") ?? e.textContent ?? "")[0];
    return value !== null && d.names[value] ? nameOf(d, value) : (told?.split(",")[0]?.trim() ?? nameOf(d, value));
  }, take).catch(fail);
}

async function rematch() {
  const made = await tell("rematch").catch(fail);
  if (made) location.assign(made.url);
}

function replay() {
  if (replaying) return;
  skip();
  replaying = true;
  show();
  const views = last.over !== null || !seat ? ["", ...seats] : [seat];
  openReplay({ choices: last.choices, seats: views, seat }, (update) => patch(update), () => {
    replaying = false;
    last.version = 0;
    void sync();
  });
}

/** What the terminal would do for these words; answers whether it is known here. @param {string} words */
function command(words) {
  /** @type {Record<string, () => void>} */
  const known = { undo, why, replay, log: () => all("#log ol")[0]?.focus() };
  known[words]?.();
  return words in known;
}

/** Which thing a click on the board means: the first open one under it or, for a finger, near it. @param {MouseEvent} event */
function meant(event) {
  const d = mine();
  const found = [];
  for (const r of event instanceof PointerEvent && event.pointerType === "touch" ? [0, 8, 15, 22] : [0]) {
    for (let i = 0; i < (r ? 8 : 1); i++) {
      const turn = (i * Math.PI) / 4;
      const there = document.elementsFromPoint(event.clientX + r * Math.cos(turn), event.clientY + r * Math.sin(turn));
      found.push(...there.flatMap((e) => (onBoard(e) ? (e.closest("[data-t]") ?? []) : [])));
    }
    const lit = found.find((e) => e.matches(".can, .sel, .to"));
    if (lit) return lit;
  }
  return found.find((e) => d && pick(d, NOTHING, e.getAttribute("data-t"))) ?? found[0] ?? null;
}

/** @param {MouseEvent} event */
function clicked(event) {
  const at = target(event);
  const paragraph = at?.closest("[data-paragraph]");
  if (paragraph) return void rule(paragraph);
  if (!at || at.closest("button, a, input, select, summary, dialog, .pop")) return;
  if (isPlaying()) return skip();
  const thing = onBoard(at) ? meant(event) : at.closest("[data-t]");
  if (thing?.closest("#log, #decision")) reveal(bearing(thing.getAttribute("data-t"), "#board"));
  else if (thing) press(thing);
  else if (!closePop() && onBoard(at)) back();
}

/** @param {Element} thing */
const press = (thing) => click(thing.getAttribute("data-t"), -1, thing);

/** Opens the rule's text beside its paragraph. @param {Element} link */
async function rule(link) {
  const number = link.getAttribute("data-paragraph") ?? "";
  const said = await ask(`paragraph/${encodeURIComponent(number)}`).catch(fail);
  if (said) openPop("why", link, `§ ${said.title}`, parse(said.html));
}

/** Whatever bears a token lights up with its like under the pointer and the focus. @param {Event} event */
function pointed(event) {
  const thing = target(event)?.closest("[data-t]");
  point(thing?.getAttribute("data-t") ?? null);
  if (event.type === "focusin" && onBoard(thing)) rove(thing);
}

/** A long press, or the other button, asks why not. @param {MouseEvent} event */
function pressedLong(event) {
  const thing = onBoard(target(event)) ? meant(event) : null;
  if (!thing || !mine()) return;
  event.preventDefault();
  why(thing);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let losing;
/** Whether nothing can be pressed, since the server is away. */
let away = false;
/** A connection that is lost for long is told, or why the server does not want it; until it is back nothing can be pressed. @param {boolean} there */
function connected(there) {
  if (document.body.classList.contains("lost") !== there) return;
  document.body.classList.toggle("lost", !there);
  clearTimeout(losing);
  if (!there) losing = setTimeout(part, 3000, true);
  else if (away) part(false);
}

/** @param {boolean} from  whether the server is away */
function part(from) {
  away = from;
  document.body.classList.toggle("away", away);
  for (const id of ["decision", "hand"]) set(the(id), { inert: away });
  document.getElementById("away")?.remove();
  if (away) document.body.append(make("div", { id: "away", role: "alert" }, refusal || say("lost")));
  else pass("", null, 0);
  show();
}

async function start() {
  await learn();
  startDrawer();
  document.body.append(the("panel"), the("stage"), the("trays"), the("tabs"));
  startLog();
  set(the("log"), { "aria-label": say("log") });
  startMenu({ hint, replay, over: () => last.over !== null, resign: () => void during("resign", { since: last.version }) });
  startPanel(acts);
  startView();
  startPreview(number, () => !!last.decision?.deciders[1]);
  startKeys(acts, press);
  addEventListener("click", clicked);
  addEventListener("contextmenu", pressedLong);
  for (const kind of ["pointerover", "focusin"]) addEventListener(kind, pointed);
  show();
  reveal(stops(false));
  handOver(0);
  setTimeout(() => document.body.classList.remove("passing"));
  listen((version) => version !== String(coming || last.version) && !replaying && void sync(), connected);
}

void start();
