/** The connection: what the server is told and asked, and the stream that says when something is new. */


/** What the server refuses, in its own words. An old page's choice brings the update that it lacked. */
export class Refused extends Error {
  /** @param {string} message @param {Update | null} update */
  constructor(message, update) {
    super(message);
    this.update = update;
  }
}

/**
 * An address below this table, as this seat.
 * @param {string} path
 * @param {Record<string, string | number>} [query]
 */
export function address(path, query = {}) {
  const all = new URLSearchParams({ seat: document.body.dataset.seat ?? "" });
  for (const [name, value] of Object.entries(query)) all.set(name, String(value));
  return `${path}?${all}`;
}

/**
 * @param {string} path
 * @param {Record<string, string | number>} [query]
 * @returns {Promise<any>}
 */
export async function ask(path, query) {
  return answer(await fetch(address(path, query), { headers: { accept: "application/json" } }));
}

/**
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
export async function tell(path, body = {}) {
  const headers = { "content-type": "application/json", accept: "application/json" };
  return answer(await fetch(address(path), { method: "POST", headers, body: JSON.stringify(body) }));
}

/** @param {Response} response */
async function answer(response) {
  const text = await response.text();
  const said = text.startsWith("{") ? JSON.parse(text) : null;
  if (response.ok && said) return said;
  throw new Refused(said?.error ?? `${response.status} ${response.statusText}`, said && "fragments" in said ? said : null);
}

/**
 * Listens for new versions for as long as the page lives; a lost connection is taken up again.
 * @param {(version: string) => void} news
 * @param {(there: boolean) => void} connected
 */
export function listen(news, connected) {
  let wait = 500;
  const start = () => {
    const stream = new EventSource(address("events"));
    stream.onmessage = (event) => {
      wait = 500;
      connected(true);
      news(event.data);
    };
    stream.onerror = () => {
      connected(false);
      if (stream.readyState !== EventSource.CLOSED) return;
      setTimeout(start, wait);
      wait = Math.min(wait * 2, 15_000);
    };
    addEventListener("pagehide", () => stream.close(), { once: true });
  };
  start();
  addEventListener("pageshow", (event) => event.persisted && start());
}
