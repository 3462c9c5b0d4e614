//! Shared by several units of the cache: hits on valid lines, and a matrix of counters.

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

/// The read port of a matrix below `path` that is to show `read_count`: after power-on it looks at
/// row 0, and all ones are the limit with or without the mark of it.
pub(crate) fn resumed(path: &str, read_count: u64) -> Vec<(String, u64)> {
    vec![(format!("{path}read_row[0]"), read_count)]
}

/// How far from their limit, as a power of two, counters are in a state near it.
pub(crate) const DISTANCE: usize = 6;

/// How often the running counters are read.
pub(crate) const LIVE: Odds = Odds::one_in(3);

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
pub(crate) struct Before {
    pub snapshot: bool,
    /// The kernel that acted.
    pub kid: Option<u8>,
}

impl Before {
    pub const NAMES: [&'static str; 3] = ["no kernel", "the same kernel", "another kernel"];

    /// Who acted before `kid` does.
    pub fn who(self, kid: u8) -> usize {
        match self.kid {
            None => 0,
            Some(before) if before == kid => 1,
            Some(_) => 2,
        }
    }
}

/// Where an increment takes a counter.
pub(crate) fn limits(name: &'static str) -> Cross {
    let axes = [
        Axis::new(
            "counter",
            ["stays below its maximum", "reaches it", "exceeds it"],
        ),
        Axis::new("victim", ["has not overflowed", "has overflowed"]),
    ];
    Cross::new(name, axes)
}

/// The bin of an increment of one counter; the new period's if there is a snapshot.
pub(crate) fn limit_bin(count: u64, events: u64, most: u64, overflowed: bool) -> [usize; 2] {
    let class = match most - count {
        left if events < left => 0,
        left if events == left => 1,
        _ => 2,
    };
    [class, usize::from(overflowed)]
}

/// Who reads what, and when.
pub(crate) fn reads(kernels: usize) -> Cross {
    let axes = [
        Axis::numbers("victim", kernels),
        Axis::numbers("aggressor", kernels),
        Axis::new(
            "snapshot",
            ["neither", "in the cycle before", "in this cycle", "in both"],
        ),
    ];
    Cross::new("reads", axes)
}

/// Who reads what of the running period.
pub(crate) fn live_reads(kernels: usize) -> Cross {
    let axes = [
        Axis::numbers("victim", kernels),
        Axis::numbers("aggressor", kernels),
        Axis::new("counter", ["stays", "increments in this cycle"]),
    ];
    Cross::new("live reads", axes)
}

/// When there is a snapshot, of an access that reaches the counters some cycles later.
pub(crate) const SNAPSHOT: [&str; 4] = ["neither", "as presented", "as counted", "both"];

/// When a register of the read port that is not compared matters, of a matrix of so many rows whose
/// flops are below `path`: which row is shown, while they are not all 0; a row, while it is shown.
pub(crate) fn matters_alone(
    path: &str,
    rows: usize,
    flop: &str,
    terms: &mut Terms<'_>,
) -> Option<NodeId> {
    let row_of = |row: usize| format!("{path}read_row[{row}]");
    let read_from = format!("{path}read_from");
    if let Some(row) = (0..rows).find(|&row| row_of(row) == flop) {
        let shown = terms.flop(&read_from);
        return Some(terms.is(shown, row));
    }
    if flop != read_from {
        return None;
    }
    let some: Vec<NodeId> = (0..rows)
        .map(|row| {
            let row = terms.flop(&row_of(row));
            let none = terms.is(row, 0);
            terms.not(none)
        })
        .collect();
    Some(terms.any(some))
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
