//! A game under way: what the log on the disk comes to.

use std::path::Path;
use std::sync::Arc;

use blazon::diagnostics::Span;
use blazon::machine::save::{Entry, Save};
use blazon::{Game, OptionId, PlayerId, Table as Waiting};
use maud::html;

use super::Viewer;
use super::bots::Bots;
use super::seen::{Now, Rest, Seen};
use crate::draw::{Fragment, Shown};
use crate::hall::Hall;
use crate::keep::{Facts, Line, kept_rules, read};
use crate::problem::Problem;
use crate::shelf::{Kit, Wrong, kept_kit};

/// Words of eight bytes that are kept of a table to take choices back.
const WAY_BACK: usize = 1 << 15;
/// For so many of the last choices the way back is kept when a table wakes.
const RECENT: usize = 24;

/// A game under way.
pub struct Live {
    /// What it is played with.
    pub kit: Arc<Kit>,
    pub(super) game: Waiting,
    /// The lines of the log, of all viewers.
    pub(super) told: Vec<Told>,
    next_line: u32,
    /// How many choices the log on the disk has.
    pub(super) made: usize,
    pub(super) resigned: Option<String>,
    /// How much was done since it woke.
    pub(super) done: u64,
    pub(super) views: Vec<Option<Seen>>,
    pub(super) standing: Standing,
    /// What is said to its designer of the rules that are being changed, as HTML.
    pub(super) strip: Option<String>,
    pub(super) bots: Bots,
    /// How many choices bots have made in a row since a person last did something here.
    pub(super) alone: usize,
    /// Why its bots have stopped, as everybody is told who waits for them.
    pub(super) halted: Option<String>,
    /// Whether the copy on the disk is of this position.
    pub(super) is_copied: bool,
    /// Whether the disk has something else: it must be made again from there.
    pub(super) is_void: bool,
}

/// What is known of the position without a machine.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    /// Who must decide.
    pub deciders: Vec<usize>,
    /// How it ended.
    pub over: Option<String>,
    /// By which paragraphs of the rules it ended, if they end it.
    pub by: Vec<String>,
    /// How many choices there have been.
    pub choices: usize,
}

/// The most lines that are told again in a display.
const RECALLED: usize = 6;

/// A line of the log.
pub struct Told {
    number: u32,
    /// How many choices there were when it had happened.
    pub(super) choice: usize,
    /// Where in the rules it comes from.
    pub(super) span: Option<Span>,
    /// What was displayed when it had happened, and whether it tells of dice that fell there.
    scene: Option<u64>,
    rolled: bool,
    /// As each viewer may read it; spectators last.
    text: Box<[Option<Arc<str>>]>,
}

impl Live {
    /// The game that a table's files come to.
    ///
    /// # Errors
    /// If the rules that it was begun by are nowhere any more, or the files are not as they were written.
    pub fn wake(hall: &Hall, folder: &Path, facts: &Facts, lines: &[Line]) -> Result<Self, Problem> {
        let kit = rules_of(hall, facts)?;
        let game = begin(&kit, folder, facts)?;
        let mut live = Self::new(kit, game, facts);
        if facts.course == 0 && facts.saved && live.recall(folder).is_err() {
            live.leave_out();
        }
        live.follow(facts, lines)?;
        Ok(live)
    }

    /// Says that it is not told what was done before the game was saved: what was laid ready by hand is in no log.
    fn leave_out(&mut self) {
        let text: Arc<str> = "<li class=\"said\">What was done before the game was saved is not told: \
                              something was laid ready by hand</li>"
            .into();
        let text = vec![Some(text); self.views.len()].into();
        self.told =
            vec![Told { number: self.next_line, choice: 0, span: None, scene: None, rolled: false, text }];
        self.next_line += 1;
    }

