//! The native yardstick: the options of the action phase of Richard III by hand in Rust, for the default rulings.
//!
//! It shows how far the interpreted rules are from what a compiler makes of the same thing. A [`Board`] is read once
//! through the machine's public face; [`Board::orders`] then lists what the choice of `give orders` lists:
//! marches with pinning, border limits and the ways in, voyages, recruits. `tests/native.rs` compares both.

use blazon_book::{Book, ColumnId, Constant, Role};
use blazon_machine::Machine;
use blazon_program::ir::ABSENT;

/// No thing.
const NONE: u8 = u8::MAX;

/// An order: which option, which block, where to.
pub type Order = (u16, u8, u8);

/// What an event card does to an action phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    None,
    ForceMarch,
    Surprise,
    Muster,
    Piracy,
    Other,
}

/// What is printed.
struct Printed {
    /// Of each area: the areas beside it and the border between, in the order of the areas.
    beside: Vec<Vec<(u8, u8)>>,
    seas: Vec<u64>,
    /// Of each area and side: whether the side may never enter.
    closed: Vec<[bool; 2]>,
    limit: Vec<u8>,
    halts: Vec<bool>,
    levy_or_rebel: Vec<bool>,
    bombard: Vec<bool>,
    rebel: Vec<bool>,
    heir: Vec<bool>,
    house: Vec<u8>,
    ashore: Vec<bool>,
    /// Where a block is raised, unless it is an heir or a turncoat.
    grounds: Vec<u64>,
    /// Where a turncoat Clarence is raised, and which block he is.
    clarence: (u8, u64),
    crowns: u64,
    exiles: [u64; 2],
    /// The options, by place: march, sail, recruit, done.
    options: [u16; 4],
}

/// What `give orders` depends on.
pub struct Board {
    printed: std::sync::Arc<Printed>,
    side: usize,
    throne: usize,
    points: u8,
    event: Event,
    rally: u8,
    at: Vec<u8>,
    of: Vec<u8>,
    on_map: Vec<bool>,
    in_pool: Vec<bool>,
    dead: Vec<bool>,
    moved: Vec<bool>,
    way: Vec<u8>,
    assailant: Vec<u8>,
    entries: Vec<[u64; 2]>,
    main_way: Vec<[u8; 2]>,
    activated: Vec<bool>,
    traffic: Vec<[u8; 2]>,
}

/// The names of a book.
struct Names<'a>(&'a Book);

impl Names<'_> {
    fn kind(&self, name: &str) -> usize {
        self.0.kinds.iter().position(|kind| kind.name == name).expect("a kind")
    }

    fn thing(&self, kind: &str, name: &str) -> u8 {
        let things = &self.0.kinds[self.kind(kind)].things;
        things.iter().position(|thing| thing.name == name).expect("a thing") as u8
    }

    fn count(&self, kind: &str) -> usize {
        self.0.kinds[self.kind(kind)].things.len()
    }

    fn column(&self, kinds: &[&str], name: &str) -> ColumnId {
        let keys: Vec<usize> = kinds.iter().map(|kind| self.kind(kind)).collect();
        let same = |column: &blazon_book::Column| {
            column.name == name && column.keys.iter().map(|key| key.0 as usize).eq(keys.iter().copied())
        };
        ColumnId(self.0.columns.iter().position(same).expect("a column") as u32)
    }

    fn constants(&self, kind: &str, name: &str) -> &[Constant] {
        match &self.0.column(self.column(&[kind], name)).role {
            Role::Fact(constants) => constants,
            Role::State { .. } => panic!("`{name}` is a state"),
        }
    }

    /// A printed thing or number of each.
    fn facts(&self, kind: &str, name: &str) -> Vec<u8> {
        let word = |constant: &Constant| match constant {
            Constant::Word(word) => *word as u8,
            _ => NONE,
        };
        self.constants(kind, name).iter().map(word).collect()
    }

    /// A printed set of each.
    fn sets(&self, kind: &str, name: &str) -> Vec<u64> {
        let set = |constant: &Constant| match constant {
            Constant::Set(things) => things.iter().fold(0, |set, &thing| set | 1 << thing),
            _ => 0,
        };
        self.constants(kind, name).iter().map(set).collect()
    }
}

