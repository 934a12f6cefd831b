//! Values: cards, sets of them, numbers, flags, each of the right type.

use super::{Type, Writer};

impl Writer {
    /// What a helper answers, asked with values of the types that it takes.
    pub(super) fn asked(&mut self, of: Type, depth: usize, effect: bool) -> Option<String> {
        let fit: Vec<_> = self
            .helpers
            .iter()
            .filter(|(name, _, gives)| *gives == Some(of) && name.starts_with("do") == effect)
            .cloned()
            .collect();
        if fit.is_empty() {
            return None;
        }
        let (name, takes, _) = fit[self.below(fit.len())].clone();
        Some(self.call(&name, &takes, depth))
    }

    pub(super) fn call(&mut self, name: &str, takes: &[Type], depth: usize) -> String {
        let given: Vec<String> = takes.iter().map(|of| self.value(*of, depth)).collect();
        if given.is_empty() { name.to_owned() } else { format!("{name}({})", given.join(", ")) }
    }

    pub(super) fn value(&mut self, of: Type, depth: usize) -> String {
        match of {
            Type::Card => self.card(depth),
            Type::Maybe => self.perhaps(depth),
            Type::Cards => self.cards(depth),
            Type::Token => self.token(),
            Type::Side => self.side(),
            Type::Number => self.number(depth),
            Type::Flag => self.flag(depth),
        }
    }

    pub(super) fn side(&mut self) -> String {
        match self.below(3) {
            0 => "Red".to_owned(),
            1 => "Blue".to_owned(),
            _ => self.variable(Type::Side).unwrap_or_else(|| "Blue".to_owned()),
        }
    }

    pub(super) fn token(&mut self) -> String {
        self.variable(Type::Token).unwrap_or_else(|| "Spear".to_owned())
    }

    pub(super) fn card(&mut self, depth: usize) -> String {
        if !self.one_in(4)
            && let Some(name) = self.variable(Type::Card)
        {
            return if self.one_in(8) { format!("one({name})") } else { name };
        }
        if self.ventures && self.one_in(6) {
            return if self.one_in(2) {
                "lead".to_owned()
            } else {
                format!("({} otherwise Low)", self.path())
            };
        }
        if self.one_in(3)
            && depth > 0
            && let Some(call) = self.asked(Type::Card, depth - 1, false)
        {
            return call;
        }
        match self.below(3) {
            0 => "Ace",
            1 => "Low",
            _ => "Two",
        }
        .to_owned()
    }

    /// A card that may be absent.
    pub(super) fn perhaps(&mut self, depth: usize) -> String {
        if self.ventures && self.one_in(3) {
            return self.asked(Type::Maybe, depth, false).unwrap_or_else(|| self.path());
        }
        match self.below(5) {
            0 => "kept".to_owned(),
            1 if depth > 0 => {
                let (name, of, by) = self.query(depth - 1);
                let word = if self.one_in(2) { "lowest" } else { "highest" };
                format!("({word} {name} in {of} by {by})")
            }
            2 => format!("{}.under", self.token()),
            _ => format!("first {}", self.cards(depth.saturating_sub(1))),
        }
    }

    /// The variable of a query, where it goes through, and a number of it.
    pub(super) fn query(&mut self, depth: usize) -> (String, String, String) {
        let of = self.cards(depth);
        let name = self.fresh();
        self.scope.push((name.clone(), Type::Card));
        let by = if self.one_in(2) { format!("{name}.worth") } else { self.number(depth) };
        self.scope.pop();
        (name, of, by)
    }

    /// A variable of a query, where it goes through, and what holds of it.
    pub(super) fn filter(&mut self, depth: usize) -> (String, String, String) {
        let (of, gone_through) =
            if self.one_in(5) { (Type::Token, "tokens".to_owned()) } else { (Type::Card, self.cards(depth)) };
        self.filter_of(of, gone_through, depth)
    }

    pub(super) fn filter_of(
        &mut self,
        of: Type,
        gone_through: String,
        depth: usize,
    ) -> (String, String, String) {
        let name = self.fresh();
        self.scope.push((name.clone(), of));
        let condition = self.flag(depth);
        self.scope.pop();
        (name, gone_through, condition)
    }

