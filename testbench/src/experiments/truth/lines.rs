//! The truth about single misses: beside which coalitions an access misses, by replays of all of
//! them together, and whether the one pass of exact attribution says the same of each.

use std::collections::BTreeMap;

use cotenant_golden::llc::exact::{Exact, Use};
use cotenant_golden::metrics::Shapley;
use cotenant_golden::workload::stream::Stream;
use cotenant_golden::ParamError;
use serde::{Deserialize, Serialize};

/// The accesses of the kernel under analysis (KUA), one by one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Lines {
    /// Accesses that miss beside some coalition, by the coalitions beside which they do: bit `c` of
    /// the number is coalition `c` of [`Coalitions`](cotenant_golden::metrics::Coalitions).
    pub missed: BTreeMap<u64, u64>,
    /// Accesses that the one pass does not divide as these replays do; 0.
    pub differ: u64,
}

/// What the replays say of an access that misses beside these coalitions: each kernel's parts.
fn parts(missed: u64, (kua, kernels): (usize, usize), unit: u64) -> Result<Vec<i64>, ParamError> {
    let miss = |coalition: u64| (missed >> coalition & 1) as i64;
    let Shapley { values } = Shapley::of(kernels - 1, |c| miss(c) - miss(0))?;
    let parts = values.into_iter().map(|part| part * unit as f64);
    let mut parts: Vec<i64> = parts.map(|part| part.round() as i64).collect();
    parts.insert(kua, miss(0) * unit as i64);
    Ok(parts)
}

/// What the one pass says.
fn charged(used: Use, exact: &Exact, kua: usize, unit: u64) -> Vec<i64> {
    let others = exact.blamed();
    let mut parts = vec![0; others.len()];
    if used == Use::Contention {
        parts = others.iter().map(|&part| part as i64).collect();
    }
    parts.insert(kua, if used == Use::Own { unit as i64 } else { 0 });
    parts
}

impl Lines {
    /// Of the KUA's accesses in a stream.
    ///
    /// # Errors
    /// [`ParamError`] for a kernel that the cache has not, or too many.
    pub fn of(stream: &Stream, kua: usize) -> Result<Self, ParamError> {
        Self::compared(stream, kua, &charged)
    }

    fn compared(
        stream: &Stream,
        kua: usize,
        charged: &dyn Fn(Use, &Exact, usize, u64) -> Vec<i64>,
    ) -> Result<Self, ParamError> {
        let geometry = stream.geometry();
        let kernels = geometry.kernels;
        let mut exact = Exact::new(kernels, geometry.sets, geometry.ways)?;
        let unit = exact.attribution().unit;
        let mut told: BTreeMap<u64, Vec<i64>> = BTreeMap::new();
        let mut found = Self::default();
        let mut failed = None;
        stream.misses_beside(kua, &mut |access, missed| {
            let (set, tag) = (
                geometry.set_of(access.address),
                geometry.tag_of(access.address),
            );
            let used = exact.access(access.kernel.into(), set, tag);
            let Some(missed) = missed else { return };
            if missed > 0 {
                *found.missed.entry(missed).or_default() += 1;
            }
            let truth = told.entry(missed).or_insert_with(|| {
                let parts = parts(missed, (kua, kernels), unit);
                parts.unwrap_or_else(|error| {
                    failed = Some(error);
                    vec![]
                })
            });
            found.differ += u64::from(*truth != charged(used, &exact, kua, unit));
        })?;
        failed.map_or(Ok(found), Err)
    }

    /// The contention misses: beside all co-runners, not alone.
    pub fn contention(&self, co_runners: usize) -> impl Iterator<Item = (Game, u64)> + '_ {
        let all = (1u64 << co_runners) - 1;
        let missed = self.missed.iter();
        let contention =
            missed.filter(move |(&missed, _)| missed & 1 == 0 && missed >> all & 1 == 1);
        contention.map(move |(&missed, &count)| (Game::of(missed, co_runners), count))
    }
}

/// Who a contention miss depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Game {
    /// Co-runners in the smallest coalition that causes it.
    pub needed: u32,
    /// Co-runners each of whom, left out alone, would have kept the line.
    pub indispensable: u32,
}

impl Game {
    fn of(missed: u64, co_runners: usize) -> Self {
        let coalitions = 0..1u64 << co_runners;
        let causing = coalitions.filter(|coalition| missed >> coalition & 1 == 1);
        let all = (1u64 << co_runners) - 1;
        let without = |bit: &usize| missed >> (all & !(1 << bit)) & 1 == 0;
        Self {
            needed: causing.map(u64::count_ones).min().unwrap_or(0),
            indispensable: (0..co_runners).filter(without).count() as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    //! Rationale: each miss, not only their sum, must be divided as the replays say; a pass that
    //! gives a part to the wrong kernel now and then, so that the sums stay right, must be seen.
    use super::*;
    use cotenant_golden::llc::cache::Geometry;
    use cotenant_golden::workload::scenario::Scenario;
    use cotenant_golden::workload::{Access, Op};
    use std::cell::Cell;

    /// Two ways, three kernels, one set.
    fn small(accesses: &[(u8, u64)]) -> Stream {
        let mut stream = Stream::new(Geometry {
            sets: 1,
            ways: 2,
            line: 128,
            kernels: 3,
            banks: 1,
        })
        .unwrap();
        for &(kernel, line) in accesses {
            let address = 128 * (100 * u64::from(kernel) + line);
            stream
                .push(&Access::at(kernel, Op::Read, address, 128))
                .unwrap();
        }
        stream
    }

    #[test]
    fn by_hand() {
        // Both are needed; then kernel 2 alone has done it.
        let stream = small(&[(0, 0), (1, 0), (2, 0), (0, 0), (2, 1), (2, 2), (0, 0)]);
        let found = Lines::of(&stream, 0).unwrap();
        let expected = [(0b1111, 1), (0b1000, 1), (0b1100, 1)];
        assert_eq!(found.missed, expected.into_iter().collect());
        assert_eq!(found.differ, 0);
        let games: Vec<(Game, u64)> = found.contention(2).collect();
        let game = |needed, indispensable| Game {
            needed,
            indispensable,
        };
        assert_eq!(games, [(game(2, 2), 1), (game(1, 1), 1)]);
        // Either of them would do.
        assert_eq!(Game::of(0b1110, 2), game(1, 0));
        assert_eq!(parts(0b1110, (0, 3), 2).unwrap(), [0, 1, 1]);
        assert_eq!(parts(0b1100, (1, 3), 2).unwrap(), [0, 0, 2]);
        assert_eq!(parts(0b1111, (1, 3), 2).unwrap(), [0, 2, 0]);
    }

    #[test]
    fn parts_that_change_places_between_misses_are_seen() {
        let mut gpu = Scenario::named("small-cache").unwrap().gpu().unwrap();
        let stream = Stream::record(&mut gpu, 30_000, &mut |_| true).unwrap();
        let right = Lines::of(&stream, 0).unwrap();
        assert_eq!(right.differ, 0);
        assert!(right.contention(2).map(|(_, count)| count).sum::<u64>() > 100);
        // A part moves, and the next time it moves back.
        let owed = Cell::new(0);
        let wrong = Lines::compared(&stream, 0, &|used, exact, kua, unit| {
            let mut parts = charged(used, exact, kua, unit);
            if used == Use::Contention {
                let moved = if owed.get() == 0 { 1 } else { -1 };
                owed.set(owed.get() + moved);
                parts[1] += moved;
                parts[2] -= moved;
            }
            parts
        });
        assert!(wrong.unwrap().differ > 100);
    }
}
