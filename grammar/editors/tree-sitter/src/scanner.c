// What a token of Blazon is where that hangs on more than the characters of the token itself:
//
//   - names and things, which are runs of several words and end before an inner word;
//   - words of the language that are free in names elsewhere, such as `from` or `each`;
//   - labels, which are names before a colon;
//   - line ends, most of which end nothing: a line goes on before `and`, before `=`, before the `{` of a body ...;
//   - what is not read as words at all: texts, the cells of tables.
//
// It follows `word` to `bracket_word` of `grammar/blazon.pest` and `interpreter/syntax/src/line_joining.rs`, keeps no
// state, and looks ahead as far as to the end of the next line that says something.

#include <string.h>

#include "tree_sitter/parser.h"

// In the order of `externals` in `grammar.js`.
enum Token {
  NEWLINE, CLAUSE_NEWLINE, ROW_NEWLINE, ITEM_END, PAGE_END,
  NAME, DECLARED_NAME, HEADING, PART_NAME, LABEL, NEED_LABEL, BEATEN,
  THING, SEER,
  SET_OF, MIN, MAX, KEY_COMMA,
  TEXT, TEXT_END, PLURAL_WORD, CELL, NAMED_CELL, CELL_SEMICOLON,
  FROM, POSITION, RULING, PLAY, DICE, CARDS, EXPECT, FAILS, OFFER, REFUSE, OTHERS,
  BEFORE, AFTER, UNDER, REPLACE, REMOVE, WAIVE, CITE, EACH, NAMED, IF,
  ERROR_SENTINEL,
};

// ---------------------------------------------------------------------------------------------------------- words

// Longer than any word of the language; of a longer word the beginning is kept.
#define WORD_SIZE 16

static const char *const INNER[] = {
  "and", "or", "not", "in", "where", "by", "within", "otherwise", "if", "else", "beats", NULL,
};
static const char *const OPENING[] = {
  "all", "any", "every", "count", "first", "most", "least", "highest", "lowest", "total", "reach", "yes", "no", "none",
  "let", "for", "with", "while", "stop", "return", "choose", "case", "when", "option", "needs", "except", "say",
  "announce", NULL,
};
// Before these a line goes on.
static const char *const JOINING[] = {
  "and", "or", "where", "by", "within", "otherwise", "beats", "else", NULL,
};
// These begin an item at the margin.
static const char *const ITEMS[] = {
  "kind", "fact", "state", "rule", "step", "table", "links", "grid", "setup", "ruling", "whenever", "invariant", "look",
  "omitted", "test", "scene", "in", "before", "after", "under", "replace", "remove", "waive", "cite", NULL,
};
// The words of `FROM` to `NAMED`.
static const char *const SOFT[] = {
  "from", "position", "ruling", "play", "dice", "cards", "expect", "fails", "offer", "refuse", "others",
  "before", "after", "under", "replace", "remove", "waive", "cite", "each", "named", NULL,
};

static int place_in(const char *const *words, const char *word) {
  for (int i = 0; words[i]; i++) {
    if (strcmp(words[i], word) == 0) return i;
  }
  return -1;
}

static bool is(const char *const *words, const char *word) { return place_in(words, word) >= 0; }

static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\r' || c == 0xA0 || c == 0xFEFF; }

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

// Letters and marks. The C library tells letters by the locale of the editor, so what is not ASCII is told here: all of
// it but the signs and blanks of Latin-1, the general punctuation and the ideographic blank and signs.
static bool is_letter(int32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (c < 0xC0) return c == 0xAA || c == 0xB5 || c == 0xBA;
  return c != 0xD7 && c != 0xF7 && !(c >= 0x2000 && c <= 0x2BFF) && !(c >= 0x3000 && c <= 0x3004) && c != 0xFEFF;
}

static bool is_word_char(int32_t c) { return is_letter(c) || is_digit(c); }

// Capitals of the Latin, Greek and Cyrillic alphabets.
static bool is_capital(int32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z';
  if (c >= 0xC0 && c <= 0xDE) return c != 0xD7;
  if (c >= 0x100 && c <= 0x137) return c % 2 == 0;
  if (c >= 0x139 && c <= 0x148) return c % 2 == 1;
  if (c >= 0x14A && c <= 0x177) return c % 2 == 0;
  if (c == 0x178 || c == 0x179 || c == 0x17B || c == 0x17D) return true;
  if (c >= 0x1E00 && c <= 0x1EFF) return c % 2 == 0;
  return (c >= 0x386 && c <= 0x3AB && c != 0x390) || (c >= 0x400 && c <= 0x42F);
}

