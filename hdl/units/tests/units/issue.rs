//! rbmi, qbmi, mem_issue.
//!
//! Rationale: what decides is who is ready, who was last, and the quotas; each
//! is set apart here. Sequences of grants are those of the specification's
//! examples. A launch, an exit, a new set and an empty quota may fall into one
//! cycle, so each order has a case. Three kernels leave a KID that names none.

use crate::bench::{Bench, Seen};
use cotenant_units::sm::{MemIssue, Qbmi, Rbmi};

/// KID of the kernel granted, if there is one; the three outputs agree.
fn granted(seen: &Seen) -> Option<u64> {
    let kid = seen.get("grant_kid");
    match seen.get("grant_valid") {
        0 => assert_eq!((seen.get("grant"), kid), (0, 0)),
        _ => assert_eq!(seen.get("grant"), 1 << kid),
    }
    (seen.get("grant_valid") == 1).then_some(kid)
}

/// A grant to one of the `ready` kernels, and the two cycles until the quotas
/// know of it and of the set that it brings.
fn turn(bench: &mut Bench, ready: u128) -> Option<u64> {
    let kid = granted(&bench.cycle(&[("ready", ready), ("accept", 1)]));
    (0..2).for_each(|_| drop(bench.cycle(&[])));
    kid
}

#[test]
fn round_robin_among_the_ready() {
    let mut bench = Bench::new::<Rbmi!(3)>();
    let mut grant =
        |ready: u128, accept: u128| granted(&bench.cycle(&[("ready", ready), ("accept", accept)]));
    let turns: Vec<_> = (0..6).map(|_| grant(0b111, 1)).collect();
    assert_eq!(turns, [0, 1, 2, 0, 1, 2].map(Some));
    // Without an instruction, or a taker for it, nobody's turn is over.
    assert_eq!(grant(0, 1), None);
    assert_eq!(grant(0b111, 0), None);
    assert_eq!(grant(0b110, 1), Some(1));
    assert_eq!(grant(0b011, 1), Some(0));
    assert_eq!(grant(0b001, 1), Some(0));
    assert_eq!(grant(0b101, 1), Some(2));
}

#[test]
fn round_robin_of_every_ready_set_after_every_turn() {
    for last in 0..5u64 {
        for ready in 1..32u64 {
            let mut bench = Bench::new::<Rbmi!(5)>();
            bench.cycle(&[("ready", 1 << last), ("accept", 1)]);
            let expected = (1..=5)
                .map(|d| (last + d) % 5)
                .find(|k| ready >> k & 1 == 1);
            let seen = bench.cycle(&[("ready", ready.into()), ("accept", 1)]);
            assert_eq!(granted(&seen), expected, "{last} {ready:b}");
        }
    }
}

/// Requests of a whole interval of 1024 with this ratio, for one kernel.
fn measure(bench: &mut Bench, kid: u128, ratio: u64) {
    for n in 0..1024u64 {
        // As evenly as it goes: 1024 / ratio instructions.
        let first = n % ratio == 0 && n / ratio < 1024 / ratio;
        let request = [
            ("request_valid", 1),
            ("request_first", first.into()),
            ("request_kid", kid),
        ];
        bench.cycle(&request);
    }
}

/// Grants with all kernels ready, until each has had its share.
fn shares(bench: &mut Bench, kernels: usize, grants: u64) -> Vec<u64> {
    let mut shares = vec![0; kernels];
    for _ in 0..grants {
        let seen = bench.cycle(&[("ready", (1 << kernels) - 1), ("accept", 1)]);
        shares[granted(&seen).expect("all are ready") as usize] += 1;
    }
    shares
}

