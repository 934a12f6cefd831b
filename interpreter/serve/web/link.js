/** The connection: what the server is told and asked, and the stream that says when something is new. */
import { say } from "./words.js";

/** So long an answer may take; the server gives up after a minute. In milliseconds. */
const LONGEST = 70_000;
/** A page that nobody sees asks so often. */
const UNSEEN = 15_000;

/** An address below this table, as this seat. @param {string} path @param {Record<string, string | number>} [query] */
export function address(path, query = {}) {
  const all = new URLSearchParams({ seat: document.body.dataset.seat ?? "" });
  for (const [name, value] of Object.entries(query)) all.set(name, String(value));
  return `${path}?${all}`;
}

/** @param {string} path @param {Record<string, string | number>} [query] */
export const ask = (path, query) => answer(address(path, query), {});

/** @param {string} path @param {object} [body] */
export const tell = (path, body = {}) =>
  answer(address(path), { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** What the server refuses is thrown in its own words; an old page's choice brings the update that it lacked. @param {string} to @param {RequestInit} how @returns {Promise<any>} */
async function answer(to, how) {
  const response = await fetch(to, { ...how, signal: AbortSignal.timeout(LONGEST) }).catch(() => null);
  const said = await response?.json().catch(() => null);
  if (response?.ok && said) return said;
  throw Object.assign(new Error(said?.error ?? (!response || response.ok ? say("away") : `${response.status} ${response.statusText}`)), { update: said });
}

/**
 * Listens for as long as the page lives. A browser has few connections for one server, so only a page that is seen keeps
 * one: any other asks now and then, and hears at once when it comes to be seen.
 * @param {(version?: string) => void} news @param {(there: boolean) => void} connected
 */
export function listen(news, connected) {
  /** @type {EventSource | null} */
  let stream = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let later;
  let wait = 500;
  const begin = () => {
    stream?.close();
    clearTimeout(later);
    stream = null;
    if (document.hidden) return void (later = setTimeout(() => (news(), begin()), UNSEEN));
    const now = (stream = new EventSource(address("events")));
    now.onmessage = (event) => {
      wait = 500;
      connected(true);
      news(event.data);
    };
    now.onerror = () => {
      connected(false);
      if (now.readyState !== EventSource.CLOSED) return;
      /* The stream does not say why; an answer does. */
      news();
      later = setTimeout(begin, (wait = Math.min(wait * 2, 15_000)));
    };
  };
  /* After a sleep, or another net, the old stream may say nothing for ever. */
  document.addEventListener("visibilitychange", begin);
  addEventListener("online", begin);
  addEventListener("pageshow", (event) => event.persisted && begin());
  addEventListener("offline", () => connected(false));
  begin();
}
