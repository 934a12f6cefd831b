//! Prints the program that a game is compiled to, or some of its functions, after verifying it:
//! `listing GAME [VARIANT…] [-- FUNCTION…]`.

use std::process::ExitCode;

use blazon::{Error, Loader, Selection};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let split = args.iter().position(|arg| arg == "--").unwrap_or(args.len());
    let names = args.get(split + 1..).unwrap_or_default();
    match args[..split].split_first() {
        None => {
            eprintln!("name a game: listing GAME [VARIANT…] [-- FUNCTION…]");
            ExitCode::from(2)
        }
        Some((game, variants)) => match listing(game, variants, names) {
            Ok(text) => {
                print!("{text}");
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        },
    }
}

fn listing(game: &str, variants: &[String], names: &[String]) -> Result<String, Error> {
    let mut rules = Loader::new().find(game)?;
    let program = rules.program(&Selection { variants: variants.to_vec(), ..Selection::default() })?;
    let verified = format!("verify: {:?}\n", blazon_program::verify(&program));
    Ok(match names {
        [] => verified + &program.listing(),
        names => verified + &names.iter().filter_map(|name| program.listing_of(name)).collect::<String>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_built_in_game_is_listed() {
        let game = blazon::default_game().expect("there is a game").key;
        let text = listing(&game, &[], &[]).expect("it compiles");
        assert!(text.starts_with("verify: Ok"), "{}", text.lines().next().unwrap_or_default());
        assert!(text.lines().count() > 100);
    }
}
