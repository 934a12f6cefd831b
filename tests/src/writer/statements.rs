//! What is done: statements, options, and the rules and steps that others ask and do.

use super::{Type, Writer};

impl Writer {
    pub(super) fn block(&mut self, depth: usize) -> String {
        let height = self.scope.len();
        let mut all = Vec::new();
        let more = if self.ventures { self.below(3) } else { usize::from(self.one_in(3)) };
        for _ in 0..1 + more {
            all.push(self.statement(depth));
        }
        self.scope.truncate(height);
        format!("{{ {} }}", all.join("; "))
    }

    /// A block with a variable.
    pub(super) fn block_of(&mut self, name: &str, of: Type, depth: usize) -> String {
        self.scope.push((name.to_owned(), of));
        let block = self.block(depth);
        self.scope.pop();
        block
    }

    pub(super) fn otherwise(&mut self, depth: usize) -> String {
        if self.one_in(3) { format!(" else {}", self.block(depth)) } else { String::new() }
    }

    pub(super) fn statement(&mut self, depth: usize) -> String {
        if depth == 0 || self.one_in(3) {
            return self.deed(depth);
        }
        let inner = depth - 1;
        if self.ventures && self.one_in(2) {
            return self.venture(depth);
        }
        match self.below(12) {
            0 | 1 => format!("if {} {}{}", self.flag(2), self.block(inner), self.otherwise(inner)),
            2 | 3 => {
                let of = self.cards(2);
                let name = self.fresh();
                self.scope.push((name.clone(), Type::Card));
                let guard = if self.one_in(3) { format!(" where {}", self.flag(1)) } else { String::new() };
                self.scope.pop();
                self.loops += 1;
                let block = self.block_of(&name, Type::Card, inner);
                self.loops -= 1;
                format!("for {name} in {of}{guard} {block}{}", self.otherwise(inner))
            }
            4 => {
                let of = self.perhaps(2);
                let name = self.fresh();
                format!(
                    "with {name} = {of} {}{}",
                    self.block_of(&name, Type::Card, inner),
                    self.otherwise(inner)
                )
            }
            5 => {
                let name = self.fresh();
                self.loops += 1;
                let block = self.block_of(&name, Type::Token, inner);
                self.loops -= 1;
                format!("for {name} in tokens {block}")
            }
            6 => {
                self.loops += 1;
                let line = format!(
                    "while rounds < 3 and {} {{ rounds += 1; {} }}",
                    self.flag(1),
                    self.statement(inner)
                );
                self.loops -= 1;
                line
            }
            7 if self.one_in(3) => format!(
                "case {} {{ when Ace {}; else {} }}",
                self.card(0),
                self.block(inner),
                self.block(inner)
            ),
            7 => format!(
                "case {} {{ when 0..1 {}; else {} }}",
                self.number(1),
                self.block(inner),
                self.block(inner)
            ),
            8 | 9 if self.choosing => self.choice(inner),
            10 => {
                let of = [Type::Card, Type::Cards, Type::Number, Type::Flag][self.below(4)];
                let name = self.fresh();
                let effect = self.one_in(2);
                let value = if effect { self.asked(of, 1, true) } else { None };
                let value = value.unwrap_or_else(|| self.value(of, 2));
                let rest = self.block_of(&name, of, inner);
                // What follows the `let` is all that it is for.
                format!("let {name} = {value}; {}", &rest[2..rest.len() - 2])
            }
            _ => {
                let fit: Vec<_> =
                    self.helpers.iter().filter(|(_, _, gives)| gives.is_none()).cloned().collect();
                if fit.is_empty() {
                    return self.deed(depth);
                }
                let (name, takes, _) = fit[self.below(fit.len())].clone();
                self.call(&name, &takes, 1)
            }
        }
    }

    pub(super) fn deed(&mut self, depth: usize) -> String {
        let depth = depth.min(1);
        if self.ventures && self.one_in(2) {
            return self.change(depth);
        }
        match self.below(20) {
            18 => "peek".to_owned(),
            19 => "once := min(9, once + 1)".to_owned(),
            0 | 1 => "gone := yes".to_owned(),
            2 => format!("gone := {}", self.flag(depth)),
            3 => format!("told := min(9, {})", self.number(depth)),
            4 => "told := min(9, told + 1)".to_owned(),
            5 => format!("kept := {}", self.card(depth)),
            6 => format!("pile += {}", self.card(0)),
            7 => format!("pile := {}", self.cards(depth)),
            8 => format!("{}.hand := {}", self.card(0), ["none", "Red", "Blue"][self.below(3)]),
            9 => format!("{}.tapped := {}", self.card(0), self.flag(0)),
            10 => format!("{}.shown := yes", self.card(0)),
            11 => format!("{}.place := {}", self.card(0), 1 + self.below(3)),
            12 => format!("{}.under := {}", self.token(), self.card(0)),
            13 => format!("say \"{{{}}}\"", self.card(0)),
            14 => format!("say \"there {{{}}}\"", self.number(depth)),
            15 => format!("announce \"tells {{{}}}\"", self.card(0)),
            16 if self.loops > 0 => "stop".to_owned(),
            _ => "say \"something\"".to_owned(),
        }
    }

