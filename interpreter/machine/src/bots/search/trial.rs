//! One game that is tried: an option, on by chance for a while, and what came of it.

use blazon_kernel::chance::Stream;

use super::super::outlook::EVEN;
use super::super::{Pick, pick_of};
use super::Thought;
use super::records::keys_of;

/// Of how many options picked by chance the one is taken that did best so far.
const PICKED: usize = 3;
/// Of a hundred decisions so many are taken by chance alone, so that what did badly at first gets another try.
const BY_CHANCE: usize = 30;

/// What was chosen in a game that is tried, as keys of records, and by whom.
type Course = Vec<(u64, u32)>;

/// The rules failed on the way.
struct Failed;

impl Thought<'_> {
    /// Tries a game in the guess in which the machine stands: an option of the question, and then on, so many decisions in
    /// all. Answers what came of it for who decides.
    pub(super) fn try_game(&mut self, place: usize, luck: &mut Stream, horizon: usize) -> f64 {
        let mut course = Course::new();
        let values = match self.play(place, luck, horizon, &mut course) {
            Ok(()) => self.judge.values(self.machine),
            Err(Failed) => {
                self.judge.forget();
                vec![EVEN; self.machine.players()]
            }
        };
        let of = |player: u32| values.get(player as usize).copied().unwrap_or(EVEN);
        for (key, player) in course {
            self.records.add(key, of(player));
        }
        of(self.player)
    }

    fn play(
        &mut self,
        place: usize,
        luck: &mut Stream,
        horizon: usize,
        course: &mut Course,
    ) -> Result<(), Failed> {
        self.choose(self.player, place, course)?;
        for _ in 1..horizon {
            let Some(&player) = self.machine.deciders().first() else { break };
            let place = self.pick(luck, player);
            self.choose(player, place, course)?;
        }
        Ok(())
    }

    /// Picks an option by chance: mostly of several the one whose values did best in the games so far (MAST; Finnsson,
    /// Björnsson 2008), so that games go on as sensibly as is known by then.
    fn pick(&self, luck: &mut Stream, player: u32) -> usize {
        let options = self.machine.options(player);
        let first = pick_of(luck, Pick::ByName, options);
        if options.len() < 2 || luck.below(100) < BY_CHANCE {
            return first;
        }
        let record = |place: usize| self.records.of(keys_of(self.machine, player, options, place));
        let mut best = (record(first), first);
        for _ in 1..PICKED {
            let place = pick_of(luck, Pick::ByName, options);
            let value = record(place);
            if value > best.0 {
                best = (value, place);
            }
        }
        best.1
    }

    fn choose(&mut self, player: u32, place: usize, course: &mut Course) -> Result<(), Failed> {
        self.spent += 1;
        let options = self.machine.options(player);
        course.extend(keys_of(self.machine, player, options, place).map(|key| (key, player)));
        self.machine.choose(player, place).map_err(|_| Failed)
    }
}
