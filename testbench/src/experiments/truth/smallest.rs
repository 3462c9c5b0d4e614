//! The shortest access streams for which one of the monitors names the wrong co-runner.
//!
//! A monitor is wrong about two co-runners if, of the extra misses of kernel 0, one of them costs
//! strictly more by Shapley's value and strictly less by the monitor's events; it is right if
//! strictly more by both. A stream is shown where one monitor is wrong and the other right. All
//! streams of one set are tried, shortest first, up to renaming: kernels have lines of their own,
//! numbered in the order of their first access, and kernel 1 comes before kernel 2. So what is
//! found is a shortest one, and where nothing is found there is none of that length.

use cotenant_golden::llc::cache::Geometry;
use cotenant_golden::metrics::Shapley;
use cotenant_golden::workload::stream::Stream;
use cotenant_golden::workload::{Access, Op};
use cotenant_golden::ParamError;
use serde::Serialize;

use crate::experiments::on_all_cores;

/// Kernel 0 is under test, beside two co-runners: fewer cannot be ranked.
const KERNELS: usize = 3;
/// Ways of the caches that are tried.
pub const WAYS: [usize; 3] = [2, 3, 4];
/// Accesses of a stream, at most: there are 160 million of one more.
pub const LONGEST: usize = 8;
/// Bytes of a line.
const LINE: u64 = 128;

/// Which monitor is wrong, while the other is right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Wrong {
    /// GDC.
    Gdc,
    /// PLOB.
    Plob,
}

/// A shortest stream.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Smallest {
    /// Who is wrong.
    pub wrong: Wrong,
    /// Ways of the only set.
    pub ways: usize,
    /// Accesses that were tried, at most.
    pub longest: usize,
    /// Kernel and line of each access; null if there is no such stream.
    pub accesses: Option<Vec<(u8, u8)>>,
    /// Extra misses by Shapley's value, of kernels 1 and 2.
    pub shapley: Vec<f64>,
    /// Demotions of lines of kernel 0, by kernels 1 and 2.
    pub gdc: Vec<u64>,
    /// Evictions of lines of kernel 0, by kernels 1 and 2.
    pub plob: Vec<u64>,
}

/// A cache of one set: kernel and line, most recently used first.
#[derive(Debug, Clone, Copy, Default)]
struct Set {
    lines: [(u8, u8); 4],
    used: usize,
}

impl Set {
    /// Whether it missed; `pushed` is told each line's kernel that the access demotes, and
    /// whether it left the cache.
    fn access(&mut self, line: (u8, u8), ways: usize, mut pushed: impl FnMut(u8, bool)) -> bool {
        let found = self.lines[..self.used]
            .iter()
            .position(|held| *held == line);
        let miss = found.is_none();
        for place in 0..found.unwrap_or(self.used) {
            pushed(self.lines[place].0, miss && place == ways - 1);
        }
        if miss && self.used < ways {
            self.used += 1;
        }
        let end = found.unwrap_or(self.used - 1);
        self.lines.copy_within(0..end, 1);
        self.lines[0] = line;
        miss
    }
}

/// How far a stream has come, with every coalition of kernels 1 and 2.
#[derive(Debug, Clone, Copy, Default)]
struct Reached {
    sets: [Set; 4],
    /// Misses of kernel 0, by coalition.
    misses: [i32; 4],
    /// Demotions of lines of kernel 0 by kernels 1 and 2, with both there.
    gdc: [i32; 2],
    /// Evictions, likewise.
    plob: [i32; 2],
    /// Lines of each kernel that have been accessed.
    lines: [u8; KERNELS],
}

impl Reached {
    fn access(&self, (kernel, line): (u8, u8), ways: usize) -> Self {
        let mut next = *self;
        let own = kernel == 0;
        for coalition in 0..4 {
            if !own && coalition >> (kernel - 1) & 1 == 0 {
                continue;
            }
            let set = &mut next.sets[coalition];
            let miss = match coalition {
                3 if !own => {
                    let other = usize::from(kernel - 1);
                    let (gdc, plob) = (&mut next.gdc[other], &mut next.plob[other]);
                    set.access((kernel, line), ways, |victim, left| {
                        if victim == 0 {
                            *gdc += 1;
                            *plob += i32::from(left);
                        }
                    })
                }
                _ => set.access((kernel, line), ways, |_, _| {}),
            };
            next.misses[coalition] += i32::from(own && miss);
        }
        let lines = &mut next.lines[usize::from(kernel)];
        *lines = (*lines).max(line + 1);
        next
    }

    /// Twice what kernel 1 costs more than kernel 2, by Shapley's value: with two players that is
    /// the difference of what each costs alone.
    fn difference(&self) -> i32 {
        2 * (self.misses[1] - self.misses[2])
    }

    fn shows(&self, wrong: Wrong) -> bool {
        let truth = self.difference().signum();
        let verdict = |events: [i32; 2]| truth * (events[0] - events[1]).signum();
        let (gdc, plob) = (verdict(self.gdc), verdict(self.plob));
        match wrong {
            Wrong::Gdc => gdc < 0 && plob > 0,
            Wrong::Plob => plob < 0 && gdc > 0,
        }
    }

    /// What may come next, up to renaming.
    fn choices(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        let open = |kernel: &u8| *kernel < 2 || self.lines[1] > 0;
        (0..KERNELS as u8).filter(open).flat_map(|kernel| {
            let lines = 0..=self.lines[usize::from(kernel)];
            lines.map(move |line| (kernel, line))
        })
    }
}

