//! `blazon serve` from outside: the binary, and what goes over its sockets.

mod calling;
mod changing;
mod client;
mod guarding;
mod hidden;
mod keeping;
mod killing;
mod load;
mod playing;
mod server;
