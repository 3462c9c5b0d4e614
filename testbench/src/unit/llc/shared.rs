//! Shared by several units of the cache: hits on valid lines, and a matrix of counters.

use std::collections::VecDeque;

use cotenant_golden::llc::counter_matrix::Answer;
use cotenant_golden::ParamError;

use crate::unit::prelude::*;

/// The position of the `nth` set bit, counted from the lowest and around; `None` if there is none.
#[inline]
pub(crate) fn nth_set(mask: u64, nth: u8) -> Option<u8> {
    let count = mask.count_ones();
    if count == 0 {
        return None;
    }
    let mut rest = mask;
    for _ in 0..u32::from(nth) % count {
        rest &= rest - 1;
    }
    Some(rest.trailing_zeros() as u8)
}

/// Where a matrix whose flops are below `path` (empty, or with a dot at its end) keeps a register.
/// Those of the read port hold half-way what the golden model has: [`working`].
pub(crate) fn probe(path: &str, register: &str, at: &[usize]) -> Probe {
    let passed = match register {
        "count[][]" => "passed",
        "shadow[][]" => "last_passed",
        "sequence_number" => return Probe::Value(format!("{path}sequence_register")),
        other => return Probe::Value(format!("{path}{}", subscripted(other, at))),
    };
    Probe::Limited {
        flop: format!("{path}{}", subscripted(register, at)),
        passed: format!("{path}{passed}[{}]", at[0]),
        bit: at[1],
    }
}

/// Registers of the read port, of which only what comes out is compared.
pub(crate) fn working(flop: &str) -> bool {
    flop == "read_from" || flop.starts_with("read_row[")
}

/// The read port of a matrix of `cnt_w` bits below `path` that is to give an answer, with the mark
/// of a counter that has saturated above it: after power-on it looks at row 0.
pub(crate) fn resumed(
    path: &str,
    cnt_w: usize,
    Answer { count, overflow }: Answer,
) -> Vec<(String, u128)> {
    let word = u128::from(count) | u128::from(overflow) << cnt_w;
    vec![(format!("{path}read_row[0]"), word)]
}

/// How far from their limit, as a power of two, counters are in a state near it.
pub(crate) const DISTANCE: usize = 6;

/// How often the running counters are read.
pub(crate) const LIVE: Odds = Odds::one_in(3);

/// A model of a unit with a matrix of counters by kernel, near their limit.
pub(crate) fn far_counters<M>(
    kernels: usize,
    cnt_w: usize,
    model: std::result::Result<M, ParamError>,
    preset: impl Fn(&mut M, usize, usize, u64),
    random: &mut Random,
) -> Option<M> {
    let mut model = model.ok()?;
    near_limit(
        (kernels, kernels),
        cnt_w,
        DISTANCE,
        random,
        |victim, aggressor, count| {
            preset(&mut model, victim, aggressor, count);
        },
    );
    Some(model)
}

/// Counters less than two to the `distance` events below their limit, some beyond it, and others
/// that are neither.
pub(crate) fn near_limit(
    (rows, kernels): (usize, usize),
    cnt_w: usize,
    distance: usize,
    random: &mut Random,
    mut preset: impl FnMut(usize, usize, u64),
) {
    for victim in 0..rows {
        for aggressor in 0..kernels {
            if random.chance(Odds::all_but_one_in(4)) {
                // One event below as often as many.
                let magnitude = random.below(distance + 1);
                let distance = random.below(1 << magnitude) as u64;
                let beyond = random.chance(Odds::one_in(8));
                preset(
                    victim,
                    aggressor,
                    match beyond {
                        true => u64::MAX,
                        false => ones(cnt_w).saturating_sub(distance),
                    },
                );
            }
        }
    }
}

/// What happened in the cycle before.
#[derive(Debug, Clone, Copy, Default)]
struct Before {
    snapshot: bool,
    /// The kernel that acted.
    kid: Option<u8>,
}

/// Where an increment takes a counter; the new period's if there is a snapshot.
pub(crate) fn limit_bin(count: u64, events: u64, most: u64) -> usize {
    match most - count {
        left if events < left => 0,
        left if events == left => 1,
        _ => 2,
    }
}

collector! {
    /// Sorts what happens to a matrix of counters by kernel: who reads what, and where increments take
    /// counters.
    pub struct Counting {
        crosses { reads, live_reads, limits }
        /// The most that a counter holds.
        most: u64,
        before: Before,
    }
}

/// A counter that is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Read {
    pub victim: u8,
    pub aggressor: u8,
    pub live: bool,
}

