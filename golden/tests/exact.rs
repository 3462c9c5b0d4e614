//! The exact shares of one pass against the truth: the same stream replayed with every coalition
//! of kernels, and with each kernel left out.
//!
//! Rationale: the theorem holds for any geometry and any stream in which no line is shared, so both
//! are random; the axioms are checked on whole streams as well. The same checks refute what a
//! monitor could put out instead: PLOB's evictions, which give each to the last pusher, GDC's
//! demotions, and exact shares in which two places are exchanged or one part is too many.

use cotenant_golden::llc::cache::{Geometry, MAX_LINE};
use cotenant_golden::llc::exact::{sampled_sets, Attribution, Exact, Use, MAX_KERNELS, SAMPLES};
use cotenant_golden::metrics::Coalitions;
use cotenant_golden::workload::stream::Stream;
use cotenant_golden::workload::{Access, Op};
use proptest::prelude::*;

/// Kernels, sets, ways, bytes of a line.
fn geometry(kernels: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Geometry> {
    let ways = prop::sample::select(vec![1, 2, 3, 4, 5, 8, 12, 16, 17, 64]);
    let line = prop::sample::select(vec![1, 32, 128, MAX_LINE]);
    (kernels, 0u32..4, ways, line).prop_map(|(kernels, sets, ways, line)| Geometry {
        sets: 1 << sets,
        ways,
        line,
        kernels,
        banks: 1,
    })
}

/// Accesses as kernel and a kernel's own line; each kernel has its share of the lines.
fn stream(
    kernels: std::ops::RangeInclusive<usize>,
    length: usize,
) -> impl Strategy<Value = Stream> {
    (geometry(kernels), 1usize..5).prop_flat_map(move |(geometry, pressure)| {
        let lines = geometry.sets * geometry.ways * pressure / geometry.kernels + 1;
        let access = (0..geometry.kernels, 0..lines as u64);
        prop::collection::vec(access, 1..length).prop_map(move |accesses| of(geometry, &accesses))
    })
}

/// Kernel k's n-th line lies in any set, and is no other kernel's.
fn of(geometry: Geometry, accesses: &[(usize, u64)]) -> Stream {
    let mut stream = Stream::new(geometry).unwrap();
    for &(kernel, line) in accesses {
        let sets = geometry.sets as u64;
        let (set, tag) = (line % sets, line / sets * 64 + kernel as u64);
        let address = (tag * sets + set) * geometry.line;
        let access = Access::at(kernel as u8, Op::Read, address, geometry.line);
        stream.push(&access).unwrap();
    }
    stream
}

fn pass(stream: &Stream) -> Attribution {
    let geometry = *stream.geometry();
    let mut exact = Exact::new(geometry.kernels, geometry.sets, geometry.ways).unwrap();
    for access in stream.iter() {
        let (set, tag) = (
            geometry.set_of(access.address),
            geometry.tag_of(access.address),
        );
        exact.access(access.kernel.into(), set, tag);
    }
    exact.attribution()
}

/// Shapley's values of a kernel's extra misses in whole parts, with its own misses in its place.
fn by_coalitions(truth: &Coalitions) -> Vec<i128> {
    let players = truth.others.len();
    let factorial = |n: usize| (1..=n as i128).product::<i128>();
    let value = |player: usize| {
        let before = (0..truth.misses.len()).filter(|mask| mask >> player & 1 == 0);
        let gain = |mask: usize| {
            let size = mask.count_ones() as usize;
            let joined = i128::from(truth.misses[mask | 1 << player]);
            let orders = factorial(size) * factorial(players - 1 - size);
            orders * (joined - i128::from(truth.misses[mask]))
        };
        before.map(gain).sum()
    };
    let mut row: Vec<i128> = (0..players).map(value).collect();
    let own = factorial(players) * i128::from(truth.misses[0]);
    row.insert(truth.kernel, own);
    row
}

/// The first kernel whose row is not what the coalitions say.
fn refuted(stream: &Stream, shares: &[Vec<u128>]) -> Option<usize> {
    (0..stream.geometry().kernels).find(|&kernel| {
        let truth = by_coalitions(&stream.coalitions(kernel).unwrap());
        let row = shares[kernel].iter().map(|&share| share as i128);
        !row.eq(truth)
    })
}

/// The first pair of a kernel and one left out whose saving is not what a replay without says.
fn not_saved(stream: &Stream, saved: &[Vec<u64>]) -> Option<(usize, usize)> {
    let kernels = stream.geometry().kernels;
    let all = stream.replay(u64::MAX);
    let mut wrong = (0..kernels).flat_map(|left_out| {
        let without = stream.replay(!(1 << left_out));
        let wrong = |&kernel: &usize| {
            let saving = all.kernels[kernel].misses - without.kernels[kernel].misses;
            saved[kernel][left_out] != saving
        };
        let victims: Vec<usize> = (0..kernels).filter(wrong).collect();
        victims.into_iter().map(move |victim| (victim, left_out))
    });
    wrong.next()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn shares_are_those_of_all_coalitions(stream in stream(2..=6, 400)) {
        let found = pass(&stream);
        prop_assert_eq!(found.shared_lines, 0);
        prop_assert_eq!(refuted(&stream, &found.exact), None);
        prop_assert_eq!(not_saved(&stream, &found.saved), None);
    }

    #[test]
    fn the_axioms_hold_for_whole_streams(stream in stream(1..=16, 600), kernel in 0usize..16) {
        let found = pass(&stream);
        let kernels = stream.geometry().kernels;
        let all = stream.replay(u64::MAX);
        // Efficiency: a kernel's shares are all of its misses, and its own those it has alone.
        for (victim, row) in found.exact.iter().enumerate() {
            let unit = u128::from(found.unit);
            prop_assert_eq!(row.iter().sum::<u128>(), unit * u128::from(all.kernels[victim].misses));
            let alone = stream.replay(1 << victim).kernels[victim].misses;
            prop_assert_eq!(row[victim], unit * u128::from(alone));
        }
        // Null player: without accesses there is no blame, and it makes no difference to others.
        let silent = kernel % kernels;
        let mut without = Stream::new(*stream.geometry()).unwrap();
        for access in stream.iter().filter(|access| usize::from(access.kernel) != silent) {
            without.push(&access).unwrap();
        }
        let rest = pass(&without).exact;
        prop_assert!(rest.iter().all(|row| row[silent] == 0));
        // Symmetry: names do not matter.
        let renamed = |kernel: usize| (kernel + 1) % kernels;
        let mut other = Stream::new(*stream.geometry()).unwrap();
        for access in stream.iter() {
            let kernel = renamed(access.kernel.into()) as u8;
            other.push(&Access { kernel, ..access }).unwrap();
        }
        let other = pass(&other).exact;
        for victim in 0..kernels {
            for aggressor in 0..kernels {
                let there = other[renamed(victim)][renamed(aggressor)];
                prop_assert_eq!(found.exact[victim][aggressor], there);
            }
        }
    }

    /// Lines that change hands: what is charged and what is not comes to the cache's misses, and
    /// the cache beside the shadow stack is the golden one.
    #[test]
    fn shared_lines_are_counted_apart(
        geometry in geometry(2..=6),
        accesses in prop::collection::vec((0usize..6, 0u64..60), 1..400),
    ) {
        let mut stream = Stream::new(geometry).unwrap();
        let mut last = std::collections::HashMap::new();
        let mut shared = 0;
        for &(kernel, line) in &accesses {
            let kernel = (kernel % geometry.kernels) as u8;
            let address = line * geometry.line;
            stream.push(&Access::at(kernel, Op::Read, address, geometry.line)).unwrap();
            shared += u64::from(last.insert(line, kernel).is_some_and(|user| user != kernel));
        }
        let found = pass(&stream);
        let counts = stream.replay(u64::MAX);
        // Those that have left the stack before are first uses.
        prop_assert!(found.shared_lines <= shared);
        for (victim, row) in found.exact.iter().enumerate() {
            let charged = row.iter().sum::<u128>();
            let misses = counts.kernels[victim].misses;
            prop_assert_eq!(found.saved[victim][victim], misses);
            let charges = u128::from(misses - found.shared_misses[victim]);
            prop_assert_eq!(charged, u128::from(found.unit) * charges);
        }
        // Each eviction counts all the ways of its set.
        for (row, evictions) in found.sce.iter().zip(&counts.ike) {
            let lines = geometry.ways as u64 * evictions.iter().sum::<u64>();
            prop_assert_eq!(row.iter().sum::<u64>(), lines);
        }
    }
}

/// Three kernels with loops that fit alone, and one that streams.
fn mixed() -> Stream {
    let geometry = Geometry {
        sets: 128,
        ways: 4,
        line: 128,
        kernels: 4,
        banks: 1,
    };
    let accesses: Vec<(usize, u64)> = (0..60_000u64)
        .map(|n| match n * 7 / 3 % 5 {
            0 | 1 => (0, n % 300),
            2 => (1, n * n % 260),
            3 => (2, n % 550),
            _ => (3, n),
        })
        .collect();
    of(geometry, &accesses)
}

/// What a monitor's events would give out of a kernel's extra misses.
fn given_out(found: &Attribution, events: &[Vec<u64>]) -> Vec<Vec<u128>> {
    let mut shares = found.exact.clone();
    for (victim, row) in shares.iter_mut().enumerate() {
        let extra = row.iter().sum::<u128>() - row[victim];
        let others = |aggressor: &usize| *aggressor != victim;
        let events = |aggressor: usize| u128::from(events[victim][aggressor]);
        let all: u128 = (0..found.exact.len()).filter(others).map(events).sum();
        for aggressor in (0..found.exact.len()).filter(others) {
            row[aggressor] = extra * events(aggressor) / all.max(1);
        }
    }
    shares
}

#[test]
fn what_other_monitors_say_is_refuted() {
    // Three ways. Between two uses of kernel 0's line, kernel 1 brings two lines and then kernel 2
    // one: either needs the other. All counts are whole.
    let geometry = Geometry {
        sets: 1,
        ways: 3,
        line: 128,
        kernels: 3,
        banks: 1,
    };
    let round = |n: u64| [(0, 0), (1, 2 * n), (1, 2 * n + 1), (2, n)];
    let stream = of(geometry, &(0..31).flat_map(round).collect::<Vec<_>>());
    let found = pass(&stream);
    assert_eq!(found.exact[0], [2, 30, 30]);
    assert_eq!(refuted(&stream, &found.exact), None);
    let counts = stream.replay(u64::MAX);
    let (gdc, plob) = (
        given_out(&found, &counts.gdc),
        given_out(&found, &counts.ike),
    );
    assert_eq!((&gdc[0][1..], &plob[0][1..]), (&[40, 20][..], &[0, 60][..]));
    assert_eq!(refuted(&stream, &gdc), Some(0));
    assert_eq!(refuted(&stream, &plob), Some(0));
}

#[test]
fn wrong_shares_are_refuted() {
    let stream = mixed();
    let found = pass(&stream);
    assert_eq!(refuted(&stream, &found.exact), None);
    assert_eq!(not_saved(&stream, &found.saved), None);
    // One part too many, and its own misses and another's share exchanged.
    let mut shares = found.exact.clone();
    shares[2][1] += 1;
    assert_eq!(refuted(&stream, &shares), Some(2));
    let mut shares = found.exact.clone();
    assert_ne!(shares[0][0], shares[0][3]);
    shares[0].swap(0, 3);
    assert_eq!(refuted(&stream, &shares), Some(0));
    let mut saved = found.saved.clone();
    saved[0][2] += 1;
    assert_eq!(not_saved(&stream, &saved), Some((0, 2)));
}

#[test]
fn samples_are_the_same_of_fewer_sets() {
    let stream = mixed();
    let found = pass(&stream);
    let geometry = *stream.geometry();
    let fewer = SAMPLES.iter().filter(|&&samples| samples < geometry.sets);
    assert!(found.sampled.keys().eq(fewer));
    for (&samples, shares) in &found.sampled {
        let sets = sampled_sets(geometry.sets, samples);
        let mut part = Stream::new(geometry).unwrap();
        for access in stream.iter() {
            if sets.contains(&geometry.set_of(access.address)) {
                part.push(&access).unwrap();
            }
        }
        assert_eq!(&pass(&part).exact, shares, "{samples}");
    }
}

#[test]
fn share_at_eviction_by_hand() {
    let mut exact = Exact::new(3, 1, 3).unwrap();
    // Kernel 0's line is evicted below one of kernel 1 and one of kernel 2, by kernel 2.
    for (kernel, tag) in [(0, 1), (1, 2), (2, 3), (2, 4)] {
        assert_eq!(exact.access(kernel, 0, tag), Use::Own);
    }
    assert_eq!(exact.access(0, 0, 1), Use::Contention);
    let found = exact.attribution();
    // Then kernel 1's line, by kernel 0 and below two of kernel 2.
    assert_eq!(found.sce, [[0, 1, 2], [1, 0, 2], [0, 0, 0]]);
    // Kernel 2 alone has brought two of the three lines: with kernel 1 beside it reaches three.
    assert_eq!(found.exact[0], [2, 1, 1]);
    assert_eq!(found.saved[0], [2, 1, 1]);
    assert_eq!(exact.access(1, 0, 1), Use::Shared { hit: true });
    assert_eq!(exact.attribution().shared_lines, 1);
}

#[test]
fn what_cannot_be_told_is_refused() {
    assert!(Exact::new(MAX_KERNELS, 1 << 4, 64).is_ok());
    for (kernels, sets, ways) in [
        (0, 1, 1),
        (17, 1, 1),
        (4, 0, 1),
        (4, 1, 65),
        (4, 1 << 20, 64),
    ] {
        let refused = Exact::new(kernels, sets, ways).map(|_| ());
        assert!(refused.is_err(), "{kernels} {sets} {ways}");
    }
}
