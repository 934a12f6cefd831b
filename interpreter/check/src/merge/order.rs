//! Which layer knows of which. A stack of variants is a set: nothing depends on the order in which they are named, only
//! on what lies below what.

use std::cmp::Ordering;

use crate::project::Layer;
use crate::project::manifest::VariantManifest;

/// How one layer stands to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Same,
    /// It was written with the other in sight: a game knows its library, a variant its game and those that its `needs`
    /// and `after` name.
    Above,
    Below,
    /// Two variants, neither of which knows of the other.
    Beside,
}

/// The layers of a project.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// For each variant those that it comes after, through others, too.
    after: Vec<Vec<bool>>,
}

impl Order {
    /// Of variants in the order of their stack, each behind those that it comes after.
    pub fn new(variants: &[VariantManifest]) -> Self {
        let mut after: Vec<Vec<bool>> = Vec::new();
        for variant in variants {
            let mut below = vec![false; variants.len()];
            for (place, earlier) in after.iter().enumerate() {
                if variant.beneath().any(|name| *name == variants[place].name) {
                    below[place] = true;
                    below.iter_mut().zip(earlier).for_each(|(mine, its)| *mine |= its);
                }
            }
            after.push(below);
        }
        Self { after }
    }

    /// How `one` stands to `other`.
    pub fn of(&self, one: Layer, other: Layer) -> Standing {
        if let (Layer::Variant(a), Layer::Variant(b)) = (one, other)
            && a != b
        {
            let knows =
                |x: usize, y: usize| self.after.get(x).is_some_and(|below| below.get(y) == Some(&true));
            return match (knows(a, b), knows(b, a)) {
                (true, _) => Standing::Above,
                (_, true) => Standing::Below,
                (false, false) => Standing::Beside,
            };
        }
        match one.cmp(&other) {
            Ordering::Equal => Standing::Same,
            Ordering::Greater => Standing::Above,
            Ordering::Less => Standing::Below,
        }
    }
}
