// What is not read as words: texts, and the cells of tables.
#ifndef BLAZON_RAW_H
#define BLAZON_RAW_H

#include "words.h"

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

#endif
