//! What a client asks of a game: who decides, what is open, why something is not, what a seat sees.

use blazon_kernel::chance::{hash_text, mix};
use blazon_machine::View;

use super::{Game, Log, Outcome};
use crate::error::Result;
use crate::ids::{ChoiceId, OptionId, PlayerId};
use crate::told::{self, Argument, Arguments, Offer, Question, Refusal, Standing};

impl Game {
    /// How the game ended; nothing while it is under way.
    pub fn outcome(&self) -> Option<Outcome> {
        let outcome = self.machine.outcome()?;
        Some(Outcome { winner: outcome.winner.map(PlayerId::from) })
    }

    /// How many decisions have been taken.
    pub fn taken(&self) -> u64 {
        self.machine.taken()
    }

    /// The players at the table, in the order of the rules.
    pub fn players(&self) -> Vec<PlayerId> {
        self.book().players.iter().copied().map(PlayerId::from).collect()
    }

    /// The name of a player.
    pub fn player_name(&self, player: PlayerId) -> String {
        let book = self.book();
        book.kind(book.player)
            .things
            .get(player.index())
            .map_or_else(|| format!("player {}", player.index()), |thing| thing.name.clone())
    }

    /// The player of a name, capitals aside.
    pub fn player(&self, name: &str) -> Option<PlayerId> {
        let name = name.to_lowercase();
        let things = &self.book().kind(self.book().player).things;
        let place = things.iter().position(|thing| thing.name.to_lowercase() == name)?;
        Some(PlayerId::from(place as u32))
    }

    /// The players who must decide now; none when the game is over.
    pub fn deciders(&self) -> Vec<PlayerId> {
        self.machine.deciders().iter().copied().map(PlayerId::from).collect()
    }

    /// The first player who must decide now.
    pub fn decider(&self) -> Option<PlayerId> {
        self.machine.deciders().first().copied().map(PlayerId::from)
    }

    /// The `choose` of the rules that is being decided.
    pub fn choice(&self) -> Option<ChoiceId> {
        u16::try_from(self.machine.choice_place()?).ok().map(ChoiceId::from)
    }

    /// The names of the options of what is being decided, open or not, each with the names of its arguments.
    pub fn option_names(&self) -> Vec<(String, Vec<String>)> {
        let options = self.machine.choice().into_iter().flat_map(|choice| &choice.options);
        let names = options.map(|option| {
            (option.name.clone(), option.params.iter().map(|param| param.name.clone()).collect())
        });
        names.collect()
    }

    /// The paragraphs of what is being decided.
    pub fn paragraphs(&self) -> Vec<String> {
        self.machine.choice().map(|choice| choice.cites.clone()).unwrap_or_default()
    }

    /// How many options are open to a player; none to one who is not asked.
    pub fn open(&self, player: PlayerId) -> usize {
        self.machine.options(player.into()).len()
    }

    /// The open options of a player, as he may know them.
    pub fn options(&mut self, player: PlayerId) -> Vec<Offer> {
        told::offers(self, player)
    }

    /// The open options of a player by their numbers, for whoever sits between player and game: the things in them may
    /// be hidden from him.
    pub fn options_by_id(&mut self, player: PlayerId) -> Vec<told::Open> {
        let open = self.machine.options(player.into()).iter().enumerate();
        let open = open.map(|(place, open)| (OptionId::from(place), open.option, open.args.to_vec()));
        open.map(|(id, option, args)| told::Open { id, option, args }).collect()
    }

    /// What a player is asked, as a viewer may know it, with the things that the words name.
    pub fn prompt_words(&mut self, player: PlayerId, viewer: Option<PlayerId>) -> blazon_machine::Words {
        self.machine.prompt_words(player.into(), viewer.map(u32::from))
    }

    /// The lines of what a player has answered already while others who are asked with him have not. They are for him alone.
    pub fn answered_by(&mut self, player: PlayerId) -> Vec<blazon_machine::Words> {
        self.machine.answered_by(player.into())
    }

    /// What a player is asked, in parts that refer to the things it names.
    pub fn prompt_parts(&mut self, player: PlayerId) -> Vec<told::Part> {
        let words = self.prompt_words(player, Some(player));
        told::parts(self.book(), &words)
    }

    /// The line of an open option, in parts that refer to the things it names.
    pub fn label_parts(&mut self, player: PlayerId, option: OptionId) -> Vec<told::Part> {
        let who = player.into();
        let open = self.machine.options(who).get(option.index());
        let Some((option, args)) = open.map(|open| (open.option, open.args.to_vec())) else {
            return Vec::new();
        };
        let words = self.machine.label_of(who, option, &args, Some(who));
        told::parts(self.book(), &words)
    }

    /// An event as a viewer may know it, in parts that refer to the things it names; of a choice without who made it.
    /// Nothing if there is nothing to tell.
    pub fn event_parts(
        &self,
        event: &blazon_machine::Event,
        viewer: Option<PlayerId>,
    ) -> Option<Vec<told::Part>> {
        Some(told::parts(self.book(), &self.event_words(event, viewer)?))
    }

    /// What never changes of the game: kinds, what is printed on them, what is kept, what is asked.
    pub fn sheet(&self) -> told::Sheet {
        told::Sheet::of(self.program())
    }

