//! What is damaged is refused or played: rules texts through everything, programs through verifier and machine. Nothing
//! panics, hangs, or takes more memory than it may.

mod programs;
mod rules;
