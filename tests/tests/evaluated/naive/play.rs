//! What steps do: statements one after the other, on a copy of the position. What was chosen, rolled and drawn is taken from
//! what the machine has done; what could have been chosen, what is said and what all comes to is worked out here.

use std::collections::{BTreeSet, VecDeque};

use blazon_book::{
    AssignOp, Base, ChoiceOption, Choose, Chooser, ColumnId, Expr, LocalId, Piece, Role, Statement,
    StatementKind, StepId, Text, Value as Given,
};

use super::{ABSENT_HERE, Absent, Comes, Env, Position, Set, Trouble, Value, Word, every, fits, nothing};

/// The open options of a choice, by the place of the option and what its variables are.
pub type Offered = Vec<(u16, Vec<i64>)>;

/// What the machine was asked, and what was answered.
#[derive(Clone, Debug)]
pub struct Answered {
    /// Who.
    pub player: u32,
    /// What was open to him, in order.
    pub open: Offered,
    /// What he took.
    pub taken: (u16, Vec<i64>),
}

/// What the machine has done that the rules alone do not say.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// The answers, in order.
    pub answers: VecDeque<Answered>,
    /// The dice.
    pub dice: VecDeque<i64>,
    /// What was drawn, one draw after the other.
    pub draws: VecDeque<BTreeSet<i64>>,
}

/// Why a game does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// The rules cannot be carried out.
    Trouble(Trouble),
    /// The machine did something else.
    Differs(String),
    /// All that the machine has done was done here, too, and now somebody would be asked once more.
    Over,
    /// Luck was tried that the machine has not told of: it has not come so far, or to a fault soon after.
    Untold,
}

impl From<Trouble> for End {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

/// How a statement ends.
#[derive(Debug, PartialEq, Eq)]
enum Flow {
    On,
    Stop,
    Return(Option<Value>),
    Won,
}

/// A game under way.
pub struct Play<'p> {
    /// The position.
    pub position: Position<'p>,
    /// What the machine has done and what is not yet done here.
    pub script: Script,
    /// What was said.
    pub said: Vec<String>,
}