/// The first stream of `left` more accesses that shows it.
fn search(
    reached: &Reached,
    left: usize,
    (wrong, ways): (Wrong, usize),
    stream: &mut Vec<(u8, u8)>,
) -> bool {
    if left == 0 {
        return reached.shows(wrong);
    }
    for choice in reached.choices() {
        stream.push(choice);
        if search(
            &reached.access(choice, ways),
            left - 1,
            (wrong, ways),
            stream,
        ) {
            return true;
        }
        stream.pop();
    }
    false
}

/// A shortest stream of up to `longest` accesses.
fn shortest(wrong: Wrong, ways: usize, longest: usize) -> Option<Vec<(u8, u8)>> {
    (1..=longest).find_map(|length| {
        let mut stream = vec![];
        search(&Reached::default(), length, (wrong, ways), &mut stream).then_some(stream)
    })
}

/// The accesses as a stream for caches of one set, each line an address of its own.
pub fn stream(accesses: &[(u8, u8)], ways: usize) -> Result<Stream, ParamError> {
    let mut stream = Stream::new(Geometry {
        sets: 1,
        ways,
        line: LINE,
        kernels: KERNELS,
        banks: 1,
    })?;
    for &(kernel, line) in accesses {
        let address = u64::from(kernel) * 0x1000 + u64::from(line) * LINE;
        // There are three kernels.
        let _ = stream.push(&Access::at(kernel, Op::Read, address, LINE));
    }
    Ok(stream)
}

/// The shortest streams by which GDC, and by which PLOB, is wrong alone. What they show is
/// computed by the golden cache and its coalitions, not by the search.
///
/// # Errors
/// [`ParamError`] should a golden model refuse its parameters.
pub fn smallest(longest: usize) -> Result<Vec<Smallest>, ParamError> {
    let cases: Vec<_> = [Wrong::Gdc, Wrong::Plob]
        .into_iter()
        .flat_map(|wrong| WAYS.map(|ways| (wrong, ways)))
        .collect();
    let found = on_all_cores(&cases, |&(wrong, ways)| -> Result<Smallest, ParamError> {
        let accesses = shortest(wrong, ways, longest);
        let mut smallest = Smallest {
            wrong,
            ways,
            longest,
            accesses,
            shapley: vec![],
            gdc: vec![],
            plob: vec![],
        };
        if let Some(accesses) = &smallest.accesses {
            let stream = stream(accesses, ways)?;
            let counts = stream.replay(u64::MAX);
            let Shapley { values } = stream.coalitions(0)?.shapley();
            smallest.shapley = values;
            smallest.gdc = counts.gdc[0][1..].to_vec();
            smallest.plob = counts.ike[0][1..].to_vec();
        }
        Ok(smallest)
    });
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    //! Rationale: the search has a cache of its own, so what it finds is judged by the golden
    //! one: it must contradict, and no shorter stream may. A stream worked out by hand bounds
    //! the length from above.
    use super::*;

    /// Above 0 if the events rank as the truth does, below if against it.
    fn verdict(shapley: &[f64], events: &[u64]) -> f64 {
        (shapley[0] - shapley[1]) * (events[0] as f64 - events[1] as f64)
    }

    #[test]
    fn what_is_found_is_wrong_and_shortest() {
        // By hand, two ways: kernel 1 pushes kernel 0's line down twice and does no harm; kernel 2
        // finds it there, and would have evicted it alone.
        let by_hand = [(0, 0), (1, 0), (0, 0), (1, 0), (2, 0), (2, 1), (0, 0)];
        let found = smallest(by_hand.len()).unwrap();
        for case in &found {
            let Some(accesses) = &case.accesses else {
                continue;
            };
            let verdicts = [&case.gdc, &case.plob].map(|events| verdict(&case.shapley, events));
            let (wrong, right) = match case.wrong {
                Wrong::Gdc => (verdicts[0], verdicts[1]),
                Wrong::Plob => (verdicts[1], verdicts[0]),
            };
            assert!(wrong < 0.0 && right > 0.0, "{case:?}");
            assert_eq!(shortest(case.wrong, case.ways, accesses.len() - 1), None);
        }
        let gdc = found
            .iter()
            .find(|case| (case.wrong, case.ways) == (Wrong::Gdc, 2));
        assert!(gdc.unwrap().accesses.as_ref().unwrap().len() <= by_hand.len());
    }

    #[test]
    fn the_search_counts_as_the_golden_cache_does() {
        // All streams of five accesses to two ways.
        fn all(reached: &Reached, left: usize, accesses: &mut Vec<(u8, u8)>) {
            if left > 0 {
                for choice in reached.choices() {
                    accesses.push(choice);
                    all(&reached.access(choice, 2), left - 1, accesses);
                    accesses.pop();
                }
                return;
            }
            let stream = stream(accesses, 2).unwrap();
            let counts = stream.replay(u64::MAX);
            let numbers =
                |counts: &[u64]| -> Vec<i32> { counts.iter().map(|&count| count as i32).collect() };
            assert_eq!(numbers(&counts.gdc[0][1..]), reached.gdc);
            assert_eq!(numbers(&counts.ike[0][1..]), reached.plob);
            let coalitions = stream.coalitions(0).unwrap();
            assert_eq!(numbers(&coalitions.misses), reached.misses);
            let values = coalitions.shapley().values;
            assert_eq!(
                2.0 * (values[0] - values[1]),
                f64::from(reached.difference())
            );
        }
        all(&Reached::default(), 5, &mut vec![]);
    }
}