/// Those of many that something holds for.
fn set_of(count: usize, holds: impl Fn(usize) -> bool) -> u64 {
    (0..count).filter(|&place| holds(place)).fold(0, |set, place| set | 1 << place)
}

impl Printed {
    fn new(book: &Book, options: [u16; 4]) -> Self {
        let names = Names(book);
        let (areas, blocks) = (names.count("area"), names.count("block"));
        assert!(areas <= 64 && names.count("border") <= 64, "the sets are words");
        let mut beside = vec![Vec::new(); areas];
        for (border, thing) in book.kinds[names.kind("border")].things.iter().enumerate() {
            let (a, b) = thing.ends.expect("ends");
            beside[a as usize].push((b as u8, border as u8));
            beside[b as usize].push((a as u8, border as u8));
        }
        beside.iter_mut().for_each(|beside| beside.sort_unstable());
        let exile = names.facts("area", "exile");
        let colour = names.facts("border", "colour");
        let (limits, halts) = (names.facts("colour", "limit"), names.facts("colour", "halts"));
        let class = names.facts("block", "class");
        let is = |name: &str| -> Vec<bool> {
            let wanted = names.thing("class", name);
            class.iter().map(|&class| class == wanted).collect()
        };
        let (levy, rebel, bombard, church) = (is("Levy"), is("Rebel"), is("Bombard"), is("Church"));
        let (cities, city) = (names.facts("area", "city"), names.facts("block", "city"));
        let (cathedral, shields) = (names.facts("area", "cathedral"), names.sets("area", "shields"));
        let (arms, wales) = (names.facts("area", "arms"), names.facts("area", "wales"));
        let crown = names.facts("area", "crown");
        let (welsh, scots) =
            (names.thing("block", "Welsh Mercenary"), names.thing("block", "Scots Mercenary"));
        let york = names.thing("side", "York");
        let grounds = |block: usize| {
            set_of(areas, |area| {
                if levy[block] {
                    cities[area] != NONE && cities[area] == city[block]
                } else if bombard[block] {
                    cities[area] != NONE
                } else if rebel[block] {
                    exile[area] == NONE
                } else if block as u8 == welsh {
                    wales[area] == 1
                } else if church[block] {
                    cathedral[area] == block as u8
                } else {
                    shields[area] >> block & 1 == 1
                }
            })
        };
        Self {
            beside,
            seas: names.sets("area", "seas"),
            closed: exile.iter().map(|&e| [0, 1].map(|side| e != NONE && e != side)).collect(),
            limit: colour.iter().map(|&colour| limits[colour as usize]).collect(),
            halts: colour.iter().map(|&colour| halts[colour as usize] == 1).collect(),
            levy_or_rebel: (0..blocks).map(|block| levy[block] || rebel[block]).collect(),
            ashore: (0..blocks as u8).map(|block| block == welsh || block == scots).collect(),
            grounds: (0..blocks).map(grounds).collect(),
            bombard,
            rebel,
            heir: is("Heir"),
            house: names.facts("block", "house"),
            clarence: (names.thing("block", "Clarence"), set_of(areas, |area| arms[area] == york)),
            crowns: set_of(areas, |area| crown[area] == 1),
            exiles: [0, 1].map(|side| set_of(areas, |area| exile[area] == side)),
            options,
        }
    }
}