static void skip_blanks(TSLexer *lexer) {
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, false);
}

static void skip_line(TSLexer *lexer) {
  while (!lexer->eof(lexer) && lexer->lookahead != '\n') lexer->advance(lexer, false);
}

// Reads a word and keeps its beginning. Returns whether it ended cleanly: a sign that could have joined a further part,
// as the `-` of `a-= 1`, has been read, too, if not. Marks the end of the word if `mark`.
static bool read_word(TSLexer *lexer, char *word, bool mark) {
  int length = 0;
  for (;;) {
    int32_t c = lexer->lookahead;
    if (is_word_char(c)) {
      if (length < WORD_SIZE - 1) word[length++] = c < 0x80 ? (char)c : '?';
      lexer->advance(lexer, false);
      continue;
    }
    word[length] = 0;
    if (mark) lexer->mark_end(lexer);
    if (c != '\'' && c != '-' && c != 0x2019) return true;
    lexer->advance(lexer, false);
    if (!is_word_char(lexer->lookahead)) {
      if (c == 0x2019 && mark) lexer->mark_end(lexer);
      return c == 0x2019;
    }
    if (length < WORD_SIZE - 1) word[length++] = '-';
  }
}

// What stands behind a run of words.
typedef struct {
  char first[WORD_SIZE];
  // The word that ends the run, as `in`; empty if a sign does.
  char end_word[WORD_SIZE];
  // The sign that ends it, or 0.
  int32_t end_sign;
  int words;
  // Its last words round a quotient.
  bool rounds;
} Run;

// Where a run of words ends before its time.
typedef struct {
  bool at_needs, at_beside, at_rounded, at_sight;
  // How many words are marked as part of the token, at most.
  int marked;
} Ends;

// Whether a `beside` that was just read says which part is meant: then something stands behind it.
static bool says_beside(TSLexer *lexer) {
  if (!is_blank(lexer->lookahead)) return false;
  skip_blanks(lexer);
  int32_t c = lexer->lookahead;
  return is_word_char(c) || c == '-' || c == '\'';
}

// Whether what stands behind a `rounded` that was just read shows that it is no part of a name.
static bool says_rounded(TSLexer *lexer) {
  char word[WORD_SIZE];
  skip_blanks(lexer);
  if (is_letter(lexer->lookahead)) {
    read_word(lexer, word, false);
    if (is(INNER, word)) return true;
    if (strcmp(word, "up") != 0 && strcmp(word, "down") != 0) return false;
    skip_blanks(lexer);
    if (is_letter(lexer->lookahead)) {
      read_word(lexer, word, false);
      return is(INNER, word);
    }
  }
  return lexer->lookahead != '(' && lexer->lookahead != ':' && lexer->lookahead != '.';
}

// Whether the words `first` and those that follow say what a player sees.
static bool says_sight(TSLexer *lexer, const char *first) {
  char word[WORD_SIZE];
  if (strcmp(first, "sees") == 0) return true;
  const char *second = strcmp(first, "does") == 0 ? "not"
    : strcmp(first, "can") == 0 || strcmp(first, "cannot") == 0 ? "tell" : NULL;
  if (!second) return false;
  skip_blanks(lexer);
  if (!is_letter(lexer->lookahead)) return false;
  read_word(lexer, word, false);
  return strcmp(word, second) == 0;
}

// Goes on with a run whose first word was read, to the word or sign that ends it.
static void read_run(TSLexer *lexer, Run *run, Ends ends, bool clean) {
  char word[WORD_SIZE];
  run->words = 1;
  run->end_word[0] = 0;
  run->end_sign = 0;
  run->rounds = false;
  while (clean) {
    skip_blanks(lexer);
    if (!is_letter(lexer->lookahead)) {
      run->end_sign = lexer->lookahead;
      return;
    }
    clean = read_word(lexer, word, false);
    bool stops = is(INNER, word) || (ends.at_needs && strcmp(word, "needs") == 0);
    if (!stops && clean && ends.at_beside && strcmp(word, "beside") == 0) stops = says_beside(lexer);
    if (!stops && clean && ends.at_sight) stops = says_sight(lexer, word);
    if (!stops && clean && ends.at_rounded && strcmp(word, "rounded") == 0) stops = run->rounds = says_rounded(lexer);
    if (stops) {
      memcpy(run->end_word, word, WORD_SIZE);
      return;
    }
    run->words++;
    if (run->words <= ends.marked) lexer->mark_end(lexer);
  }
}

