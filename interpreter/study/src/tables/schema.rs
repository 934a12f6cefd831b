//! The columns of the tables. Names, types and meanings stay as they are: a column may be added behind the others, and
//! whatever else changes makes a new [`SCHEMA`].

use std::collections::HashSet;

use blazon_book::{Book, StepId};
use serde::Serialize;

use super::Table;

/// The version of the columns' names, types and meanings.
pub const SCHEMA: u32 = 1;

/// What stands in the cells of a column; any may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    /// A whole number of at most 64 bits with its sign.
    Integer,
    /// `true` or `false`.
    Flag,
    /// A text.
    Text,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What stands in its cells.
    #[serde(rename = "type")]
    pub ty: Type,
    /// What that means.
    pub means: String,
}

/// A column that all games have: name, type, meaning.
type Fixed = (&'static str, Type, &'static str);

/// First in each table.
const GAME: Fixed = ("game", Type::Integer, "the game's number, from 0");
/// Next where two sets of rules are compared.
const SIDE: Fixed = ("side", Type::Text, "by which rules it was played, where rules are compared");

const GAMES: &[Fixed] = &[
    ("seed", Type::Integer, "the game's own seed"),
    ("outcome", Type::Text, "won; none (over, and nobody has won); fault; limit"),
    ("winner", Type::Text, "who has won"),
    ("ended_in", Type::Text, "the step in which the rules ended it"),
    ("paragraphs", Type::Text, "that step's paragraphs, with blanks between"),
    ("said", Type::Text, "the last line of the log, if one came after the last decision"),
    ("decisions", Type::Integer, "how many decisions were taken"),
];
/// Behind the counts, which stood last but for this when there were no other tables.
const GAMES_AFTER: &[Fixed] =
    &[("error", Type::Text, "why it could not go on"), ("setup", Type::Text, "the setup that it began with")];

const DECISIONS: &[Fixed] = &[
    ("n", Type::Integer, "which decision of the game, from 1"),
    ("player", Type::Text, "who decided"),
    ("asked", Type::Text, "for whom: the player that the rules asked"),
    ("step", Type::Text, "the step that asked"),
    ("place", Type::Text, "where in the rules the choice stands: page, line and column"),
    ("option", Type::Text, "the name of the option that was taken"),
    ("args", Type::Text, "its arguments by name, a JSON object"),
    ("paragraphs", Type::Text, "the option's paragraphs, or the choice's if it has none"),
    ("offered", Type::Integer, "how many options were open"),
    ("names_open", Type::Text, "how many were open of each name, a JSON object"),
    ("outlook", Type::Integer, "what the rule `outlook` said of the player before, if the rules have one"),
];

const EVENTS: &[Fixed] = &[
    ("event", Type::Integer, "which event of the game, from 1"),
    ("n", Type::Integer, "the decision that it came of; 0 before the first"),
    ("kind", Type::Text, "chosen, said, rolled, drawn or over"),
    ("player", Type::Text, "chosen: who decided; over: who has won"),
    ("asked", Type::Text, "chosen: for whom"),
    ("option", Type::Text, "chosen: the name of the option"),
    ("args", Type::Text, "chosen: its arguments by name, a JSON object"),
    ("forced", Type::Flag, "chosen: whether it was the only one and so taken unasked"),
    ("what", Type::Text, "rolled: the die, like d6; drawn: the kind of the things"),
    ("results", Type::Text, "rolled: what fell; drawn: the names; a JSON list"),
    ("text", Type::Text, "the line of the log"),
    ("step", Type::Text, "the step in which it happened"),
    ("place", Type::Text, "where in the rules: page, line and column"),
    ("paragraphs", Type::Text, "the option's or the step's paragraphs, with blanks between"),
];

/// What a count is called before the name of its step.
const COUNT: (&str, Type, &str) = ("count_", Type::Integer, "how often the step was done so far");
/// What a seat is called before the name of its player.
const PLAYS: (&str, Type, &str) = ("plays_", Type::Text, "the program that sits there");

/// Rules that games are played by, and the steps whose turns are counted ([`crate::Plan::rounds`]).
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The rules.
    pub book: &'a Book,
    /// The steps.
    pub rounds: &'a [StepId],
}