    /// Tells what was done before the game was saved that it goes on from, by playing that again.
    fn recall(&mut self, folder: &Path) -> Result<(), Problem> {
        let text = read(&folder.join("begin.game")).map_err(|error| Problem::damaged(error.to_string()))?;
        let save = Save::from_text(&text)?;
        let parts = || Problem::internal("a saved game that does not follow from its log");
        if !save.by_hand.is_empty() {
            return Err(parts());
        }
        let kit = self.kit.clone();
        let mut past = kit.game()?;
        past.start(save.setup_in(kit.pool.program())?.into(), save.seed)?;
        let viewers = self.views.len();
        let (told, next) = (&mut self.told, &mut self.next_line);
        let mut teller = Teller { board: &kit.board, told, next, viewers };
        teller.hear(&mut past);
        // What was the only choice is taken by the rules again.
        for entry in save.log.iter().chain(&save.pending).filter(|entry| !entry.forced) {
            let (player, option) = past.find(entry).ok_or_else(parts)?;
            past.choose(player, option)?;
            teller.hear(&mut past);
        }
        Ok(())
    }

    /// A game that nothing has been done in.
    pub(super) fn new(kit: Arc<Kit>, game: Waiting, facts: &Facts) -> Self {
        Self {
            kit,
            game,
            told: Vec::new(),
            next_line: 0,
            made: 0,
            resigned: None,
            done: 0,
            views: (0..=facts.seats.len()).map(|_| None).collect(),
            standing: Standing::default(),
            strip: None,
            bots: Bots::default(),
            alone: 0,
            halted: None,
            is_copied: false,
            is_void: false,
        }
    }

    /// Takes the place of another game at the same table: pages are told what is otherwise.
    pub(super) fn replace(&mut self, other: &mut Self) {
        self.views = std::mem::take(&mut other.views);
        self.done = other.done + 1;
        // Lines are told apart by their numbers: those that are as they were keep them.
        let same = |(a, b): &(&Told, &Told)| (a.choice, &a.text) == (b.choice, &b.text);
        let kept = self.told.iter().zip(&other.told).take_while(same).count();
        for (told, was) in self.told.iter_mut().zip(&other.told[..kept]) {
            told.number = was.number;
        }
        for told in &mut self.told[kept..] {
            told.number += other.next_line;
        }
        self.next_line += other.next_line;
    }

    /// Does again what a log says.
    pub(super) fn follow(&mut self, facts: &Facts, lines: &[Line]) -> Result<(), Problem> {
        let mut choices: Vec<(usize, &Entry)> = Vec::new();
        let strange = |place: usize, why: String| {
            let line = place + 1;
            Err(Problem::damaged(format!(
                "line {line} of the table's log does not hold: {why}; put it back as it was"
            )))
        };
        for (place, line) in lines.iter().enumerate() {
            match line {
                Line::Choice(entry) => choices.push((place, entry)),
                Line::Left(left) if *left > choices.len() => {
                    let made = choices.len();
                    return strange(place, format!("it leaves {left} choices, and there were {made}"));
                }
                Line::Left(left) => choices.truncate(*left),
                Line::Resigned(player) if facts.seats.iter().all(|seat| seat.player != *player) => {
                    let seats: Vec<&str> = facts.seats.iter().map(|seat| seat.player.as_str()).collect();
                    let seats = seats.join(", ");
                    return strange(place, format!("`{player}` has no seat to give up; there are {seats}"));
                }
                Line::Resigned(player) => self.resigned = Some(player.clone()),
            }
        }
        self.made = choices.len();
        let is_bots = |entry: &Entry| {
            facts.seats.iter().any(|seat| seat.player == entry.player && !seat.sits.is_human())
        };
        self.alone = choices.iter().rev().take_while(|(_, entry)| is_bots(entry)).count();
        self.act(|game, tell| {
            tell.hear(game);
            game.keep_back(false);
            for (number, (place, entry)) in choices.iter().enumerate() {
                if number + RECENT >= choices.len() {
                    game.keep_back_within(WAY_BACK);
                }
                let again = |why: String| {
                    let line = place + 1;
                    Problem::damaged(format!(
                        "line {line} of the table's log, `{entry}`, does not hold: {why}"
                    ))
                };
                let Some((player, option)) = game.find(entry) else {
                    return Err(again("it is not open there".to_owned()));
                };
                game.choose(player, option).map_err(|error| again(error.to_string()))?;
                tell.hear(game);
            }
            game.keep_back_within(WAY_BACK);
            Ok(())
        })?
    }

