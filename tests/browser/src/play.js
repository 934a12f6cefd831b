// Plays a game in the page by clicking only what is lit, and answers with what it saw. Given: a seed, the most clicks, and
// where to answer.
const [seed, most, done] = arguments;

// The window may be put away. A page that nobody sees leaves its connection to others: this one is seen.
if (document.hidden) {
  Object.defineProperty(document, "hidden", { configurable: true, value: false });
  document.dispatchEvent(new Event("visibilitychange"));
}

/** So long may nothing happen after a click on something lit, and nothing be lit; in milliseconds. */
const IDLE = 15_000;
const UNLIT = 20_000;

let state = BigInt(seed) || 1n;
/** A number below n, the same for the same seed. */
function below(n) {
  state ^= (state << 13n) & 0xffffffffffffffffn;
  state ^= state >> 7n;
  state ^= (state << 17n) & 0xffffffffffffffffn;
  return Number(state % BigInt(n));
}

const all = (selector) => [...document.querySelectorAll(selector)];
const one = (selector) => document.querySelector(selector);
const shown = (e) => e.getClientRects().length > 0 && !e.disabled;

/** The next change of the page; `false` if there is none for so long. */
const change = (ms) => new Promise((resolve) => {
  const stop = (changed) => {
    watch.disconnect();
    clearTimeout(late);
    resolve(changed);
  };
  const watch = new MutationObserver(() => stop(true));
  const late = setTimeout(stop, ms, false);
  watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
});

/** Where a click hits it, if anywhere: what is covered by others is no choice. */
function spot(e) {
  const at = (x, y) => {
    const hit = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? document.elementFromPoint(x, y) : null;
    return hit && (e.contains(hit) || hit.closest("[data-t]") === e) ? { hit, x, y } : null;
  };
  let r = e.getBoundingClientRect();
  const middle = at(r.x + r.width / 2, r.y + r.height / 2);
  if (middle) return middle;
  if (!e.closest("#board")) {
    e.scrollIntoView({ block: "nearest" });
    r = e.getBoundingClientRect();
  }
  for (let i = 1; i < 12; i++) for (let j = 1; j < 12; j++) {
    const found = at(r.x + (r.width * i) / 12, r.y + (r.height * j) / 12);
    if (found) return found;
  }
  return null;
}

function click({ hit, x, y }) {
  const how = { bubbles: true, cancelable: true, composed: true, clientX: x, clientY: y, pointerId: 1, isPrimary: true, pointerType: "mouse", detail: 1 };
  hit.dispatchEvent(new PointerEvent("pointerdown", how));
  hit.dispatchEvent(new PointerEvent("pointerup", how));
  hit.dispatchEvent(new PointerEvent("click", how));
}

const busy = () => one("#decision").ariaBusy === "true";
/** What a click can change that is to be seen. */
const face = () => [one("#decision").innerHTML, ...all("#decision input").map((field) => field.value), all("#board .sel, #hand .sel, #trays .sel").map((e) => e.dataset.t),
  one(".pop")?.innerHTML, one("#log .over")?.textContent].join("|");

const things = "#pieces .can, #reach .to, #hand .can, #trays .can, #scene .can";
const buttons = "#decision .verb.do, #decision .verb.end, #decision .opts .to, #decision .opts .go, #decision .verbs .verb:not(.none)";
const told = { clicks: 0, covered: 0, problems: [], over: "" };

/** Clicks something lit and waits until that has done something; answers whether anything was lit. */
async function step() {
  const menu = all("[role=menu] button").filter(shown);
  const lit = menu.length ? menu : [...all(things), ...all(buttons).filter(shown)];
  if (lit.length === 0) return false;
  while (lit.length > 0) {
    const [e] = lit.splice(below(lit.length), 1);
    const at = spot(e);
    if (!at) {
      told.covered++;
      continue;
    }
    const [before, what] = [face(), e.outerHTML];
    click(at);
    told.clicks++;
    let sent = busy();
    while (busy() || (!sent && face() === before)) {
      if (!(await change(IDLE))) {
        told.problems.push(`a click does nothing: ${what}`);
        return true;
      }
      sent ||= busy();
    }
    const refused = one("#pass.bad")?.textContent;
    if (refused) told.problems.push(`${refused}: ${what}`);
    return true;
  }
  told.problems.push(`nothing of what is lit can be hit: ${one("#prompt")?.textContent}`);
  return false;
}

(async () => {
  addEventListener("error", (event) => told.problems.push(`error: ${event.message}`));
  addEventListener("unhandledrejection", (event) => told.problems.push(`rejected: ${event.reason}`));
  while (told.clicks < most && told.problems.length === 0) {
    told.over = one("#log .over")?.textContent.trim() ?? "";
    if (told.over) break;
    if (!(await step()) && !(await change(UNLIT))) told.problems.push(`nothing is lit: ${one("#prompt")?.textContent}`);
  }
  done(told);
})().catch((error) => done({ ...told, problems: [...told.problems, String(error?.stack ?? error)] }));
