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

#include "lines.h"
#include "names.h"
#include "raw.h"

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