#[test]
fn grants_follow_the_quotas_of_the_examples() {
    for (ratios, quotas) in [([2, 3], [3, 2]), ([2, 17], [17, 2]), ([3, 17], [17, 3])] {
        let mut bench = Bench::new::<Qbmi!(2, 10, 0)>();
        bench.cycle(&[("launch", 0b11)]);
        (0..2).for_each(|k| measure(&mut bench, k as u128, ratios[k]));
        (0..32 + 83 + 83).for_each(|_| drop(bench.cycle(&[])));
        let seen = bench.cycle(&[]);
        assert_eq!(seen.unpack("ratio", 2, 6), ratios);
        assert_eq!(seen.unpack("quota", 2, 7), [1, 1], "nobody has issued yet");
        // Both had 1 from the start; the first to spend it brings the set.
        let period: u64 = quotas.iter().sum();
        assert_eq!(turn(&mut bench, 0b11), Some(0));
        assert_eq!(
            bench.cycle(&[]).unpack("quota", 2, 7),
            [quotas[0], quotas[1] + 1]
        );
        // What kernel 1 has over is spent first.
        shares(&mut bench, 2, 3 * period);
        // Two grants are on the way to the quotas, so that one set's last come with the next's.
        for _ in 0..3 {
            let two = shares(&mut bench, 2, 2 * period);
            assert_eq!(two, quotas.map(|quota| 2 * quota));
        }
    }
    let mut bench = Bench::new::<Qbmi!(3, 10, 0)>();
    bench.cycle(&[("launch", 0b111)]);
    (0..3).for_each(|k| measure(&mut bench, k as u128, [3, 17, 11][k]));
    (0..32 + 124 + 124).for_each(|_| drop(bench.cycle(&[])));
    turn(&mut bench, 0b111);
    assert_eq!(bench.cycle(&[]).unpack("quota", 3, 11), [187, 34, 52]);
    shares(&mut bench, 3, 2 * 271);
    for _ in 0..2 {
        assert_eq!(shares(&mut bench, 3, 271), [187, 33, 51]);
    }
}

#[test]
fn ties_go_round_robin_and_only_active_kernels_take_part() {
    let mut bench = Bench::new::<Qbmi!(3, 3, 0)>();
    assert_eq!(
        granted(&bench.cycle(&[("ready", 0b111), ("accept", 1)])),
        None
    );
    bench.cycle(&[("launch", 0b101), ("exit", 0b001)]); // launch goes first
    let seen = bench.cycle(&[("ready", 0b111)]);
    assert_eq!((seen.get("active"), granted(&seen)), (0b101, None));
    // 0 spends its last, which brings 1 to both, so 2 has one more; then they are equal.
    let turns: Vec<_> = (0..6).map(|_| turn(&mut bench, 0b111)).collect();
    assert_eq!(turns, [0, 2, 0, 2, 0, 2].map(Some));
}

/// Kernels 0 and 1 with ratios of 2 and 3; kernel 2 leaves in the cycle before
/// this returns. Their new set, 3 and 2, comes 125 cycles after that one.
fn kernel_2_left() -> Bench {
    let mut bench = Bench::new::<Qbmi!(3, 10, 0)>();
    bench.cycle(&[("launch", 0b111)]);
    measure(&mut bench, 0, 2);
    measure(&mut bench, 1, 3);
    (0..300).for_each(|_| drop(bench.cycle(&[])));
    bench.cycle(&[("exit", 0b100)]);
    bench
}

#[test]
fn a_set_counts_from_the_cycle_after_it_is_loaded() {
    for (wait, expected) in [(122, [1, 2, 0]), (123, [3, 3, 0])] {
        let mut bench = kernel_2_left();
        (0..wait).for_each(|_| drop(bench.cycle(&[])));
        // Kernel 0 reaches zero while kernel 1 stands at 1.
        let seen = bench.cycle(&[("ready", 0b001), ("accept", 1)]);
        assert_eq!(granted(&seen), Some(0));
        let quotas = [seen, bench.cycle(&[]), bench.cycle(&[])].map(|at| at.unpack("quota", 3, 11));
        assert_eq!(quotas, [[1, 1, 0], [1, 1, 0], [0, 1, 0]], "{wait}");
        assert_eq!(bench.cycle(&[]).unpack("quota", 3, 11), expected, "{wait}");
    }
}