impl Board {
    /// Reads what stands before a machine; nothing if it does not ask for orders. What is printed is read with the
    /// first board only.
    pub fn read(machine: &Machine, before: Option<&Self>) -> Option<Self> {
        let options = &machine.choice()?.options;
        let place = |name: &str| options.iter().position(|option| option.name == name).map(|o| o as u16);
        let options = [place("march")?, place("sail")?, place("recruit")?, place("done")?];
        let book = &machine.program().book;
        let names = Names(book);
        let (areas, blocks, borders) = (names.count("area"), names.count("block"), names.count("border"));
        let words = |kinds: &[&str], name: &str, keys: &[u32]| {
            machine.column(names.column(kinds, name), keys).expect("a value")
        };
        let byte = |kinds: &[&str], name: &str, keys: &[u32]| match words(kinds, name, keys)[0] as i64 {
            ABSENT => NONE,
            word => word as u8,
        };
        let each = |count: usize, kinds: &[&str], name: &str| -> Vec<u8> {
            (0..count as u32).map(|key| byte(kinds, name, &[key])).collect()
        };
        let side = byte(&[], "acting", &[]);
        let played = each(names.count("card"), &["card"], "played");
        let card = played.iter().position(|&by| by == side);
        let event = card.filter(|&card| names.facts("card", "event")[card] == 1);
        let event = event.map(|card| book.kinds[names.kind("card")].things[card].name.as_str());
        let status = each(blocks, &["block"], "status");
        let has = |name: &str| -> Vec<bool> {
            let wanted = names.thing("status", name);
            status.iter().map(|&status| status == wanted).collect()
        };
        let both = |count: usize, kinds: &[&str], name: &str| -> Vec<[u8; 2]> {
            (0..count as u32).map(|key| [0, 1].map(|side| byte(kinds, name, &[key, side]))).collect()
        };
        Some(Self {
            printed: match before {
                Some(board) => board.printed.clone(),
                None => Printed::new(book, options).into(),
            },
            side: side.into(),
            throne: byte(&[], "throne", &[]).into(),
            points: byte(&[], "points left", &[]),
            event: match event {
                None => Event::None,
                Some("Force March") => Event::ForceMarch,
                Some("Surprise") => Event::Surprise,
                Some("Muster") => Event::Muster,
                Some("Piracy") => Event::Piracy,
                Some(_) => Event::Other,
            },
            rally: byte(&[], "rally", &[]),
            at: each(blocks, &["block"], "at"),
            of: each(blocks, &["block"], "side"),
            on_map: has("On Map"),
            in_pool: has("Pool"),
            dead: has("Dead"),
            moved: each(blocks, &["block"], "moved").iter().map(|&moved| moved == 1).collect(),
            way: each(blocks, &["block"], "way"),
            assailant: each(areas, &["area"], "assailant"),
            entries: (0..areas as u32)
                .map(|area| [0, 1].map(|side| words(&["area", "side"], "entries", &[area, side])[0]))
                .collect(),
            main_way: both(areas, &["area", "side"], "main way"),
            activated: each(areas, &["area"], "activated").iter().map(|&flag| flag == 1).collect(),
            traffic: both(borders, &["border", "side"], "traffic"),
        })
    }

    /// All orders, in the order of the rules.
    pub fn orders(&self, out: &mut Vec<Order>) {
        out.clear();
        let areas = self.activated.len();
        let enemy = 1 - self.side;
        // Who stands where, how many pin, how many stayed.
        let mut present = [0u64; 2];
        let mut pins = [0u8; 64];
        let mut stayed = [0u8; 64];
        for (block, &at) in self.at.iter().enumerate() {
            if !self.on_map[block] || at == NONE {
                continue;
            }
            let (of, area) = (self.of[block] as usize, at as usize);
            present[of] |= 1 << at;
            if of == self.side {
                stayed[area] += u8::from(!self.moved[block]);
            } else if self.assailant[area] as usize == enemy {
                let main = self.main_way[area][enemy];
                pins[area] += u8::from(main == NONE || self.way[block] == main);
            }
        }
        let pinned = set_of(areas, |area| pins[area] > 0 && stayed[area] <= pins[area]);
        let [march, sail, recruit, done] = self.printed.options;
        let mut order = [march, sail, recruit, done];
        order.sort_unstable();
        for option in order {
            if option == march {
                self.marches(option, present, pinned, out);
            } else if option == sail {
                self.voyages(option, present, pinned, out);
            } else if option == recruit {
                self.recruits(option, present, out);
            } else {
                out.push((option, NONE, NONE));
            }
        }
    }

