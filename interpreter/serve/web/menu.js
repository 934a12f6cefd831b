/** The table's menu and its settings, and the drawer of narrow screens. */
import { all, button, make, the } from "./dom.js";
import { address, ask, tell } from "./link.js";
import { closePop, fail, openDialog, openPop } from "./pop.js";
import { LANGUAGES, say } from "./words.js";

/** @typedef {{hint: () => void, replay: () => void, resign: () => void, over: () => boolean}} Page */
/** @typedef {{seat: string, bot: string, yours: boolean, may: boolean}} Seat */

/** @param {Page} page */
export function startMenu(page) {
  const open = button("☰", () => openMenu(open, page), { id: "menu", "aria-label": say("menu"), title: say("menu"), "aria-haspopup": "menu" });
  document.body.prepend(open);
  theme(localStorage.getItem("theme") ?? "");
}

/** @param {HTMLElement} at @param {Page} page */
function openMenu(at, page) {
  const item = (/** @type {"hint" | "replay" | "asList" | "save" | "settings" | "bots" | "resign" | "lobby"} */ word, /** @type {() => void} */ does) =>
    button(say(word), () => (closePop(), does()), { role: "menuitem", class: "go" });
  const player = document.body.dataset.seat && !page.over();
  openPop("pick", at, say("menu"), [
    ...(player ? [item("hint", page.hint)] : []),
    item("replay", page.replay),
    item("asList", asList),
    item("save", save),
    item("settings", settings),
    ...(player ? [item("bots", bots), item("resign", () => openDialog(say("resignAsk"), [], { name: say("resign"), does: page.resign }))] : []),
    item("lobby", () => location.assign("/")),
  ], { menu: true });
}

/** @param {string} name  "", "light" or "dark" */
function theme(name) {
  document.documentElement.dataset.theme = name;
  localStorage.setItem("theme", name);
}

/** A choice among some, with its name before it. @param {string} name @param {Record<string, string>} some @param {string} now @param {(value: string) => void} does @param {boolean} [fixed] */
function choice(name, some, now, does, fixed) {
  const field = make("select", { onchange: () => does(field.value), disabled: fixed }, ...Object.entries(some).map(([value, text]) => make("option", { value, selected: value === now }, text)));
  return make("label", { class: "field" }, name, field);
}

function settings() {
  const careful = make("input", { type: "checkbox", checked: !!localStorage.getItem("careful"), onchange: () => localStorage.setItem("careful", careful.checked ? "1" : "") });
  openDialog(say("settings"), [
    choice(say("theme"), { "": say("system"), light: say("light"), dark: say("dark") }, localStorage.getItem("theme") ?? "", theme),
    choice(say("language"), LANGUAGES, document.documentElement.lang, (to) => (localStorage.setItem("language", to), location.reload())),
    make("label", { class: "field" }, careful, say("careful")),
  ]);
}

/** Goes where the whole game is downloaded; where it is told to nobody, that is said here. */
const save = () => ask("save").catch((no) => (no.update ? fail(no) : location.assign(address("save"))));

/** The board in words: every place and box with what is there. */
function asList() {
  const lines = all("#pieces > *, #trays > .box, #hand > *").map((group) => {
    const name = group.querySelector(".place-name, summary, h2")?.firstChild?.textContent;
    const things = [...group.querySelectorAll("[aria-label], [data-label], .mark title, .mini")].map((e) => {
      const many = e.closest(".pile")?.querySelector("em");
      const told = e.getAttribute("data-label") ?? e.ariaLabel ?? e.textContent ?? "";
      return told.replace(`, in ${name}`, "") + (many ? ` ${many.textContent}` : "");
    });
    return make("li", {}, name && make("b", {}, name), things.length > 0 ? `${name ? ": " : ""}${things.join("; ")}` : "");
  });
  openDialog(say("asList"), [make("ul", { class: "list" }, ...lines.filter((l) => l.textContent))]);
}

/** Who plays which seat; those that this browser may give to somebody else can be changed. */
async function bots() {
  /** @type {Seat[] | undefined} */
  const seats = await ask("bot").catch(fail);
  const players = { "": say("human"), greedy: say("greedy"), search: say("search"), random: say("random") };
  const plays = (/** @type {string} */ bot) => Object.keys(players).find((name) => name && bot.startsWith(name)) ?? "";
  openDialog(say("bots"), (seats ?? []).map(({ seat, bot, yours, may }) => {
    const mine = seat === document.body.dataset.seat;
    const some = yours && !bot ? { ...players, "": say("you") } : players;
    return choice(seat, some, plays(bot), (to) => void tell("bot", { seat, bot: to }).catch(fail), mine || !may);
  }));
}

/** The drawer of narrow screens: its height and which part it shows. */
export function startDrawer() {
  const { dataset } = document.body;
  const heights = ["low", "half", "full"];
  const by = (/** @type {number} */ n) => (dataset.drawer = heights[Math.max(0, Math.min(2, heights.indexOf(dataset.drawer ?? "") + n))]);
  const show = (/** @type {string} */ tab) => {
    dataset.tab = tab;
    for (const b of all("#tabs button")) b.setAttribute("aria-pressed", String(b.dataset.tab === tab));
    if (dataset.drawer === "low") by(1);
  };
  const tabs = /** @type {const} */ (["decide", "hand", "boxes", "log"]).map((tab) => button(say(tab), () => show(tab), { id: `tab-${tab}`, "data-tab": tab }));
  let from = 0;
  /* A finger that was drawn along is followed by no click, a mouse's button is. */
  let drawn = false;
  const handle = button("", () => {}, { id: "handle", "aria-label": say("height"),
    onpointerdown: (/** @type {PointerEvent} */ e) => (from = e.clientY, handle.setPointerCapture(e.pointerId)),
    onpointerup: (/** @type {PointerEvent} */ e) => (drawn = Math.abs(e.clientY - from) > 20) && by(e.clientY < from ? 1 : -1),
    onclick: (/** @type {MouseEvent} */ e) => e.detail && drawn || by(dataset.drawer === "full" ? -2 : 1) });
  the("panel").before(handle);
  document.body.append(make("nav", { id: "tabs", "aria-label": say("tabs") }, ...tabs));
  dataset.drawer = "half";
  show("decide");
}
