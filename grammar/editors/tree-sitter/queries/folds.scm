; What can be folded: bodies in braces and their lines of tables, links and tests.

[
  (kind) (rule) (step) (table) (links) (setup) (whenever) (hook) (under) (inside) (test) (scene)
  (option) (block) (case_body) (placing_group) (choose)
] @fold
