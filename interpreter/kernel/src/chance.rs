//! Keyed chance: every die and every draw comes from a key that says what it is for.
//!
//! There is no running stream: a roll that is added or left out shifts no other roll. The functions here are fixed
//! for ever, since saved games and comparisons of rules depend on them; golden tests keep them.

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64: a bijection of words in which every bit of the input moves every bit of the output.
#[inline]
pub const fn finish(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// A key from a key and a value. The order counts: `mix(mix(k, a), b)` is not `mix(mix(k, b), a)`.
#[inline]
pub const fn mix(key: u64, value: u64) -> u64 {
    finish(key.wrapping_mul(GOLDEN).wrapping_add(finish(value.wrapping_add(GOLDEN))))
}

/// A key from a text (FNV-1a, then [`finish`]).
pub const fn hash_text(text: &str) -> u64 {
    let bytes = text.as_bytes();
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        i += 1;
    }
    finish(hash ^ bytes.len() as u64)
}

/// [`hash_text`] of a text that comes piece by piece.
#[derive(Clone, Copy, Debug)]
pub struct TextHasher {
    hash: u64,
    length: u64,
}

impl Default for TextHasher {
    fn default() -> Self {
        Self { hash: 0xcbf2_9ce4_8422_2325, length: 0 }
    }
}

impl TextHasher {
    /// The next bytes of the text.
    pub fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self.length += bytes.len() as u64;
    }

    /// The key of all that was written.
    pub const fn finish(self) -> u64 {
        finish(self.hash ^ self.length)
    }
}

/// A key from words.
pub fn hash_words(words: &[u64]) -> u64 {
    words.iter().fold(finish(words.len() as u64 ^ GOLDEN), |key, &word| mix(key, word))
}

/// A number below `bound`, every one as likely as the others (Lemire's method, with rejection). 0 for a bound of 0.
#[inline]
pub fn below(key: u64, bound: u64) -> u64 {
    if bound == 0 {
        return 0;
    }
    let mut word = finish(key.wrapping_add(GOLDEN));
    let mut product = u128::from(word) * u128::from(bound);
    if (product as u64) < bound {
        let least = bound.wrapping_neg() % bound;
        while (product as u64) < least {
            word = finish(word.wrapping_add(GOLDEN));
            product = u128::from(word) * u128::from(bound);
        }
    }
    (product >> 64) as u64
}

/// A die of so many sides: 1 to `sides`.
#[inline]
pub fn die(key: u64, sides: u64) -> u64 {
    below(key, sides) + 1
}

/// What decides who is drawn: of the things that may be drawn those with the least luck are.
#[inline]
pub const fn luck(key: u64, name: u64) -> u64 {
    mix(key, name)
}

/// A stream of keys, for those who need many (bots, tests); games themselves never use one.
#[derive(Clone, Debug)]
pub struct Stream {
    state: u64,
}

impl Stream {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: finish(seed ^ GOLDEN) }
    }

    /// The next word.
    #[inline]
    pub fn word(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        finish(self.state)
    }

    /// The next number below `bound`.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        below(self.word(), bound as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These values may never change: saved games rest on them. They were computed by a second program.
    #[test]
    fn golden_keys() {
        assert_eq!(finish(1), 0x5692_161d_100b_05e5);
        assert_eq!(mix(0, 0), GOLDEN_MIX[0]);
        assert_eq!(mix(1, 2), GOLDEN_MIX[1]);
        assert_eq!(mix(2, 1), GOLDEN_MIX[2]);
        assert_eq!(hash_text(""), GOLDEN_MIX[3]);
        assert_eq!(hash_text("York"), GOLDEN_MIX[4]);
        assert_eq!(hash_words(&[1, 2, 3]), GOLDEN_MIX[5]);
        let mut pieces = TextHasher::default();
        pieces.write(b"Yo");
        pieces.write(b"rk");
        assert_eq!(pieces.finish(), hash_text("York"));
    }

    const GOLDEN_MIX: [u64; 6] = [
        0x4821_8226_ff3c_d4bf,
        0x6468_4c4f_0fd7_84b4,
        0xf18d_6ce9_3d6c_f1ee,
        0xf52a_15e9_a9b5_e89b,
        0x5961_05d4_69e0_bdb9,
        0x1d67_3bce_484e_9088,
    ];

    #[test]
    fn golden_dice() {
        let rolls = |sides| (0..24).map(|i| die(mix(7, i), sides).to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(rolls(6), "2 5 3 6 3 3 2 5 2 1 3 4 6 4 3 4 5 5 6 1 4 4 4 2");
        assert_eq!(rolls(20), "7 16 8 19 10 8 6 14 7 3 10 14 18 12 8 14 17 16 19 2 11 11 11 6");
        assert_eq!(
            rolls(255),
            "81 203 98 231 127 95 75 178 79 31 124 169 223 151 95 169 205 197 238 21 132 134 139 73"
        );
        let mut stream = Stream::new(1);
        assert_eq!((stream.below(100), stream.below(100), stream.below(100)), (98, 52, 92));
    }

    #[test]
    fn dice_are_fair() {
        for sides in [2u64, 3, 6, 7, 10, 100, 255] {
            let throws = 20_000 * sides;
            let mut seen = vec![0u64; sides as usize + 1];
            for i in 0..throws {
                seen[die(mix(42, i), sides) as usize] += 1;
            }
            assert_eq!(seen[0], 0);
            let chi: f64 = seen[1..].iter().map(|&n| (n as f64 - 20_000.0).powi(2) / 20_000.0).sum();
            let freedom = (sides - 1) as f64;
            assert!(chi < freedom + 5.0 * (2.0 * freedom).sqrt() + 5.0, "{sides} sides: {chi}");
        }
    }

    #[test]
    fn bounds_at_the_edge() {
        assert_eq!(below(5, 0), 0);
        assert_eq!(below(5, 1), 0);
        for i in 0..1000 {
            assert!(below(i, u64::MAX) < u64::MAX);
            assert!(below(i, (1 << 63) + 1) <= 1 << 63);
        }
    }

    /// What is drawn stays drawn when the deck around it changes.
    #[test]
    fn draws_do_not_shift() {
        let names: Vec<u64> = (0..20).map(|i| hash_text(&format!("card {i}"))).collect();
        let least = |among: &[u64]| among.iter().copied().min_by_key(|&n| luck(99, n));
        let drawn = least(&names);
        let fewer: Vec<u64> = names.iter().copied().filter(|&n| Some(n) == drawn || n % 2 == 0).collect();
        assert_eq!(least(&fewer), drawn);
    }
}