    /// What is reached from cards, one from the other.
    fn reach(&mut self, depth: usize) -> String {
        let (from, name) = (self.cards(depth), self.fresh());
        self.scope.push((name.clone(), Type::Card));
        if self.one_in(3) {
            let written = self.reach_by_ways(&name, &from, depth);
            self.scope.pop();
            return written;
        }
        let mut next = if self.one_in(2) { format!("{name}.tie neighbours") } else { self.cards(depth) };
        if !self.one_in(3) {
            let (name, of, condition) = self.filter_of(Type::Card, next, depth);
            next = format!("all {name} in {of} where {condition}");
        }
        self.scope.pop();
        let within = ["", " within 1", " within 2"][self.below(3)];
        format!("(reach {name} in {from} by ({next}){within})")
    }

    /// The same by ways, most of which cost something.
    fn reach_by_ways(&mut self, here: &str, from: &str, depth: usize) -> String {
        let of = if self.one_in(2) { format!("{here}.tie neighbours") } else { self.cards(depth) };
        let (there, of, condition) = self.filter_of(Type::Card, of, depth);
        let condition = if self.one_in(2) { format!(" where {condition}") } else { String::new() };
        self.scope.push((there.clone(), Type::Card));
        let cost = match self.below(4) {
            0 => format!("({})", self.number(depth)),
            1 if self.one_in(2) => format!("{there}.dear"),
            1 => format!("{there}.place"),
            2 => format!("{here}.place"),
            _ => {
                let (name, of, condition) = self.filter(depth);
                self.scope.push((name.clone(), Type::Card));
                let by = self.number(0);
                self.scope.pop();
                format!("(min {name} in {of} where {condition} by {by})")
            }
        };
        self.scope.pop();
        let (by, within) = match self.below(6) {
            0 => (String::new(), self.below(3).to_string()),
            1 => (format!(" by {cost}"), format!("({})", self.number(0))),
            _ => (format!(" by {cost}"), self.below(7).to_string()),
        };
        format!("(reach {here} in {from} by {there} in {of}{condition}{by} within {within})")
    }

    pub(super) fn cards(&mut self, depth: usize) -> String {
        if self.one_in(3)
            && let Some(name) = self.variable(Type::Cards)
        {
            return name;
        }
        if depth > 0 {
            match self.below(8) {
                0 | 1 => {
                    let through = self.cards(depth - 1);
                    let (name, of, condition) = self.filter_of(Type::Card, through, depth - 1);
                    return format!("(all {name} in {of} where {condition})");
                }
                2 => {
                    let sign = ["+", "-", "&"][self.below(3)];
                    return format!("({} {sign} {})", self.cards(depth - 1), self.cards(depth - 1));
                }
                3 => {
                    let word = if self.one_in(2) { "least" } else { "most" };
                    let (name, of, by) = self.query(depth - 1);
                    return format!("({word} {name} in {of} by {by})");
                }
                4 => match self.below(3) {
                    0 => return format!("{}.tie neighbours", self.card(0)),
                    1 => return self.reach(depth - 1),
                    _ => return format!("{}.same", self.cards(depth - 1)),
                },
                5 => {
                    if let Some(call) = self.asked(Type::Cards, depth - 1, false) {
                        return call;
                    }
                }
                _ => {}
            }
        }
        match self.below(10) {
            0 | 1 => "cards".to_owned(),
            2 | 3 => format!("{}.hand", self.side()),
            4 => "high".to_owned(),
            5 => "pile".to_owned(),
            6 => "known high".to_owned(),
            7 => format!("[{}]", self.card(0)),
            8 => format!("[{}, Low]", self.card(0)),
            _ => "Blue.hand".to_owned(),
        }
    }

    /// A variable that goes through numbers, which of them, and what holds of it.
    fn numbers(&mut self, depth: usize) -> (String, String, String) {
        let to = if self.one_in(2) { self.below(5).to_string() } else { format!("({})", self.number(depth)) };
        let of = format!("{}..{to}", self.below(3));
        self.filter_of(Type::Number, of, depth)
    }

    /// What is asked of numbers, itself a number.
    fn number_of_numbers(&mut self, depth: usize) -> String {
        let (name, of, condition) = self.numbers(depth);
        self.scope.push((name.clone(), Type::Number));
        let by = if self.one_in(2) { name.clone() } else { format!("({})", self.number(depth)) };
        self.scope.pop();
        match self.below(5) {
            0 => format!("(count {name} in {of} where {condition})"),
            1 => format!("(total {name} in {of} where {condition} by {by})"),
            2 => format!("((first {name} in {of} where {condition}) otherwise 3)"),
            3 => format!("((min {name} in {of} where {condition} by {by}) otherwise 2)"),
            _ => format!("((max {name} in {of} where {condition} by {by}) otherwise 1)"),
        }
    }

