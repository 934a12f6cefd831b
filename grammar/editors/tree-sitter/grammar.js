/**
 * The tree-sitter grammar of Blazon: for colours, folds, indents and symbols in editors.
 *
 * What a page means is said by `grammar/blazon.pest`; where the two differ that one is right. This one follows it rule by
 * rule, and takes a little more than it does, since an editor shows what is half typed.
 *
 * Names have several words, and where a line ends depends on the next one: both are read by `src/scanner.c`. Its tokens
 * are the externals below. The literals among them are only there so that it knows where they may stand.
 *
 * Citations stand wherever a line ends, so they are extras, as comments are.
 */

/** How tightly something binds, loosest first, as in `interpreter/syntax/src/ast/operators.rs`. */
const PREC = {
  or: 1, and: 2, not: 3, comparison: 4, range: 5, sum: 6, product: 7, otherwise: 8, rounding: 9, bound: 10, member: 11,
};

/** One or more with commas. */
const list = (rule) => seq(rule, repeat(seq(',', rule)));

/**
 * Lines in braces; the scanner tells no line ends behind the opening and before the closing one. Where an item begins or
 * the page ends before it, every brace that is open ends, too: what is half typed spoils no other item.
 */
const body = ($, line, separators = $._separators) =>
  seq('{', repeat(';'), optional(lines($, line, separators)), choice('}', $._item_end));
const lines = ($, line, separators = $._separators) =>
  seq(line, repeat(seq(separators, line)), optional(separators));

