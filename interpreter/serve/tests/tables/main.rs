//! Tables from outside, by a server within the test: what its sockets say, and what lies in its folder.

#[allow(dead_code, reason = "the tests of the command line use all of it")]
#[path = "../../../cli/tests/serve/client.rs"]
mod client;

mod asked;
mod lost;
mod server;
mod told;
