// Characters, words and runs of words: `word_char` to `besides` of `grammar/blazon.pest`.
#ifndef BLAZON_WORDS_H
#define BLAZON_WORDS_H

#include <string.h>

#include "tokens.h"

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

#endif