module.exports = grammar({
  name: 'blazon',

  word: ($) => $._word,

  extras: ($) => [/[\s\uFEFF]/, $.comment, $.citation],

  externals: ($) => [
    $._newline, $._clause_newline, $._row_newline, $._item_end, $._page_end,
    $._name, $._declared_name, $._heading, $._part_name, $._label, $._need_label, $._beaten,
    $._thing, $._seer,
    $._set_of, $._min, $._max, $._key_comma,
    $._text, $._text_end, $._plural_word, $._cell, $._named_cell, $._cell_semicolon,
    'from', 'position', 'ruling', 'play', 'dice', 'cards', 'expect', 'fails', 'offer', 'refuse', 'others',
    'before', 'after', 'under', 'replace', 'remove', 'waive', 'cite', 'each', 'named', 'if',
    $._error_sentinel,
  ],

  supertypes: ($) => [$.item, $.declaration, $.amendment, $.statement, $.expression],

  rules: {
    source_file: ($) => repeat(seq($.item, choice($._item_end, $._page_end))),

    item: ($) => choice($.declaration, $.amendment, $.test, $.scene),

    // --------------------------------------------------------------------------------------------- words and signs

    _word: (_) => /\p{L}[\p{L}\p{M}\p{N}]*(['’-][\p{L}\p{M}\p{N}]+)*’?/,

    comment: (_) => token(seq('--', /[^\n]*/)),
    citation: (_) => /@[\p{L}\p{N}]+([.-][\p{L}\p{N}]+)*/,
    number: (_) => /-?[0-9]+/,
    flag: (_) => choice('yes', 'no'),
    nothing: (_) => 'none',

    name: ($) => $._name,
    thing: ($) => $._thing,

    // The scanner tells line ends before clauses and before rows from others where such may follow.
    _separators: ($) => choice(seq($._newline, repeat(';')), repeat1(';')),
    _clause_separators: ($) => choice($._separators, $._clause_newline),
    _row_separators: ($) => choice($._separators, $._row_newline),

    text: ($) => seq('"', repeat(choice($.plain, $.hole)), choice('"', alias($._text_end, $.unfinished))),
    plain: ($) => $._text,
    hole: ($) => seq('{', field('value', $.expression), optional($.plural_words), '}'),
    plural_words: ($) => seq(':', optional($._plural), '|', optional($._plural)),
    _plural: ($) => alias($._plural_word, $.plain),

    // ------------------------------------------------------------------------------------------------- expressions

    expression: ($) => choice($._range, $.comparison, $.conjunction, $.disjunction, $.negation),
    _range: ($) => choice($._sum, $.range),
    _sum: ($) => choice($._operand, $.sum, $.product, $.alternative, $.rounded),

    disjunction: ($) => prec.left(PREC.or, seq($.expression, 'or', $.expression)),
    conjunction: ($) => prec.left(PREC.and, seq($.expression, 'and', $.expression)),
    negation: ($) => prec(PREC.not, seq('not', $.expression)),
    comparison: ($) => prec.left(PREC.comparison, seq(
      $.expression,
      choice('=', '!=', '<', '<=', '>', '>=', 'in', seq('not', 'in')),
      $.expression,
    )),
    range: ($) => prec.left(PREC.range, seq($._range, '..', $._range)),
    sum: ($) => prec.left(PREC.sum, seq($._sum, choice('+', '-'), $._sum)),
    product: ($) => prec.left(PREC.product, seq($._sum, choice('*', '/', '&'), $._sum)),
    alternative: ($) => prec.left(PREC.otherwise, seq($._sum, 'otherwise', $._sum)),
    rounded: ($) => prec.right(PREC.rounding, seq($._sum, 'rounded', optional(choice('up', 'down')))),

    _operand: ($) => choice(
      $.query, $.text, $.number, $.flag, $.nothing, $.thing, $.name, $.call, $.member, $.group, $.list,
    ),
    call: ($) => prec(PREC.member, seq(field('name', $.name), field('arguments', $.arguments))),
    member: ($) => prec.right(PREC.member, seq(
      field('of', $._operand), '.', field('name', $.name), optional(field('arguments', $.arguments)),
    )),
    arguments: ($) => seq('(', optional(list($.expression)), ')'),
    group: ($) => seq('(', $.expression, ')'),
    list: ($) => seq('[', list($.expression), ']'),

    query: ($) => choice($._every, $._asked, $._total, $._ranked, $._extreme, $._reached),
    _every: ($) => prec.right(seq('every', $._source, optional($.where), ':', $.expression)),
    _asked: ($) => prec.right(seq(
      choice('all', 'any', 'count', 'first'), choice($._bound, $._operand),
    )),
    _total: ($) => prec.right(seq('total', choice($._bound_by_key, $._operand))),
    _reached: ($) => prec.right(seq('reach', choice($._bound_by_ways, $._operand))),
    _ranked: ($) => prec.right(seq(
      choice('most', 'least', 'highest', 'lowest'), choice($._bound_by_keys, $._operand),
    )),
    _extreme: ($) => prec.right(seq(choice(alias($._min, 'min'), alias($._max, 'max')), $._bound_by_key)),
    _source: ($) => prec(PREC.bound, seq(field('variable', $.name), 'in', choice($._sum, alias($._numbers, $.range)))),
    // Behind the variable of a query a range ends with its second number.
    _numbers: ($) => prec.left(PREC.member, seq($._sum, '..', $._sum)),
    _bound: ($) => prec.right(seq($._source, optional($.where))),
    _bound_by_key: ($) => prec.right(seq($._source, optional($.where), optional($.by))),
    _bound_by_keys: ($) => prec.right(seq($._source, optional($.where), optional(alias($.by_keys, $.by)))),
    _bound_by_ways: ($) => prec.right(seq(
      $._source, optional($.where), optional(choice($.by, alias($.by_way, $.by))), optional($.within),
    )),
    // Where one goes to, with a variable of its own, and what that costs.
    by_way: ($) => prec.right(seq('by', $._source, optional($.where), optional($.by))),
    where: ($) => prec.right(seq('where', $.expression)),
    by: ($) => prec.right(seq('by', $._sum)),
    by_keys: ($) => prec.right(seq('by', $._sum, repeat(seq(alias($._key_comma, ','), $._sum)))),
    within: ($) => prec.right(seq('within', $._sum)),

    type: ($) => choice(
      seq(alias($._set_of, 'set of'), $.name),
      seq($.number, '..', $.number, optional('?')),
      seq($.name, optional('?')),
    ),

    // ------------------------------------------------------------------------------------------------ declarations

    declaration: ($) => choice(
      $.kind, $.fact, $.state, $.rule, $.step, $.table, $.links, $.grid, $.setup, $.ruling, $.whenever, $.invariant,
      $.look, $.omitted,
    ),

    _declared: ($) => alias($._declared_name, $.name),

    kind: ($) => seq(
      'kind', field('name', $._declared), optional(field('plural', $.plural)),
      optional(seq('=', choice($.ends, $.things))),
      optional(field('body', $.kind_body)),
    ),
    plural: ($) => seq('(', $.name, ')'),
    ends: ($) => seq($.name, '-', $.name),
    things: ($) => list($.thing),
    kind_body: ($) => body($, $._member),
    _member: ($) => choice($.fact, $.state, $.seen, $.back),

    // A declared fact, or, behind `replace`, the value of one.
    fact: ($) => seq(
      'fact', field('name', $._declared), optional(field('keys', $.arguments)),
      choice(
        seq(':', field('type', $.type), optional(seq('=', field('value', $.expression)))),
        seq('=', field('value', list($.expression))),
      ),
    ),
    state: ($) => seq(
      'state', field('name', $._declared), optional(field('keys', $.arguments)),
      ':', field('type', $.type), optional(seq('=', field('value', $.expression))), optional($.fresh),
    ),
    fresh: ($) => seq(',', $._fresh_each, list($.name)),
    _fresh_each: ($) => alias(token(/fresh +each/), 'fresh each'),
    _seen_by: ($) => alias(token(/seen +by/), 'seen by'),
    seen: ($) => prec.right(seq(
      $._seen_by, field('name', $._declared), ':', $.expression, repeat(seq($._clause_newline, $._clause)),
    )),
    back: ($) => prec.right(seq(
      'back', ':', list($.name), repeat(seq($._clause_newline, $.modifier)),
    )),

    rule: ($) => prec.right(seq(
      'rule', field('name', $._declared), optional(field('parameters', $.parameters)),
      ':', field('type', $.type), optional(field('title', $.text)),
      optional(seq('=', field('value', $.expression))),
      optional(seq(
        $._clause_newline, choice(alias($.row, $.header), $._clause),
        repeat(seq($._clause_newline, choice($.row, $._clause))),
      )),
    )),
    parameters: ($) => seq('(', list($.parameter), ')'),
    parameter: ($) => seq(field('name', $.name), ':', field('type', $.type)),

    _clause: ($) => choice($.exception, $.modifier, $.need, $.known),
    known: ($) => prec.right(seq(alias(token(/known +to +all/), 'known to all'), optional($.condition))),
    exception: ($) => prec.right(seq(
      'except',
      optional(seq($.label, optional(seq('beats', list(alias($._beaten, $.label)))), ':')),
      $.expression, optional($.condition),
    )),
    // What is added or taken: a number or a set by a rule, states by the back of a kind, things by a fact.
    modifier: ($) => prec.right(seq(
      choice('+', '-'), optional(seq($.label, ':')), list($.expression), optional($.condition),
    )),
    condition: ($) => seq('if', $.expression),
    need: ($) => prec.right(seq(
      'needs',
      optional(choice(
        seq(alias($._need_label, $.label), optional($.condition), ':'),
        seq($.condition, ':'),
      )),
      $.expression, optional(seq('else', $.text)),
    )),
    label: ($) => $._label,

    table: ($) => prec.right(seq(
      'table', field('name', $._declared), optional($.fixed), optional($.text),
      optional(seq(
        $._row_newline, choice(alias($.row, $.header), $.named_row),
        repeat(seq($._row_newline, choice($.row, $.named_row))),
      )),
    )),
    links: ($) => prec.right(seq(
      'links', field('name', $._declared), optional($.fixed), optional($.text),
      optional(seq(
        $._row_newline, choice(alias($.row, $.header), $.link_list),
        repeat(seq($._row_newline, choice($.row, $.link_list))),
      )),
    )),
    fixed: ($) => seq('(', list($.fixed_column), ')'),
    fixed_column: ($) => seq($.name, optional(seq(':', $.expression))),
    row: ($) => prec.right(seq('|', repeat1(seq(optional($.cell), '|')))),
    cell: ($) => $._cell,
    named_row: ($) => prec.right(seq(
      field('name', $.thing), ':', alias($._named_cell, $.cell),
      repeat(seq(alias($._cell_semicolon, ';'), alias($._named_cell, $.cell))),
    )),
    link_list: ($) => list($.link),
    link: ($) => seq($.thing, '-', $.thing),
    grid: ($) => seq('grid', field('name', $._declared), 'by', $.name, ',', $.stagger),
    stagger: (_) => choice(
      seq(choice('even', 'odd'), choice(seq('columns', 'low'), seq('rows', 'right'))), 'squares',
    ),

    step: ($) => seq(
      'step', field('name', $._heading_name), optional(field('parameters', $.parameters)),
      optional(seq(':', field('type', $.type))),
      repeat(seq(optional($._clause_newline), $.need)),
      field('body', $.block),
    ),
    _heading_name: ($) => alias($._heading, $.name),
    whenever: ($) => seq('whenever', field('name', $._declared), ':', $.expression, field('body', $.block)),
    invariant: ($) => seq('invariant', field('name', $._declared), ':', $.expression, optional(seq('else', $.text))),
    ruling: ($) => seq(
      'ruling', field('name', $._declared), ':', $._ruling_value, repeat1(seq('or', $._ruling_value)), optional($.text),
    ),
    _ruling_value: ($) => choice($.flag, $.number, $.thing),
    look: ($) => seq(
      'look', choice($.thing, $.name), ':', list(choice($.nothing, $.name)),
    ),
    omitted: ($) => seq('omitted', $.text),

    setup: ($) => seq(
      'setup', field('name', $.thing), optional($.text), choice($._placing, field('body', $.placing_body)),
    ),
    _placing: ($) => seq($.placing_keys, field('body', $.placing_body)),
    placing_keys: ($) => seq('(', $.name, ':', list($.name), ')'),
    placing_body: ($) => body($, $._placing_line),
    _placing_line: ($) => choice($.assignment, $.others, $.placing_group, $.placed),
    others: ($) => seq('others', ':', list($._placed_value)),
    placing_group: ($) => seq(field('name', $.thing), field('body', $.placing_body)),
    placed: ($) => seq(
      list(seq($._placed_name, optional($.number))), ':', list($._placed_value),
    ),
    _placed_name: ($) => choice($.thing, $.link),
    _placed_value: ($) => choice($.flag, $.nothing, $.number, $._placed_name),

    // -------------------------------------------------------------------------------------------------- statements

    block: ($) => body($, $.statement),
    statement: ($) => choice(
      $.let, $.if, $.for, $.with, $.while, $.stop, $.return, $.choose, $.case, $.say, $.assignment, $.action,
    ),

    let: ($) => seq('let', field('name', $.name), '=', $.expression),
    if: ($) => prec.right(seq(
      'if', $.expression, $.block, repeat(seq('else', 'if', $.expression, $.block)), optional($._else),
    )),
    _else: ($) => seq('else', $.block),
    for: ($) => prec.right(seq(
      'for', field('name', $.name), 'in', list($._range), optional($.where), $.block, optional($._else),
    )),
    with: ($) => prec.right(seq('with', field('name', $.name), '=', $.expression, $.block, optional($._else))),
    while: ($) => seq('while', $.expression, $.block),
    stop: (_) => 'stop',
    return: ($) => prec.right(seq('return', optional($.expression))),
    say: ($) => seq(choice('say', 'announce'), $.text),
    action: ($) => $._operand,
    assignment: ($) => seq($._operand, choice(':=', '+=', '-='), $.expression),

    case: ($) => seq('case', $.expression, field('body', $.case_body)),
    case_body: ($) => seq(
      '{', repeat(';'), optional(lines($, $.when)), optional(seq($._else, optional($._separators))), choice('}', $._item_end),
    ),
    when: ($) => seq('when', list($._range), optional($._beside), optional($.text), $.block),

    choose: ($) => prec.right(seq(
      'choose', optional(field('name', $.name)), 'by', choice($.each, $.expression), optional($.text),
      field('body', $.options), optional($._else),
    )),
    each: ($) => seq('each', $._source, optional($.where)),
    options: ($) => body($, $.option),
    option: ($) => seq(
      'option', field('name', $._heading_name), optional($.binders), optional($._beside), optional($.text),
      repeat(seq(optional($._clause_newline), $.need)),
      field('body', $.block),
    ),
    binders: ($) => seq('(', list($.binder), ')'),
    binder: ($) => seq(optional('named'), field('name', $.name), 'in', $._range, optional($.where)),
    _beside: ($) => seq('beside', $._part),

    // -------------------------------------------------------------------------------------------------- amendments

    amendment: ($) => choice($._part_change, $.under, $.replace),
    _part_change: ($) => choice($.inside, $.cite, $.hook, $.remove, $.waive),
    _change: ($) => choice($._part_change, $.under),

    replace: ($) => seq('replace', choice(
      seq('whole', choice($.rule, $.step)), $.test, $.declaration,
    )),
    hook: ($) => seq(
      choice('before', 'after'), field('name', $.name), optional(seq('in', field('within', $.name))), field('body', $.block),
    ),
    under: ($) => seq('under', $.expression, field('body', alias($._under_body, $.amendment_body))),
    _under_body: ($) => body($, choice($.amendment, $.declaration)),
    waive: ($) => seq('waive', $.name),
    remove: ($) => seq('remove', choice(seq('test', $.text), seq($._removable, $._part, optional($._beside)), $.link, $.thing)),
    _removable: (_) => choice(
      'rule', 'step', 'option', 'clause', 'fact', 'state', 'kind', 'ruling', 'when', 'setup', 'whenever', 'invariant',
      'grid', 'look',
    ),
    _part: ($) => choice(
      alias($._part_name, $.name), $.thing, prec.right(seq($.number, optional(seq('..', $.number)))),
    ),
    cite: ($) => seq(
      'cite', choice('rule', 'step', 'option', 'table', 'links'), $._part, optional($.fixed), optional($._beside),
      optional(seq('in', $.name)),
    ),

    inside: ($) => seq('in', choice(
      seq('rule', field('name', $._declared), field('body', alias($._rule_body, $.amendment_body))),
      seq(choice('step', 'option', 'when', 'choice'), field('name', $._part), optional($._beside),
        field('body', alias($._procedure_body, $.amendment_body))),
      seq('kind', field('name', $._declared), field('body', alias($._in_kind_body, $.amendment_body))),
      seq($._seen_by, field('name', $._declared), field('body', alias($._rule_body, $.amendment_body))),
      seq('back', field('body', alias($._back_body, $.amendment_body))),
      seq('table', field('name', $._declared), optional($.fixed), field('body', alias($._table_body, $.amendment_body))),
      seq('links', field('name', $._declared), optional($.fixed), field('body', alias($._links_body, $.amendment_body))),
      seq('setup', field('name', $.thing), field('body', alias($._setup_body, $.amendment_body))),
      seq('fact', field('name', $._declared), $.arguments, field('body', alias($._fact_body, $.amendment_body))),
    )),

    _rule_body: ($) => body($, choice(
      $._part_change, $._clause, $.row,
      alias($.rule_replace, $.replace), alias($.rule_under, $.under),
    ), $._clause_separators),
    rule_replace: ($) => seq('replace', choice($._clause, $.row, $.declaration)),
    rule_under: ($) => seq('under', $.expression, field('body', alias($._rule_body, $.amendment_body))),

    _procedure_body: ($) => body($, choice(
      $._part_change, $.need, $.option, $.when,
      alias($.procedure_replace, $.replace), alias($.procedure_under, $.under),
    ), $._clause_separators),
    procedure_replace: ($) => seq('replace', choice(
      seq('whole', $.option), $.need, $.option, $.when, $.declaration,
    )),
    procedure_under: ($) => seq('under', $.expression, field('body', alias($._procedure_body, $.amendment_body))),

    _back_body: ($) => body($, choice($._part_change, $.modifier, alias($.back_replace, $.replace)), $._clause_separators),
    back_replace: ($) => seq('replace', $.modifier),

    _in_kind_body: ($) => body($, choice($._change, $._member, $.things, alias($.kind_replace, $.replace))),
    kind_replace: ($) => seq('replace', choice(seq('whole', choice($.seen, $.back)), $._member, $.things)),

    _table_body: ($) => body($, choice($._change, $.row, $.named_row, alias($.table_replace, $.replace)), $._row_separators),
    table_replace: ($) => seq('replace', choice($.row, $.named_row, $.fact)),

    _links_body: ($) => body($, choice($._change, $.row, $.link_list, alias($.links_replace, $.replace)), $._row_separators),
    links_replace: ($) => seq('replace', $.link_list),

    _setup_body: ($) => body($, choice($._change, $._placing_line, alias($.setup_replace, $.replace))),
    setup_replace: ($) => seq('replace', $._placing_line),

    _fact_body: ($) => body($, $.modifier, $._clause_separators),

    // ------------------------------------------------------------------------------------------------------- tests

    test: ($) => seq('test', field('name', $.text), field('body', $.test_body)),
    scene: ($) => seq('scene', field('name', $.thing), field('body', $.test_body)),
    test_body: ($) => body($, $._test_line),
    _test_line: ($) => choice(
      $.assignment, $.from, $.position, $.test_ruling, $.play, $.dice, $.cards, $.expect, $.fails, $.offer, $.refuse,
      $.sight, $.deed,
    ),
    from: ($) => seq('from', $.thing),
    position: ($) => seq('position', $._placing),
    test_ruling: ($) => seq('ruling', $.name, '=', $._ruling_value),
    play: ($) => seq('play', choice($.name, $.call)),
    dice: ($) => seq('dice', list($.number)),
    cards: ($) => seq('cards', list($.thing)),
    expect: ($) => seq('expect', list($.expression)),
    fails: ($) => seq('fails', $.text),
    offer: ($) => seq('offer', $.deed),
    refuse: ($) => seq('refuse', $.deed, optional($.text)),
    sight: ($) => seq(alias($._seer, $.thing), choice(
      seq(choice('sees', alias(token(/does +not +see/), 'does not see')), list($.thing)),
      seq(choice(
        alias(token(/can +tell +whether/), 'can tell whether'), alias(token(/cannot +tell +whether/), 'cannot tell whether'),
      ), $.expression),
    )),
    deed: ($) => seq($.thing, ':', choice($.name, $.call)),
  },
});
