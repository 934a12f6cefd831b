//! The macro that makes of the table of instructions what is known of each: the type, the registers, the jump, what is
//! special, what it stands for, how it is listed.
//!
//! The roles of fields:
//!
//! | role | field | meaning |
//! | --- | --- | --- |
//! | `read[n]`, `write[n]` | [`Reg`] | n words from a register on are read, or written |
//! | `edit[n]` | [`Reg`] | n words are changed in place: they must hold something before |
//! | `key[c]` | [`Reg`] | the key of an entry of column c; not read where the column has but one entry |
//! | `result` | [`Reg`] | what a function returns: as many words as it says |
//! | `jump` | [`Pc`] | where it may go on |
//! | `words` | `u16` | the length of sets |
//! | `column[shape]` | `u16` | a column of a [`super::op_info::Shape`] |
//! | `kind`, `links`, `any_kind` | `u16` | a kind, a kind of links, a kind or `u16::MAX` for none |
//! | `rule`, `step` | `u16` | a function |
//! | `table`, `choice`, `scope`, `range` | `u16` | a place in the program's list of these |
//! | `option[n]` | `u16` | an option of the choice around, with n arguments |
//! | `text`, `need`, `number` | `u32` | a place in the program's list of these |
//! | `pool[n]`, `fact[n]` | `u32` | n words of the set constants, of the facts |
//! | `state` | `u32` | a word of the states |
//! | `i32`, `u32`, `i16`, `u16`, `bool` | the same | a value as it stands |

#[cfg(doc)]
use super::{Pc, Reg};