// ------------------------------------------------------------------------------------------------------- line ends

// Passes over comments and line ends; and over a `-` that opens no comment, which is told as `minus`.
static void skip_empty_lines(TSLexer *lexer, bool *at_margin, bool *minus) {
  *minus = false;
  for (;;) {
    while (is_blank(lexer->lookahead)) {
      *at_margin = false;
      lexer->advance(lexer, false);
    }
    if (lexer->lookahead == '\n') {
      *at_margin = true;
      lexer->advance(lexer, false);
    } else if (lexer->lookahead == '-') {
      lexer->advance(lexer, false);
      if (lexer->lookahead != '-') {
        *minus = true;
        return;
      }
      skip_line(lexer);
    } else {
      return;
    }
  }
}

// Whether a line that begins with this sign goes on with the one before. `minus`: a `-` was read before it.
static bool sign_joins(TSLexer *lexer, bool minus) {
  int32_t c = lexer->lookahead;
  if (minus) return c == '=';
  switch (c) {
    case ',': case '.': case '=': case '<': case '>': case '*': case '/': case '&': case '"': case '{': case '}':
    case ')': case ']': case '?':
      return true;
    case ':': case '+': case '!':
      lexer->advance(lexer, false);
      return lexer->lookahead == '=';
    default:
      return false;
  }
}

// Which line end stands before what is looked at, if any: a whole line lies before it.
static bool line_end(TSLexer *lexer, const bool *valid) {
  bool at_margin = true, minus;
  char word[WORD_SIZE];
  skip_empty_lines(lexer, &at_margin, &minus);
  bool recovering = valid[ERROR_SENTINEL];
  if (lexer->eof(lexer)) {
    lexer->result_symbol = valid[PAGE_END] ? PAGE_END : ITEM_END;
    return !recovering;
  }
  bool begins_clause = minus || lexer->lookahead == '+', is_row = lexer->lookahead == '|', begins_thing = false;
  if (!minus && is_letter(lexer->lookahead)) {
    begins_thing = is_capital(lexer->lookahead);
    read_word(lexer, word, false);
    if (at_margin && is(ITEMS, word)) {
      lexer->result_symbol = ITEM_END;
      return true;
    }
    if (is(JOINING, word) || (strcmp(word, "if") == 0 && valid[IF])) return false;
    begins_clause = strcmp(word, "except") == 0 || strcmp(word, "needs") == 0 || strcmp(word, "known") == 0;
  } else if (!minus && lexer->lookahead == '\'') {
    begins_thing = true;
  } else if (sign_joins(lexer, minus)) {
    return false;
  }
  if (recovering) {
    lexer->result_symbol = NEWLINE;
    return true;
  }
  if (at_margin && valid[PAGE_END] && !begins_clause && !is_row) lexer->result_symbol = ITEM_END;
  else if ((is_row || begins_thing) && valid[ROW_NEWLINE]) lexer->result_symbol = ROW_NEWLINE;
  else if ((begins_clause || is_row) && valid[CLAUSE_NEWLINE]) lexer->result_symbol = CLAUSE_NEWLINE;
  else if (valid[NEWLINE]) lexer->result_symbol = NEWLINE;
  else if (valid[PAGE_END]) lexer->result_symbol = ITEM_END;
  else return false;
  return true;
}

// Skips line ends that end nothing. Returns whether the margin is reached.
static bool skip_joined(TSLexer *lexer) {
  bool at_margin = false;
  while (is_blank(lexer->lookahead) || lexer->lookahead == '\n') {
    at_margin = lexer->lookahead == '\n';
    lexer->advance(lexer, true);
  }
  return at_margin;
}

