/** What a line of play promises. Served by nobody. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { isPlaying, LONGEST, play, rest, skip, STEP } from "../../web/line.js";

/** @type {number[]} */
let seen = [];
/** @param {number[]} names */
const steps = (...names) => names.map((name) => () => void seen.push(name));
/** Lets time pass, on all clocks. @param {number} ms */
function pass(ms) {
  time += ms;
  mock.timers.tick(ms);
}
let time = 0;

mock.timers.enable({ apis: ["setTimeout"] });
mock.method(Date, "now", () => time);

beforeEach(() => {
  skip();
  seen = [];
  time += 60_000;
});

test("steps are seen one after the other", () => {
  play(...steps(1, 2, 3));
  pass(0);
  assert.deepEqual([seen, isPlaying()], [[1], true]);
  pass(STEP - 1);
  assert.deepEqual(seen, [1]);
  pass(1);
  assert.deepEqual(seen, [1, 2]);
  pass(STEP);
  assert.deepEqual([seen, isPlaying()], [[1, 2, 3], false]);
});

test("what comes meanwhile waits its turn, and what one did oneself is seen for a moment", () => {
  rest();
  play(...steps(1));
  pass(STEP - 1);
  assert.deepEqual(seen, []);
  pass(1);
  play(...steps(2));
  pass(1);
  assert.deepEqual(seen, [1]);
  pass(STEP);
  assert.deepEqual(seen, [1, 2]);
});

test("a skip shows all in order, and what comes next at once", () => {
  play(...steps(1, 2, 3));
  pass(0);
  skip();
  assert.deepEqual([seen, isPlaying()], [[1, 2, 3], false]);
  play(...steps(4));
  pass(0);
  assert.deepEqual(seen, [1, 2, 3, 4]);
});

test("however much there is, and comes meanwhile, it is not long", () => {
  const many = [...Array(100).keys()];
  play(...steps(...many));
  for (let waited = 0; waited < LONGEST / 2; waited += 50) pass(50);
  assert.ok(seen.length > 30 && seen.length < 70, `${seen.length}`);
  play(...steps(100, 101));
  for (let waited = LONGEST / 2; waited <= LONGEST; waited += 50) pass(50);
  pass(1);
  assert.deepEqual([seen, isPlaying()], [[...many, 100, 101], false]);
});
