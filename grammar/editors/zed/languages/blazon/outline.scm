(kind "kind" @context name: (name) @name) @item
(table "table" @context name: (name) @name) @item
(links "links" @context name: (name) @name) @item
(fact "fact" @context name: (name) @name) @item
(state "state" @context name: (name) @name) @item
(rule "rule" @context name: (name) @name) @item
(step "step" @context name: (name) @name) @item
(option "option" @context name: (name) @name) @item
(setup "setup" @context name: (thing) @name) @item
(ruling "ruling" @context name: (name) @name) @item
(whenever "whenever" @context name: (name) @name) @item
(invariant "invariant" @context name: (name) @name) @item
(hook ["before" "after"] @context name: (name) @name) @item
(inside "in" @context name: (_) @name) @item
(test "test" @context name: (text) @name) @item
(scene "scene" @context name: (thing) @name) @item
