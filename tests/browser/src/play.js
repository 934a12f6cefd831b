// Plays a whole game in the page by clicking only what is lit, and answers with what it saw. Given: a seed, the most
// clicks, and where to answer.
const [seed, most, done] = arguments;

let state = BigInt(seed) || 1n;
/** A number below n, the same for the same seed. */
function below(n) {
  state ^= (state << 13n) & 0xffffffffffffffffn;
  state ^= state >> 7n;
  state ^= (state << 17n) & 0xffffffffffffffffn;
  return Number(state % BigInt(n));
}

const all = (selector) => [...document.querySelectorAll(selector)];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const shown = (e) => e.getClientRects().length > 0 && !e.disabled;

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

/** What can be seen to have happened. */
const face = () => [document.body.dataset.version,
  document.querySelector("[role=menu]") !== null, document.querySelector("#decision .sentence")?.textContent,
  document.querySelector("#decision input[type=number], #decision output")?.value, document.querySelector("#log .over") !== null,
  all("[aria-pressed=true], .sel, .pop").length, all(".can, #reach .to").length, document.querySelector("#decision .opts")?.textContent].join("|");

const things = "#pieces .can, #reach .to, #hand .can, #trays .can, #scene .can";
const buttons = "#decision .verb.do, #decision .verb.end, #decision .opts .to, #decision .opts .go, #decision .verbs .verb:not(.none)";
const told = { clicks: 0, covered: 0, problems: [], over: "" };

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
    const before = face();
    click(at);
    told.clicks++;
    for (let waited = 0; waited < 1000 && face() === before; waited += 4) await pause(4);
    return true;
  }
  told.problems.push(`nothing of what is lit can be hit: ${document.querySelector("#prompt")?.textContent}`);
  return false;
}

(async () => {
  let idle = 0;
  addEventListener("error", (event) => told.problems.push(`error: ${event.message}`));
  addEventListener("unhandledrejection", (event) => told.problems.push(`rejected: ${event.reason}`));
  while (told.clicks < most && told.problems.length === 0) {
    const over = document.querySelector("#log .over");
    if (over) {
      told.over = over.textContent.trim();
      break;
    }
    if (await step()) idle = 0;
    else if ((idle += 20) > 8000) told.problems.push(`nothing is lit: ${document.querySelector("#prompt")?.textContent}`);
    else await pause(20);
  }
  done(told);
})().catch((error) => done({ ...told, problems: [...told.problems, String(error?.stack ?? error)] }));