impl Play<'_> {
    /// Does a step.
    pub fn step(&mut self, id: StepId, args: Vec<Value>) -> Result<Option<Value>, End> {
        match self.flow(id, args)? {
            Flow::Return(value) => Ok(value),
            Flow::On | Flow::Stop | Flow::Won => Ok(None),
        }
    }

    fn flow(&mut self, id: StepId, args: Vec<Value>) -> Result<Flow, End> {
        let book = self.position.book;
        let step = book.step(id);
        let mut env = Env::new();
        for (place, arg) in args.into_iter().enumerate() {
            env.insert(LocalId(place as u32), fits(step.locals[place].ty, arg)?);
        }
        self.make_fresh(id)?;
        let flow = self.block(&step.body, &mut env)?;
        self.make_fresh(id)?;
        Ok(match (flow, step.ty) {
            (Flow::Return(Some(value)), Some(ty)) => Flow::Return(Some(fits(ty, value)?)),
            (flow, _) => flow,
        })
    }

    /// Sets back the states that a step makes fresh.
    fn make_fresh(&mut self, id: StepId) -> Result<(), End> {
        let book = self.position.book;
        for (place, column) in book.columns.iter().enumerate() {
            let Role::State { start, fresh } = &column.role else { continue };
            if !fresh.contains(&id) {
                continue;
            }
            for keys in every(book, &column.keys) {
                let cell = (ColumnId(place as u32), keys);
                let env = cell.1.iter().enumerate();
                let env: Env =
                    env.map(|(place, key)| (LocalId(place as u32), Word(i64::from(*key)))).collect();
                match (start, column.ty.base) {
                    (Some(start), _) => {
                        let value = self.position.value(&start.value, &env)?;
                        self.position.cells.insert(cell, value);
                    }
                    // It exists only while the step is under way, and there as soon as it is set.
                    (None, Base::Thing(_)) if !column.ty.optional => {
                        self.position.cells.remove(&cell);
                    }
                    (None, Base::Number(..)) if !column.ty.optional => {
                        self.position.cells.insert(cell, Word(0));
                    }
                    (None, _) => {
                        self.position.cells.insert(cell, nothing(column.ty));
                    }
                }
            }
        }
        Ok(())
    }

    fn block(&mut self, block: &[Statement], env: &mut Env) -> Result<Flow, End> {
        for statement in block {
            match self.statement(&statement.kind, env)? {
                Flow::On => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::On)
    }

    fn all(&self, exprs: &[Expr], env: &Env) -> Comes<Vec<Value>> {
        exprs.iter().map(|expr| self.position.value(expr, env)).collect()
    }

    /// What something is set to.
    fn given(&mut self, value: &Given, env: &Env) -> Result<Value, End> {
        Ok(match value {
            Given::Expr(expr) => self.position.value(expr, env)?,
            Given::Step(step, args) => {
                let args = self.all(args, env)?;
                self.step(*step, args)?.ok_or(Trouble::Unsound("a step that returns nothing"))?
            }
            Given::Die(sides) => {
                let Word(sides) = self.position.value(sides, env)? else { return Err(ABSENT_HERE.into()) };
                let die = self.script.dice.pop_front().ok_or(End::Untold)?;
                if !(1..=sides).contains(&die) {
                    return Err(End::Differs(format!("{die} was rolled with a die of {sides}")));
                }
                Word(die)
            }
            Given::Draw(of, count) => {
                let (Set(of), Word(count)) =
                    (self.position.value(of, env)?, self.position.value(count, env)?)
                else {
                    return Err(ABSENT_HERE.into());
                };
                if count < 0 {
                    return Err(Trouble::Range.into());
                }
                let drawn = self.script.draws.pop_front().ok_or(End::Untold)?;
                if drawn.len() as i64 != count.min(of.len() as i64) || !drawn.is_subset(&of) {
                    return Err(End::Differs(format!("{drawn:?} were drawn, {count} of {of:?}")));
                }
                Set(drawn)
            }
            Given::Dice(..) => unreachable!("nobody writes it"),
        })
    }

    fn statement(&mut self, statement: &StatementKind, env: &mut Env) -> Result<Flow, End> {
        match statement {
            StatementKind::Let(local, value) => {
                let value = self.given(value, env)?;
                env.insert(*local, value);
            }
            StatementKind::Assign { column, keys, op, value } => {
                let value = self.given(value, env)?;
                self.assign(*column, keys, *op, value, env)?;
            }
            StatementKind::If(condition, then, otherwise) => {
                let block = if self.position.holds(condition, env)? { then } else { otherwise };
                return self.block(block, env);
            }
            StatementKind::For { local, sources, filter, body, otherwise } => {
                let mut turns = Vec::new();
                for source in self.all(sources, env)? {
                    match source {
                        Set(things) => turns.extend(things),
                        Word(thing) => turns.push(thing),
                        Absent => {}
                    }
                }
                let mut any = false;
                for thing in turns {
                    env.insert(*local, Word(thing));
                    if filter.as_ref().map_or(Ok(true), |filter| self.position.holds(filter, env))? {
                        any = true;
                        match self.block(body, env)? {
                            Flow::On => {}
                            Flow::Stop => break,
                            flow => return Ok(flow),
                        }
                    }
                }
                if let (false, Some(otherwise)) = (any, otherwise) {
                    return self.block(otherwise, env);
                }
            }
            StatementKind::While(condition, body) => {
                while self.position.holds(condition, env)? {
                    match self.block(body, env)? {
                        Flow::On => {}
                        Flow::Stop => break,
                        flow => return Ok(flow),
                    }
                }
            }
            StatementKind::Case { subject, arms, otherwise } => {
                let Some(Word(subject)) = env.get(subject).cloned() else { return Err(ABSENT_HERE.into()) };
                let lies =
                    |ranges: &[(i64, i64)]| ranges.iter().any(|(from, to)| (*from..=*to).contains(&subject));
                let arm = arms.iter().find(|(ranges, _)| lies(ranges)).map(|(_, block)| block);
                if let Some(block) = arm.or(otherwise.as_ref()) {
                    return self.block(block, env);
                }
            }
            StatementKind::Stop => return Ok(Flow::Stop),
            StatementKind::Return(value) => {
                let value = value.as_ref().map(|value| self.given(value, env)).transpose()?;
                return Ok(Flow::Return(value));
            }
            StatementKind::Choose(choose) => return self.choose(choose, env),
            StatementKind::Say { text, .. } => {
                let line = self.text(text, env)?;
                self.said.push(line);
            }
            StatementKind::Do(step, args) => {
                let args = self.all(args, env)?;
                if self.flow(*step, args)? == Flow::Won {
                    return Ok(Flow::Won);
                }
            }
            StatementKind::Win(_) => return Ok(Flow::Won),
            StatementKind::Invalid(_) => unreachable!("the rules are whole"),
        }
        Ok(Flow::On)
    }

    fn assign(
        &mut self,
        column: ColumnId,
        keys: &[Expr],
        op: AssignOp,
        value: Value,
        env: &Env,
    ) -> Result<(), End> {
        let mut of = Vec::new();
        for key in self.all(keys, env)? {
            let Word(key) = key else { return Err(ABSENT_HERE.into()) };
            of.push(key as u32);
        }
        let cell = (column, of);
        let held = self.position.cells.get(&cell).cloned();
        let value = match (op, held, value) {
            (AssignOp::Set, _, value) => value,
            (AssignOp::Add, Some(Word(held)), Word(more)) => Word(held + more),
            (AssignOp::Take, Some(Word(held)), Word(less)) => Word(held - less),
            (AssignOp::Add, Some(Set(held)), Set(more)) => Set(&held | &more),
            (AssignOp::Take, Some(Set(held)), Set(less)) => Set(&held - &less),
            (AssignOp::Add | AssignOp::Take, ..) => return Err(ABSENT_HERE.into()),
        };
        let ty = self.position.book.column(column).ty;
        if value == Absent && !ty.optional {
            return Err(ABSENT_HERE.into());
        }
        self.position.cells.insert(cell, fits(ty, value)?);
        Ok(())
    }

    fn text(&self, text: &Text, env: &Env) -> Comes<String> {
        let mut line = String::new();
        for piece in &text.pieces {
            match piece {
                Piece::Plain(words) => line.push_str(words),
                Piece::Hole(expr) => match (self.position.value(expr, env)?, expr.ty.base) {
                    (Word(thing), Base::Thing(kind)) => {
                        line.push_str(&self.position.book.kind(kind).things[thing as usize].name);
                    }
                    (Word(number), _) => line.push_str(&number.to_string()),
                    (Absent, _) => line.push_str("none"),
                    (Set(_), _) => unreachable!("nobody writes it"),
                },
                Piece::Plural(_) => unreachable!("nobody writes it"),
            }
        }
        Ok(line)
    }

    /// What is open, the options in order.
    fn offers(&self, options: &[ChoiceOption], env: &Env) -> Comes<Offered> {
        let mut open = Vec::new();
        for (place, option) in options.iter().enumerate() {
            offered(&self.position, (place as u16, option), 0, env, &mut open)?;
        }
        Ok(open)
    }

    /// What a player takes: the only option, or the next answer.
    fn taken(&mut self, player: i64, mut open: Offered) -> Result<(u16, Vec<i64>), End> {
        if let [only] = &open[..] {
            return Ok(only.clone());
        }
        let mut answered = self.script.answers.pop_front().ok_or(End::Over)?;
        open.sort_unstable();
        answered.open.sort_unstable();
        if i64::from(answered.player) != player || answered.open != open {
            let Answered { player: asked, open: found, .. } = answered;
            return Err(End::Differs(format!("{asked} was offered {found:?}, by hand {player} {open:?}")));
        }
        Ok(answered.taken)
    }

    fn choose(&mut self, choose: &Choose, env: &mut Env) -> Result<Flow, End> {
        let mut answers = Vec::new();
        match &choose.by {
            Chooser::One(player) => {
                let Word(player) = self.position.value(player, env)? else { return Err(ABSENT_HERE.into()) };
                let open = self.offers(&choose.options, env)?;
                if !open.is_empty() {
                    answers.push((self.taken(player, open)?, env.clone()));
                }
            }
            Chooser::Each(local, players) => {
                let Set(players) = self.position.value(players, env)? else { return Err(ABSENT_HERE.into()) };
                for player in players {
                    let mut env = env.clone();
                    env.insert(*local, Word(player));
                    let open = self.offers(&choose.options, &env)?;
                    if !open.is_empty() {
                        answers.push((self.taken(player, open)?, env));
                    }
                }
            }
        }
        if answers.is_empty() {
            return match &choose.otherwise {
                Some(block) => self.block(block, env),
                None => Err(End::Trouble(Trouble::Unsound("a choice with nothing to choose"))),
            };
        }
        let mut last = Flow::On;
        for ((place, args), mut env) in answers {
            let option = &choose.options[usize::from(place)];
            for (binder, arg) in option.binders.iter().zip(args) {
                env.insert(binder.local, Word(arg));
            }
            last = self.block(&option.body, &mut env)?;
            if last == Flow::Won {
                break;
            }
        }
        Ok(last)
    }
}

/// Every combination of an option's variables that its needs allow.
pub fn offered(
    position: &Position<'_>,
    of: (u16, &ChoiceOption),
    depth: usize,
    env: &Env,
    out: &mut Offered,
) -> Comes<()> {
    let (place, option) = of;
    let Some(binder) = option.binders.get(depth) else {
        for need in &option.needs {
            if !position.holds(&need.condition, env)? {
                return Ok(());
            }
        }
        let args = option.binders.iter().map(|binder| match env[&binder.local] {
            Word(word) => word,
            Absent | Set(_) => unreachable!("a variable is one thing"),
        });
        out.push((place, args.collect()));
        return Ok(());
    };
    let things = match position.value(&binder.source, env)? {
        Set(things) => things,
        Word(thing) => [thing].into(),
        Absent => return Ok(()),
    };
    for thing in things {
        let mut env = env.clone();
        env.insert(binder.local, Word(thing));
        if binder.filter.as_ref().map_or(Ok(true), |filter| position.holds(filter, &env))? {
            offered(position, of, depth + 1, &env, out)?;
        }
    }
    Ok(())
}