impl Counting {
    /// Who acted in the cycle before, seen from a kernel that acts.
    pub const BEFORE: [&'static str; 3] = ["no kernel", "the same kernel", "another kernel"];
    /// When there is a snapshot, of an access that reaches the counters some cycles later.
    pub const SNAPSHOT: [&'static str; 4] = ["neither", "as presented", "as counted", "both"];

    pub fn new(kernels: usize, cnt_w: usize) -> Self {
        let pair = |third| {
            [
                Axis::numbers("victim", kernels),
                Axis::numbers("aggressor", kernels),
                third,
            ]
        };
        let when = ["neither", "in the cycle before", "in this cycle", "in both"];
        let goes = ["stays", "increments in this cycle"];
        let limits = ["stays below its maximum", "reaches it", "exceeds it"];
        Self {
            reads: Cross::new("reads", pair(Axis::new("snapshot", when))),
            live_reads: Cross::new("live reads", pair(Axis::new("counter", goes))),
            limits: Cross::named("limits")
                .axis("counter", limits)
                .axis("victim", ["has not overflowed", "has overflowed"]),
            most: ones(cnt_w),
            before: Before::default(),
        }
    }

    /// An increment that reaches a victim's counter.
    pub fn increment(&mut self, victim: usize, count: u64, events: u64, overflowed: u64) {
        let overflowed = overflowed >> victim & 1 == 1;
        self.limits
            .hit((limit_bin(count, events, self.most), overflowed));
    }

    /// A read, of a counter that `counts` in this cycle.
    pub fn read(&mut self, read: Read, counts: bool, snapshot: bool) {
        match read.live {
            true => self.live_reads.hit((read.victim, read.aggressor, counts)),
            false => {
                let snapshots = self.snapshots(snapshot);
                self.reads.hit((read.victim, read.aggressor, snapshots));
            }
        }
    }

    /// A snapshot in the cycle before, and one in this.
    pub fn snapshots(&self, now: bool) -> usize {
        usize::from(self.before.snapshot) + 2 * usize::from(now)
    }

    /// There was a snapshot in the cycle before.
    pub fn after_snapshot(&self) -> bool {
        self.before.snapshot
    }

    /// Who acted before a kernel does.
    pub fn before(&self, kid: u8) -> usize {
        match self.before.kid {
            None => 0,
            Some(before) if before == kid => 1,
            Some(_) => 2,
        }
    }

    /// Passes a cycle in which a kernel acts, if one does.
    pub fn pass(&mut self, snapshot: bool, kid: Option<u8>) {
        self.before = Before { snapshot, kid };
    }

    /// Forgets the cycles before.
    pub fn restart(&mut self) {
        self.before = Before::default();
    }
}

/// Accesses that have not reached the counters, with whether there was a snapshot as they were
/// presented, the youngest first; one entry a stage.
#[derive(Debug, Clone)]
pub(crate) struct InFlight<T>(VecDeque<Option<(T, bool)>>);

impl<T: Clone> InFlight<T> {
    pub fn new(stages: usize) -> Self {
        Self(vec![None; stages].into())
    }

    /// The access that reaches the counters in this cycle, with its value of
    /// [`Counting::SNAPSHOT`].
    pub fn pass(&mut self, presented: Option<T>, snapshot: bool) -> Option<(T, usize)> {
        self.0
            .push_front(presented.map(|access| (access, snapshot)));
        let (access, then) = self.0.pop_back().flatten()?;
        Some((access, usize::from(then) + 2 * usize::from(snapshot)))
    }

    pub fn restart(&mut self) {
        self.0.iter_mut().for_each(|access| *access = None);
    }
}

/// When a register of the read port that is not compared matters, of a matrix of so many rows: which
/// row is shown, while they are not all 0; a row, while it is shown.
pub(crate) fn matters_alone(rows: usize, flop: &str, terms: &mut Terms<'_>) -> Option<Term> {
    let row_of = |row: usize| format!("read_row[{row}]");
    if let Some(row) = (0..rows).find(|&row| row_of(row) == flop) {
        let shown = terms.flop("read_from");
        return Some(terms.is(shown, row));
    }
    (flop == "read_from").then(|| some_row([(String::new(), rows)], terms))
}

/// Some row of matrices that are read side by side is not 0, so that it matters which of them is shown:
/// where each is, and how many rows it has.
pub(crate) fn some_row(
    matrices: impl IntoIterator<Item = (String, usize)>,
    terms: &mut Terms<'_>,
) -> Term {
    let rows = matrices
        .into_iter()
        .flat_map(|(path, rows)| (0..rows).map(move |row| format!("{path}read_row[{row}]")));
    let some: Vec<Term> = rows
        .map(|row| {
            let row = terms.flop(&row);
            terms.some(row)
        })
        .collect();
    terms.any(some)
}

/// Of a unit in front of a matrix, when a latch matters: while what is in its stage is valid.
pub(crate) fn stage_matters(stage: usize, terms: &mut Terms<'_>) -> Term {
    terms.flop(&format!("valid[{stage}]"))
}

/// In each stage, `kid[]` is a kernel that there is if `valid[]` is set.
pub(crate) fn known_kernels(stages: usize, kernels: usize, terms: &mut Terms<'_>) -> Vec<Term> {
    let known = |stage| {
        let [valid, kid] = ["valid", "kid"].map(|flop| terms.flop(&format!("{flop}[{stage}]")));
        let known = terms.below(kid, kernels);
        terms.implies(valid, known)
    };
    (0..stages).map(known).collect()
}

/// The number in the first subscript of a flop's name.
pub(crate) fn subscript(flop: &str) -> Option<usize> {
    let (_, rest) = flop.split_once('[')?;
    rest.split_once(']')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    //! Rationale: a hit is placed by this; none, one, all and a number that goes around.
    use super::*;

    #[test]
    fn the_nth_valid_position() {
        assert_eq!(nth_set(0, 3), None);
        assert_eq!(nth_set(0b1000, 7), Some(3));
        assert_eq!(nth_set(0b1011, 2), Some(3));
        assert_eq!(nth_set(0b1011, 3), Some(0));
        assert_eq!(nth_set(u64::MAX, 63), Some(63));
    }
}
