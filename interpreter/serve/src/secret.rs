//! Secrets: 128 random bits in the links and cookies that open a seat. The disk holds only their hashes.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use crate::problem::Problem;

/// The letters of secrets and of tables' names: none is taken for another, none needs to be escaped in a link.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// Five bits each: 130 bits.
const SECRET: usize = 26;
/// 40 bits: a name, not a secret.
const NAME: usize = 8;

/// A new secret.
pub fn new_secret() -> Result<String, Problem> {
    letters::<SECRET>()
}

/// A new name for a table.
pub fn new_name() -> Result<String, Problem> {
    letters::<NAME>()
}

/// A new seed for a game's chance.
pub fn new_seed() -> Result<u64, Problem> {
    bytes::<8>().map(u64::from_le_bytes)
}

/// What a table leaves to chance besides the dice: what bots think of, which of several look-alikes is taken.
#[derive(Debug)]
pub enum Chance {
    /// Nobody foresees it.
    System,
    /// The same whenever a table of this seed is played the same way, for tests; with how often each seat has asked.
    Fixed(u64, Mutex<BTreeMap<usize, u64>>),
}

impl Chance {
    /// Chance that follows from a seed, or that nobody foresees.
    pub fn new(seed: Option<u64>) -> Self {
        seed.map_or(Self::System, |seed| Self::Fixed(seed, Mutex::default()))
    }

    /// A number for something that a seat does. Seats have numbers of their own: those that choose at the same time may
    /// do so in any order.
    ///
    /// # Errors
    /// If the system gives no random numbers.
    pub fn number(&self, seat: usize) -> Result<u64, Problem> {
        let Self::Fixed(seed, asked) = self else { return new_seed() };
        let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
        let count = asked.entry(seat).or_default();
        *count += 1;
        let hashed = Sha256::digest(format!("{seed} {seat} {count}"));
        Ok(hashed.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte)))
    }
}

/// What is kept of a secret. It has enough bits that no salt is needed.
pub fn hash(secret: &str) -> String {
    Sha256::digest(secret.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a text could be a name of a table: then it is safe as the name of a folder.
pub fn is_name(text: &str) -> bool {
    text.len() == NAME && text.bytes().all(|byte| LETTERS.contains(&byte))
}

/// Whether a text could be a secret.
pub fn is_secret(text: &str) -> bool {
    text.len() == SECRET && text.bytes().all(|byte| LETTERS.contains(&byte))
}

fn letters<const N: usize>() -> Result<String, Problem> {
    let bytes = bytes::<N>()?;
    Ok(bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect())
}

fn bytes<const N: usize>() -> Result<[u8; N], Problem> {
    let mut bytes = [0; N];
    match getrandom::fill(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(Problem::internal(format!("the system gives no random numbers: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_differ_and_are_known_again() {
        let (one, two) = (new_secret().unwrap(), new_secret().unwrap());
        assert_ne!(one, two);
        assert!(is_secret(&one) && !is_secret(&one[1..]) && !is_secret("../../../../../../../etc/a"));
        assert_eq!(hash(&one), hash(&one));
        assert_ne!(hash(&one), hash(&two));
        assert_eq!(hash(&one).len(), 64);
    }

    #[test]
    fn chance_is_fixed_only_if_it_is_wanted() {
        let numbers = |chance: &Chance| [0, 0, 1].map(|seat| chance.number(seat).unwrap());
        let (one, two) = (Chance::new(Some(7)), Chance::new(Some(7)));
        let [first, second, other] = numbers(&one);
        assert_eq!([other, first, second], [1, 0, 0].map(|seat| two.number(seat).unwrap()));
        assert!(first != second && first != other);
        assert_ne!(numbers(&Chance::new(None)), numbers(&Chance::new(None)));
    }

    #[test]
    fn names_are_safe_as_folders() {
        assert!(is_name(&new_name().unwrap()));
        assert!(!is_name("../../ab") && !is_name("") && !is_name("ABCDEFGH"));
    }
}