// A `;` before a clause or a further cell.
static bool semicolon(TSLexer *lexer, const bool *valid) {
  bool at_margin = false, minus;
  char word[WORD_SIZE];
  lexer->advance(lexer, false);
  lexer->mark_end(lexer);
  if (valid[CELL_SEMICOLON]) {
    Run run;
    Ends ends = {0};
    skip_blanks(lexer);
    int32_t c = lexer->lookahead;
    if (lexer->eof(lexer) || c == '\n' || c == '}' || c == '{' || c == '|' || c == '@' || c == ';') return false;
    lexer->result_symbol = CELL_SEMICOLON;
    if (!is_capital(c)) return true;
    read_run(lexer, &run, ends, read_word(lexer, run.first, false));
    return run.end_sign != ':';
  }
  if (!valid[CLAUSE_NEWLINE]) return false;
  skip_empty_lines(lexer, &at_margin, &minus);
  lexer->result_symbol = CLAUSE_NEWLINE;
  if (minus || lexer->lookahead == '+' || lexer->lookahead == '|') return true;
  if (!is_letter(lexer->lookahead)) return false;
  read_word(lexer, word, false);
  return strcmp(word, "except") == 0 || strcmp(word, "needs") == 0 || strcmp(word, "known") == 0;
}

// The comma before a further key of `by`; before the variable of something else, or `fresh each`, it is none.
static bool key_comma(TSLexer *lexer) {
  Run run;
  Ends ends = {0};
  bool at_margin = false, minus;
  lexer->advance(lexer, false);
  lexer->mark_end(lexer);
  skip_empty_lines(lexer, &at_margin, &minus);
  lexer->result_symbol = KEY_COMMA;
  if (minus || !is_letter(lexer->lookahead) || is_capital(lexer->lookahead)) return true;
  read_run(lexer, &run, ends, read_word(lexer, run.first, false));
  bool fresh = run.words > 1 && strcmp(run.first, "fresh") == 0;
  return strcmp(run.end_word, "in") != 0 && !fresh;
}

// ------------------------------------------------------------------------------------------------ texts and cells

// What a text shows as it is, to its end, the next hole or the end of the line; `{{` is a brace.
static bool text(TSLexer *lexer) {
  bool any = false;
  while (!lexer->eof(lexer) && lexer->lookahead != '"' && lexer->lookahead != '\n' && lexer->lookahead != '\r') {
    bool brace = lexer->lookahead == '{';
    if (brace) lexer->mark_end(lexer);
    lexer->advance(lexer, false);
    if (brace) {
      if (lexer->lookahead != '{') {
        lexer->result_symbol = TEXT;
        return any;
      }
      lexer->advance(lexer, false);
    }
    any = true;
  }
  lexer->mark_end(lexer);
  lexer->result_symbol = any ? TEXT : TEXT_END;
  return any || lexer->lookahead != '"';
}

static bool plural_word(TSLexer *lexer) {
  bool any = false;
  for (;;) {
    int32_t c = lexer->lookahead;
    if (lexer->eof(lexer) || c == '|' || c == '{' || c == '}' || c == '"' || c == '\n') break;
    lexer->advance(lexer, false);
    any = true;
  }
  lexer->mark_end(lexer);
  lexer->result_symbol = PLURAL_WORD;
  return any;
}

// A cell between bars: something before the next bar of this line.
static bool cell(TSLexer *lexer) {
  bool any = false;
  while (!lexer->eof(lexer) && lexer->lookahead != '\n' && lexer->lookahead != '|') {
    bool dash = lexer->lookahead == '-', blank = is_blank(lexer->lookahead);
    lexer->advance(lexer, false);
    if (dash && lexer->lookahead == '-') return false;
    if (!blank) {
      lexer->mark_end(lexer);
      any = true;
    }
  }
  lexer->result_symbol = CELL;
  return any && lexer->lookahead == '|';
}

// What stands behind a thing and a colon in a table: words, or a text.
static bool named_cell(TSLexer *lexer) {
  bool any = false, quoted = false;
  while (!lexer->eof(lexer) && lexer->lookahead != '\n') {
    int32_t c = lexer->lookahead;
    if (!quoted && (c == ';' || c == '{' || c == '}' || c == '@' || c == '|')) break;
    if (c == '"') quoted = !quoted;
    lexer->advance(lexer, false);
    if (!quoted && c == '-' && lexer->lookahead == '-') break;
    if (!is_blank(c)) {
      lexer->mark_end(lexer);
      any = true;
    }
  }
  lexer->result_symbol = NAMED_CELL;
  return any;
}

