/**
 * Narrowing: from all options of a decision to one, by things that are picked and verbs that are chosen.
 * Nothing here knows of a page. The open options are never none: what would leave none starts anew.
 *
 */

/** @type {Narrowing} */
export const NOTHING = { verb: -1, picks: [] };

/** The things that are asked for before others; numbers come last and together. */
const FIRST = new Set(["whom", "card"]);

/**
 * The options that agree with what is picked, as their ids.
 * @param {Decision} decision
 * @param {Narrowing} now
 * @returns {number[]}
 */
export function open(decision, now) {
  const ids = [];
  for (let id = 0; id < decision.options.length; id++) {
    const [verb, args] = option(decision, id);
    if (now.verb >= 0 && verb !== now.verb) continue;
    if (now.picks.every((p) => role(p, verb) >= 0 && args[role(p, verb)] === p.value)) ids.push(id);
  }
  return ids;
}

/**
 * @param {Decision} decision
 * @param {number} id
 * @returns {Option}
 */
export function option(decision, id) {
  const found = decision.options[id];
  if (!found) throw new Error(`no option ${id}`);
  return found;
}

/**
 * @param {Decision} decision
 * @param {number} verb
 */
export function verbOf(decision, verb) {
  const found = decision.verbs[verb];
  if (!found) throw new Error(`no verb ${verb}`);
  return found;
}

/** @param {Picked} pick @param {number} verb */
function role(pick, verb) {
  return pick.roles[verb] ?? -1;
}

/**
 * The argument of an option that is asked for next; -1 if the option is complete.
 * @param {Decision} decision
 * @param {Narrowing} now
 * @param {number} id
 */
export function next(decision, now, id) {
  const [verb, args] = option(decision, id);
  const asks = verbOf(decision, verb).args;
  let best = -1;
  for (let i = 0; i < args.length; i++) {
    if (now.picks.some((p) => role(p, verb) === i)) continue;
    if (best < 0 || rank(asks[i]?.ask) < rank(asks[best]?.ask)) best = i;
  }
  return best;
}

/** @param {Ask | undefined} ask */
function rank(ask) {
  return ask === "number" ? 2 : ask && FIRST.has(ask) ? 0 : 1;
}

/**
 * What can be picked next: one row for each value, numbers apart.
 * @param {Decision} decision
 * @param {Narrowing} now
 * @returns {Row[]}
 */
export function rows(decision, now) {
  /** @type {Map<Value, Row>} */
  const found = new Map();
  for (const id of open(decision, now)) {
    const [verb, args] = option(decision, id);
    const at = next(decision, now, id);
    const ask = verbOf(decision, verb).args[at]?.ask;
    if (at < 0 || !ask || ask === "number") continue;
    const value = args[at] ?? null;
    const row = found.get(value) ?? { value, ask, verbs: new Map() };
    found.set(value, row);
    row.verbs.set(verb, [...(row.verbs.get(verb) ?? []), id]);
  }
  return [...found.values()];
}

/**
 * The open options by verb, in the order of the rules.
 * @param {Decision} decision
 * @param {Narrowing} now
 * @returns {Map<number, number[]>}
 */
export function byVerb(decision, now) {
  /** @type {Map<number, number[]>} */
  const found = new Map();
  for (const id of open(decision, now)) {
    const verb = option(decision, id)[0];
    found.set(verb, [...(found.get(verb) ?? []), id]);
  }
  return new Map([...found].sort((a, b) => a[0] - b[0]));
}

/**
 * Picks a thing (or takes it for its other argument, if it is picked already). `null`: it is in no option.
 * @param {Decision} decision
 * @param {Narrowing} now
 * @param {Value} value
 * @returns {Narrowing | null}
 */
export function pick(decision, now, value) {
  const again = now.picks.find((p) => p.value === value);
  if (again) return turn(decision, now, again);
  return (
    add(decision, now, value) ??
    add(decision, { verb: now.verb, picks: [] }, value) ??
    add(decision, NOTHING, value)
  );
}

/**
 * @param {Decision} decision
 * @param {Narrowing} now
 * @param {Value} value
 * @returns {Narrowing | null}
 */
function add(decision, now, value) {
  const roles = rolesOf(decision, now, value, []);
  return roles.some((r) => r >= 0) ? { verb: now.verb, picks: [...now.picks, { value, roles }] } : null;
}

