//! Dice of one sort, as they are typed: `d6`, `2d6`.

use std::fmt;
use std::str::FromStr;

use blazon_kernel::chance::Stream;

/// Dice of one sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice {
    count: u32,
    sides: u32,
}

impl FromStr for Dice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let dice = text.split_once('d').and_then(|(count, sides)| {
            let count = if count.is_empty() { 1 } else { count.parse().ok()? };
            Some(Self { count, sides: sides.parse().ok()? })
        });
        dice.filter(|dice| (1..=24).contains(&dice.count) && (2..=1000).contains(&dice.sides))
            .ok_or_else(|| "write dice as `d6` or `2d6`".to_owned())
    }
}

impl Dice {
    /// The sum of a throw.
    pub fn roll(self, stream: &mut Stream) -> i64 {
        (0..self.count).map(|_| stream.below(self.sides as usize) as i64 + 1).sum()
    }
}

impl fmt::Display for Dice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count {
            1 => write!(f, "d{}", self.sides),
            count => write!(f, "{count}d{}", self.sides),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_read() {
        assert_eq!("d6".parse(), Ok(Dice { count: 1, sides: 6 }));
        assert_eq!("3d10".parse::<Dice>().map(|dice| dice.to_string()), Ok("3d10".to_owned()));
        for wrong in ["", "6", "d", "d1", "0d6", "25d6", "d1001", "dd6", "-1d6"] {
            assert!(wrong.parse::<Dice>().is_err(), "{wrong}");
        }
    }
}
