//! The server by a scripted editor, capability by capability, on a small game.

mod actions;
mod calls;
mod client;
mod completion;
mod diagnostics;
mod hover;
mod lenses;
mod names;
mod odd;
mod pages;
mod renames;
mod robust;
mod room;