    /// Lets somebody act in the game, with what notes the lines of the log.
    pub(super) fn act<T>(
        &mut self,
        work: impl FnOnce(&mut Game, &mut Teller<'_>) -> T,
    ) -> Result<T, Problem> {
        let viewers = self.views.len();
        let (told, next) = (&mut self.told, &mut self.next_line);
        let mut teller = Teller { board: &self.kit.board, told, next, viewers };
        let standing = &mut self.standing;
        let resigned = &self.resigned;
        let acted = self.kit.pool.act(&mut self.game, |game| {
            let answer = work(game, &mut teller);
            let before = std::mem::take(&mut standing.by);
            *standing = Standing::of(game, resigned.as_deref());
            // The machine knows it no longer when it has been lent to others.
            if standing.by.is_empty() && standing.over.is_some() {
                standing.by = before;
            }
            answer
        });
        Ok(acted?)
    }

    /// Whether anybody has chosen.
    pub fn has_begun(&self) -> bool {
        self.made > 0
    }

    /// How it ended, in words.
    pub fn ended(&self) -> Option<String> {
        self.standing.over.clone()
    }

    /// What is known of the position.
    pub fn standing(&self) -> &Standing {
        &self.standing
    }

    /// The game as it is saved.
    ///
    /// # Errors
    /// If its position does not belong to its rules.
    pub fn saved(&self) -> Result<Save, Problem> {
        let mut game = self.game.clone();
        Ok(self.kit.pool.act(&mut game, |game| game.saved())?)
    }

    /// The same as a text.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self) -> Result<String, Problem> {
        Ok(self.saved()?.to_text()?)
    }

    /// About how many bytes it takes.
    #[cfg(test)]
    pub fn memory(&self) -> usize {
        let views: usize = self.views.iter().flatten().map(Seen::memory).sum();
        let mut texts: Vec<*const u8> = Vec::new();
        let mut lines = 0;
        for text in self.told.iter().flat_map(|told| told.text.iter().flatten()) {
            if !texts.iter().rev().take(4).any(|&other| other == text.as_ptr()) {
                texts.push(text.as_ptr());
                lines += text.len() + 32;
            }
        }
        self.game.memory() + views + lines + self.told.len() * (24 + 16 * self.views.len())
    }

    /// The text of a line for a viewer.
    pub(super) fn line(&self, number: u32, viewer: Viewer) -> &str {
        let place = self.told.binary_search_by_key(&number, |told| told.number);
        let told = place.ok().and_then(|place| self.told.get(place));
        told.and_then(|told| told.text_for(viewer)).unwrap_or_default()
    }
}

impl Told {
    pub(super) fn text_for(&self, viewer: Viewer) -> Option<&str> {
        let last = self.text.len().checked_sub(1)?;
        self.text.get(viewer.unwrap_or(last))?.as_deref()
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }
}

impl Standing {
    fn of(game: &Game, resigned: Option<&str>) -> Self {
        let deciders = game.deciders();
        let deciders: Vec<usize> = (game.players().iter().enumerate())
            .filter(|(_, player)| deciders.contains(player))
            .map(|(seat, _)| seat)
            .collect();
        let over = resigned.map(|player| format!("{player} resigned")).or_else(|| {
            let outcome = game.outcome()?;
            Some(match outcome.winner {
                Some(winner) => format!("{} wins", game.player_name(winner)),
                None => "Nobody wins".to_owned(),
            })
        });
        let deciders = if over.is_some() { Vec::new() } else { deciders };
        let ending = if resigned.is_none() { game.machine().ending() } else { None };
        let by = ending.map(|ending| ending.cites).unwrap_or_default();
        Self { deciders, over, by, choices: game.log().len() }
    }
}

/// Notes what happens as lines of the log, for each viewer as he may read it.
pub struct Teller<'a> {
    board: &'a crate::draw::Board,
    told: &'a mut Vec<Told>,
    next: &'a mut u32,
    viewers: usize,
}

