//! Builds the library again when a game or a module of the standard library changes: both lie inside it.

fn main() {
    for folder in ["../../rules", "../../stdlib"] {
        println!("cargo::rerun-if-changed={folder}");
    }
}
