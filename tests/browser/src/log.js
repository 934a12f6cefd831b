// The lines of the log: what sort each is of, and its words; of dice what each shows.
return [...document.querySelectorAll("#log li")].map((item) => {
  const dice = [...item.querySelectorAll(".die")].map((die) => die.textContent || die.querySelectorAll("circle").length);
  return `${item.classList[0]}: ${dice.length ? dice.join(", ") : item.textContent}`;
});
