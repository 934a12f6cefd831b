//! Declarations that stand by themselves under a name: changes replace them or take them out as a whole. One table of
//! them; declaring follows from it here, replacing and removing where changes are applied.

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{Declaration, Name};

use crate::merge::merged::{Merged, twice};

/// Hands the declarations that stand by themselves to a macro: each by its variant, its list, its name, its keyword, what
/// it is called in messages, and who says that it is declared twice.
macro_rules! each_whole {
    ($make:ident) => {
        $make! {
            Setup in setups by name: "setup", "setup", Here;
            Ruling in rulings by name: "ruling", "ruling", Here;
            Watch in watches by name: "whenever", "watch", Here;
            // That a kind has two grids is seen when they are laid.
            Grid in grids by kind: "grid", "grid", Later;
        }
    };
}
pub(super) use each_whole;

/// The declarations with parts that can be changed, and those that nobody can name.
macro_rules! parts_declared {
    () => {
        Declaration::Kind(_)
            | Declaration::Fact(_)
            | Declaration::State(_)
            | Declaration::Rule(_)
            | Declaration::Step(_)
            | Declaration::Table(_)
            | Declaration::Links(_)
            | Declaration::Omitted(_)
    };
}
pub(super) use parts_declared;

/// Makes their pattern, and how they are declared.
macro_rules! declared_whole {
    ($($Variant:ident in $list:ident by $name:ident: $keyword:literal, $what:literal, $twice:ident;)*) => {
        /// These declarations, as a pattern.
        macro_rules! whole_declarations {
            () => { $(blazon_syntax::ast::Declaration::$Variant(_))|* };
        }
        pub(super) use whole_declarations;

        impl Merged {
            /// Adds a declaration if it is one of these; twice the same is an error.
            pub(super) fn declare_whole(
                &mut self,
                declaration: &Declaration,
                diagnostics: &mut Vec<Diagnostic>,
            ) -> bool {
                match declaration {
                    $(Declaration::$Variant(new) => {
                        let names = || self.$list.iter().map(|old| &old.$name);
                        match first(Twice::$twice, &new.$name, names()) {
                            Some(old) => diagnostics.push(twice($what, &new.$name, old)),
                            None => self.$list.push(new.clone()),
                        }
                        true
                    })*
                    parts_declared!() => false,
                }
            }
        }
    };
}

each_whole!(declared_whole);

/// Who says that two declarations have one name.
enum Twice {
    Here,
    Later,
}

/// Where a name was declared first, if that is asked here.
fn first<'a>(twice: Twice, name: &Name, mut others: impl Iterator<Item = &'a Name>) -> Option<Span> {
    match twice {
        Twice::Here => others.find(|old| old.text == name.text).map(|old| old.span),
        Twice::Later => None,
    }
}
