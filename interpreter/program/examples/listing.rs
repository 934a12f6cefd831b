//! Prints the program of a rules folder: `listing FOLDER [VARIANT…] [-- FUNCTION…]`.
#[path = "../tests/common/load.rs"]
mod load;

use std::path::PathBuf;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let split = args.iter().position(|arg| arg == "--").unwrap_or(args.len());
    let paths: Vec<PathBuf> = args[..split].iter().map(PathBuf::from).collect();
    let book = match load::load(&paths[0], &paths[1..]) {
        Ok(book) => book,
        Err(message) => {
            println!("{message}");
            std::process::exit(1);
        }
    };
    match blazon_program::lower(book) {
        Ok(program) => {
            println!("verify: {:?}", blazon_program::verify(&program));
            let names = args.get(split + 1..).unwrap_or_default();
            if names.is_empty() {
                print!("{}", program.listing());
            }
            for name in names {
                print!("{}", program.listing_of(name).unwrap_or_default());
            }
        }
        Err(found) => {
            for diagnostic in found {
                println!("{}: {} {:?}", diagnostic.code, diagnostic.message, diagnostic.span);
            }
        }
    }
}
