/** The table's menu, and the drawer's tabs on narrow screens. */
import { make, the } from "./dom.js";
import { address, ask, tell } from "./link.js";
import { closePop, openDialog, openPop, pass } from "./pop.js";
import { LANGUAGES, say } from "./words.js";

/** Tells the server; what it refuses is said. @param {string} path @param {object} [body] @returns {Promise<any>} */
export async function order(path, body) {
  try {
    return await tell(path, body);
  } catch (error) {
    pass(/** @type {Error} */ (error).message, null, { bad: true });
  }
}

/** @param {{replay: () => void, seats: string[], over: () => boolean, refresh: (update: Update) => void}} page */
export function startMenu(page) {
  const button = make("button", { type: "button", id: "menu", "aria-label": say("menu"), title: say("menu"), "aria-haspopup": "menu", onclick: () => open(button, page) }, "☰");
  document.body.prepend(button);
  theme(localStorage.getItem("theme") ?? "");
}

/** @param {HTMLElement} button @param {Parameters<typeof startMenu>[0]} page */
function open(button, page) {
  const item = (/** @type {string} */ name, /** @type {() => void} */ does) => make("button", { type: "button", role: "menuitem", class: "go", onclick: () => (closePop(), does()) }, name);
  const player = !!document.body.dataset.seat && !page.over();
  openPop("pick", button, say("menu"), [
    item(say("replay"), page.replay),
    item(say("asList"), asList),
    item(say("save"), () => location.assign(address("save"))),
    item(say("settings"), settings),
    ...(player ? [item(say("bots"), () => bots(page)), item(say("resign"), () => resign(page))] : []),
    item(say("lobby"), () => location.assign("/")),
  ], { role: "menu" });
}

/** @param {string} name "", "light" or "dark" */
function theme(name) {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
  localStorage.setItem("theme", name);
}

function settings() {
  const choice = (/** @type {string} */ name, /** @type {Record<string, string>} */ all, /** @type {string} */ now, /** @type {(value: string) => void} */ does) => {
    const field = make("select", { onchange: () => does(field.value) }, ...Object.entries(all).map(([value, text]) => make("option", { value, selected: value === now }, text)));
    return make("label", { class: "field" }, name, field);
  };
  const careful = make("input", { type: "checkbox", checked: localStorage.getItem("careful") === "1", onchange: () => localStorage.setItem("careful", careful.checked ? "1" : "") });
  openDialog(say("settings"), [
    choice(say("theme"), { "": say("system"), light: say("light"), dark: say("dark") }, localStorage.getItem("theme") ?? "", theme),
    choice(say("language"), LANGUAGES, document.documentElement.lang, (to) => (localStorage.setItem("language", to), location.reload())),
    make("label", { class: "field" }, careful, say("careful")),
  ]);
}

/** The board in words: every place or box with what stands there. */
function asList() {
  const groups = [...document.querySelectorAll("#pieces > *, #trays > *, #hand > *")];
  openDialog(say("asList"), [make("ul", { class: "list" }, ...groups.flatMap((g) => {
    const all = [g, ...g.querySelectorAll("[aria-label]")].map((p) => p.getAttribute("data-label") ?? p.getAttribute("aria-label") ?? "").filter(Boolean);
    return all.length > 0 ? [make("li", {}, all.join("; "))] : [];
  }))]);
}

/** @param {Parameters<typeof startMenu>[0]} page */
function resign(page) {
  openDialog(say("resignAsk"), [], [{ name: say("resign"), does: async () => {
    const update = await order("resign");
    if (update) page.refresh(update);
  } }]);
}

/** @param {Parameters<typeof startMenu>[0]} page */
function bots(page) {
  openDialog(say("bots"), page.seats.filter((s) => s !== document.body.dataset.seat).map((seat) => {
    const field = make("select", { onchange: () => order("bot", { seat, bot: field.value }) },
      ...Object.entries({ "": say("human"), random: say("random"), greedy: say("greedy") }).map(([value, text]) => make("option", { value }, text)));
    return make("label", { class: "field" }, seat, field);
  }));
}

/** The drawer: its height and which part it shows. */
export function startDrawer() {
  const body = document.body;
  const tabs = ["decide", "hand", "boxes", "log"];
  const show = (/** @type {string} */ name) => {
    body.dataset.tab = name;
    for (const b of bar.querySelectorAll("button")) b.setAttribute("aria-pressed", String(b.dataset.tab === name));
    if (body.dataset.drawer === "low") body.dataset.drawer = "half";
  };
  const bar = make("nav", { id: "tabs", "aria-label": say("tabs") }, ...tabs.map((name) =>
    make("button", { type: "button", "data-tab": name, onclick: () => show(name) }, say(/** @type {"decide"} */ (name)))));
  const heights = ["low", "half", "full"];
  const handle = make("button", { type: "button", id: "handle", "aria-label": say("height") });
  const by = (/** @type {number} */ n) => (body.dataset.drawer = heights[Math.max(0, Math.min(2, heights.indexOf(body.dataset.drawer ?? "half") + n))] ?? "half");
  let from = 0;
  handle.addEventListener("pointerdown", (e) => ((from = e.clientY), handle.setPointerCapture(e.pointerId)));
  handle.addEventListener("pointerup", (e) => Math.abs(e.clientY - from) > 20 && by(e.clientY < from ? 1 : -1));
  handle.addEventListener("click", (e) => e.detail === 0 || Math.abs(e.clientY - from) <= 20 ? (body.dataset.drawer === "full" ? (body.dataset.drawer = "low") : by(1)) : null);
  body.append(bar);
  the("panel").before(handle);
  body.dataset.drawer = "half";
  show("decide");
}

/** Opens the text of a paragraph beside its link. @param {Element} link @param {string} number @param {(html: string) => Node[]} parse */
export async function openParagraph(link, number, parse) {
  const said = await ask(`paragraph/${encodeURIComponent(number)}`).catch((error) => ({ title: error.message, html: "" }));
  openPop("why", link, `§ ${number} ${said.title}`, parse(said.html));
}