#[test]
fn one_kernel_after_the_other_reaches_zero() {
    let mut bench = kernel_2_left();
    (0..200).for_each(|_| drop(bench.cycle(&[])));
    turn(&mut bench, 0b001);
    let mut quotas = vec![];
    for ready in [0b010, 0b010, 0b010, 0b001, 0b001, 0b001, 0, 0] {
        let seen = bench.cycle(&[("ready", ready), ("accept", 1)]);
        quotas.push(seen.unpack("quota", 2, 11));
    }
    let down = [[3, 3], [3, 3], [3, 2], [3, 1], [3, 0]];
    assert_eq!(quotas[..5], down);
    assert_eq!(quotas[5..], [[5, 2], [4, 2], [3, 2]]);
}

#[test]
fn launch_and_exit_start_all_quotas_afresh() {
    let mut bench = kernel_2_left();
    (0..200).for_each(|_| drop(bench.cycle(&[])));
    turn(&mut bench, 0b001);
    assert_eq!(bench.cycle(&[]).unpack("quota", 3, 11), [3, 3, 0]);
    // A grant in that cycle counts for nothing but the next tie.
    let seen = bench.cycle(&[("launch", 0b100), ("ready", 0b001), ("accept", 1)]);
    assert_eq!(granted(&seen), Some(0));
    let seen = bench.cycle(&[("ready", 0b111), ("accept", 1)]);
    assert_eq!(seen.unpack("quota", 3, 11), [1, 1, 1]);
    assert_eq!(granted(&seen), Some(1));
    // The old set is not in force any more, and the others' ratios still are.
    let seen = [(); 3].map(|()| bench.cycle(&[]));
    let quotas = seen.each_ref().map(|at| at.unpack("quota", 3, 11));
    assert_eq!(quotas, [[1, 1, 1], [1, 0, 1], [2, 1, 2]]);
    let [_, _, seen] = seen;
    assert_eq!(seen.unpack("ratio", 3, 6), [2, 3, 1]);
    bench.cycle(&[("launch", 0b010)]);
    let seen = bench.cycle(&[("exit", 0b111)]);
    assert_eq!(seen.unpack("ratio", 3, 6), [2, 1, 1]);
    let seen = bench.cycle(&[("ready", 0b111), ("accept", 1)]);
    assert_eq!((seen.get("active"), granted(&seen)), (0, None));
    assert_eq!(seen.unpack("quota", 3, 11), [0; 3]);
}

/// Quotas of an idle kernel while the other spends twenty.
fn credit<U: cotenant_units::unit::Unit + Default + 'static>() -> Vec<u64> {
    let mut bench = Bench::new::<U>();
    bench.cycle(&[("launch", 0b11)]);
    (0..20)
        .map(|_| {
            let credit = bench.cycle(&[]).unpack("quota", 2, 4)[1];
            assert_eq!(turn(&mut bench, 0b01), Some(0));
            credit
        })
        .collect()
}

#[test]
fn credit_saturates_or_is_capped_at_twice_the_quota() {
    // Above 7, the largest that half of 4 bits holds, nothing is added.
    let saturated: Vec<u64> = (1..=20).map(|n| n.min(8)).collect();
    assert_eq!(credit::<Qbmi!(2, 2, 0)>(), saturated);
    let capped: Vec<u64> = (1..=20).map(|n| n.min(2)).collect();
    assert_eq!(credit::<Qbmi!(2, 2, 1)>(), capped);
}

#[test]
fn a_sleeper_owns_the_lsu_until_its_credit_is_spent() {
    let mut bench = Bench::new::<Qbmi!(2, 2, 0)>();
    bench.cycle(&[("launch", 0b11)]);
    for _ in 0..9 {
        turn(&mut bench, 0b01);
    }
    // Eight against one, until they are equal.
    for _ in 0..7 {
        assert_eq!(turn(&mut bench, 0b11), Some(1));
    }
    assert_eq!(turn(&mut bench, 0b11), Some(0), "a tie, and 1 was last");
}

