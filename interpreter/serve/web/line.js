/**
 * A line of play: what others do is seen step by step, each for a moment, all of it never for long, and at once if somebody
 * skips it. Nothing here knows of a page.
 */

/** So long each step is seen, and so long all of them may take that follow each other, in milliseconds. */
export const STEP = 600;
export const LONGEST = 8000;

/** What is still to be shown, oldest first. @type {(() => void)[]} */
let steps = [];
/** When the next may be shown, and when all must have been. */
let free = 0;
let end = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;
let skipped = 0;

/** Whether something is still to be shown. */
export const isPlaying = () => steps.length > 0;

/** How often it was skipped: what was asked for before is to be shown at once, too. */
export const skips = () => skipped;

/** Shows what is new after what was shown before it. @param {(() => void)[]} more */
export function play(...more) {
  if (steps.length === 0) end = Math.max(free, Date.now()) + LONGEST;
  steps.push(...more);
  next();
}

/** Shows all that is left. */
export function skip() {
  skipped++;
  clearTimeout(waiting);
  for (const step of steps.splice(0)) step();
  free = 0;
}

/** What one did oneself is seen for a moment, too, before others answer. */
export const rest = () => void (free = Date.now() + STEP);

function next() {
  clearTimeout(waiting);
  if (steps.length > 0) waiting = setTimeout(show, Math.max(0, free - Date.now()));
}

function show() {
  const step = steps.shift();
  const now = Date.now();
  free = now + Math.min(STEP, Math.max(0, end - now) / (steps.length + 1));
  step?.();
  next();
}
