/** What opens over the page: one popover at a time, one dialog, one line that passes. */
import { make, set } from "./dom.js";
import { say } from "./words.js";

/** @type {HTMLElement | null} */
let pop = null;
/** @type {Element | null} */
let opener = null;

/**
 * Opens a popover beside what it is about.
 * @param {string} kind  its class
 * @param {Element | null} about
 * @param {string} title
 * @param {(Node | string)[]} content
 * @param {{role?: string, quiet?: boolean}} [how]  quiet: the focus stays where it is
 */
export function openPop(kind, about, title, content, how = {}) {
  closePop(false);
  opener = document.activeElement;
  pop = make("div", { class: `pop ${kind}`, role: how.role ?? "dialog", "aria-label": title, tabindex: -1 },
    make("h2", { role: how.role === "menu" ? "presentation" : null }, title), ...content);
  document.body.append(pop);
  place(pop, about);

  if (!how.quiet) focusIn(pop);
  return pop;
}

/** @param {HTMLElement} element */
function focusIn(element) {
  const first = /** @type {HTMLElement | null} */ (element.querySelector("button, a, input, select"));
  (first ?? element).focus();
}

/** Above the thing if there is room, else below, never beyond the window. @param {HTMLElement} element @param {Element | null} about */
function place(element, about) {
  const at = about?.getBoundingClientRect() ?? new DOMRect(innerWidth / 2, innerHeight / 2, 0, 0);
  const { width, height } = element.getBoundingClientRect();
  const middle = at.left + at.width / 2;
  const left = Math.max(8, Math.min(middle - width / 2, innerWidth - width - 8));
  const above = at.top - height - 12;
  const top = above >= 8 ? above : Math.min(at.bottom + 12, innerHeight - height - 8);
  element.style.setProperty("left", `${left}px`);
  element.style.setProperty("top", `${Math.max(8, top)}px`);
  element.style.setProperty("--at", `${Math.max(14, Math.min(middle - left, width - 14))}px`);
  element.dataset.side = above >= 8 ? "above" : top > at.bottom ? "below" : "over";
}

/** Closes the popover, if one is open. @param {boolean} [back]  whether the focus goes back @returns whether there was one */
export function closePop(back = true) {
  const was = pop;
  if (!was) return false;
  pop = null;
  const had = was.contains(document.activeElement);
  was.remove();
  if (back && had && (opener instanceof HTMLElement || opener instanceof SVGElement)) opener.focus();
  return true;
}

/** Whether the popover holds this. @param {EventTarget | null} target */
export function inPop(target) {
  return target instanceof Node && !!pop?.contains(target);
}

/**
 * Opens a dialog over everything.
 * @param {string} title
 * @param {(Node | string)[]} content
 * @param {{name: string, does: () => void}[]} [buttons]  besides the one that closes it
 */
export function openDialog(title, content, buttons = []) {
  const dialog = make("dialog", { class: "sheet", "aria-label": title });
  const shut = () => dialog.close();
  dialog.append(make("h2", {}, title), ...content, make("div", { class: "tools" },
    ...buttons.map((b) => make("button", { type: "button", class: "verb do", onclick: () => (shut(), b.does()) }, b.name)),
    make("button", { type: "button", class: "verb", onclick: shut }, say(buttons.length > 0 ? "cancel" : "close"))));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let passing;

/**
 * A line that stands for some seconds.
 * @param {string} text
 * @param {{name: string, does: () => void} | null} [button]
 * @param {{bad?: boolean, seconds?: number}} [how]
 */
export function pass(text, button = null, how = {}) {
  const line = document.getElementById("pass") ?? make("div", { id: "pass", role: "status" });
  document.body.append(line);
  clearTimeout(passing);
  set(line, { class: how.bad ? "bad" : null });
  line.replaceChildren(make("span", {}, text));
  const clear = () => line.replaceChildren();
  if (button) line.append(make("button", { type: "button", class: "tool", onclick: () => (clear(), button.does()) }, button.name));
  passing = setTimeout(clear, (how.seconds ?? 5) * 1000);
}
