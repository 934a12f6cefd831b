; Indents, as Helix reads them.

[
  (kind_body) (block) (case_body) (options) (placing_body) (amendment_body) (test_body)
  (table) (links) (rule) (arguments) (list) (group)
] @indent

["}" ")" "]"] @outdent