/**
 * For each verb the first argument, after `after`, that the value is in an open option.
 * @param {Decision} decision
 * @param {Narrowing} now
 * @param {Value} value
 * @param {number[]} after
 */
function rolesOf(decision, now, value, after) {
  const roles = decision.verbs.map(() => -1);
  for (const id of open(decision, now)) {
    const [verb, args] = option(decision, id);
    for (let i = (after[verb] ?? -1) + 1; i < args.length; i++) {
      const free = !now.picks.some((p) => role(p, verb) === i);
      const best = roles[verb] ?? -1;
      if (args[i] === value && free && (best < 0 || i < best)) roles[verb] = i;
    }
  }
  return roles;
}

/**
 * A second click: the thing is taken for its next argument; after the last one it is put down.
 * @param {Decision} decision
 * @param {Narrowing} now
 * @param {Picked} again
 * @returns {Narrowing}
 */
function turn(decision, now, again) {
  const without = { verb: now.verb, picks: now.picks.filter((p) => p !== again) };
  const passed = again.roles.map((r) => (r < 0 ? Infinity : r));
  const roles = rolesOf(decision, without, again.value, passed);
  return roles.some((r) => r >= 0)
    ? { verb: now.verb, picks: [...without.picks, { value: again.value, roles }] }
    : without;
}

/**
 * Chooses a verb, or any verb if it was chosen already. A verb that what is picked forbids starts anew.
 * @param {Decision} decision
 * @param {Narrowing} now
 * @param {number} verb
 * @returns {Narrowing}
 */
export function chooseVerb(decision, now, verb) {
  if (now.verb === verb) return { verb: -1, picks: now.picks };
  const then = { verb, picks: now.picks };
  return open(decision, then).length > 0 ? then : { verb, picks: [] };
}

/**
 * What follows from a click on a thing: an option is taken, a menu opens (all that is left differs in
 * the verb alone), or more is asked.
 * @param {Decision} decision
 * @param {Narrowing} now
 * @returns {{take: number} | {menu: number[]} | "ask"}
 */
export function outcome(decision, now) {
  const left = open(decision, now);
  const [only] = left;
  if (left.length === 1 && only !== undefined) return { take: only };
  if (left.every((id) => next(decision, now, id) < 0)) return { menu: left };
  return "ask";
}

/**
 * The question of the next blank: one argument's, `does` if some verb is complete, `which` for a mixture.
 * @param {Decision} decision
 * @param {Narrowing} now
 * @returns {Ask | "does" | "nothing"}
 */
export function blank(decision, now) {
  /** @type {Set<Ask>} */
  const asks = new Set();
  let complete = false;
  for (const id of open(decision, now)) {
    const verb = verbOf(decision, option(decision, id)[0]);
    const ask = verb.args[next(decision, now, id)]?.ask;
    if (ask) asks.add(ask);
    else if (verb.args.length > 0) complete = true;
  }
  if (complete && now.picks.length > 0) return "does";
  const [first] = asks;
  return asks.size > 1 ? "which" : (first ?? "nothing");
}

/**
 * The options whose labels hold every word that was typed, as the start of a word.
 * @param {Decision} decision
 * @param {string} typed
 * @returns {number[]}
 */
export function search(decision, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const ids = [];
  for (let id = 0; id < decision.options.length; id++) {
    const has = option(decision, id)[2].toLowerCase().split(/[^\p{L}\p{N}]+/u);
    if (words.every((w) => has.some((h) => h.startsWith(w)))) ids.push(id);
  }
  return ids;
}

/**
 * The option that agrees with a number for one argument and is nearest in the others.
 * @param {Decision} decision
 * @param {number[]} ids
 * @param {number} from  the option that stands now
 * @param {number} argument
 * @param {number} wanted
 */
export function nearest(decision, ids, from, argument, wanted) {
  const here = option(decision, from)[1];
  /** @param {number} id */
  const far = (id) => {
    const args = option(decision, id)[1];
    const others = args.reduce((/** @type {number} */ sum, v, i) => sum + (i === argument ? 0 : apart(v, here[i])), 0);
    return apart(args[argument], wanted) * 1e6 + others;
  };
  return ids.reduce((best, id) => (far(id) < far(best) ? id : best), ids[0] ?? from);
}

/** @param {Value | undefined} a @param {Value | undefined} b */
function apart(a, b) {
  return a === b ? 0 : typeof a === "number" && typeof b === "number" ? Math.abs(a - b) : 1000;
}
