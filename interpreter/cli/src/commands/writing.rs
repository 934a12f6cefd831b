//! Commands for whoever writes rules: they read the pages, and tell what stands there and whether it is right.

pub mod check;
pub mod explain;
pub mod format;
pub mod new;
pub mod print;
pub mod rulings;
pub mod table;
pub mod test;
pub mod watch;
