//! How sure one may be.

mod spread;
mod wilson;

pub use spread::Spread;
pub use wilson::wilson;
