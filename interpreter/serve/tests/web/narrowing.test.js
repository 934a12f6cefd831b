/** What narrowing promises: `node --test`. Served by nobody. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as n from "../../web/narrowing.js";


/**
 * @param {[string, Ask[]][]} verbs
 * @param {[number, ...Value[]][]} options
 * @returns {Decision}
 */
function decision(verbs, options) {
  return {
    seat: "A", deciders: ["A"], yours: true, number: 1, who: "", prompt: "", paragraphs: [], note: "", names: {}, groups: {},
    verbs: verbs.map(([name, asks]) => ({ name, label: name, args: asks.map((ask, i) => ({ name: `a${i}`, ask })) })),
    options: options.map(([verb, ...args]) => [verb, args, `${verbs[verb]?.[0]} ${args.join(" ")}`]),
  };
}

const moves = decision(
  [["march", ["whom", "where"]], ["sail", ["whom", "where"]], ["end", []]],
  [[0, "x", "p"], [0, "x", "q"], [0, "y", "q"], [1, "x", "q"], [1, "x", "r"], [2]],
);

/** @param {Decision} d @param {Value[]} values */
const picked = (d, ...values) => values.reduce((now, v) => n.pick(d, now, v) ?? assert.fail(`no ${v}`), n.NOTHING);

test("pieces are asked for before places", () => {
  assert.deepEqual(n.rows(moves, n.NOTHING).map((r) => r.value), ["x", "y"]);
  const turned = decision([["put", ["where", "whom"]]], [[0, "p", "x"], [0, "q", "x"], [0, "p", "y"]]);
  assert.deepEqual(n.rows(turned, n.NOTHING).map((r) => r.value), ["x", "y"]);
});

test("a place may be clicked first", () => {
  const now = picked(moves, "q");
  assert.deepEqual(n.open(moves, now), [1, 2, 3]);
  assert.deepEqual(n.rows(moves, now).map((r) => r.value), ["x", "y"]);
});

test("one option left is taken, verbs alone left open a menu", () => {
  assert.deepEqual(n.outcome(moves, picked(moves, "x", "p")), { take: 0 });
  assert.deepEqual(n.outcome(moves, picked(moves, "x", "q")), { menu: [1, 3] });
  assert.deepEqual(n.outcome(moves, picked(moves, "x")), {});
});

test("what would leave nothing open starts anew", () => {
  const now = picked(moves, "x", "y");
  assert.deepEqual(now.picks.map((p) => p.value), ["y"]);
  assert.deepEqual(n.open(moves, now), [2]);
  assert.equal(n.pick(moves, now, "nowhere"), null);
});

test("whatever is clicked in whatever order, something is open", () => {
  const things = ["x", "y", "p", "q", "r"];
  for (const a of things) for (const b of things) for (const c of things) for (const verb of [-1, 0, 1, 2]) {
    let now = verb < 0 ? n.NOTHING : n.chooseVerb(moves, n.NOTHING, verb);
    for (const thing of [a, b, c]) now = n.pick(moves, now, thing) ?? now;
    assert.ok(n.open(moves, now).length > 0, `${a} ${b} ${c} ${verb}`);
    for (const v of [0, 1, 2]) assert.ok(n.open(moves, n.chooseVerb(moves, now, v)).length > 0);
  }
});

test("a second click takes the other argument, a third puts down", () => {
  const fight = decision([["fire", ["whom", "whom"]], ["pass", ["whom"]]], [[0, "x", "y"], [0, "y", "x"], [0, "x", "z"], [1, "x"]]);
  const once = picked(fight, "x");
  assert.deepEqual(n.open(fight, once), [0, 2, 3]);
  const twice = picked(fight, "x", "x");
  assert.deepEqual(n.open(fight, twice), [1]);
  assert.deepEqual(picked(fight, "x", "x", "x"), n.NOTHING);
  assert.equal(n.blank(fight, once), "does");
});

test("a verb keeps what is picked, or starts anew", () => {
  assert.deepEqual(n.open(moves, n.chooseVerb(moves, picked(moves, "x"), 1)), [3, 4]);
  assert.deepEqual(n.open(moves, n.chooseVerb(moves, picked(moves, "y"), 1)), [3, 4]);
  const on = n.chooseVerb(moves, n.NOTHING, 1);
  assert.equal(n.chooseVerb(moves, on, 1).verb, -1);
});

test("words are starts of words of labels", () => {
  const d = decision([["march", ["whom", "where"]]], [[0, "Essex", "Kent"], [0, "Kent", "Sussex"]]);
  assert.deepEqual(n.search(d, "ess ken"), [0]);
  assert.deepEqual(n.search(d, "mar"), [0, 1]);
  assert.deepEqual(n.search(d, "sex"), []);
});

test("numbers come last and snap to what there is", () => {
  const d = decision([["raise", ["number", "which"]]], [[0, 1, "k"], [0, 5, "k"], [0, 1, "n"], [0, 9, "n"]]);
  assert.deepEqual(n.rows(d, n.NOTHING).map((r) => r.value), ["k", "n"]);
  const left = n.open(d, picked(d, "k"));
  assert.equal(n.nearest(d, left, 0, 0, 4), 1);
  const pairs = decision([["split", ["number", "number"]]], [[0, 0, 3], [0, 1, 2], [0, 2, 1], [0, 2, 0]]);
  assert.equal(n.nearest(pairs, [0, 1, 2, 3], 1, 0, 2), 2);
});

test("nothing is a value, too", () => {
  const d = decision([["call", ["which"]]], [[0, "x"], [0, null]]);
  assert.deepEqual(n.rows(d, n.NOTHING).map((r) => r.value), ["x", null]);
  assert.deepEqual(n.outcome(d, picked(d, null)), { take: 1 });
});

test("a line that says more than its names is shown", () => {
  const d = decision([["lay", ["card"]], ["pay", ["whom"]]], [[0, "x"], [0, "y"], [1, "z"], [0, "y"]]);
  d.names = { x: "Quick Stilts", y: "Slow Barges", z: "Mill 2" };
  const lines = ["Lay Quick Stilts (2 orders, pace 7)", "Lay Slow Barges (2 orders)", "Pay 3 gold to Mill 2", "Lay Slow Barges: two orders"];
  d.options.forEach((option, i) => (option[2] = lines[i] ?? ""));
  assert.equal(n.saysMore(d, 0), lines[0]);
  assert.equal(n.saysMore(d, 2), lines[2], "of one alone a number says more");
  d.options.splice(3);
  d.options[0] = [0, ["x"], "Lay Quick Stilts (2 orders)"];
  assert.ok(!n.saysMore(d, 1), "what all lines of a verb have in common says nothing");
  assert.ok(!n.saysMore(decision([["march", ["whom", "where"]]], [[0, "x", "p"]]), 0));
});