    pub(super) fn option(&mut self, label: &str, depth: usize) -> String {
        let of = self.cards(2);
        let name = self.fresh();
        self.scope.push((name.clone(), Type::Card));
        let named = if self.one_in(4) { "named " } else { "" };
        let guard = if self.one_in(3) { format!(" where {}", self.flag(1)) } else { String::new() };
        let needs = if self.one_in(3) {
            format!(" needs fit: {} else \"not {{{name}}}\"", self.flag(1))
        } else {
            String::new()
        };
        let held = self.loops;
        self.loops = 0;
        let block = self.block(depth);
        self.loops = held;
        self.scope.pop();
        format!("option {label}({named}{name} in {of}{guard}) \"{label} {{{name}}}\"{needs} {block}")
    }

    pub(super) fn choice(&mut self, depth: usize) -> String {
        let label = self.letters("take ");
        let free = "option leave \"Leave\" { }; option stay \"Stay\" { }";
        if self.ventures && self.one_in(3) {
            let who = self.side();
            let options =
                [self.option(&label, depth), self.option(&format!("{label} too"), depth)].join("; ");
            return format!("choose by {who} \"Which?\" {{ {options} }} else {}", self.block(depth));
        }
        if self.one_in(3) {
            let name = self.fresh();
            self.scope.push((name.clone(), Type::Side));
            let option = self.option(&label, depth);
            self.scope.pop();
            return format!("choose by each {name} in players \"Which?\" {{ {option}; {free} }}");
        }
        let who = self.side();
        let option = self.option(&label, depth);
        format!("choose by {who} \"Which?\" {{ {option}; {free} }}")
    }

    /// A rule or a step that is asked or done elsewhere.
    pub(super) fn helper(&mut self) {
        match self.below(4) {
            0 | 1 => self.rule(),
            2 => self.step(),
            _ => self.act(),
        }
    }

    /// Parameters, now in scope, and their types.
    pub(super) fn parameters(&mut self) -> (String, Vec<Type>) {
        let may_be = self.ventures && self.one_in(3);
        let of = |n: usize| match [Type::Card, Type::Card, Type::Cards, Type::Side][n] {
            Type::Card if may_be => Type::Maybe,
            of => of,
        };
        let takes: Vec<Type> = (0..1 + self.below(2)).map(|_| of(self.below(4))).collect();
        let mut params = Vec::new();
        for of in &takes {
            let name = self.fresh();
            let kind = match of {
                Type::Cards => "set of card",
                Type::Maybe => "card?",
                Type::Side => "side",
                Type::Card | Type::Token | Type::Number | Type::Flag => "card",
            };
            params.push(format!("{name}: {kind}"));
            self.scope.push((name, *of));
        }
        (params.join(", "), takes)
    }

    /// What something may answer.
    pub(super) fn answer(&mut self) -> (Type, &'static str) {
        if self.ventures && self.one_in(3) {
            return (Type::Maybe, "card?");
        }
        [(Type::Card, "card"), (Type::Cards, "set of card"), (Type::Number, "number"), (Type::Flag, "flag")]
            [self.below(4)]
    }

    /// A name that no other helper has.
    pub(super) fn called(&self, what: &str) -> String {
        format!("{what} {}", ["one", "two", "three", "four", "five"][self.helpers.len() % 5])
    }

    pub(super) fn rule(&mut self) {
        let height = self.scope.len();
        let called = self.called("ask");
        let (params, takes) = self.parameters();
        let (of, kind) = self.answer();
        let value = self.value(of, 2);
        let mut clauses = String::new();
        if self.one_in(3) {
            clauses = format!("\n  except {} if {}", self.value(of, 1), self.flag(1));
        }
        if self.one_in(4) && matches!(of, Type::Cards | Type::Number) {
            let sign = ["+", "-"][self.below(2)];
            clauses.push_str(&format!("\n  {sign} {} if {}", self.value(of, 1), self.flag(1)));
        }
        self.items.push(format!("rule {called}({params}): {kind} = {value}{clauses}"));
        self.helpers.push((called, takes, Some(of)));
        self.scope.truncate(height);
    }

    pub(super) fn step(&mut self) {
        let height = self.scope.len();
        let called = self.called("do");
        let (params, takes) = self.parameters();
        let (of, kind) = self.answer();
        self.returns = Some(of);
        let statement = self.statement(1);
        self.returns = None;
        let value = self.value(of, 2);
        let early = if self.one_in(3) {
            format!("if {} {{ return {} }}; ", self.flag(1), self.value(of, 1))
        } else {
            String::new()
        };
        self.items.push(format!("step {called}({params}): {kind} {{ {early}{statement}; return {value} }}"));
        self.helpers.push((called, takes, Some(of)));
        self.scope.truncate(height);
    }

    pub(super) fn act(&mut self) {
        let height = self.scope.len();
        let called = self.called("act");
        let (params, takes) = self.parameters();
        self.choosing = true;
        let block = self.block(2);
        self.choosing = false;
        self.items.push(format!("step {called}({params}) {block}"));
        self.helpers.push((called, takes, None));
        self.scope.truncate(height);
    }
}
