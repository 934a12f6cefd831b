; What can be folded. Bodies are not named: each begins on the line of what it belongs to.

[
  (kind) (rule) (step) (table) (links) (setup) (whenever) (hook) (under) (inside) (test) (scene)
  (if) (for) (with) (while) (choose) (option) (case) (when) (placing_group)
] @fold