// ----------------------------------------------------------------------------------------------- names and things

// A bracket of words behind a thing, which is a part of it: `York (levy)`.
static void thing_bracket(TSLexer *lexer) {
  char word[WORD_SIZE];
  skip_blanks(lexer);
  if (lexer->lookahead != '(') return;
  lexer->advance(lexer, false);
  skip_blanks(lexer);
  for (;;) {
    if (!is_word_char(lexer->lookahead) || !read_word(lexer, word, false)) return;
    if (is(INNER, word) || is(OPENING, word)) return;
    skip_blanks(lexer);
    if (lexer->lookahead == ')') break;
  }
  lexer->advance(lexer, false);
  lexer->mark_end(lexer);
}

static bool thing(TSLexer *lexer, const bool *valid) {
  Ends ends = {.at_sight = valid[SEER], .marked = 1000};
  Run run;
  bool is_seer = false;
  if (lexer->lookahead == '\'') {
    lexer->advance(lexer, false);
    if (lexer->lookahead == '\'') return false;
    while (!lexer->eof(lexer) && lexer->lookahead != '\'' && lexer->lookahead != '\n') lexer->advance(lexer, false);
    if (lexer->lookahead != '\'') return false;
    lexer->advance(lexer, false);
    lexer->mark_end(lexer);
    skip_blanks(lexer);
    run.end_sign = lexer->lookahead;
    run.end_word[0] = 0;
    if (valid[SEER] && is_letter(lexer->lookahead)) {
      bool clean = read_word(lexer, run.end_word, false);
      is_seer = clean && says_sight(lexer, run.end_word);
    }
  } else {
    read_run(lexer, &run, ends, read_word(lexer, run.first, true));
    is_seer = valid[SEER] && run.end_word[0] && !is(INNER, run.end_word);
  }
  if (run.end_sign == '(') thing_bracket(lexer);
  lexer->result_symbol = is_seer ? SEER : THING;
  return is_seer ? valid[SEER] : valid[THING];
}

// Whether something is set on the rest of this line: then a word such as `play`, with which lines of tests begin, begins a
// name.
static bool assigns(TSLexer *lexer) {
  while (!lexer->eof(lexer)) {
    int32_t c = lexer->lookahead;
    if (c == '\n' || c == ';' || c == '{' || c == '}' || c == '"') return false;
    lexer->advance(lexer, false);
    if ((c == ':' || c == '+' || c == '-') && lexer->lookahead == '=') return true;
  }
  return false;
}

// Which of the tokens that begin with a small letter a run of words is, if any of those that may stand here.
static bool choose_name(TSLexer *lexer, const bool *valid, const Run *run) {
  bool in_recovery = valid[ERROR_SENTINEL];
  bool before_colon = run->end_sign == ':';
  if (before_colon) {
    lexer->advance(lexer, false);
    before_colon = lexer->lookahead != '=';
  }
  bool beats = strcmp(run->end_word, "beats") == 0, cases = strcmp(run->end_word, "if") == 0;
  if (valid[LABEL] && !in_recovery && (before_colon || beats)) lexer->result_symbol = LABEL;
  else if (valid[NEED_LABEL] && !in_recovery && (before_colon || cases)) lexer->result_symbol = NEED_LABEL;
  else if (valid[BEATEN] && !in_recovery) lexer->result_symbol = BEATEN;
  else if (valid[PART_NAME] && !in_recovery) lexer->result_symbol = PART_NAME;
  else if (is(OPENING, run->first)) return false;
  else if (valid[HEADING] && !in_recovery) lexer->result_symbol = HEADING;
  else if (valid[DECLARED_NAME] && !in_recovery) lexer->result_symbol = DECLARED_NAME;
  else if (valid[NAME]) lexer->result_symbol = NAME;
  else return false;
  return true;
}

