//! Walks over the typed tree. What the parts of an expression, a statement or a rule are is said in two places only: in
//! the [visitor](Visit), which reads, and in [`VisitMut`], which changes. All else here and in the crates above stands
//! on these two.
//!
//! * [`each_expr`] and its like call a closure where a visitor of one's own is too much.
//! * [`Reads`] and [`Deeds`] are what rules and steps read and do; [`substitute`] puts expressions in place of variables.
//! * [`ExprKey`] is an expression to compare and to hash.

mod each;
mod expr_key;
mod reads;
mod substitute;
mod visit;
mod visit_mut;

pub use each::*;
pub use expr_key::*;
pub use reads::*;
pub use substitute::*;
pub use visit::*;
pub use visit_mut::*;
