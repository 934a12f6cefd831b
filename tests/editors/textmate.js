// The TextMate grammar against the tree-sitter grammar: on every page both take the same places for words of the language,
// comments, citations and texts, and nothing within a comment or a text is coloured otherwise.
//
//   NODE_PATH=… node textmate.js GRAMMAR.json CAPTURES
//
// CAPTURES is what `tree-sitter query highlights.scm --paths …` says.

'use strict';

const fs = require('fs');
const path = require('path');
const oniguruma = require('vscode-oniguruma');
const { Registry, INITIAL } = require('vscode-textmate');

/** What a capture of the tree-sitter grammar, or a scope of the TextMate grammar, says of a place. */
const KINDS = {
  comment: (scope) => scope === 'comment' || scope.startsWith('comment.'),
  citation: (scope) => scope === 'attribute' || scope.startsWith('entity.other.attribute-name.citation'),
  text: (scope) => scope === 'string' || scope.startsWith('string.'),
  keyword: (scope) => ['keyword', 'keyword.operator', 'boolean', 'constant.builtin'].includes(scope)
    || scope.startsWith('keyword.control.') || scope.startsWith('keyword.operator.word.')
    || scope.startsWith('constant.language.'),
};

/** The kind of a TextMate token, by its innermost scope that has one; `inside` are those that hold it. */
function kindOf(scopes) {
  for (let i = scopes.length - 1; i > 0; i--) {
    if (scopes[i].startsWith('meta.embedded.')) return null;
    const kind = Object.keys(KINDS).find((each) => KINDS[each](scopes[i]));
    if (kind) return kind;
  }
  return null;
}

/** The captures of each page: per line a list of [first byte, byte behind the last, capture]. */
function readCaptures(file) {
  const pages = new Map();
  let page = null;
  for (const line of fs.readFileSync(file, 'utf8').split('\n')) {
    const found = line.match(/^ {4}capture: \d+ - (\S+), start: \((\d+), (\d+)\), end: \((\d+), (\d+)\)/);
    if (found) page.push([found[1], ...found.slice(2).map(Number)]);
    else if (line && !line.startsWith(' ')) pages.set(line, (page = []));
  }
  return pages;
}

/** One letter for each byte of each line: what is there. Blanks count as nothing. */
class Canvas {
  constructor(lines) {
    this.lines = lines.map((line) => Buffer.from(line, 'utf8'));
    this.kinds = this.lines.map((line) => new Array(line.length).fill(null));
  }

  paint(row, from, to, kind) {
    for (let at = from; at < to; at++) {
      if (this.lines[row][at] !== 0x20) this.kinds[row][at] = kind;
    }
  }
}

function paintCaptures(canvas, captures) {
  for (const [capture, row, from, lastRow, to] of captures) {
    if (row !== lastRow) continue;
    const kind = Object.keys(KINDS).find((each) => KINDS[each](capture)) || null;
    if (kind) canvas.paint(row, from, to, kind);
  }
}

/** Paints what the TextMate grammar says; returns what is coloured within comments and texts. */
function paintTokens(canvas, lines, grammar) {
  const strays = [];
  let stack = INITIAL;
  lines.forEach((line, row) => {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    for (const token of result.tokens) {
      const kind = kindOf(token.scopes);
      const from = Buffer.byteLength(line.slice(0, token.startIndex));
      const to = Buffer.byteLength(line.slice(0, token.endIndex));
      if (kind) canvas.paint(row, from, to, kind);
      const outer = token.scopes.findIndex((scope) => /^(comment|string)\./.test(scope));
      const inner = token.scopes.slice(outer + 1);
      const stray = outer > 0 && !inner.some((scope) => scope.startsWith('meta.embedded'))
        && inner.some((scope) => !scope.startsWith('constant.character.escape'));
      if (stray) strays.push(`${row + 1}: ${line.slice(token.startIndex, token.endIndex)} is ${token.scopes.join(' ')}`);
    }
  });
  return strays;
}

function compare(wanted, found, lines) {
  const differences = [];
  lines.forEach((line, row) => {
    const bytes = wanted.lines[row];
    for (let at = 0; at < bytes.length; at++) {
      if (wanted.kinds[row][at] === found.kinds[row][at]) continue;
      let end = at;
      while (end < bytes.length && wanted.kinds[row][end] !== found.kinds[row][end]) end++;
      const text = bytes.subarray(at, end).toString('utf8');
      differences.push(`${row + 1}: \`${text}\` is ${found.kinds[row][at]}, not ${wanted.kinds[row][at]}, in: ${line.trim()}`);
      at = end;
    }
  });
  return differences;
}

async function main([grammarFile, capturesFile]) {
  const wasm = fs.readFileSync(path.join(path.dirname(require.resolve('vscode-oniguruma')), 'onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => JSON.parse(fs.readFileSync(grammarFile, 'utf8')),
  });
  const grammar = await registry.loadGrammar('source.blazon');
  const pages = readCaptures(capturesFile);
  let bad = 0, words = 0;
  for (const [page, captures] of pages) {
    const lines = fs.readFileSync(page, 'utf8').split(/\r?\n/);
    const wanted = new Canvas(lines), found = new Canvas(lines);
    paintCaptures(wanted, captures);
    const problems = [...paintTokens(found, lines, grammar), ...compare(wanted, found, lines)];
    words += captures.length;
    bad += problems.length;
    for (const problem of problems) console.log(`${page}:${problem}`);
  }
  if (pages.size < 100 || words < 20 * pages.size) throw new Error(`only ${words} captures on ${pages.size} pages were read`);
  console.log(`TextMate and tree-sitter: ${pages.size} pages, ${words} captures, ${bad} differences`);
  if (bad > 0) process.exit(1);
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exit(1);
});
