//! The episodes of a run: a long one from reset, and short ones from distant states.

use super::{Drive, Random};
use crate::error::Result;
use crate::verify::interface::ParamsOf;

/// A part of a run.
#[derive(Debug, Clone)]
pub struct Episode<M> {
    /// The golden model in the state that the part starts from.
    pub model: M,
    /// How long it goes on.
    pub cycles: u64,
}

/// The parts of a run of `cycles`: from reset, and, for a unit that has states far from it (a
/// 32-bit counter at its limit), a quarter of the cycles or less from such states.
///
/// # Errors
/// [`Error::Golden`](crate::Error::Golden).
pub fn episodes<U: Drive>(
    params: &ParamsOf<U>,
    seed: u64,
    cycles: u64,
) -> Result<Vec<Episode<U::Model>>> {
    let mut random = Random::new(seed);
    let (fewest, most) = U::far_cycles(params);
    let starts = U::FAR_STARTS.min(cycles / (4 * fewest.max(1)));
    let each = most.min(cycles / (4 * starts.max(1)));
    let far = (0..starts)
        .filter(|_| each > 0)
        .filter_map(|_| U::far(params, &mut random))
        .map(|model| Episode {
            model,
            cycles: each,
        });
    let far: Vec<_> = far.collect();
    let reset = Episode {
        model: U::model(params)?,
        cycles: cycles - each * far.len() as u64,
    };
    Ok(std::iter::once(reset).chain(far).collect())
}