static bool name(TSLexer *lexer, const bool *valid, bool at_margin) {
  Run run;
  bool in_recovery = valid[ERROR_SENTINEL];
  // Behind a line end that ends nothing here, its end is still marked; if an item begins that is the token.
  bool starts_line = lexer->get_column(lexer) == 0;
  bool clean = read_word(lexer, run.first, !at_margin);
  if (starts_line && is(ITEMS, run.first)) {
    lexer->result_symbol = ITEM_END;
    return at_margin;
  }
  if (at_margin) lexer->mark_end(lexer);
  if (is(INNER, run.first)) return false;
  int soft = place_in(SOFT, run.first);
  bool keyword = soft >= 0 && valid[FROM + soft];
  if (in_recovery && (keyword || is(ITEMS, run.first) || is(OPENING, run.first))) return false;
  if (keyword && soft == EACH - FROM) return false;

  bool extreme = !in_recovery
    && ((valid[MIN] && strcmp(run.first, "min") == 0) || (valid[MAX] && strcmp(run.first, "max") == 0));
  bool set_of = valid[SET_OF] && !in_recovery && strcmp(run.first, "set") == 0;
  if (set_of && clean) {
    char word[WORD_SIZE];
    skip_blanks(lexer);
    clean = is_letter(lexer->lookahead) && read_word(lexer, word, false);
    if (clean && strcmp(word, "of") == 0) {
      lexer->mark_end(lexer);
      lexer->result_symbol = SET_OF;
      return true;
    }
  }
  bool part = valid[PART_NAME] && !in_recovery, heading = valid[HEADING] && !in_recovery;
  bool used = valid[NAME] && !valid[DECLARED_NAME] && !heading && !part;
  Ends ends = {
    .at_needs = heading, .at_beside = heading || part, .at_rounded = used, .marked = extreme ? 1 : 1000,
  };
  read_run(lexer, &run, ends, clean);
  if (extreme && run.words > 1 && strcmp(run.end_word, "in") == 0) {
    lexer->result_symbol = run.first[1] == 'i' ? MIN : MAX;
    return true;
  }
  if (extreme && run.words > 1) lexer->mark_end(lexer);
  if (keyword && soft == NAMED - FROM) {
    if (run.words > 1 || strcmp(run.end_word, "in") != 0) return false;
  } else if (keyword && (soft >= BEFORE - FROM || !assigns(lexer))) {
    return false;
  }
  return choose_name(lexer, valid, &run);
}

// ----------------------------------------------------------------------------------------------------- the scanner

void *tree_sitter_blazon_external_scanner_create(void) { return NULL; }
void tree_sitter_blazon_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_blazon_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload;
  (void)buffer;
  return 0;
}
void tree_sitter_blazon_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload;
  (void)buffer;
  (void)length;
}

bool tree_sitter_blazon_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  bool recovering = valid[ERROR_SENTINEL];
  if (!recovering && valid[TEXT]) return text(lexer);
  if (!recovering && valid[PLURAL_WORD]) return plural_word(lexer);

  while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
  bool at_margin = false;
  if (lexer->lookahead == '\n' || lexer->eof(lexer)) {
    bool joins = !(valid[NEWLINE] || valid[CLAUSE_NEWLINE] || valid[ROW_NEWLINE] || valid[PAGE_END]);
    // An item may begin here: nothing stands before the line end that it could end.
    bool begins = valid[RULING] && valid[UNDER];
    // A line end has no length, so that several braces may end there; but what is skipped as an error must have one.
    if (recovering && !lexer->eof(lexer)) lexer->advance(lexer, false);
    lexer->mark_end(lexer);
    if (!joins) return line_end(lexer, valid);
    at_margin = skip_joined(lexer) && !begins;
    if (lexer->eof(lexer)) {
      lexer->result_symbol = ITEM_END;
      return !begins;
    }
  }
  int32_t c = lexer->lookahead;
  if (!recovering && valid[CELL] && c != '|') return cell(lexer);
  if (!recovering && valid[NAMED_CELL]) return named_cell(lexer);
  if (c == ';' && !recovering) return semicolon(lexer, valid);
  if (c == ',' && !recovering && valid[KEY_COMMA]) return key_comma(lexer);
  if (c == '\'' || is_capital(c)) return (valid[THING] || valid[SEER]) && thing(lexer, valid);
  if (is_letter(c)) return name(lexer, valid, at_margin);
  return false;
}