const ALL: (&str, u128) = ("want", 0b11);
const READY: (&str, u128) = ("lsu_ready", 1);

#[test]
fn a_static_limit_leaves_the_lsu_to_the_other_kernel() {
    let mut bench = Bench::new::<MemIssue!(2, 0, 0, 12, 0, 0, 7, 10, 5)>();
    assert_eq!(
        granted(&bench.cycle(&[ALL, READY])),
        None,
        "no kernel runs here"
    );
    bench.cycle(&[
        ("launch", 0b11),
        ("set_valid", 1),
        ("set_kid", 1),
        ("set_limit", 2),
    ]);
    let turns: Vec<_> = (0..6)
        .map(|_| granted(&bench.cycle(&[ALL, READY])))
        .collect();
    assert_eq!(turns, [0, 1, 0, 1, 0, 0].map(Some));
    let seen = bench.cycle(&[ALL, ("complete", 0b10)]);
    assert_eq!((seen.get("allow"), granted(&seen)), (0b01, None));
    assert_eq!(seen.unpack("in_flight", 2, 7), [4, 2]);
    assert_eq!(seen.unpack("limit", 2, 7), [127, 2]);
    assert_eq!((seen.get("unlimited"), seen.get("quota")), (0b01, 0));
    assert_eq!(
        granted(&bench.cycle(&[ALL, READY, ("exit", 0b01)])),
        Some(1)
    );
    let seen = bench.cycle(&[ALL, READY]);
    assert_eq!((seen.get("active"), granted(&seen)), (0b10, None));
}

#[test]
fn failures_limit_their_own_kernel() {
    let mut bench = Bench::new::<MemIssue!(2, 1, 1, 4, 0, 0, 2, 2, 2)>();
    bench.cycle(&[("launch", 0b11)]);
    let turns: Vec<_> = (0..3)
        .map(|_| {
            let kid = granted(&bench.cycle(&[ALL, READY]));
            (0..2).for_each(|_| drop(bench.cycle(&[])));
            kid
        })
        .collect();
    assert_eq!(turns, [0, 1, 0].map(Some));
    // Kernel 1 fails four times in four requests: its limit is its peak, 1.
    for _ in 0..4 {
        bench.cycle(&[("fail_valid", 1), ("lsu_kid", 1)]);
    }
    for kid in [0, 1] {
        for _ in 0..4 {
            bench.cycle(&[("request_valid", 1), ("request_first", 1), ("lsu_kid", kid)]);
        }
    }
    (0..3).for_each(|_| drop(bench.cycle(&[])));
    let seen = bench.cycle(&[]);
    assert_eq!((seen.get("unlimited"), seen.get("allow")), (0b01, 0b01));
    assert_eq!(seen.unpack("limit", 2, 2), [3, 1]);
    // Kernel 1 comes first by quota and may not; after a response it may.
    assert_eq!(seen.unpack("quota", 2, 4), [1, 2]);
    assert_eq!(granted(&bench.cycle(&[ALL, READY])), Some(0));
    bench.cycle(&[("complete", 0b10)]);
    assert_eq!(granted(&bench.cycle(&[ALL, READY])), Some(1));
}

#[test]
fn quotas_count_the_requests_of_their_kernel() {
    let mut bench = Bench::new::<MemIssue!(2, 0, 1, 4, 0, 0, 2, 2, 2)>();
    bench.cycle(&[("launch", 0b11)]);
    for (kid, firsts) in [(0, 1), (1, 2)] {
        for n in 0..4 {
            let first = ("request_first", u128::from(n < firsts));
            bench.cycle(&[("request_valid", 1), first, ("lsu_kid", kid)]);
        }
    }
    (0..30).for_each(|_| drop(bench.cycle(&[])));
    // Ratios of 4 and 2: kernel 1 issues twice as often.
    bench.cycle(&[("want", 0b10), READY]);
    (0..2).for_each(|_| drop(bench.cycle(&[])));
    assert_eq!(bench.cycle(&[]).unpack("quota", 2, 4), [2, 2]);
}
