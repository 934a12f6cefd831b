// The words of the language are the same in `keywords.rs`, the tree-sitter grammar with its scanner and highlights, and
// the TextMate grammar.
//
//   node keywords.js BUILT
//
// BUILT is the folder that `grammar/editors/tree-sitter/build` filled.

'use strict';

const assert = require('assert');
const fs = require('fs');
const path = require('path');

const root = path.join(__dirname, '..', '..');
const editors = path.join(root, 'grammar', 'editors');
const read = (...parts) => fs.readFileSync(path.join(...parts), 'utf8');
const quoted = (text) => [...text.matchAll(/"([^"]+)"/g)].map((found) => found[1]);
const sorted = (words) => [...new Set(words)].sort();

/** The words of `keywords.rs` by the classes they have. */
function keywords() {
  const table = read(root, 'interpreter/syntax/src/keywords.rs').match(/^keywords! \{\n(.*?)^\}/ms)[1];
  const words = new Map();
  for (const [, word, classes] of table.matchAll(/^ {4}"([^"]+)"[^[]*\[([^\]]+)\];$/gm)) {
    words.set(word, classes.split('|').map((each) => each.trim()));
  }
  assert(words.size > 80, `only ${words.size} words were found in keywords.rs`);
  return words;
}

/** The words that the highlights colour as words of the language. */
function highlighted(built) {
  const query = read(editors, 'tree-sitter/queries/highlights.scm').split('; Words that are free elsewhere')[0];
  const rules = JSON.parse(read(built, 'tree-sitter/src/grammar.json')).rules;
  const words = [];
  for (const [, list] of query.matchAll(/\[([^\]]*)\] @keyword/g)) words.push(...quoted(list));
  for (const [, node] of query.matchAll(/^\((\w+)\) @(?:keyword|boolean|constant\.builtin)\b/gm)) {
    words.push(...strings(rules[node]));
  }
  return words;
}

/** The literals of a rule of the grammar. */
function strings(rule) {
  if (rule.type === 'STRING') return [rule.value];
  return [rule.content, ...(rule.members || [])].filter(Boolean).flatMap(strings);
}

/** The words of a list of the scanner. */
function scanned(name) {
  const list = read(editors, 'tree-sitter/src/words.h').match(new RegExp(`${name}\\[\\] = \\{([^}]*)\\}`))[1];
  return quoted(list);
}

function main([built]) {
  const all = keywords();
  const of = (...classes) => sorted([...all.keys()].filter((word) => all.get(word).some((each) => classes.includes(each))));
  const whole = sorted(all.keys());
  assert.deepStrictEqual(sorted(highlighted(built)), whole, 'highlights.scm');
  assert.deepStrictEqual(sorted(require(path.join(editors, 'vscode/tmlanguage.js')).KEYWORDS), whole, 'tmlanguage.js');
  assert.deepStrictEqual(sorted(scanned('INNER')), of('INNER'), 'INNER of words.h');
  assert.deepStrictEqual(sorted(scanned('OPENING')), of('OPENING'), 'OPENING of words.h');
  assert.deepStrictEqual(sorted(scanned('JOINING')), of('JOINING'), 'JOINING of words.h');
  assert.deepStrictEqual(sorted(scanned('ITEMS')), of('DECLARATION', 'CHANGE', 'TEST'), 'ITEMS of words.h');
  const tests = of('TEST_LINE');
  for (const word of tests) assert(scanned('SOFT').includes(word), `${word} is not among SOFT of words.h`);
  console.log(`keywords: ${whole.length} in all three, in four lists of the scanner too`);
}

main(process.argv.slice(2));