impl Teller<'_> {
    /// Puts in words what happened since it last listened, which came of the last choices of the log.
    pub fn hear(&mut self, game: &mut Game) {
        let choice = game.log().len();
        let events = game.take_events();
        if events.is_empty() {
            return;
        }
        let scene = self.board.scene(game);
        let mut read = Vec::with_capacity(self.viewers);
        for viewer in 0..self.viewers {
            let player = (viewer + 1 < self.viewers).then(|| player(game, viewer)).flatten();
            read.push(self.board.lines(game, &events, player));
        }
        for (place, event) in events.iter().enumerate() {
            let mut text: Vec<Option<Arc<str>>> = Vec::with_capacity(self.viewers);
            for lines in &mut read {
                let line = lines.get_mut(place).and_then(Option::take);
                // Most lines are the same for all.
                let same = text.iter().flatten().find(|other| Some(&***other) == line.as_deref()).cloned();
                text.push(line.map(|line| same.unwrap_or_else(|| line.into())));
            }
            if text.iter().any(Option::is_some) {
                let span = event.span(game.program());
                let rolled = matches!(event, blazon::machine::Event::Rolled { .. })
                    && self.board.is_of_scene(game, event);
                self.told.push(Told { number: *self.next, choice, span, scene, rolled, text: text.into() });
                *self.next += 1;
            }
        }
    }

    /// Forgets what was told of choices that are taken back.
    pub fn forget(&mut self, left: usize) {
        self.told.retain(|told| told.choice <= left);
    }
}

impl Teller<'_> {
    /// A seat takes an option; answers what was taken, by meaning, before anybody is told of it.
    pub fn take(
        &mut self,
        game: &mut Game,
        seat: usize,
        option: impl FnOnce(&mut Game, PlayerId) -> OptionId,
    ) -> Result<Entry, Problem> {
        let player = player(game, seat).ok_or_else(Problem::seat)?;
        let option = option(game, player);
        let entry = game.meaning(player, option).ok_or_else(|| Problem::refused("that is not open"))?;
        game.choose(player, option)?;
        self.hear(game);
        Ok(entry)
    }
}

/// The player of a seat.
pub fn player(game: &Game, seat: usize) -> Option<PlayerId> {
    game.players().get(seat).copied()
}

/// The rules that a table goes on by.
fn rules_of(hall: &Hall, facts: &Facts) -> Result<Arc<Kit>, Problem> {
    let wanted = facts.wanted();
    let strange = match hall.shelf.kit(&wanted) {
        Ok(kit) if kit.digest == facts.rules => return Ok(kit),
        Ok(_) => None,
        Err(wrong) => {
            if matches!(wrong, Wrong::Rules(_)) {
                hall.shelf.note_trouble(&wanted);
            }
            Some(wrong)
        }
    };
    if let Some(kit) = hall.shelf.by_digest(&wanted, &facts.rules) {
        return Ok(kit);
    }
    if let Some(project) = kept_rules(&hall.data.rules(&facts.rules))? {
        let kit = kept_kit(&wanted, project)?;
        // The file is called by what stands in it.
        if kit.digest != facts.rules {
            return Err(Problem::damaged(format!(
                "`rules/{}.json`, by which this table goes on, has been changed since it was written; put it back as it was",
                facts.rules
            )));
        }
        hall.shelf.add_old(&kit);
        return Ok(kit);
    }
    let text = "the rules have been changed since this table was begun; \
                its choices may not hold any more, so it does not go on";
    let changed = Problem::new(axum::http::StatusCode::CONFLICT, "save::foreign", text);
    Err(strange.map_or(changed, Problem::from))
}

pub(super) fn begin(kit: &Kit, folder: &Path, facts: &Facts) -> Result<Waiting, Problem> {
    let saved = folder.join("begin.game");
    if facts.course == 0 && facts.saved {
        let text = read(&saved).map_err(|error| {
            Problem::damaged(format!(
                "`begin.game`, the saved game that this table goes on from, cannot be read ({error}); put it back as it was"
            ))
        })?;
        return Ok(kit.pool.load(&text)?.0);
    }
    let setups = &kit.pool.program().book.setups;
    let Some(setup) = setups.iter().position(|setup| setup.name == facts.setup) else {
        return Err(Problem::damaged(format!("there is no setup `{}`", facts.setup)));
    };
    Ok(kit.pool.start(setup.into(), facts.seed)?)
}