    /// The name of a thing as a player may know it; a hidden thing is told by its back.
    pub fn name_to(&mut self, player: PlayerId, kind: blazon_book::KindId, thing: i64) -> String {
        self.argument(Some(kind), thing, player).to_string()
    }

    /// The line of an open option, as its player may know it.
    pub fn label(&mut self, player: PlayerId, option: OptionId) -> String {
        self.machine.label(player.into(), option.into(), Some(player.into()))
    }

    /// All that a player could ask about and that is not open, by numbers: as [`Self::refusals`], for whoever sits
    /// between player and game.
    pub fn refusals_by_id(&mut self, player: PlayerId) -> Vec<blazon_machine::Refusal> {
        self.machine.refused(player.into())
    }

    /// What a player is asked, in the words of the rules; empty when nothing is, or when the rules give no words.
    pub fn prompt(&mut self, player: PlayerId) -> String {
        self.machine.prompt(Some(player.into()))
    }

    /// What a player is asked, with all that is open to him.
    pub fn question(&mut self, player: PlayerId) -> Question {
        told::question(self, player)
    }

    /// All that a player could ask about and that is not open, each with the first need that refuses it.
    pub fn refusals(&mut self, player: PlayerId) -> Vec<Refusal> {
        told::refusals(self, player)
    }

    /// Whether an option is open to a player, or why not.
    pub fn why(&mut self, player: PlayerId, option: &str, args: &Arguments) -> Standing {
        if self.options(player).iter().any(|open| open.option == option && open.args == *args) {
            return Standing::Open;
        }
        let refusals = self.refusals(player);
        match refusals.into_iter().find(|refusal| refusal.option == option && refusal.args == *args) {
            Some(refusal) => Standing::Refused(refusal),
            None => Standing::Outside,
        }
    }

    /// What somebody sees, by names; without a viewer everything.
    ///
    /// # Errors
    /// [`crate::Error::Fault`] if the rules fail that say who sees what.
    pub fn view(&mut self, viewer: Option<PlayerId>) -> Result<told::View> {
        let view = self.view_by_id(viewer)?;
        Ok(told::View::of(self, &view))
    }

    /// The same with kinds, states and things by their places in the book.
    ///
    /// # Errors
    /// As [`Self::view`].
    pub fn view_by_id(&mut self, viewer: Option<PlayerId>) -> Result<View> {
        self.machine.view(viewer.map(u32::from)).map_err(|fault| self.failed(fault))
    }

    /// The same, and what stands behind the backs in it: for whoever sits between viewer and game alone.
    ///
    /// # Errors
    /// As [`Self::view`].
    pub fn view_and_behind(&mut self, viewer: Option<PlayerId>) -> Result<(View, blazon_machine::Behind)> {
        self.machine.view_and_behind(viewer.map(u32::from)).map_err(|fault| self.failed(fault))
    }

    /// Goes to a guess at what a player may not know, see [`blazon_machine::bots::imagine`]: to try there what an option
    /// would do, so that whoever is told learns nothing that he could not know. A guess has no log, no events and another
    /// seed: those of the game tell what he may not know. Answers whether there is a guess; otherwise the game stands where
    /// it stood.
    ///
    /// # Errors
    /// [`crate::Error::Fault`] if the rules fail that say who sees what.
    pub fn imagine(&mut self, player: PlayerId, seed: u64) -> Result<bool> {
        let imagined = blazon_machine::bots::imagine(&mut self.machine, player.into(), seed);
        let is_there = imagined.map_err(|fault| self.failed(fault))?;
        if is_there {
            self.forget(self.record.setup, mix(seed, hash_text("guess")) >> 11, Log::default(), Vec::new());
        }
        Ok(is_there)
    }

    /// What is played: the game, its variants and rulings, who plays.
    pub fn about(&self) -> told::About {
        told::About::of(self)
    }

    /// How the game ended, or how far it has come.
    pub fn end(&self) -> told::End {
        told::End::of(self)
    }

    /// An event as a viewer may know it; nothing if there is nothing to tell.
    pub fn tell(&self, event: &blazon_machine::Event, viewer: Option<PlayerId>) -> Option<String> {
        self.machine.tell_event(event, viewer.map(u32::from))
    }

    /// The same with the things that it names; of a choice without who made it.
    pub fn event_words(
        &self,
        event: &blazon_machine::Event,
        viewer: Option<PlayerId>,
    ) -> Option<blazon_machine::Words> {
        self.machine.event_words(event, viewer.map(u32::from))
    }

    /// Whether an option that was taken was the only one and so taken unasked, as a viewer may know it: nothing of other
    /// events, and where he may not know. Who decided may, and an umpire; others only in a game that hides nothing, since
    /// it tells whether something else was open.
    pub fn is_forced(&self, event: &blazon_machine::Event, viewer: Option<PlayerId>) -> Option<bool> {
        self.machine.is_forced(event, viewer.map(u32::from))
    }

    /// An argument of an option as a viewer may know it; a hidden thing is told by its back.
    pub(crate) fn argument(
        &mut self,
        kind: Option<blazon_book::KindId>,
        arg: i64,
        viewer: PlayerId,
    ) -> Argument {
        told::argument(&mut self.machine, kind, arg, viewer)
    }
}