    fn may_leave(&self, block: usize, pinned: u64) -> bool {
        self.on_map[block]
            && self.of[block] as usize == self.side
            && self.at[block] != NONE
            && !self.moved[block]
            && pinned >> self.at[block] & 1 == 0
    }

    fn has_room(&self, border: u8) -> bool {
        let limit = self.printed.limit[border as usize] + u8::from(self.event == Event::Surprise);
        self.traffic[border as usize][self.side] < limit
    }

    fn marches(&self, option: u16, present: [u64; 2], pinned: u64, out: &mut Vec<Order>) {
        if self.event == Event::Piracy {
            return;
        }
        let (printed, side, enemy) = (&*self.printed, self.side, 1 - self.side);
        for (block, &at) in self.at.iter().enumerate() {
            if !self.may_leave(block, pinned) {
                continue;
            }
            let from = at as usize;
            let free = self.activated[from] || self.event == Event::Muster;
            if !free && self.points == 0 {
                continue;
            }
            for &(to, border) in &printed.beside[from] {
                let area = to as usize;
                if self.entries[from][enemy] >> border & 1 == 1
                    || !self.has_room(border)
                    || printed.closed[area][side]
                {
                    continue;
                }
                if present[enemy] >> to & 1 == 1 && self.entries[area][side] >> border & 1 == 0 {
                    let relief = self.assailant[area] as usize == enemy;
                    if self.entries[area][side].count_ones() >= if relief { 2 } else { 3 } {
                        continue;
                    }
                }
                if self.event == Event::Muster && !self.reaches_the_rally(at, to, border, present[enemy]) {
                    continue;
                }
                out.push((option, block as u8, to));
            }
        }
    }

    fn reaches_the_rally(&self, at: u8, to: u8, border: u8, enemies: u64) -> bool {
        to == self.rally
            || enemies >> to & 1 == 0
                && !self.printed.halts[border as usize]
                && self.rally != NONE
                && at != self.rally
                && self.printed.beside[to as usize]
                    .iter()
                    .any(|&(area, next)| area == self.rally && self.has_room(next))
    }

    fn voyages(&self, option: u16, present: [u64; 2], pinned: u64, out: &mut Vec<Order>) {
        if matches!(self.event, Event::ForceMarch | Event::Muster) || self.points == 0 {
            return;
        }
        let (printed, enemies) = (&*self.printed, present[1 - self.side]);
        for (block, &at) in self.at.iter().enumerate() {
            if printed.levy_or_rebel[block] || printed.ashore[block] || !self.may_leave(block, pinned) {
                continue;
            }
            let seas = printed.seas[at as usize];
            if seas == 0 {
                continue;
            }
            for (to, &other) in printed.seas.iter().enumerate() {
                let quiet = self.event == Event::Piracy || enemies >> to & 1 == 0;
                if other & seas != 0 && to != at as usize && quiet && !printed.closed[to][self.side] {
                    out.push((option, block as u8, to as u8));
                }
            }
        }
    }

    fn recruits(&self, option: u16, present: [u64; 2], out: &mut Vec<Order>) {
        if self.event != Event::None || self.points == 0 {
            return;
        }
        let (printed, side) = (&*self.printed, self.side);
        for block in 0..self.at.len() {
            if !self.in_pool[block] || self.of[block] as usize != side {
                continue;
            }
            let at_home = printed.house[block] as usize == side;
            let mut grounds = if printed.heir[block] && at_home && !self.dead[block] {
                if side == self.throne { printed.crowns } else { printed.exiles[side] }
            } else if block == printed.clarence.0 as usize && !at_home {
                printed.clarence.1
            } else {
                printed.grounds[block]
            };
            grounds &= !present[1 - side];
            if printed.bombard[block] {
                grounds &= present[side];
            }
            if printed.rebel[block] {
                grounds &= !(present[0] | present[1]);
            }
            while grounds != 0 {
                let area = grounds.trailing_zeros();
                grounds &= grounds - 1;
                if !printed.closed[area as usize][side] {
                    out.push((option, block as u8, area as u8));
                }
            }
        }
    }
}
