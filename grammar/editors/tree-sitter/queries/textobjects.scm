; What can be selected and jumped to: items as functions, tests apart.

(rule) @function.outer
(rule value: (_) @function.inner)
(step body: (block) @function.inner) @function.outer
(option body: (block) @function.inner) @function.outer
(hook body: (block) @function.inner) @function.outer
(whenever body: (block) @function.inner) @function.outer

(kind body: (kind_body)? @class.inner) @class.outer
(table) @class.outer
(links) @class.outer
(setup body: (placing_body) @class.inner) @class.outer
(inside body: (amendment_body) @class.inner) @class.outer
(under body: (amendment_body) @class.inner) @class.outer

(test body: (test_body) @test.inner) @test.outer
(scene body: (test_body) @test.inner) @test.outer

(parameter) @parameter.outer
(binder) @parameter.outer
(comment) @comment.outer
