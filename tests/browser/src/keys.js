// What somebody at the keyboard knows: whether the game is over, whose decision it is, where the focus is, what is open.
const at = document.activeElement;
const one = (selector) => document.querySelector(selector) !== null;
return {
  over: one("#log .over"),
  busy: one("#decision[aria-busy]"),
  menu: one("[role=menu]"),
  board: one("#pieces .can, #reach .to"),
  rows: one("#decision :is(.opts .to, .verb.do, .verb.end)"),
  picked: document.querySelectorAll("#decision .chip").length,
  focus: at === document.body ? "nothing" : at.closest("[role=menu]") ? "menu" : at.closest("#board") ? (at.matches(".can, .to, .sel") ? "board" : "bare board") :
    at.matches("#decision :is(.opts .to, .verb.do, .verb.end)") ? "row" : (at.id || at.tagName),
  shows: document.querySelector("#decision").textContent,
  lines: document.querySelectorAll("#log li").length,
};
