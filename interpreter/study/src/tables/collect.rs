//! Who looks on while games are played, and makes their rows.
//!
//! All is told as to an onlooker who sees everything: these are a designer's tables, no player's.

use std::sync::Arc;

use blazon_book::{RuleId, title_of};
use blazon_machine::bots::{OUTLOOK, outlook_of};
use blazon_machine::save::argument;
use blazon_machine::{Event, Machine, NOTHING};
use blazon_program::Program;
use blazon_program::ir::OptionInfo;

use super::origin::Places;
use super::sheet::{Cell, Sheet, json_text};
use super::{Batch, Format, Schema, Table};
use crate::game::{End, Plan, Row, Watch, aside};

/// Makes the rows of the games that it looks at.
pub struct Collector {
    program: Arc<Program>,
    plan: Plan,
    sheets: Sheets,
    /// For each count of the schema, the place of its step in the plan.
    counts: Vec<Option<usize>>,
    /// For each seat of the schema, the place of its player in the kind.
    seats: Vec<Option<usize>>,
    outlook: Option<RuleId>,
    places: Places,
    /// Where questions are put that are not to count.
    scratch: Option<Machine>,
    game: Game,
}

/// What is kept of the game under way.
#[derive(Debug, Default)]
struct Game {
    /// The decisions so far.
    taken: u64,
    /// The events so far.
    happened: u64,
}

/// Where the rows go.
struct Sheets {
    sheets: Vec<(Table, Sheet)>,
    side: Option<String>,
    game: u64,
}

impl Sheets {
    fn want(&self, table: Table) -> bool {
        self.sheets.iter().any(|(of, _)| *of == table)
    }

    /// A row; game and side go before its cells.
    fn add(&mut self, table: Table, cells: &[Cell]) {
        let mut row: Vec<Cell> = Vec::with_capacity(cells.len() + 2);
        row.push(self.game.into());
        row.extend(self.side.as_deref().map(Cell::Text));
        row.extend(cells);
        for (_, sheet) in self.sheets.iter_mut().filter(|(of, _)| *of == table) {
            sheet.row(&row);
        }
    }
}

impl Collector {
    /// For the games of a plan by a program; each of `wanted` becomes a [`Batch`] of each game. Where the schema is of
    /// several sets of rules, `side` says which these are.
    pub fn new(
        schema: &Schema,
        program: &Arc<Program>,
        plan: &Plan,
        side: Option<&str>,
        wanted: &[(Table, Format)],
    ) -> Self {
        let book = &program.book;
        let things = &book.kind(book.player).things;
        let seat = |name: &String| {
            let mut seats = book.players.iter().map(|&player| player as usize);
            seats.find(|&seat| things.get(seat).is_some_and(|thing| thing.name == *name))
        };
        let count = |name: &String| plan.rounds.iter().position(|&step| book.step(step).title() == name);
        let sheets = wanted.iter().map(|&(table, format)| (table, Sheet::new(format, schema.columns(table))));
        let side = schema.compares.then(|| side.unwrap_or_default().to_owned());
        Self {
            program: program.clone(),
            plan: plan.clone(),
            sheets: Sheets { sheets: sheets.collect(), side, game: 0 },
            counts: schema.counts.iter().map(count).collect(),
            seats: schema.players.iter().map(seat).collect(),
            outlook: book.outlook(OUTLOOK),
            places: Places::new(program),
            scratch: None,
            game: Game::default(),
        }
    }

    /// What was wanted of the game that was looked at last, in the order in which it was wanted.
    pub fn take(&mut self) -> Vec<Batch> {
        self.sheets.sheets.iter_mut().map(|(_, sheet)| sheet.take()).collect()
    }

