//! The misses of one kernel with every subset of its co-runners.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::shapley::{Shapley, MAX_PLAYERS};
use crate::model::ParamError;

/// The misses of one kernel beside every coalition of its co-runners: who is to blame, known
/// rather than estimated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coalitions {
    /// The KID of the kernel whose misses these are.
    pub kernel: usize,
    /// The KIDs of the co-runners; bit i of a coalition is the i-th of them.
    pub others: Vec<usize>,
    /// Misses by coalition, from none of the others to all of them.
    pub misses: Vec<u64>,
}

impl Coalitions {
    /// Measures them on all cores: `misses` gives the misses of `kernel` when the kernels of a
    /// mask by KID are present, of which it is always one.
    ///
    /// # Errors
    /// [`ParamError`] for a kernel above `kernels` or more than [`MAX_PLAYERS`] co-runners, as the
    /// caller's error; or what `misses` fails with.
    pub fn of<E: From<ParamError> + Send>(
        kernels: usize,
        kernel: usize,
        misses: impl Fn(u64) -> Result<u64, E> + Sync,
    ) -> Result<Self, E> {
        let most = MAX_PLAYERS as u64 + 1;
        ParamError::range("kernels", kernels as u64, 1, most)?;
        ParamError::range("kernel", kernel as u64, 0, kernels as u64 - 1)?;
        let others: Vec<usize> = (0..kernels).filter(|&kid| kid != kernel).collect();
        let present = |coalition: u64| {
            let members = others.iter().enumerate();
            members.fold(1 << kernel, |mask, (bit, &kid)| {
                mask | (coalition >> bit & 1) << kid
            })
        };
        let coalitions: Vec<u64> = (0..1u64 << others.len()).collect();
        let measured = coalitions.into_par_iter().map(|c| misses(present(c)));
        Ok(Self {
            kernel,
            misses: measured.collect::<Result<_, E>>()?,
            others,
        })
    }

    /// What a coalition costs the kernel: its misses beyond those it has alone. Negative if it
    /// saves some.
    ///
    /// # Panics
    /// If there is no such coalition.
    pub fn extra(&self, coalition: u64) -> i64 {
        self.misses[coalition as usize] as i64 - self.misses[0] as i64
    }

    /// What all of them together cost.
    pub fn extra_of_all(&self) -> i64 {
        self.extra(self.misses.len() as u64 - 1)
    }

    /// Each co-runner's part of [`extra_of_all`](Self::extra_of_all), in the order of `others`.
    pub fn shapley(&self) -> Shapley {
        // As many as `of` has checked.
        let shapley = Shapley::of(self.others.len(), |coalition| self.extra(coalition));
        shapley.unwrap_or(Shapley { values: vec![] })
    }

    /// Whether no additional kernel ever saves misses.
    ///
    /// It holds for the same streams through an LRU cache unless lines are shared: between two
    /// accesses to a line there are only more other lines.
    pub fn monotone(&self) -> bool {
        let joins = |coalition: usize| {
            (0..self.others.len())
                .map(move |bit| coalition | 1 << bit)
                .all(|joined| self.misses[joined] >= self.misses[coalition])
        };
        (0..self.misses.len()).all(joins)
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: which bit is which kernel is easily mixed up, above all when the kernel itself
    //! stands between its co-runners; an error in one coalition is an error of the whole.
    use super::*;

    #[test]
    fn masks_by_hand() {
        // Kernel 1 of 3: kernel 0 costs 5, kernel 2 costs 7, nobody 100.
        let misses = |present: u64| -> Result<u64, ParamError> {
            assert_eq!(present & 2, 2, "it is always there");
            Ok(100 + 5 * (present & 1) + 7 * (present >> 2))
        };
        let coalitions = Coalitions::of(3, 1, misses).unwrap();
        assert_eq!(coalitions.others, [0, 2]);
        assert_eq!(coalitions.misses, [100, 105, 107, 112]);
        assert_eq!(coalitions.shapley().values, [5.0, 7.0]);
        assert_eq!(coalitions.extra_of_all(), 12);
        assert!(coalitions.monotone());
    }

    #[test]
    fn one_who_saves_is_seen() {
        let misses = |present: u64| Ok::<_, ParamError>(if present == 0b101 { 9 } else { 10 });
        let coalitions = Coalitions::of(3, 0, misses).unwrap();
        assert!(!coalitions.monotone());
        assert_eq!(coalitions.extra(0b10), -1);
    }

    #[test]
    fn errors_come_through() {
        let failing = |present: u64| match present {
            0b111 => Err(ParamError::range("this", 1, 2, 3).unwrap_err()),
            _ => Ok(0),
        };
        let error = Coalitions::of(3, 0, failing).unwrap_err();
        assert!(error.to_string().starts_with("this is 1"));
        let fine = |_| Ok::<_, ParamError>(0);
        assert!(Coalitions::of(3, 3, fine).is_err());
        assert!(Coalitions::of(0, 0, fine).is_err());
        assert!(Coalitions::of(MAX_PLAYERS + 2, 0, fine).is_err());
        // Alone there is one coalition, without anyone.
        let alone = Coalitions::of(1, 0, |_| Ok::<_, ParamError>(4)).unwrap();
        assert_eq!((alone.misses.len(), alone.shapley().shares()), (1, None));
    }
}
