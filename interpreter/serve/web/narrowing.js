/**
 * Narrowing: from all options of a decision to one, by things that are picked and verbs that are chosen.
 * Nothing here knows of a page. The open options are never none: what would leave none starts anew.
 */

/** @type {Narrowing} */
export const NOTHING = { verb: -1, picks: [] };

/** What is asked for before anything else; numbers come last and together. */
const FIRST = ["whom", "card"];

/** @param {Decision} d @param {number} id */
export function option(d, id) {
  const found = d.options[id];
  if (!found) throw new Error(`no option ${id}`);
  return found;
}

/** @param {Decision} d @param {number} verb */
export function verbOf(d, verb) {
  const found = d.verbs[verb];
  if (!found) throw new Error(`no verb ${verb}`);
  return found;
}

/** Which argument of a verb something picked is taken for. @param {Picked} picked @param {number} verb */
const role = (picked, verb) => picked.roles[verb] ?? -1;

/** Those options, by their ids, that agree with what is picked. @param {Decision} d @param {Narrowing} now */
export function open(d, now) {
  return [...d.options.keys()].filter((id) => {
    const [verb, args] = option(d, id);
    const fits = now.verb < 0 || verb === now.verb;
    return fits && now.picks.every((p) => role(p, verb) >= 0 && args[role(p, verb)] === p.value);
  });
}

/** The argument of an option that is asked for next; -1: it is complete. @param {Decision} d @param {Narrowing} now @param {number} id */
export function next(d, now, id) {
  const verb = option(d, id)[0];
  const rank = (/** @type {Ask} */ ask) => (ask === "number" ? 2 : FIRST.includes(ask) ? 0 : 1);
  const asked = verbOf(d, verb).args.map(({ ask }, at) => ({ at, rank: rank(ask) }));
  const left = asked.filter(({ at }) => !now.picks.some((p) => role(p, verb) === at));
  return left.sort((a, b) => a.rank - b.rank)[0]?.at ?? -1;
}

/** What can be picked next: one row for each value, numbers apart. @param {Decision} d @param {Narrowing} now */
export function rows(d, now) {
  /** @type {Map<Value, Row>} */
  const found = new Map();
  for (const id of open(d, now)) {
    const [verb, args] = option(d, id);
    const at = next(d, now, id);
    const ask = verbOf(d, verb).args[at]?.ask;
    if (!ask || ask === "number") continue;
    const value = args[at] ?? null;
    const row = found.get(value) ?? { value, ask, verbs: new Map() };
    found.set(value, row);
    put(row.verbs, verb, id);
  }
  return [...found.values()];
}

/** Adds to one of several lists: a choice may have many thousand options. @param {Map<number, number[]>} lists @param {number} of @param {number} id */
function put(lists, of, id) {
  const list = lists.get(of);
  if (list) list.push(id);
  else lists.set(of, [id]);
}

/** The open options by verb, in the order of the rules. @param {Decision} d @param {Narrowing} now */
export function byVerb(d, now) {
  /** @type {Map<number, number[]>} */
  const found = new Map();
  for (const id of open(d, now)) {
    put(found, option(d, id)[0], id);
  }
  return new Map([...found].sort((a, b) => a[0] - b[0]));
}

/**
 * Picks a thing, or takes it for its other argument if it is picked already. `null`: it is in no option.
 * @param {Decision} d @param {Narrowing} now @param {Value} value @returns {Narrowing | null}
 */
export function pick(d, now, value) {
  const again = now.picks.find((p) => p.value === value);
  if (again) return turn(d, now, again);
  return add(d, now, value, []) ?? add(d, { verb: now.verb, picks: [] }, value, []) ?? add(d, NOTHING, value, []);
}

/**
 * Adds a thing for the first arguments after `after` that it is in, verb by verb; `null`: there are none.
 * @param {Decision} d @param {Narrowing} now @param {Value} value @param {number[]} after
 */