    /// What happened since this was asked last.
    fn hear(&mut self, machine: &mut Machine) {
        if !self.sheets.want(Table::Events) {
            return;
        }
        let program = self.program.clone();
        for event in machine.take_events() {
            self.game.happened += 1;
            let place = self.places.of_event(&program, &event);
            let text = machine.tell_event(&event, None);
            let told = Told::of(&program, &event);
            let forced = match event {
                Event::Chosen { forced, .. } => Cell::Flag(forced),
                Event::Said { .. } | Event::Rolled { .. } | Event::Drawn { .. } | Event::Over { .. } => {
                    Cell::Empty
                }
            };
            self.sheets.add(
                Table::Events,
                &[
                    self.game.happened.into(),
                    self.game.taken.into(),
                    told.kind.into(),
                    told.player.into(),
                    told.asked.into(),
                    told.option.into(),
                    told.args.as_deref().into(),
                    forced,
                    told.what.as_deref().into(),
                    told.results.as_deref().into(),
                    text.as_deref().into(),
                    some(&place.step),
                    some(&place.place),
                    some(&place.paragraphs),
                ],
            );
        }
    }

    /// A row for what a player has decided, which is the next decision of the game.
    fn decision(&mut self, machine: &mut Machine, player: u32, index: usize) {
        let program = self.program.clone();
        let outlook = self.outlook(machine, player);
        let Some(info) = machine.choice() else { return };
        let options = machine.options(player);
        let Some(chosen) = options.get(index) else { return };
        let Some(option) = info.options.get(usize::from(chosen.option)) else { return };
        let mut open: Vec<(&str, u64)> = Vec::new();
        for option in options.iter().filter_map(|open| info.options.get(usize::from(open.option))) {
            // Options of one name stand together.
            match open.iter_mut().rev().find(|(name, _)| *name == option.name) {
                Some((_, count)) => *count += 1,
                None => open.push((&option.name, 1)),
            }
        }
        let open = object(open.into_iter().map(|(name, count)| (name, count.to_string())));
        let args = arguments(&program, option, chosen.args);
        let place = self.places.of_choice(&program, info.span, option.span);
        let mut cells: Vec<Cell> = vec![
            (self.game.taken + 1).into(),
            name(&program, player).into(),
            machine.asked(player).and_then(|asked| name(&program, asked)).into(),
            some(&place.step),
            some(&place.place),
            option.name.as_str().into(),
            args.as_str().into(),
            some(&place.paragraphs),
            (options.len() as u64).into(),
            open.as_str().into(),
            outlook.map_or(Cell::Empty, Cell::Integer),
        ];
        let turns = |place: &Option<usize>| -> Cell {
            let step = place.and_then(|place| self.plan.rounds.get(place));
            step.map(|&step| machine.turns(step)).into()
        };
        cells.extend(self.counts.iter().map(turns));
        self.sheets.add(Table::Decisions, &cells);
    }

    /// How things look for a player.
    fn outlook(&mut self, machine: &mut Machine, player: u32) -> Option<i64> {
        let rule = self.outlook?;
        // Where it is counted what comes up in the game, this question is none of it.
        let value = outlook_of(aside(machine, &mut self.scratch), rule, player).ok()?;
        // It is a number of the rules, made a float by who compares it.
        Some(value as i64)
    }

    fn game(&mut self, row: &Row) {
        let book = &self.program.book;
        let (mut winner, mut ended, mut paragraphs) = (None, None, String::new());
        let (mut last, mut error) = (None, None);
        match &row.end {
            End::Over { winner: won, place, said } => {
                winner = won.and_then(|winner| name(&self.program, winner));
                ended = place.as_ref().map(|place| title_of(&place.name));
                paragraphs = place.as_ref().map(|place| place.cites.join(" ")).unwrap_or_default();
                last = Some(said.as_str());
            }
            End::Fault(fault) => error = Some(format!("{}: {fault}", fault.code)),
            End::Limit => {}
        }
        let mut cells: Vec<Cell> = vec![
            row.seed.into(),
            row.end.word().into(),
            winner.into(),
            ended.into(),
            some(&paragraphs),
            last.map_or(Cell::Empty, some),
            row.decisions.into(),
        ];
        let turns = |place: &Option<usize>| Cell::from(place.and_then(|place| row.turns.get(place)).copied());
        cells.extend(self.counts.iter().map(turns));
        cells.push(error.as_deref().into());
        cells.push(book.setups.get(row.setup).map(|setup| setup.name.as_str()).into());
        let skill = |seat: &Option<usize>| seat.and_then(|seat| self.plan.players.get(seat));
        let skills = self.seats.iter().map(|seat| skill(seat).map(ToString::to_string));
        let skills: Vec<Option<String>> = skills.collect();
        cells.extend(skills.iter().map(|skill| Cell::from(skill.as_deref())));
        self.sheets.add(Table::Games, &cells);
    }
}

