//! Replaces and removes the declarations that stand by themselves under a name.

use blazon_diagnostics::Span;
use blazon_syntax::ast::{Declaration, Name};

use super::Amender;
use crate::merge::sort::Sort;
use crate::merge::wholes::{each_whole, parts_declared};

/// Makes how they are replaced and removed.
macro_rules! amended_whole {
    ($($Variant:ident in $list:ident by $name:ident: $keyword:literal, $what:literal, $twice:ident;)*) => {
        impl Amender<'_> {
            /// Puts a declaration in the place of the one of its name, if it is one of these.
            pub(super) fn replace_whole(&mut self, declaration: &Declaration, span: Span) -> bool {
                match declaration {
                    $(Declaration::$Variant(new) => {
                        let names = self.merged.$list.iter().map(|old| old.$name.text.clone()).collect();
                        if let Some(found) = self.find(&Sort::Whole($what), &new.$name, names) {
                            self.note_whole(&format!(concat!($keyword, " {}"), new.$name.text), span);
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
                            self.note_whole(&format!(concat!($keyword, " {}"), name.text), span);
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

each_whole!(amended_whole);