/// Makes the type of instructions and what is known of each.
macro_rules! ops {
    ($(#[$meta:meta])* pub enum $Type:ident with $program:ident { $(
        $(#[$doc:meta])*
        $Name:ident $({ $($field:ident : $role:ident $([$($arg:tt)*])?),* })? $([$($trait:ident),*])?
        => $listed:literal $(, $word:ident = $shown:expr)*;
    )* }) => {
        $(#[$meta])*
        #[allow(missing_docs, reason = "the doc of an instruction says what its fields are for")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $Type {
            $($(#[$doc])* $Name $({ $($field: $crate::ir::op_table::field!($role)),* })?),*
        }

        #[allow(unused_variables, reason = "every field has a name here; each table looks at some of them")]
        impl $Type {
            /// Asks for every register, to move it.
            pub(crate) fn registers(&mut self, visit: &mut dyn FnMut(&mut $crate::ir::Reg)) {
                match self {
                    $(Self::$Name { $($($field),*)? } => {
                        $($($crate::ir::op_table::register!($role, $field, visit);)*)?
                    })*
                }
            }

            /// Where it may jump to.
            pub(crate) fn target(&mut self) -> Option<&mut $crate::ir::Pc> {
                match self {
                    $(Self::$Name { $($($field),*)? } => {
                        let targets: [Option<&mut $crate::ir::Pc>; _] =
                            [$($($crate::ir::op_table::target!($role, $field)),*)?];
                        targets.into_iter().flatten().next()
                    })*
                }
            }

            /// What is special about it.
            pub(super) fn traits(&self) -> &'static [$crate::ir::op_info::Trait] {
                match self {
                    $(Self::$Name { .. } => &[$($($crate::ir::op_info::Trait::$trait),*)?],)*
                }
            }

            /// The registers that it reads and writes; how many a result has, its function knows. What it refers to
            /// must have been found to be there.
            pub(crate) fn touch(&self, $program: &$crate::ir::Program) -> $crate::ir::op_info::Touch {
                let mut touch = $crate::ir::op_info::Touch::default();
                match *self {
                    $(Self::$Name { $($($field),*)? } => {
                        $($($crate::ir::op_table::touch!($role [$($($arg)*)?], $field, $program, touch);)*)?
                    })*
                }
                touch
            }

            /// Asks for what the numbers in it stand for.
            pub(crate) fn references(&self, visit: &mut dyn FnMut($crate::ir::op_info::Reference)) {
                match *self {
                    $(Self::$Name { $($($field),*)? } => {
                        $($($crate::ir::op_table::reference!($role [$($($arg)*)?], $field, visit);)*)?
                    })*
                }
            }

            /// The instruction in words.
            pub(crate) fn listed(&self, $program: &$crate::ir::Program) -> String {
                match *self {
                    $(Self::$Name { $($($field),*)? } => {
                        $(let $word = $shown;)*
                        $($(let $field = $crate::ir::op_table::shown!($role, $field, $program);)*)?
                        format!($listed)
                    })*
                }
            }
        }
    };
}

/// The type of a field, by its role.
macro_rules! field {
    (read) => {
        $crate::ir::Reg
    };
    (write) => {
        $crate::ir::Reg
    };
    (edit) => {
        $crate::ir::Reg
    };
    (key) => {
        $crate::ir::Reg
    };
    (result) => {
        $crate::ir::Reg
    };
    (jump) => {
        $crate::ir::Pc
    };
    (text) => {
        u32
    };
    (need) => {
        u32
    };
    (number) => {
        u32
    };
    (pool) => {
        u32
    };
    (fact) => {
        u32
    };
    (state) => {
        u32
    };
    (words) => {
        u16
    };
    (column) => {
        u16
    };
    (kind) => {
        u16
    };
    (links) => {
        u16
    };
    (any_kind) => {
        u16
    };
    (rule) => {
        u16
    };
    (step) => {
        u16
    };
    (table) => {
        u16
    };
    (choice) => {
        u16
    };
    (option) => {
        u16
    };
    (scope) => {
        u16
    };
    (range) => {
        u16
    };
    ($plain:ident) => {
        $plain
    };
}

/// Visits a field that is a register.
macro_rules! register {
    (read, $field:ident, $visit:ident) => {
        $visit($field)
    };
    (write, $field:ident, $visit:ident) => {
        $visit($field)
    };
    (edit, $field:ident, $visit:ident) => {
        $visit($field)
    };
    (key, $field:ident, $visit:ident) => {
        $visit($field)
    };
    (result, $field:ident, $visit:ident) => {
        $visit($field)
    };
    ($other:ident, $field:ident, $visit:ident) => {};
}

/// A field that is a jump.
macro_rules! target {
    (jump, $field:ident) => {
        Some($field)
    };
    ($other:ident, $field:ident) => {
        None
    };
}

/// Notes what a register reads or writes.
macro_rules! touch {
    (read [$words:expr], $field:ident, $program:ident, $touch:ident) => {
        $touch.read($field, $words)
    };
    (edit [$words:expr], $field:ident, $program:ident, $touch:ident) => {
        $touch.read($field, $words)
    };
    (write [$words:expr], $field:ident, $program:ident, $touch:ident) => {
        $touch.write($field, $words)
    };
    (key [$column:expr], $field:ident, $program:ident, $touch:ident) => {
        if $program.columns[$column as usize].len != 1 {
            $touch.read($field, 1);
        }
    };
    ($other:ident [$($arg:tt)*], $field:ident, $program:ident, $touch:ident) => {};
}

/// Visits what a number stands for.
macro_rules! reference {
    (column [$shape:ident $($of:tt)*], $field:ident, $visit:ident) => {
        $visit($crate::ir::op_info::Reference::Column($field, $crate::ir::op_info::Shape::$shape $($of)*))
    };
    (kind [], $field:ident, $visit:ident) => { $visit($crate::ir::op_info::Reference::Kind($field)) };
    (links [], $field:ident, $visit:ident) => { $visit($crate::ir::op_info::Reference::Links($field)) };
    (any_kind [], $field:ident, $visit:ident) => {
        if $field != u16::MAX {
            $visit($crate::ir::op_info::Reference::Kind($field));
        }
    };
    (rule [], $field:ident, $visit:ident) => { $visit($crate::ir::op_info::Reference::Rule($field)) };
    (step [], $field:ident, $visit:ident) => { $visit($crate::ir::op_info::Reference::Step($field)) };
    (table [], $field:ident, $visit:ident) => { $visit($crate::ir::op_info::Reference::Table($field)) };
    (choice [], $field:ident, $visit:ident) => { $visit($crate::ir::op_info::Reference::Choice($field)) };
    (scope [], $field:ident, $visit:ident) => { $visit($crate::ir::op_info::Reference::Scope($field)) };
    (range [], $field:ident, $visit:ident) => { $visit($crate::ir::op_info::Reference::Range($field)) };
    (option [$args:expr], $field:ident, $visit:ident) => {
        $visit($crate::ir::op_info::Reference::Option { option: $field, args: $args })
    };
    (text [], $field:ident, $visit:ident) => { $visit($crate::ir::op_info::Reference::Text($field)) };
    (need [], $field:ident, $visit:ident) => { $visit($crate::ir::op_info::Reference::Need($field)) };
    (number [], $field:ident, $visit:ident) => { $visit($crate::ir::op_info::Reference::Number($field)) };
    (pool [$words:expr], $field:ident, $visit:ident) => {
        $visit($crate::ir::op_info::Reference::Pool { from: $field, words: $words })
    };
    (fact [$words:expr], $field:ident, $visit:ident) => {
        $visit($crate::ir::op_info::Reference::Facts { from: $field, words: $words })
    };
    (state [], $field:ident, $visit:ident) => { $visit($crate::ir::op_info::Reference::State($field)) };
    ($other:ident [$($arg:tt)*], $field:ident, $visit:ident) => {};
}

/// A field as it is listed.
macro_rules! shown {
    (read, $field:ident, $program:ident) => {
        format!("r{}", $field)
    };
    (write, $field:ident, $program:ident) => {
        format!("r{}", $field)
    };
    (edit, $field:ident, $program:ident) => {
        format!("r{}", $field)
    };
    (key, $field:ident, $program:ident) => {
        format!("r{}", $field)
    };
    (result, $field:ident, $program:ident) => {
        format!("r{}", $field)
    };
    (words, $field:ident, $program:ident) => {
        $crate::ir::listing::of($field)
    };
    (column, $field:ident, $program:ident) => {
        $program.column_name($field)
    };
    (kind, $field:ident, $program:ident) => {
        $program.kind_name($field)
    };
    (links, $field:ident, $program:ident) => {
        $program.kind_name($field)
    };
    (any_kind, $field:ident, $program:ident) => {
        $program.kind_name($field)
    };
    (rule, $field:ident, $program:ident) => {
        $program.name_of($field)
    };
    (step, $field:ident, $program:ident) => {
        $program.name_of($field)
    };
    (scope, $field:ident, $program:ident) => {
        $program.list_scope($field)
    };
    (text, $field:ident, $program:ident) => {
        $program.list_text($field)
    };
    (need, $field:ident, $program:ident) => {
        $program.list_need($field)
    };
    (number, $field:ident, $program:ident) => {
        $program.list_number($field)
    };
    (fact, $field:ident, $program:ident) => {
        $program.list_fact($field)
    };
    (state, $field:ident, $program:ident) => {
        $program.list_word($field)
    };
    ($other:ident, $field:ident, $program:ident) => {
        $field
    };
}

pub(crate) use {field, ops, reference, register, shown, target, touch};
