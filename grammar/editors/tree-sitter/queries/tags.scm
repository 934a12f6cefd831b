; What a page declares, for lists of symbols where there is no language server.

(kind name: (name) @name) @definition.type
(table name: (name) @name) @definition.type
(fact name: (name) @name) @definition.field
(state name: (name) @name) @definition.field
(rule name: (name) @name) @definition.function
(step name: (name) @name) @definition.function
(option name: (name) @name) @definition.function
(whenever name: (name) @name) @definition.function
(invariant name: (name) @name) @definition.function
(ruling name: (name) @name) @definition.constant
(setup name: (thing) @name) @definition.constant
(scene name: (thing) @name) @definition.constant
(test name: (text) @name) @definition.function
(call name: (name) @name) @reference.call
