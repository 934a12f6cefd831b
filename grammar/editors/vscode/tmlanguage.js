// The TextMate grammar of Blazon, as `package` writes it for VS Code (`syntaxes/blazon.tmLanguage.json`). It is made here
// of its word lists, since such a grammar cannot name a part that several patterns share.
//
// It knows lines only, so a word that is free in names elsewhere counts as a word of the language where a line, a body or
// a statement begins, and behind the words that go before it. What it colours as words of the language is held equal to
// what the tree-sitter grammar does, on every page of the project, by `tests/editors`.

'use strict';

// The words of `interpreter/syntax/src/keywords.rs`, by where they may stand.
const INNER = ['and', 'or', 'not', 'in', 'where', 'by', 'within', 'otherwise', 'if', 'else', 'beats'];
const QUERIES = ['all', 'any', 'every', 'count', 'first', 'most', 'least', 'highest', 'lowest', 'total', 'reach'];
const VALUES = ['yes', 'no', 'none'];
const STATEMENTS = ['let', 'for', 'with', 'while', 'stop', 'return', 'choose', 'case', 'say', 'announce'];
const OPENING_LINES = ['when', 'option', 'needs', 'except'];
const DECLARATIONS = [
  'kind', 'fact', 'state', 'rule', 'step', 'table', 'links', 'grid', 'setup', 'ruling', 'whenever', 'invariant', 'look',
  'omitted', 'test', 'scene',
];
const CHANGES = ['before', 'after', 'under', 'replace', 'remove', 'waive', 'cite'];
const TEST_LINES = ['from', 'position', 'ruling', 'play', 'dice', 'cards', 'expect', 'fails', 'offer', 'refuse'];
const OTHER_LINES = ['back', 'others'];
const PAIRS = ['known to all', 'seen by', 'fresh each', 'set of'];
const SIGHTS = ['sees', 'does not see', 'can tell whether', 'cannot tell whether'];
// Behind another word of the language or before a name.
const PLACED = ['beside', 'choice', 'whole', 'named', 'each', 'min', 'max'];

const KEYWORDS = [
  INNER, QUERIES, VALUES, STATEMENTS, OPENING_LINES, DECLARATIONS, CHANGES, TEST_LINES, OTHER_LINES, PAIRS, SIGHTS, PLACED,
].flat();

// ------------------------------------------------------------------------------------------------------- expressions

const any = (...words) => `(?:${words.flat().map((word) => word.replace(/ /g, ' +')).join('|')})`;
const letter = '\\p{L}';
const wordChar = '[\\p{L}\\p{M}\\p{N}]';
const tail = `${wordChar}*(?:['’-]${wordChar}+)*’?`;
const edge = `(?!${wordChar}|['’-]${wordChar})`;
const begin = `(?<!${wordChar}|['’-])`;
const word = (...words) => `${begin}${any(...words)}${edge}`;

const inner = `${any(INNER)}${edge}`;
const opening = `${any(QUERIES, VALUES, STATEMENTS, OPENING_LINES)}${edge}`;
const sight = `${any(SIGHTS)}${edge}`;
// A `rounded` that ends a quotient; before these signs it belongs to a name.
const rounding = `rounded(?: +(?:up|down))?${edge}(?! *(?:[(:.]|${letter}))|rounded(?: +(?:up|down))?${edge}(?= +${inner})`;
const besides = `beside +[\\p{L}\\p{N}'-]`;

const small = `(?!\\p{Lu}|\\p{Lt})${letter}${tail}`;
const more = (...stops) => `(?: +(?!${[inner, ...stops].join('|')})${letter}${tail})*`;
const name = `${begin}(?!${inner}|${opening})${small}${more(rounding)}`;
const declared = `(?!${inner}|${opening})${small}${more()}`;
const heading = `(?!${inner}|${opening})${small}${more(`needs${edge}`, besides)}`;
const part = `(?!${inner})${small}${more(besides)}`;
const label = `(?!${inner})${small}${more()}`;
const bracketWord = `(?!${inner}|${opening})(?:${letter}${tail}|\\p{N}+${edge})`;
const bracket = `(?: *\\( *${bracketWord}(?: +${bracketWord})* *\\))?`;
const capital = `${begin}(?:\\p{Lu}|\\p{Lt})${tail}${more(sight)}`;
const thing = `(?:'[^'\\n]+'|${capital})${bracket}`;

