//! What may be absent, numbers that are counted with, and luck: for rules that are played ([`Writer::play`]).

use super::{Type, Writer};

impl Writer {
    /// Something that may be absent and is the same when it is asked again, as long as nobody sets it.
    pub(super) fn path(&mut self) -> String {
        match self.below(6) {
            0 | 1 => "kept".to_owned(),
            2 => "spot".to_owned(),
            3 => self.variable(Type::Maybe).unwrap_or_else(|| "spot".to_owned()),
            _ => format!("{}.under", self.token()),
        }
    }

    /// Where this holds, what stands at the path is there.
    fn is_there(&mut self, path: &str) -> String {
        match self.below(6) {
            0 | 1 => format!("any {path}"),
            2 => format!("{path} != none"),
            3 => format!("not ({path} = none)"),
            4 => format!("{path} = {}", self.card(0)),
            _ => format!("{path} in {}", self.cards(0)),
        }
    }

    /// What is said of the path as if it were there.
    fn flag_with(&mut self, path: &str, depth: usize) -> String {
        self.scope.push((path.to_owned(), Type::Card));
        let flag = self.flag(depth);
        self.scope.pop();
        flag
    }

    /// A condition on the way behind which the path is there.
    fn guard(&mut self, path: &str) -> String {
        let there = self.is_there(path);
        match self.below(4) {
            0 => format!("{there} and {}", self.flag_with(path, 1)),
            1 => format!("({} and {there})", self.flag(1)),
            _ => there,
        }
    }

    /// A flag that asks whether something is there, and then for it.
    pub(super) fn presence(&mut self, depth: usize) -> String {
        let path = self.path();
        match self.below(5) {
            0 | 1 => {
                let there = self.is_there(&path);
                format!("({there} and {})", self.flag_with(&path, depth))
            }
            2 => format!("(not any {path} or {})", self.flag_with(&path, depth)),
            3 => {
                let name = self.fresh();
                let within = self.flag_with(&format!("{name}.under"), depth);
                let word = if self.one_in(2) { "where" } else { ": any" };
                match word {
                    "where" => format!("(any {name} in tokens where any {name}.under and {within})"),
                    _ => format!("(every {name} in tokens where any {name}.under: {within})"),
                }
            }
            _ => self.is_there(&path),
        }
    }

    fn block_with(&mut self, path: &str, depth: usize) -> String {
        self.block_of(path, Type::Card, depth)
    }

    /// How the step that is written is left.
    fn leave(&mut self) -> String {
        if self.loops > 0 && self.one_in(2) {
            return "stop".to_owned();
        }
        match self.returns {
            Some(of) => format!("return {}", self.value(of, 1)),
            None => "return".to_owned(),
        }
    }

    /// A statement that goes by what is there, or counts, or tries its luck.
    pub(super) fn venture(&mut self, depth: usize) -> String {
        let inner = depth.saturating_sub(1);
        match self.below(10) {
            0 | 1 => {
                let path = self.path();
                let guard = self.guard(&path);
                format!("if {guard} {}{}", self.block_with(&path, inner), self.otherwise(inner))
            }
            2 => {
                let path = self.path();
                format!("if not any {path} {} else {}", self.block(inner), self.block_with(&path, inner))
            }
            3 => {
                let path = self.path();
                let leave = self.leave();
                let before = if self.one_in(2) { format!("{}; ", self.deed(1)) } else { String::new() };
                let out = format!("if not any {path} {{ {before}{leave} }}; ");
                self.scope.push((path, Type::Card));
                out + &self.statement(inner)
            }
            4 => {
                let path = self.path();
                let guard = self.guard(&path);
                self.loops += 1;
                let block = self.block_with(&path, inner);
                self.loops -= 1;
                format!("while rounds < 3 and {guard} {{ rounds += 1; {}", &block[2..])
            }
            5 => {
                let name = self.fresh();
                self.scope.push((name.clone(), Type::Token));
                self.loops += 1;
                let block = self.block_with(&format!("{name}.under"), inner);
                self.loops -= 1;
                self.scope.pop();
                format!("for {name} in tokens where any {name}.under {block}")
            }
            6 => {
                let (name, upto) = (self.fresh(), self.number(1));
                self.loops += 1;
                let block = self.block_of(&name, Type::Number, inner);
                self.loops -= 1;
                format!("for {name} in 1..min(4, {upto}) {block}")
            }
            7 => {
                let (name, of) = (self.fresh(), self.perhaps(2));
                let rest = self.block_of(&name, Type::Maybe, inner);
                format!("let {name} = {of}; {}", &rest[2..rest.len() - 2])
            }
            8 => {
                let (name, value, of) = match self.below(3) {
                    0 => (self.fresh(), "roll(d6)".to_owned(), Type::Number),
                    1 => (self.fresh(), format!("draw({}, {})", self.cards(1), self.below(3)), Type::Cards),
                    _ => (self.fresh(), format!("draw({})", self.cards(1)), Type::Maybe),
                };
                let rest = self.block_of(&name, of, inner);
                format!("let {name} = {value}; {}", &rest[2..rest.len() - 2])
            }
            _ => {
                let name = self.fresh();
                let of = self.asked(Type::Maybe, 1, true).unwrap_or_else(|| self.path());
                format!(
                    "with {name} = {of} {}{}",
                    self.block_of(&name, Type::Card, inner),
                    self.otherwise(inner)
                )
            }
        }
    }

    /// What is done with what may be absent, and with numbers.
    pub(super) fn change(&mut self, depth: usize) -> String {
        match self.below(9) {
            0 => "kept := none".to_owned(),
            1 => format!("{}.under := none", self.token()),
            2 => format!("spot := {}", self.perhaps(depth)),
            3 => format!("kept := {}", self.perhaps(depth)),
            4 => format!("{}.under := {}", self.token(), self.perhaps(depth)),
            5 => format!("lead := {}", self.card(depth)),
            6 => format!("told := {}", self.number(depth)),
            7 => format!("debt {} {}", ["+=", "-=", ":="][self.below(3)], self.number(depth)),
            _ => format!("{}.purse := {}", self.side(), self.number(depth)),
        }
    }

    /// A number that is counted.
    pub(super) fn sum(&mut self, depth: usize) -> String {
        let (a, b) = (self.number(depth), self.number(depth));
        match self.below(9) {
            0 | 1 => format!("({a} + {b})"),
            2 => format!("({a} - {b})"),
            3 => format!("{a} * {b}"),
            4 => format!("min({a}, {b})"),
            5 => format!("max({a}, {b})"),
            6 => format!("({a}) / (1 + {b})"),
            7 => format!("({}.worth otherwise {b})", self.path()),
            _ => "debt".to_owned(),
        }
    }
}
