/** What the server sends, and what the modules hand to each other. Types only: the page never loads this. */

/** An argument: the token of a thing, a number, or nothing. */
type Value = string | number | null;
type Option = [verb: number, args: Value[], label: string];
type Ask = "whom" | "where" | "way" | "card" | "side" | "number" | "which";

interface Verb {
  name: string;
  label: string;
  args: { name: string; ask: Ask }[];
  paragraphs?: string[];
}

interface Decision {
  seat: string;
  deciders: string[];
  yours: boolean;
  number: number;
  /** The badge of whom it is about: an SVG. */
  badge: string;
  prompt: string;
  paragraphs: string[];
  verbs: Verb[];
  /** An option's place is its id. */
  options: Option[];
  names: Record<string, string>;
  groups: Record<string, string>;
}

interface Update {
  version: number;
  whole: boolean;
  fragments: [layer: string, id: string, html: string][];
  log: { from: number; lines: string[] };
  over: string | null;
  /** By which paragraphs it is over, with their titles. */
  by: [paragraph: string, title: string][];
  undo: boolean;
  choices: number;
  title: string;
  decision: Decision | null;
}

interface Refusal {
  verb: number;
  args: Value[];
  label: string;
  reason: string;
  paragraphs: string[];
  place: string | null;
}

interface Why {
  number: number;
  refusals: Refusal[];
  titles: Record<string, string>;
}

/** Something picked; `roles`: for each verb, which of its arguments it is taken for, -1: for none. */
interface Picked {
  value: Value;
  roles: number[];
}

/** What is picked, and the verb that was chosen (-1: any). */
interface Narrowing {
  verb: number;
  picks: Picked[];
}

/** A value that can be picked next, with the options that are then left, by verb. */
interface Row {
  value: Value;
  ask: Ask;
  verbs: Map<number, number[]>;
}

/** How a thing is lit: its name, the names and lines of the verbs it can be picked by, how many options there are. */
interface Light {
  name: string;
  verbs: string[];
  lines: number[];
  count: number;
}

/** What the panel shows. */
interface Shown {
  /** The decision, if it is this seat's. */
  mine: Decision | null;
  decision: Decision | null;
  now: Narrowing;
  undo: boolean;
  over: string | null;
  /** Whether the next click asks why not; then what is refused. */
  asking: boolean;
  refused: Refusal[];
  spectator: boolean;
  /** Whether a line of play is being shown, which can be skipped. */
  playing: boolean;
  by: Update["by"];
}

/** What the panel, the board and the keyboard can ask for. */
interface Acts {
  click(value: Value, verb?: number, at?: Element): void;
  verb(verb: number): void;
  take(id: number): void;
  drop(value: Value): void;
  back(): void;
  undo(): void;
  /** Asks why not: of a thing, or of the next that is clicked. */
  why(thing?: Element | null): void;
  rematch(): void;
  /** Shows at once what is still to be seen of a line of play. */
  skip(): void;
  command(words: string): boolean;
}
