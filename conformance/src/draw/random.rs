//! The source of chance.

use hookproof_model::kernel::Millis;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A source of chance that a seed determines, on every machine.
#[derive(Debug, Clone)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// The source of one place under a seed.
    #[must_use]
    pub fn new(seed: u64, index: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(index);
        Self(random)
    }

    /// A number below `bound`; zero if that is zero.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { self.0.random_range(0..bound) }
    }

    /// Whether something happens that does so in `percent` of cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub fn pick<T: Copy + Default>(&mut self, of: &[T]) -> T {
        let place = self.below(of.len());
        of.get(place).copied().unwrap_or_default()
    }

    /// One of these, the heavier the likelier.
    pub fn weighted<T: Copy + Default>(&mut self, of: &[(usize, T)]) -> T {
        let mut place = self.below(of.iter().map(|(weight, _)| weight).sum());
        for (weight, item) in of {
            if place < *weight {
                return *item;
            }
            place -= weight;
        }
        T::default()
    }

    /// How long a hook takes that has `left` to answer. Without a bound that matters it is short.
    pub fn after(&mut self, left: Millis) -> Millis {
        let Millis(left) = left;
        let within = |random: &mut Self, bound: u64| random.0.random_range(0..=bound);
        Millis(match self.below(100) {
            0..40 => 0,
            40..62 => within(self, (left / 2).min(400)),
            62..70 => left.saturating_sub(1),
            70..78 => left,
            78..86 => left.saturating_add(1),
            86..90 => 1,
            _ => within(self, left.saturating_add(left / 3)),
        })
    }
}
