// Where a line ends, and what separates: `interpreter/syntax/src/line_joining.rs`.
#ifndef BLAZON_LINES_H
#define BLAZON_LINES_H

#include "words.h"

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

#endif
