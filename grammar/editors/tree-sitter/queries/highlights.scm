; Colours. The names of captures are those of Neovim; Zed knows them, for Helix `build` writes its own in their place.
; No two patterns take the same node: editors differ in which of two wins.

(comment) @comment
(citation) @attribute

; Every word of the language, as in `interpreter/syntax/src/keywords.rs`.
[
  "kind" "fact" "state" "rule" "step" "table" "links" "grid" "setup" "ruling" "whenever" "invariant" "look" "omitted"
  "test" "scene" "before" "after" "under" "replace" "remove" "waive" "cite"
  "let" "for" "with" "while" "return" "choose" "case" "when" "option" "needs" "except" "known to all" "say"
  "announce" "offer" "refuse" "expect" "position" "cards" "dice" "fails" "from" "play" "back" "others" "seen by" "sees"
  "does not see" "can tell whether" "cannot tell whether"
  "where" "by" "within" "beside" "choice" "whole" "named" "if" "else" "beats" "each" "fresh each" "set of"
  "all" "any" "count" "first" "most" "least" "highest" "lowest" "every" "min" "max" "total" "reach"
] @keyword
(stop) @keyword ; stop
["in" "and" "or" "not" "otherwise"] @keyword.operator
(flag) @boolean ; yes no
(nothing) @constant.builtin ; none

; Words that are free elsewhere.
["clause" "even" "odd" "columns" "rows" "low" "right" "squares" "rounded" "up" "down"] @keyword

(number) @number
(plain) @string
(text "\"" @string)
(thing) @constant

((cell) @number (#match? @number "^-?[0-9]+$"))
((cell) @constant (#not-match? @constant "^-?[0-9]+$"))
(header (cell) @property)

(kind name: (name) @type)
(plural (name) @type)
(ends (name) @type)
(type (name) @type)
(table name: (name) @type)
(links name: (name) @type)
(grid name: (name) @type)

(fact name: (name) @property)
(state name: (name) @property)
(fixed_column . (name) @property)
(placing_keys (name) @property)
(back (name) @property)

(rule name: (name) @function)
(step name: (name) @function)
(option name: (name) @function)
(hook name: (name) @function)
(hook within: (name) @function)
(play (name) @function)
(deed (name) @function)
(call name: (name) @function)
(member name: (name) @property !arguments)
(member name: (name) @function arguments: (arguments))

(whenever name: (name) @label)
(invariant name: (name) @label)
(ruling name: (name) @label)
(waive (name) @label)
(label) @label

(parameter name: (name) @variable.parameter)
(binder name: (name) @variable.parameter)
(query variable: (name) @variable.parameter)
(each variable: (name) @variable.parameter)
(seen name: (name) @variable.parameter)
(let name: (name) @variable.parameter)
(for name: (name) @variable.parameter)
(with name: (name) @variable.parameter)

(inside ["rule" "step" "option" "when" "choice"] name: (name) @function)
(inside ["kind" "table" "links"] name: (name) @type)
(inside "fact" name: (name) @property)
(inside "seen by" name: (name) @variable.parameter)
(remove (name) @function)
(cite (name) @function)

["=" "!=" "<" "<=" ">" ">=" ".." "+" "-" "*" "/" "&" ":=" "+=" "-=" "?"] @operator
["." "," ";" ":" "|"] @punctuation.delimiter
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
