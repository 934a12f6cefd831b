//! Builds the binary again when a game or the library changes: both lie inside it.

fn main() {
    for folder in ["../../rules", "../../stdlib"] {
        println!("cargo::rerun-if-changed={folder}");
    }
}
