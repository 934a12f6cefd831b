/**
 * The lobby's only script: a saved game that was picked goes to the server, which says where it goes on.
 */
const file = /** @type {HTMLInputElement | null} */ (document.getElementById("file"));
const line = document.getElementById("loaded");

file?.addEventListener("change", async () => {
  const picked = file.files?.[0];
  if (!picked || !line) return;
  line.textContent = "…";
  try {
    const answer = await fetch("/load", { method: "POST", headers: { "content-type": "text/plain" }, body: await picked.text() });
    const said = await answer.json();
    if (answer.ok) location.assign(said.url);
    else line.textContent = said.error;
  } catch (error) {
    line.textContent = String(error);
  }
});