function add(d, now, value, after) {
  const roles = d.verbs.map(() => -1);
  for (const id of open(d, now)) {
    const [verb, args] = option(d, id);
    const free = (/** @type {number} */ at) => at > (after[verb] ?? -1) && !now.picks.some((p) => role(p, verb) === at);
    const at = args.findIndex((v, i) => v === value && free(i));
    const best = roles[verb] ?? -1;
    if (at >= 0 && (best < 0 || at < best)) roles[verb] = at;
  }
  return roles.some((r) => r >= 0) ? { verb: now.verb, picks: [...now.picks, { value, roles }] } : null;
}

/** A second click takes a thing for its next argument; after the last it is put down. @param {Decision} d @param {Narrowing} now @param {Picked} again */
function turn(d, now, again) {
  const without = drop(now, again.value);
  const passed = again.roles.map((r) => (r < 0 ? Infinity : r));
  return add(d, without, again.value, passed) ?? without;
}

/** Puts a thing down. @param {Narrowing} now @param {Value} value @returns {Narrowing} */
export const drop = (now, value) => ({ verb: now.verb, picks: now.picks.filter((p) => p.value !== value) });

/** Chooses a verb, or any if it was chosen; one that what is picked forbids starts anew. @param {Decision} d @param {Narrowing} now @param {number} verb */
export function chooseVerb(d, now, verb) {
  if (now.verb === verb) return { verb: -1, picks: now.picks };
  const then = { verb, picks: now.picks };
  return open(d, then).length > 0 ? then : { verb, picks: [] };
}

/**
 * What follows from a click on a thing: one option is taken; if all that is left differs in the verb alone, a menu opens.
 * @param {Decision} d @param {Narrowing} now @returns {{take?: number, menu?: number[]}}
 */
export function outcome(d, now) {
  const left = open(d, now);
  if (left.length === 1) return { take: left[0] };
  return left.every((id) => next(d, now, id) < 0) ? { menu: left } : {};
}

/** The question of the next blank. @param {Decision} d @param {Narrowing} now @returns {Ask | "does" | "nothing"} */
export function blank(d, now) {
  const left = open(d, now).map((id) => verbOf(d, option(d, id)[0]).args[next(d, now, id)]?.ask);
  const complete = open(d, now).some((id, i) => !left[i] && option(d, id)[1].length > 0);
  if (complete && now.picks.length > 0) return "does";
  const asks = [...new Set(left)].filter((ask) => ask !== undefined);
  return asks.length > 1 ? "which" : (asks[0] ?? "nothing");
}

/** @param {string} text */
const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/**
 * The line of an option, if it says more than its verb and the names of what it takes: a price, or what a card is worth.
 * Fifty options of the verb tell what its lines have in common.
 * @param {Decision} d @param {number} id
 */
export function saysMore(d, id) {
  const [verb, args, line] = option(d, id);
  const names = args.flatMap((value) => words(d.names[String(value)] ?? String(value)));
  const alike = d.options.filter((other) => other[0] === verb).slice(0, 50).map((other) => words(other[2]));
  return words(line).some((w) => !names.includes(w) && (alike[1] ? alike.some((other) => !other.includes(w)) : /\d/.test(w))) && line;
}

/** The options whose labels have every word that was typed, as the start of a word. @param {Decision} d @param {string} typed */
export function search(d, typed) {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return [...d.options.keys()].filter((id) => {
    const has = words(option(d, id)[2]);
    return wanted.every((w) => has.some((h) => h.startsWith(w)));
  });
}

/**
 * The option that has the wanted number for an argument, or nearly, and is nearest to `from` in the others.
 * @param {Decision} d @param {number[]} ids @param {number} from @param {number} argument @param {number} wanted
 */
export function nearest(d, ids, from, argument, wanted) {
  const here = option(d, from)[1].map((v, i) => (i === argument ? wanted : v));
  const apart = (/** @type {Value | undefined} */ a, /** @type {Value | undefined} */ b) =>
    a === b ? 0 : typeof a === "number" && typeof b === "number" ? Math.abs(a - b) : 1000;
  const far = (/** @type {number} */ id) => option(d, id)[1].reduce((/** @type {number} */ sum, v, i) => sum + apart(v, here[i]) * (i === argument ? 1e6 : 1), 0);
  return ids.reduce((best, id) => (far(id) < far(best) ? id : best), ids[0] ?? from);
}
