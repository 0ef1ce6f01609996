//! Drawing scripts: the same seed draws the same scripts.
//!
//! Times lean on the boundaries: nothing, one, what is left of a budget or deadline, one less, one
//! more, never. So do values: empty ones, null, non-ASCII text, numbers written in two ways.

mod matrices;
mod random;
mod values;
mod voiceos;

use hookproof_model::Dialect;
use hookproof_model::script::Script;

pub use random::Random;

/// The script that a run with this seed draws at this place. Dialects take turns.
#[must_use]
pub fn fresh(seed: u64, index: u64) -> Script {
    let mut random = Random::new(seed, index);
    let dialect = if index.is_multiple_of(2) { Dialect::Voiceos } else { Dialect::Matrices };
    let size = random.below(5);
    script(&mut random, dialect, size)
}

/// A script of this dialect; the larger `size`, the more hooks and steps it tends to have.
#[must_use]
pub fn script(random: &mut Random, dialect: Dialect, size: usize) -> Script {
    match dialect {
        Dialect::Voiceos => Script::Voiceos(voiceos::script(random, size)),
        Dialect::Matrices => Script::Matrices(matrices::script(random, size)),
    }
}
