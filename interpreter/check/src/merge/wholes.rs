//! Declarations that stand by themselves under a name: changes replace them or take them out as a whole. One table of
//! them; declaring, replacing and removing follow from it.

use blazon_diagnostics::{Diagnostic, Span};
use blazon_syntax::ast::{Declaration, Name};

use crate::merge::amend::Amender;
use crate::merge::ledger::Op;
use crate::merge::merged::{Merged, twice};
use crate::merge::sort::Sort;
use crate::references::DefinitionKind;

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

/// Makes what is done with declarations as a whole: each by its variant, its list, its name, its keyword, what it is
/// called in messages, and who says that it is declared twice.
macro_rules! wholes {
    ($($Variant:ident in $list:ident by $name:ident: $keyword:literal, $what:literal, $twice:ident;)*) => {
        /// These declarations, as a pattern.
        macro_rules! whole_declarations {
            () => { $(blazon_syntax::ast::Declaration::$Variant(_))|* };
        }
        pub(super) use whole_declarations;

        /// What the ledger calls a declaration if it is one of these, and where its name stands.
        pub(super) fn whole_key(declaration: &Declaration) -> Option<(String, Span)> {
            match declaration {
                $(Declaration::$Variant(new) => {
                    Some((format!(concat!($keyword, " {}"), new.$name.text), new.$name.span))
                })*
                parts_declared!() => None,
            }
        }

        impl Merged {
            /// Adds a declaration if it is one of these; twice the same is an error.
            pub(super) fn declare_whole(
                &mut self,
                declaration: &Declaration,
                diagnostics: &mut Vec<Diagnostic>,
            ) -> bool {
                match declaration {
                    $(Declaration::$Variant(new) => {
                        let old = self.$list.find(&new.$name.text).filter(|_| matches!(Twice::$twice, Twice::Here));
                        match old {
                            Some(old) => diagnostics.push(twice($what, &new.$name, old.$name.span)),
                            None => self.$list.push(new.clone()),
                        }
                        true
                    })*
                    parts_declared!() => false,
                }
            }
        }

        impl Merged {
            /// What the name of one of these means: what it is called, and its place in its list.
            pub(super) fn whole_use(&self, what: &Sort, found: usize) -> Option<(DefinitionKind, Span)> {
                match what {
                    $(Sort::Whole($what) => Some((DefinitionKind::$Variant, self.$list.get(found)?.$name.span)),)*
                    _ => None,
                }
            }
        }

        impl Amender<'_> {
            /// Puts a declaration in the place of the one of its name, if it is one of these.
            pub(super) fn replace_whole(&mut self, declaration: &Declaration, span: Span) -> bool {
                match declaration {
                    $(Declaration::$Variant(new) => {
                        let names = self.merged.$list.iter().map(|old| old.$name.text.clone()).collect();
                        if let Some(found) = self.find(&Sort::Whole($what), &new.$name, names) {
                            self.note(vec![format!(concat!($keyword, " {}"), new.$name.text)], Op::Whole, span);
                            self.merged.$list[found] = new.clone();
                        }
                        true
                    })*
                    parts_declared!() => false,
                }
            }

            /// Takes out the declaration of a name, if the keyword is that of one of these.
            pub(super) fn remove_whole(&mut self, keyword: &Name, name: &Name, span: Span) -> bool {
                match keyword.text.as_str() {
                    $($keyword => {
                        let names = self.merged.$list.iter().map(|old| old.$name.text.clone()).collect();
                        if let Some(found) = self.find(&Sort::Whole($what), name, names) {
                            self.merged.$list.remove(found);
                            self.note(vec![format!(concat!($keyword, " {}"), name.text)], Op::Remove, span);
                            self.note_removed(Sort::Whole($what), name);
                        }
                        true
                    })*
                    _ => false,
                }
            }
        }
    };
}

wholes! {
    Setup in setups by name: "setup", "setup", Here;
    Ruling in rulings by name: "ruling", "ruling", Here;
    Watch in watches by name: "whenever", "watch", Here;
    Invariant in invariants by name: "invariant", "invariant", Here;
    Look in looks by name: "look", "look", Here;
    // That a kind has two grids is seen when they are laid.
    Grid in grids by kind: "grid", "grid", Later;
}

/// Who says that two declarations have one name.
enum Twice {
    Here,
    Later,
}