impl Live {
    /// What viewers see now.
    pub(super) fn now(&mut self, facts: &Facts, viewers: &[Viewer]) -> Result<Vec<Now>, Problem> {
        let kit = self.kit.clone();
        let shown = self.act(|game, _| {
            let people: Vec<PlayerId> =
                game.players().into_iter().filter(|&other| is_human(facts, game, other)).collect();
            let show = |&viewer: &Viewer| {
                let player = viewer.and_then(|viewer| player(game, viewer));
                let may_undo = player
                    .is_some_and(|player| game.can_undo(player, |other| people.contains(&other)).is_ok());
                Ok((kit.board.show(game, player)?, may_undo))
            };
            viewers.iter().map(show).collect::<Result<Vec<_>, Problem>>()
        })??;
        Ok(viewers.iter().zip(shown).map(|(&viewer, shown)| self.seen_by(facts, viewer, shown)).collect())
    }

    /// The last dice that fell after so many choices in what was displayed then, and what came of them, as a viewer may
    /// read it. What fell before the first choice there is of something else, if that was displayed before.
    pub(super) fn thrown(&self, viewer: Viewer, choices: usize) -> Vec<&str> {
        let mut newest = self.told.iter().rev().skip_while(|told| told.choice > choices).peekable();
        let Some(scene) = newest.peek().and_then(|told| told.scene) else { return Vec::new() };
        let mut within = Vec::new();
        while let Some(told) = newest.next_if(|told| told.scene == Some(scene)) {
            within.push(told);
        }
        let is_first_displayed = newest.next().is_none_or(|before| before.scene.is_none());
        let first = within.last().map_or(0, |told| told.choice);
        let is_of_it = |told: &&Told| told.rolled && (told.choice > first || is_first_displayed);
        let Some(dice) = within.iter().position(is_of_it) else { return Vec::new() };
        let choice = within[dice].choice;
        let from = within.iter().rposition(|told| told.choice == choice).unwrap_or(dice);
        // Of much that happened by one choice, some of it perhaps elsewhere, no more is told than from the last dice on.
        let from = if from < RECALLED && choice > first { from } else { dice };
        let of = within[..=from].iter().rev().filter_map(|told| told.text_for(viewer));
        of.take(RECALLED).collect()
    }

    fn seen_by(&self, facts: &Facts, viewer: Viewer, (shown, may_undo): (Shown, bool)) -> Now {
        let over = self.standing.over.clone();
        let lines =
            self.told.iter().filter(|told| told.text_for(viewer).is_some()).map(Told::number).collect();
        let mine = viewer.is_some_and(|viewer| self.standing.deciders.contains(&viewer));
        let name = viewer.and_then(|viewer| facts.seats.get(viewer)).map(|seat| seat.player.as_str());
        let title = match (name, mine) {
            (Some(name), true) => format!("● {name} – {}", facts.title),
            (Some(name), false) => format!("{name} – {}", facts.title),
            (None, _) => facts.title.clone(),
        };
        let mut fragments = shown.fragments;
        blazon_board::Board::recall(&mut fragments, &self.thrown(viewer, usize::MAX));
        fragments.extend(self.kit.board.besides(viewer.is_some()));
        let strip = self.strip.as_ref().filter(|_| viewer.is_some());
        fragments.extend(strip.map(|html| Fragment {
            layer: "design",
            id: "strip".to_owned(),
            html: html.clone(),
        }));
        let mut decision = Some(shown.decision).filter(|_| over.is_none());
        if let (Some(why), Some(waits)) = (&self.halted, decision.as_mut().filter(|decision| !decision.yours))
        {
            (waits.prompt, waits.paragraphs) = (html! { (why) }.into_string(), Vec::new());
        }
        Now {
            fragments,
            decision,
            picks: shown.picks,
            lines,
            rest: Rest {
                undo: may_undo && over.is_none(),
                by: self.kit.board.titled(&self.standing.by),
                over,
                choices: self.standing.choices,
                title,
            },
        }
    }
}

/// Whether a person plays a player.
pub(super) fn is_human(facts: &Facts, game: &Game, player: PlayerId) -> bool {
    let seat = game.players().iter().position(|&other| other == player);
    let seat = seat.and_then(|seat| facts.seats.get(seat));
    seat.is_none_or(|seat| seat.sits.is_human())
}
