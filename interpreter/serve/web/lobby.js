/**
 * The lobby's only script, and that of links: a saved game that was picked goes to the server, which says where it goes on; a
 * link is copied.
 */
const file = /** @type {HTMLInputElement | null} */ (document.getElementById("file"));
const line = document.getElementById("loaded");

/** What is to be typed stands between backticks in what the server says. @param {string} text */
const plain = (text) => text.replace(/`([^`]*)`/g, "“$1”");

file?.addEventListener("change", async () => {
  const picked = file.files?.[0];
  if (!picked || !line) return;
  line.textContent = "…";
  try {
    const answer = await fetch("/load", { method: "POST", headers: { "content-type": "text/plain" }, body: await picked.text() });
    const said = await answer.json();
    if (answer.ok) return location.assign(said.url);
    line.textContent = plain(said.error);
  } catch (error) {
    line.textContent = String(error);
  }
  /* The same file, once it has been put right, is another choice. */
  file.value = "";
});

const then = /** @type {HTMLElement | null} */ (document.querySelector("[data-then]"));
if (then) history.replaceState(null, "", then.dataset.then);

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-copy]"))) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    /* A page that came without encryption may not write: then the link is marked, to be copied by hand. */
    await navigator.clipboard?.writeText(button.dataset.copy ?? "").then(() => (button.textContent = "Copied"), () => {});
    getSelection()?.selectAllChildren(/** @type {Node} */ (button.parentNode?.firstChild));
  });
}
