//! What an editor stands on: a model in spite of errors, uses and definitions, comments, fixes, and a check after
//! each edit.

#[path = "../common/mod.rs"]
mod common;

mod comments;
mod completion;
mod fixes;
mod holes;
mod loading;
mod references;
mod replacing;
