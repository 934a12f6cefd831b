/** What opens over the page: one popover at a time, one dialog, one line that passes. */
import { button, make, the } from "./dom.js";
import { say } from "./words.js";

/** @typedef {{name: string, does: () => void}} Press */

/** @type {HTMLElement | null} */
let pop = null;
/** What had the focus before. @type {Element | null} */
let opener = null;

/**
 * Opens a popover beside what it is about. A quiet one leaves the focus where it is.
 * @param {string} kind @param {Element | null} about @param {string} title @param {(Node | string)[]} content
 * @param {{menu?: boolean, quiet?: boolean}} [how]
 */
export function openPop(kind, about, title, content, how = {}) {
  closePop();
  opener = document.activeElement;
  pop = make("div", { class: `pop ${kind}`, role: how.menu ? "menu" : "dialog", "aria-label": title, tabindex: -1 },
    make("h2", { role: how.menu ? "presentation" : null }, title), ...content);
  the("stage").append(pop);
  place(pop, about);
  if (!how.quiet) (pop.querySelector("button") ?? pop).focus();
}

/** Above the thing if there is room, else below, never beyond the window. @param {HTMLElement} element @param {Element | null} about */
function place(element, about) {
  const at = about?.getBoundingClientRect() ?? new DOMRect(innerWidth / 2, innerHeight / 2);
  const { width, height } = element.getBoundingClientRect();
  // In a display the others stand above and below.
  if (about?.closest("#scene")) return put(element, at.right + 10, at.y);
  const above = at.y - height - 10;
  put(element, at.x + at.width / 2 - width / 2, above < 8 ? at.bottom + 10 : above);
}

/** Puts it there, but never beyond the window. @param {HTMLElement} element @param {number} left @param {number} top */
export function put(element, left, top) {
  const { width, height } = element.getBoundingClientRect();
  element.style.setProperty("left", `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`);
  element.style.setProperty("top", `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`);
}

/** Closes the popover; the focus goes back, if it was in there. Answers whether there was one. */
export function closePop() {
  const was = pop;
  const had = was?.contains(document.activeElement);
  pop = null;
  was?.remove();
  if (had && (opener instanceof HTMLElement || opener instanceof SVGElement)) opener.focus();
  return was !== null;
}

/** Opens a dialog over everything. @param {string} title @param {Node[]} content @param {Press[]} presses  besides what closes it */
export function openDialog(title, content, ...presses) {
  const dialog = make("dialog", { class: "sheet", "aria-label": title }, make("h2", {}, title), ...content);
  const shut = () => dialog.close();
  dialog.append(make("div", { class: "tools" },
    ...presses.map((p) => button(p.name, () => (shut(), p.does()), { class: "verb do" })),
    button(say(presses.length > 0 ? "cancel" : "close"), shut, { class: "verb", autofocus: true })));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let passing;

/** A line that stands for some seconds, with or without a button. @param {string} text @param {Press | null} [press] @param {number} [seconds] */
export function pass(text, press, seconds = 5) {
  const line = document.getElementById("pass") ?? make("div", { id: "pass", role: "status" });
  const clear = () => line.replaceChildren();
  document.body.append(line);
  line.className = "";
  line.replaceChildren(text);
  if (press) line.append(button(press.name, () => (clear(), the("prompt").focus({ preventScroll: true }), press.does()), { class: "tool" }));
  clearTimeout(passing);
  passing = setTimeout(clear, seconds * 1000);
}

/** Says what went wrong. @param {unknown} error */
export function fail(error) {
  pass(error instanceof Error ? error.message : String(error), null, 8);
  document.getElementById("pass")?.classList.add("bad");
}
