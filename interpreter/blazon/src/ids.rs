//! Players, options, choices and setups by number, each a type of its own so that none is taken for another.

use serde::Serialize;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($of:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(transparent)]
        pub struct $name($of);

        impl $name {
            /// The number, to index with.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<$of> for $name {
            fn from(number: $of) -> Self {
                Self(number)
            }
        }

        impl From<$name> for $of {
            fn from(id: $name) -> Self {
                id.0
            }
        }
    };
}

id! {
    /// A player, by place in the kind of players. [`crate::Game::players`] lists them, [`crate::Game::player_name`]
    /// tells a name.
    PlayerId(u32)
}
impl PlayerId {
    /// Nobody at the table: as a viewer he sees what all players see.
    pub const PUBLIC: Self = Self(blazon_machine::PUBLIC);
}
id! {
    /// An open option of one player in one position, by place among them. It means nothing after the next choice.
    OptionId(usize)
}
id! {
    /// A `choose` of the rules, by place in the program; the same in every game of that program.
    ChoiceId(u16)
}
id! {
    /// A setup, by place in the book.
    SetupId(usize)
}
