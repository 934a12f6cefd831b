// Names, things and labels, and the words of the language that are free in names elsewhere.
#ifndef BLAZON_NAMES_H
#define BLAZON_NAMES_H

#include "words.h"

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

#endif