// Where a line of code begins: at the margin or indented, behind a brace or a semicolon.
const atStart = '(?:^|(?<=[{;]))[ \\t]*';
// What sets something is no line of a test, whatever word it begins with.
const setsNothing = '(?![^;{}"\\n]*[:+-]=)';

const FUNCTION = 'entity.name.function.blazon';
const TYPE = 'entity.name.type.blazon';
const PROPERTY = 'variable.other.property.blazon';
const KEYWORD = 'keyword.control.blazon';
const LABEL = 'entity.name.label.blazon';
const THING = 'constant.other.thing.blazon';

const captures = (...names) => Object.fromEntries(
  names.map((scope, i) => [String(i + 1), scope]).filter(([, scope]) => scope).map(([i, scope]) => [i, { name: scope }]),
);
const match = (pattern, ...names) => ({ match: pattern, captures: captures(...names) });

// ---------------------------------------------------------------------------------------------------------- patterns

const repository = {
  comment: { name: 'comment.line.double-dash.blazon', match: '--.*$' },

  citation: {
    name: 'entity.other.attribute-name.citation.blazon', match: '@[\\p{L}\\p{N}]+(?:[.-][\\p{L}\\p{N}]+)*',
  },

  text: {
    name: 'string.quoted.double.blazon',
    begin: '"', end: '"|$',
    patterns: [
      { name: 'constant.character.escape.blazon', match: '\\{\\{|\\}\\}' },
      { include: '#hole' },
    ],
  },
  hole: {
    name: 'meta.embedded.blazon',
    begin: '\\{', end: '\\}|(?=$)',
    beginCaptures: { 0: { name: 'punctuation.section.embedded.blazon' } },
    endCaptures: { 0: { name: 'punctuation.section.embedded.blazon' } },
    patterns: [
      match('(:)([^|{}"\\n]*)(\\|)([^|{}"\\n]*)(?=\\})', 'punctuation.separator.blazon', 'string.unquoted.plural.blazon',
        'punctuation.separator.blazon', 'string.unquoted.plural.blazon'),
      { include: '#expression' },
    ],
  },

  // A cell and the bar before it; the last bar of a row stands alone.
  cell: {
    match: '(\\|)((?:(?!--)[^|\\n])*)(?=\\|)',
    captures: {
      1: { name: 'punctuation.separator.table.blazon' },
      2: {
        name: 'constant.other.cell.blazon',
        patterns: [{ name: 'constant.numeric.blazon', match: '(?<=^| )-?[0-9]+(?= |$)' }],
      },
    },
  },
  // What stands behind the name of a thing in a table, where no bars do.
  named_row: {
    begin: `${atStart}(?:(replace) +)?(${thing}) *(:)`, end: '(?=$|[{}|@]|--)',
    beginCaptures: captures(KEYWORD, THING, 'punctuation.separator.blazon'),
    patterns: [
      { name: 'string.quoted.double.blazon', match: '"[^"\\n]*"' },
      match(`(;) *(${thing})(:)`, 'punctuation.separator.blazon', THING, 'punctuation.separator.blazon'),
      { name: 'punctuation.separator.blazon', match: ';' },
      { name: 'constant.other.cell.blazon', match: '(?:(?!--)[^;{}|@"\\n])+' },
    ],
  },
  table: {
    begin: `^(table) +(${declared})`, end: '^(?=\\S)', beginCaptures: captures(KEYWORD, TYPE),
    patterns: [{ include: '#named_row' }, { include: '#code' }],
  },
  table_under: {
    begin: `${atStart}(table) +(${declared})`, end: `^(?!\\s*(?:\\||--|$|\\p{Lu}|'))`, beginCaptures: captures(KEYWORD, TYPE),
    patterns: [{ include: '#named_row' }, { include: '#code' }],
  },
  in_table: {
    begin: `${atStart}(in) +(table) +(${declared})`, end: '\\}', beginCaptures: captures(KEYWORD, KEYWORD, TYPE),
    patterns: [{ include: '#comment' }, { include: '#text' }, { include: '#named_row' }, { include: '#code' }],
  },

  lines: {
    patterns: [
      match(`${atStart}((?:replace +)?(?:whole +)?)(kind) +(${declared})(?: *(\\() *(${declared}) *(\\)))?`,
        KEYWORD, KEYWORD, TYPE, 'punctuation.section.blazon', TYPE, 'punctuation.section.blazon'),
      match(`${atStart}((?:replace +)?)(links|grid) +(${declared})`, KEYWORD, KEYWORD, TYPE),
      match(`${atStart}((?:replace +)?)(fact|state) +(${declared})`, KEYWORD, KEYWORD, PROPERTY),
      match(`${atStart}((?:replace +)?(?:whole +)?)(rule) +(${declared})`, KEYWORD, KEYWORD, FUNCTION),
      match(`${atStart}((?:replace +)?(?:whole +)?)(step|option) +(${heading})`, KEYWORD, KEYWORD, FUNCTION),
      match(`${atStart}((?:replace +)?)(whenever|invariant) +(${declared})`, KEYWORD, KEYWORD, LABEL),
      match(`${atStart}((?:replace +)?)(ruling) +(${declared})(?= *:)`, KEYWORD, KEYWORD, LABEL),
      match(`${atStart}((?:replace +)?(?:whole +)?)(seen +by) +(${declared})`, KEYWORD, KEYWORD, 'variable.parameter.blazon'),
      match(`(?:^|${atStart}(?=[^{]*\\{))(before|after) +(${declared})(?: +(in) +(${declared}))?`,
        KEYWORD, FUNCTION, KEYWORD, FUNCTION),
      match(`${atStart}(waive) +(${part})`, KEYWORD, LABEL),
      match(`${atStart}(remove) +(rule|step|option|clause|fact|state|kind|ruling|when|setup|whenever|invariant|grid|look)${edge}`
        + `(?: +(${part}))?(?: +(beside)${edge})?(?: +(${part}))?`, KEYWORD, KEYWORD, FUNCTION, KEYWORD, FUNCTION),
      match(`${atStart}(remove) +(test)${edge}`, KEYWORD, KEYWORD),
      match(`${atStart}(cite) +(rule|step|option|table|links) +(${part})(?: +(beside) +(${part}))?(?: +(in) +(${declared}))?`,
        KEYWORD, KEYWORD, FUNCTION, KEYWORD, FUNCTION, KEYWORD, FUNCTION),
      match(`${atStart}(in) +(rule|step|option|when|choice|kind|seen +by|links|setup|fact)${edge}`
        + `(?: +(${part}))?(?: +(beside)${edge})?(?: +(${part}))?`, KEYWORD, KEYWORD, FUNCTION, KEYWORD, FUNCTION),
      match(`${atStart}(in) +(back)${edge}`, KEYWORD, KEYWORD),
      match(`${atStart}((?:replace +)?)(setup|omitted)${edge}`, KEYWORD, KEYWORD),
      match(`${atStart}((?:replace +)?)(look)${edge}(?=[^(\\n]*:)`, KEYWORD, KEYWORD),
      match(`${atStart}((?:replace +)?(?:whole +)?)(back|others)(?= *:)`, KEYWORD, KEYWORD),
      match(`${atStart}((?:replace +)?)(known +to +all)${edge}`, KEYWORD, KEYWORD),
      match(`${atStart}((?:replace +)?)(except) +(${label}) +(beats) +`, KEYWORD, KEYWORD, LABEL, KEYWORD),
      match(`${atStart}((?:replace +)?)(except|needs) +(${label})(?= *:(?!=))`, KEYWORD, KEYWORD, LABEL),
      match(`${atStart}((?:replace +)?)(needs) +(${label})(?= +if${edge})`, KEYWORD, KEYWORD, LABEL),
      match(`${begin}(needs) +(${label})(?= *:(?!=))`, KEYWORD, LABEL),
      match(`${atStart}((?:replace +)?)([+-]) *(${label})(?= *:(?!=))`, KEYWORD, 'keyword.operator.blazon', LABEL),
      match(`${atStart}((?:replace +)?)(except|needs|when|option)${edge}`, KEYWORD, KEYWORD),
      match(`${atStart}(replace)${edge}(?= +(?:${any('whole', DECLARATIONS, OPENING_LINES, OTHER_LINES, PAIRS)}${edge}`
        + `|[-+|']|\\p{Lu}|[^;{}"\\n]*[:+-]=))`, KEYWORD),
      match(`${atStart}(replace) +(test)${edge}`, KEYWORD, KEYWORD),
      match(`${atStart}(remove)${edge}(?= +(?:'|\\p{Lu}))`, KEYWORD),
      match(`${atStart}(under)${edge}(?=.*\\{)`, KEYWORD),
    ],
  },

  // A test or a scene: only there the words that begin the lines of one are more than names.
  test: {
    begin: `^((?:replace +)?)(test|scene)${edge}`, end: '^(?=[^\\s}])', beginCaptures: captures(KEYWORD, KEYWORD),
    patterns: [
      match(`${atStart}(play)${edge}${setsNothing} +(${declared})`, KEYWORD, FUNCTION),
      match(`${atStart}(${any(TEST_LINES)})${edge}${setsNothing}`, KEYWORD),
      { include: '#code' },
    ],
  },

  // Two or three words that belong together, and words behind others.
  phrases: {
    patterns: [
      match(`(?<=,) *(fresh +each)${edge}`, KEYWORD),
      match(`(:) *(set +of) +(${declared})`, 'punctuation.separator.blazon', KEYWORD, TYPE),
      match(`(:) *(flag|number|text|point|die|dice|permission)${edge}(?= *(?:[?=,)"@;{}+]|--|$))`,
        'punctuation.separator.blazon', 'support.type.blazon'),
      match(`${begin}(choose) +(${declared}) +(by)${edge}`, KEYWORD, LABEL, KEYWORD),
      match(`${begin}(by) +(each)${edge}`, KEYWORD, KEYWORD),
      match(`(?<=[(,]) *(named)${edge}(?! +in${edge})`, KEYWORD),
      match(`${begin}(beside) +(${part}|${thing})`, KEYWORD, FUNCTION),
      match(`(${thing}) +(${any(SIGHTS)})${edge}`, THING, KEYWORD),
      match(`${begin}(min|max)(?= +${small}${more()} +in${edge})`, KEYWORD),
      match(`${begin}(rounded)(?: +(up|down))?${edge}`, KEYWORD, KEYWORD),
      match(`(?<=,) *(?:(even|odd) +(?:(columns) +(low)|(rows) +(right))|(squares))${edge}`,
        ...Array(6).fill(KEYWORD)),
      match(`(?<=[+-] |[+-]|beats |, )(${label})(?= *:(?!=))`, LABEL),
    ],
  },

  words: {
    patterns: [
      { name: 'keyword.operator.word.blazon', match: word('and', 'or', 'not', 'in', 'otherwise') },
      { name: KEYWORD, match: word('where', 'by', 'within', 'if', 'else', 'beats') },
      { name: 'constant.language.blazon', match: word(VALUES) },
      { name: KEYWORD, match: word(QUERIES, STATEMENTS, OPENING_LINES) },
    ],
  },

  names: {
    patterns: [
      { name: THING, match: thing },
      { name: 'constant.numeric.blazon', match: `${begin}-?[0-9]+(?!${wordChar})` },
      match(`(\\.) *(${name})(?= *\\()`, 'punctuation.accessor.blazon', FUNCTION),
      match(`(\\.) *(${name})`, 'punctuation.accessor.blazon', PROPERTY),
      { name: FUNCTION, match: `${name}(?=\\()` },
      { name: 'variable.other.blazon', match: name },
    ],
  },

  signs: {
    patterns: [
      { name: 'keyword.operator.blazon', match: ':=|\\+=|-=|!=|<=|>=|\\.\\.|[=<>+*/&?-]' },
      { name: 'punctuation.separator.blazon', match: '[.,;:|]' },
      { name: 'punctuation.section.blazon', match: '[(){}\\[\\]]' },
    ],
  },

  expression: {
    patterns: ['text', 'phrases', 'words', 'names', 'signs'].map((part) => ({ include: `#${part}` })),
  },
  code: {
    patterns: [
      'comment', 'citation', 'cell', 'text', 'lines', 'phrases', 'words', 'names', 'signs',
    ].map((part) => ({ include: `#${part}` })),
  },
};

const grammar = {
  name: 'Blazon',
  scopeName: 'source.blazon',
  fileTypes: ['blazon'],
  patterns: ['test', 'table', 'in_table', 'table_under', 'code'].map((part) => ({ include: `#${part}` })),
  repository,
};

module.exports = { grammar, KEYWORDS };

if (require.main === module) {
  process.stdout.write(`${JSON.stringify(grammar, null, 2)}\n`);
}
