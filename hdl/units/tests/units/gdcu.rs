//! Rationale: the blocks inside have their own tests; what is left is how
//! they are wired (positions to lanes, lanes to victims, a miss's code) and
//! that each number of stages delays the access, and neither snapshot nor
//! read port.

use crate::bench::{pack, Bench};
use cotenant_units::llc::Gdcu;

/// Stack of figure 2's size: owners by position, MRU first.
const OWNERS: [u64; 4] = [2, 0, 0, 3];

fn access(pos: u128, kid: u128, owners: &[u64], valid: u128) -> Vec<(&'static str, u128)> {
    let kid_w = 2;
    vec![
        ("access_valid", 1),
        ("access_pos", pos),
        ("access_kid", kid),
        ("stack_owner", pack(owners, kid_w)),
        ("stack_valid", valid),
    ]
}

fn shadow(bench: &mut Bench, kernels: u64) -> Vec<Vec<u64>> {
    let mut read = |v: u64, a: u64| {
        bench.cycle(&[("read_victim", v.into()), ("read_aggressor", a.into())]);
        bench.cycle(&[]).get("read_count")
    };
    (0..kernels)
        .map(|v| (0..kernels).map(|a| read(v, a)).collect())
        .collect()
}

#[test]
fn hits_demote_the_lines_above_and_misses_all() {
    let mut bench = Bench::new::<Gdcu!(4, 4, 16, 1)>();
    bench.cycle(&access(0, 1, &OWNERS, 0b1111)); // a hit at MRU demotes nothing
    bench.cycle(&access(2, 1, &OWNERS, 0b1111)); // positions 0 and 1
    bench.cycle(&access(4, 1, &OWNERS, 0b1111)); // a miss: all
    bench.cycle(&access(4, 3, &OWNERS, 0b0111)); // all but the invalid one
    bench.cycle(&access(4, 0, &OWNERS, 0b0000)); // an empty set
    bench.cycle(&[]);
    bench.cycle(&[("snapshot", 1)]);
    assert_eq!(
        shadow(&mut bench, 4),
        [
            [0, 1 + 2, 0, 2],
            [0, 0, 0, 0],
            [0, 1 + 1, 0, 1],
            [0, 1, 0, 0]
        ]
    );
}

macro_rules! latency {
    ($($name:ident: $stages:literal),*) => {
        $(#[test]
        fn $name() {
            for wait in 0..=4 {
                let mut bench = Bench::new::<Gdcu!(4, 4, 16, $stages)>();
                let mut inputs = access(4, 1, &OWNERS, 0b1111);
                if wait == 0 {
                    inputs.push(("snapshot", 1));
                }
                bench.cycle(&inputs);
                for t in 1..=4 {
                    // Bubbles carry addresses, too, but no demotions.
                    let mut bubble = access(4, 2, &OWNERS, 0b1111);
                    bubble[0].1 = 0;
                    bubble.push(("snapshot", u128::from(t == wait)));
                    bench.cycle(&bubble);
                }
                // It reaches the adders at $stages: a snapshot then is too early.
                let (in_first, in_second) = if wait > $stages { (2, 0) } else { (0, 2) };
                assert_eq!(shadow(&mut bench, 4)[0][1], in_first, "snapshot after {wait} cycles");
                bench.cycle(&[("snapshot", 1)]);
                assert_eq!(shadow(&mut bench, 4)[0][1], in_second, "snapshot after {wait} cycles");
            }
        })*
    };
}

latency! {
    without_stages_an_access_counts_at_once: 0,
    one_stage_delays_an_access_by_one_cycle: 1,
    two_stages_delay_an_access_by_two_cycles: 2,
    three_stages_delay_an_access_by_three_cycles: 3
}

macro_rules! back_to_back {
    ($($stages:literal),*) => {
        $({
            let mut bench = Bench::new::<Gdcu!(3, 3, 16, $stages)>();
            let mut expected = vec![vec![0u64; 3]; 3];
            for t in 0..60u64 {
                let owners = [t % 3, (t / 3) % 3, (t / 9) % 3];
                let (kid, pos) = ((t * 5 + 1) % 3, (t * 7) % 4);
                bench.cycle(&access(pos.into(), kid.into(), &owners, 0b111));
                for owner in &owners[..pos as usize] {
                    expected[*owner as usize][kid as usize] += 1;
                }
            }
            let drain: usize = $stages;
            for _ in 0..drain {
                bench.cycle(&[]);
            }
            bench.cycle(&[("snapshot", 1)]);
            assert_eq!(shadow(&mut bench, 3), expected, "{} stages", $stages);
        })*
    };
}

#[test]
fn an_access_every_cycle_loses_none() {
    back_to_back!(0, 1, 2, 3);
}

#[test]
fn reset_empties_the_pipeline() {
    let mut bench = Bench::new::<Gdcu!(4, 4, 16, 3)>();
    bench.cycle(&access(4, 1, &OWNERS, 0b1111));
    bench.cycle(&access(4, 1, &OWNERS, 0b1111));
    bench.cycle(&access(4, 1, &OWNERS, 0b1111));
    bench.cycle(&[("reset", 1)]);
    for _ in 0..4 {
        bench.cycle(&[]);
    }
    bench.cycle(&[("snapshot", 1)]);
    assert_eq!(shadow(&mut bench, 4), [[0; 4]; 4]);
}

#[test]
fn the_largest_set_counts_all_its_ways() {
    let mut bench = Bench::new::<Gdcu!(32, 8, 21, 1)>();
    let all = [
        ("access_valid", 1),
        ("access_pos", 32),
        ("access_kid", 7),
        ("stack_owner", pack(&[5; 32], 3)),
        ("stack_valid", 0xffff_ffff),
    ];
    bench.cycle(&all);
    bench.cycle(&all);
    bench.cycle(&[]);
    bench.cycle(&[("snapshot", 1)]);
    bench.cycle(&[("read_victim", 5), ("read_aggressor", 7)]);
    assert_eq!(bench.cycle(&[]).get("read_count"), 64);
}