/// The columns of the tables of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// The names of the steps that are counted.
    pub(super) counts: Vec<String>,
    /// The names of the players at the table.
    pub(super) players: Vec<String>,
    /// Whether rules are compared.
    pub(super) compares: bool,
}

impl Schema {
    /// For games by all these rules. What only some of them have is empty in the rows of the others; several have the
    /// column `side`.
    pub fn new(sides: &[Side]) -> Self {
        let (mut counts, mut players) = (Vec::new(), Vec::new());
        for side in sides {
            let steps = side.rounds.iter().map(|&step| side.book.step(step).title().to_owned());
            add_new(&mut counts, steps);
            let things = &side.book.kind(side.book.player).things;
            let seated = side.book.players.iter().filter_map(|&player| things.get(player as usize));
            add_new(&mut players, seated.map(|thing| thing.name.clone()));
        }
        Self { counts, players, compares: sides.len() > 1 }
    }

    /// The columns of a table in their order.
    pub fn columns(&self, table: Table) -> Vec<Column> {
        let mut columns: Vec<Column> = Vec::new();
        columns.push(GAME.into());
        columns.extend(self.compares.then(|| SIDE.into()));
        match table {
            Table::Games => {
                columns.extend(GAMES.iter().copied().map(Column::from));
                columns.extend(of_names(COUNT, &self.counts));
                columns.extend(GAMES_AFTER.iter().copied().map(Column::from));
                columns.extend(of_names(PLAYS, &self.players));
            }
            Table::Decisions => {
                columns.extend(DECISIONS.iter().copied().map(Column::from));
                columns.extend(of_names(COUNT, &self.counts));
            }
            Table::Events => columns.extend(EVENTS.iter().copied().map(Column::from)),
        }
        columns
    }
}

impl From<Fixed> for Column {
    fn from((name, ty, means): Fixed) -> Self {
        Self { name: name.to_owned(), ty, means: means.to_owned() }
    }
}

/// Adds what is not there yet.
fn add_new(names: &mut Vec<String>, new: impl Iterator<Item = String>) {
    for name in new {
        if !names.contains(&name) {
            names.push(name);
        }
    }
}

/// A column for each name of the rules, each once.
fn of_names((head, ty, means): Fixed, names: &[String]) -> Vec<Column> {
    let mut taken = HashSet::new();
    let columns = names.iter().map(|name| {
        let mut column = format!("{head}{}", name.replace(' ', "_"));
        while !taken.insert(column.clone()) {
            column.push('_');
        }
        Column { name: column, ty, means: means.to_owned() }
    });
    columns.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page says of a table: names, types, meanings.
    fn told(page: &str, table: Table) -> Vec<(String, String, String)> {
        let heading = format!("## `{table}`");
        let rows = page.lines().skip_while(|line| !line.starts_with(&heading)).skip(1);
        let rows = rows.take_while(|line| !line.starts_with("## ")).filter(|line| line.starts_with("| `"));
        let rows = rows.map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            (cells[0].trim_matches('`').to_owned(), cells[1].to_owned(), cells[2].to_owned())
        });
        rows.collect()
    }

    /// The page is written for people; this holds it to what is written by the program.
    #[test]
    fn the_page_tells_the_columns() {
        let page = include_str!("../../TABLES.md");
        let schema =
            Schema { counts: vec!["STEP".to_owned()], players: vec!["PLAYER".to_owned()], compares: true };
        for table in Table::ALL {
            let columns = schema.columns(table).into_iter();
            let columns: Vec<_> = columns
                .map(|column| (column.name, format!("{:?}", column.ty).to_lowercase(), column.means))
                .collect();
            assert_eq!(told(page, table), columns, "{table}");
        }
        assert!(page.contains(&format!("schema version is {SCHEMA}")), "the page tells another version");
    }

    #[test]
    fn each_name_is_there_once() {
        let schema = Schema {
            counts: vec!["a b".to_owned(), "a_b".to_owned()],
            players: vec!["North".to_owned()],
            compares: false,
        };
        for table in Table::ALL {
            let names: Vec<String> = schema.columns(table).into_iter().map(|column| column.name).collect();
            let once: HashSet<&String> = names.iter().collect();
            assert_eq!(once.len(), names.len(), "{names:?}");
        }
        let games = schema.columns(Table::Games);
        let names: Vec<&str> = games.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names[8..], ["count_a_b", "count_a_b_", "error", "setup", "plays_North"]);
    }
}