impl Watch for Collector {
    fn starts(&mut self, machine: &mut Machine, game: u64) {
        // Of a game that was given up there may be something left.
        self.take();
        (self.sheets.game, self.game) = (game, Game::default());
        if self.sheets.want(Table::Events) {
            machine.record(true);
        }
    }

    fn begins(&mut self, machine: &mut Machine) {
        self.hear(machine);
    }

    fn decides(&mut self, machine: &mut Machine, player: u32, index: usize) {
        if self.sheets.want(Table::Decisions) {
            self.decision(machine, player, index);
        }
    }

    fn decided(&mut self, machine: &mut Machine) {
        self.game.taken += 1;
        self.hear(machine);
    }

    fn ends(&mut self, machine: &mut Machine, row: &Row) {
        if self.sheets.want(Table::Games) {
            self.game(row);
        }
        if self.sheets.want(Table::Events) {
            machine.record(false);
            machine.take_events();
        }
    }
}

/// What an event tells in cells of its own.
#[derive(Default)]
struct Told<'a> {
    kind: &'static str,
    player: Option<&'a str>,
    asked: Option<&'a str>,
    option: Option<&'a str>,
    args: Option<String>,
    what: Option<String>,
    results: Option<String>,
}

impl<'a> Told<'a> {
    fn of(program: &'a Program, event: &Event) -> Self {
        match event {
            Event::Chosen { player, asked, choice, option, args, .. } => {
                let info = program.choices.get(usize::from(*choice));
                let info = info.and_then(|choice| choice.options.get(usize::from(*option)));
                Self {
                    kind: "chosen",
                    player: name(program, *player),
                    asked: name(program, *asked),
                    option: info.map(|info| info.name.as_str()),
                    args: info.map(|info| arguments(program, info, args)),
                    ..Self::default()
                }
            }
            Event::Said { .. } => Self { kind: "said", ..Self::default() },
            Event::Rolled { sides, dice, .. } => Self {
                kind: "rolled",
                what: Some(format!("d{sides}")),
                results: Some(list(dice.iter().map(u8::to_string))),
                ..Self::default()
            },
            Event::Drawn { kind, things, .. } => Self {
                kind: "drawn",
                what: Some(program.book.kind(*kind).name.clone()),
                results: Some(list(
                    things.iter().map(|&thing| quoted(&argument(program, Some(*kind), i64::from(thing)))),
                )),
                ..Self::default()
            },
            Event::Over { winner } => Self {
                kind: "over",
                player: winner.and_then(|winner| name(program, winner)),
                ..Self::default()
            },
        }
    }
}

/// A text; an empty one is none.
fn some(text: &str) -> Cell<'_> {
    if text.is_empty() { Cell::Empty } else { Cell::Text(text) }
}

fn name(program: &Program, player: u32) -> Option<&str> {
    let things = &program.book.kind(program.book.player).things;
    things.get(player as usize).map(|thing| thing.name.as_str())
}

/// The arguments of an option by their names, as a JSON object.
fn arguments(program: &Program, option: &OptionInfo, args: &[i64]) -> String {
    object(option.params.iter().zip(args).map(|(param, &arg)| {
        let value = match param.kind {
            _ if arg == NOTHING => "null".to_owned(),
            None => arg.to_string(),
            kind => quoted(&argument(program, kind, arg)),
        };
        (param.name.as_str(), value)
    }))
}

/// A JSON object of names and values as JSON.
fn object<'a>(entries: impl Iterator<Item = (&'a str, String)>) -> String {
    let entries: Vec<String> = entries.map(|(name, value)| format!("{}:{value}", quoted(name))).collect();
    format!("{{{}}}", entries.join(","))
}

/// A JSON list of values as JSON.
fn list(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<String>>().join(","))
}

fn quoted(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len() + 2);
    json_text(text, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}