    pub(super) fn number(&mut self, depth: usize) -> String {
        if self.ventures && depth > 0 && self.one_in(3) {
            return self.sum(depth - 1);
        }
        if self.one_in(4)
            && let Some(name) = self.variable(Type::Number)
        {
            return name;
        }
        match self.below(8) {
            0 => self.below(4).to_string(),
            1 => "told".to_owned(),
            2 => format!("{}.worth", self.card(0)),
            3 if self.one_in(3) => format!("(dear({}) otherwise {})", self.card(0), self.below(3)),
            3 if self.one_in(2) => format!("luck({})", self.card(0)),
            3 => format!("{}.place", self.card(0)),
            4 if depth > 0 => format!("count {}", self.cards(depth - 1)),
            5 if depth > 0 && self.one_in(4) => self.number_of_numbers(depth - 1),
            5 if depth > 0 => {
                let (name, of, by) = self.query(depth - 1);
                format!("(total {name} in {of} by {by})")
            }
            6 if depth > 0 => {
                let (name, of, condition) = self.filter(depth - 1);
                format!("(count {name} in {of} where {condition})")
            }
            7 if depth > 0 => {
                self.asked(Type::Number, depth - 1, false).unwrap_or_else(|| format!("{}.purse", self.side()))
            }
            _ => format!("away({})", self.cards(depth.saturating_sub(1))),
        }
    }

    pub(super) fn flag(&mut self, depth: usize) -> String {
        if self.one_in(8)
            && let Some(name) = self.variable(Type::Flag)
        {
            return name;
        }
        if self.ventures && depth > 0 && self.one_in(4) {
            return self.presence(depth - 1);
        }
        if depth > 0 {
            match self.below(12) {
                0 => return format!("({} and {})", self.flag(depth - 1), self.flag(depth - 1)),
                1 => return format!("({} or {})", self.flag(depth - 1), self.flag(depth - 1)),
                2 => return format!("not ({})", self.flag(depth - 1)),
                3 | 4 => {
                    let through = if self.one_in(8) { Self::numbers } else { Self::filter };
                    let (name, of, condition) = through(self, depth - 1);
                    return format!("(any {name} in {of} where {condition})");
                }
                5 => {
                    let through = if self.one_in(8) { Self::numbers } else { Self::filter };
                    let (name, of, condition) = through(self, depth - 1);
                    return format!("(every {name} in {of}: {condition})");
                }
                6 => {
                    let sign = [">", "=", "<"][self.below(3)];
                    return format!("{} {sign} {}", self.number(depth - 1), self.number(depth - 1));
                }
                7 => return format!("{} in {}", self.card(depth - 1), self.cards(depth - 1)),
                8 => return format!("any {}", self.cards(depth - 1)),
                9 => {
                    if let Some(call) = self.asked(Type::Flag, depth - 1, false) {
                        return call;
                    }
                }
                _ => {}
            }
        }
        match self.below(17) {
            16 => format!("any tie({}, {})", self.card(0), self.card(0)),
            0 | 1 => format!("{}.hand = {}", self.card(0), self.side()),
            2 => format!("any {}.hand", self.card(0)),
            3 => format!("{}.tapped", self.card(0)),
            4 => format!("{}.shown", self.card(0)),
            5 | 6 => format!("{}.worth > 5", self.card(0)),
            7 => format!("{} = {}", self.card(0), self.card(0)),
            8 => format!("{}.is high", self.card(0)),
            9 if self.one_in(3) => format!("any {}.dear", self.card(0)),
            9 => "gone".to_owned(),
            10 => format!("{}.place = 1", self.card(0)),
            11 => format!("sought({})", self.card(0)),
            12 => format!("{}.under = {}", self.token(), self.card(0)),
            13 => format!("kept = {}", self.card(0)),
            14 => format!("{}.owner = {}", self.token(), self.side()),
            _ => format!("holder({}) = {}", self.card(0), self.side()),
        }
    }
}
