//! Sets as bits in words: bit i of word i / 64 stands for thing i.

/// The words that a set over `things` things takes.
pub fn words_for(things: usize) -> usize {
    things.div_ceil(64)
}

/// Whether a thing is in; one that lies outside is not.
#[inline]
pub fn has(set: &[u64], thing: usize) -> bool {
    set.get(thing >> 6).is_some_and(|word| word >> (thing & 63) & 1 != 0)
}

/// Adds a thing; says whether it fits into the words.
#[inline]
pub fn insert(set: &mut [u64], thing: usize) -> bool {
    match set.get_mut(thing >> 6) {
        Some(word) => {
            *word |= 1 << (thing & 63);
            true
        }
        None => false,
    }
}

/// Takes a thing out; says whether it fits into the words.
#[inline]
pub fn remove(set: &mut [u64], thing: usize) -> bool {
    match set.get_mut(thing >> 6) {
        Some(word) => {
            *word &= !(1 << (thing & 63));
            true
        }
        None => false,
    }
}

/// How many things are in.
#[inline]
pub fn count(set: &[u64]) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

/// Whether nothing is in.
#[inline]
pub fn is_empty(set: &[u64]) -> bool {
    set.iter().all(|&word| word == 0)
}

/// The place of the first word in which there is anything. Four words are looked at together: the front of a large set is
/// often empty, as while its things are taken out one after another.
#[inline]
fn first_word(set: &[u64]) -> Option<usize> {
    let (fours, _) = set.as_chunks::<4>();
    let empty = fours.iter().take_while(|four| four[0] | four[1] | four[2] | four[3] == 0).count() * 4;
    set[empty..].iter().position(|&word| word != 0).map(|place| empty + place)
}

/// The first thing.
#[inline]
pub fn first(set: &[u64]) -> Option<usize> {
    first_word(set).map(|i| i * 64 + set[i].trailing_zeros() as usize)
}

/// Takes the first thing out.
#[inline]
pub fn take_first(set: &mut [u64]) -> Option<usize> {
    let place = first_word(set)?;
    let word = &mut set[place];
    let bit = word.trailing_zeros() as usize;
    *word &= *word - 1;
    Some(place * 64 + bit)
}

/// The things in ascending order.
pub fn iter(set: &[u64]) -> impl Iterator<Item = usize> + '_ {
    set.iter().enumerate().flat_map(|(i, &word)| {
        std::iter::successors((word != 0).then_some(word), |rest| {
            let rest = rest & (rest - 1);
            (rest != 0).then_some(rest)
        })
        .map(move |rest| i * 64 + rest.trailing_zeros() as usize)
    })
}

/// The set of all of so many things.
pub fn full(things: usize) -> Vec<u64> {
    let mut set = vec![u64::MAX; words_for(things)];
    if let (Some(last), true) = (set.last_mut(), !things.is_multiple_of(64)) {
        *last = (1 << (things % 64)) - 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_seventy() {
        let mut set = vec![0; words_for(70)];
        assert_eq!(set.len(), 2);
        assert!(is_empty(&set) && first(&set).is_none());
        for thing in [69, 3, 64] {
            assert!(insert(&mut set, thing));
        }
        assert!(!insert(&mut set, 128));
        assert_eq!(iter(&set).collect::<Vec<_>>(), [3, 64, 69]);
        assert!(has(&set, 64) && !has(&set, 65) && !has(&set, 1000));
        assert!(remove(&mut set, 64));
        assert_eq!(count(&set), 2);
        assert_eq!(first(&set), Some(3));
        assert_eq!(
            (take_first(&mut set), take_first(&mut set), take_first(&mut set)),
            (Some(3), Some(69), None)
        );
        assert_eq!(full(64), [u64::MAX]);
        assert_eq!(full(66), [u64::MAX, 3]);
        assert!(full(0).is_empty());
    }

    #[test]
    fn the_first_of_a_set_of_any_length() {
        for words in 0..12 {
            let mut set = vec![0; words];
            assert_eq!((first(&set), take_first(&mut set)), (None, None));
            let things: Vec<usize> = (0..words).map(|place| place * 64 + place * 5).collect();
            assert!(things.iter().all(|&thing| insert(&mut set, thing)));
            for &thing in &things {
                assert_eq!((first(&set), take_first(&mut set)), (Some(thing), Some(thing)));
            }
            assert!(is_empty(&set) && take_first(&mut set).is_none());
        }
    }
}
