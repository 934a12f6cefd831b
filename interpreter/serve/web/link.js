/** The connection: what the server is told and asked, and the stream that says when something is new. */

/** An address below this table, as this seat. @param {string} path @param {Record<string, string | number>} [query] */
export function address(path, query = {}) {
  const all = new URLSearchParams({ seat: document.body.dataset.seat ?? "" });
  for (const [name, value] of Object.entries(query)) all.set(name, String(value));
  return `${path}?${all}`;
}

/** @param {string} path @param {Record<string, string | number>} [query] */
export const ask = async (path, query) => answer(await fetch(address(path, query)));

/** @param {string} path @param {object} [body] */
export const tell = async (path, body = {}) =>
  answer(await fetch(address(path), { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }));

/** What the server refuses is thrown in its own words; an old page's choice brings the update that it lacked. @param {Response} response @returns {Promise<any>} */
async function answer(response) {
  const said = await response.json().catch(() => null);
  if (response.ok && said) return said;
  throw Object.assign(new Error(said?.error ?? `${response.status} ${response.statusText}`), { update: said });
}

/** Listens for as long as the page lives. @param {(version: string) => void} news @param {(there: boolean) => void} connected */
export function listen(news, connected) {
  let wait = 500;
  const stream = new EventSource(address("events"));
  stream.onmessage = (event) => {
    wait = 500;
    connected(true);
    news(event.data);
  };
  stream.onerror = () => {
    connected(false);
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => listen(news, connected), (wait = Math.min(wait * 2, 15_000)));
  };
}
