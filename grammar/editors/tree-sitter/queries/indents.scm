; Indents, as the plugin nvim-treesitter reads them.

[
  (kind_body) (block) (case_body) (options) (placing_body) (amendment_body) (test_body)
  (table) (links) (rule) (step) (option) (exception) (arguments) (list) (group)
] @indent.begin

["}" ")" "]"] @indent.branch @indent.end
(comment) @indent.auto
