//! Rationale: a scheme that is not in force gives numbers that look like numbers all the same. So each
//! one is seen in what the machine does: who is where, who waits, and that nothing else has changed.
//! Cycles are few; what a scheme gains is not asked here.

use super::*;
use crate::sm::milg::Release;

const WINDOW: Window = Window {
    warm_up: 1000,
    measured: 4000,
};

fn group(names: &[&str]) -> Group {
    Group::new(Variant::PAPER, names, 7).unwrap()
}

fn together(names: &[&str], partition: Partition, issue: Issue, given: Given<'_>) -> Vec<Counts> {
    let scheme = Scheme::new(partition, issue);
    let counts = group(names).together(scheme, given, WINDOW, &|_| true);
    counts.unwrap().unwrap()
}

fn instructions(counts: &[Counts]) -> Vec<u64> {
    counts.iter().map(|it| it.instructions).collect()
}

#[test]
fn occupancies_are_table_2_s() {
    assert_eq!(group(&["bp", "sv", "ks"]).most(), [12, 16, 12]);
    // bp takes a twelfth of the threads with each block, sv a sixteenth: 6 and 8 fill them, and bp is
    // given the first of equals.
    assert_eq!(
        group(&["bp", "sv"]).blocks(Partition::Drf, &[]),
        Some(vec![6, 8])
    );
}

#[test]
fn no_limit_changes_nothing() {
    let given = Given::default();
    let free = together(&["bp", "ks"], Partition::Drf, Issue::Free, given);
    let unlimited = together(&["bp", "ks"], Partition::Drf, Issue::Smil([0; 3]), given);
    assert_eq!(free, unlimited);
    // A limit of one for ks does: it stalls nobody, and finds its lines again.
    let limited = together(&["bp", "ks"], Partition::Drf, Issue::Smil([0, 1, 0]), given);
    assert!(free[1].failures > free[1].accesses, "{free:?}");
    assert_eq!(limited[1].failures, 0);
    assert!(limited[0].accesses > free[0].accesses, "{limited:?}");
}

#[test]
fn every_policy_differs_from_every_other() {
    let kernels = group(&["sv", "ks", "bp"]);
    // DMIL does nothing before 1024 requests of a kernel on an SM.
    let window = Window {
        measured: 20_000,
        ..WINDOW
    };
    let given = Given {
        curves: &[],
        alone: &[8.0, 2.0, 16.0],
    };
    let policies = [
        Issue::Free,
        Issue::Rbmi,
        Issue::Qbmi,
        Issue::Dmil,
        Issue::QbmiDmil,
        Issue::QbmiCap,
        Issue::Smil([2, 2, 2]),
        Issue::Quotas,
        Issue::Ucp,
        Issue::MissEntries,
    ];
    let of = |&issue| {
        let scheme = Scheme::new(Partition::Drf, issue);
        let counts = kernels.together(scheme, given, window, &|_| true);
        counts.unwrap().unwrap()
    };
    let all: Vec<_> = policies.iter().map(of).collect();
    for (at, counts) in all.iter().enumerate() {
        assert!(!all[..at].contains(counts), "{:?}", policies[at]);
    }
    assert_eq!(of(&Issue::QbmiDmil), all[4], "the same each time");
}

#[test]
fn quotas_are_kept() {
    // Both compute; each has its share of instructions, whatever it could do.
    let of = |alone: &[f64]| {
        let given = Given { curves: &[], alone };
        instructions(&together(
            &["pf", "hs"],
            Partition::Drf,
            Issue::Quotas,
            given,
        ))
    };
    for ratio in [1.0, 3.0] {
        let alone = [16.0, 16.0 * ratio];
        let ran = of(&alone);
        let found = ran[1] as f64 / ran[0] as f64;
        assert!((found / ratio - 1.0).abs() < 0.3, "{ran:?} for {ratio}");
    }
}

#[test]
fn who_comes_first_leaves_what_it_cannot_use() {
    let given = Given::default();
    // bp alone fills an SM's threads.
    let of = |partition| instructions(&together(&["bp", "sv"], partition, Issue::Free, given));
    let [first, both] = [Partition::LeftOver, Partition::Drf].map(of);
    assert!(
        first[0] > both[0] && first[1] == 0 && both[1] > 0,
        "{first:?} {both:?}"
    );
}

#[test]
fn half_of_the_sms_is_half_of_what_computes() {
    let alone = group(&["cp"]).alone(None, WINDOW, &|_| true);
    let alone = instructions(&alone.unwrap().unwrap())[0] as f64;
    let pair = together(
        &["cp", "hs"],
        Partition::Spatial,
        Issue::Free,
        Given::default(),
    );
    let share = pair[0].instructions as f64 / alone;
    assert!((0.45..0.6).contains(&share), "{share}");
    assert_eq!(pair[0].by_period.len(), 1 + PERIODS as usize);
    let sum: u64 = pair[0].by_period[1..].iter().sum();
    assert_eq!(sum, pair[0].instructions);
}

#[test]
fn a_sweet_spot_is_kept_and_needs_curves() {
    let pair = group(&["bp", "sv"]);
    let curves = vec![(1..=12).collect::<Curve>(), vec![1, 2, 3, 4, 3, 2, 2, 2]];
    assert_eq!(pair.blocks(Partition::Online, &curves), Some(vec![9, 4]));
    let scheme = Scheme::new(Partition::Online, Issue::Free);
    let wrong = pair.under(scheme, Given::default()).err().unwrap();
    let expected = "no thread blocks for WS: expected a curve for each kernel";
    assert!(wrong.to_string().starts_with(expected), "{wrong}");
    let wrong = Group::new(Variant::PAPER, &["bp", "xy"], 7).unwrap_err();
    assert!(wrong
        .to_string()
        .starts_with("kernel \"xy\" is none of table 2's: expected one of cp, hs"));
    let odd = Variant {
        l1d: 32,
        ..Variant::PAPER
    };
    let wrong = Group::new(odd, &["bp"], 7).unwrap_err().to_string();
    assert!(wrong.contains("l1d is 32"), "{wrong}");
}

#[test]
fn blocks_by_hand_are_kept_if_they_fit() {
    let pair = group(&["bp", "sv"]);
    let fixed = |blocks| pair.blocks(Partition::Fixed(blocks), &[]);
    assert_eq!(fixed([9, 4, 0]), Some(vec![9, 4]));
    // 9 blocks of 256 threads leave room for 4 of 192; a kernel without blocks does not run with others.
    assert_eq!([fixed([9, 5, 0]), fixed([9, 0, 0])], [None, None]);
    let scheme = |blocks| Scheme::new(Partition::Fixed(blocks), Issue::Free);
    let wrong = pair.under(scheme([9, 5, 0]), Given::default()).err();
    let said = wrong.unwrap().to_string();
    assert!(
        said.starts_with("no thread blocks for Blocks[9, 5, 0]: "),
        "{said}"
    );
    let of = |blocks| pair.together(scheme(blocks), Given::default(), WINDOW, &|_| true);
    let [few, many] = [[1, 4, 0], [9, 4, 0]].map(|blocks| of(blocks).unwrap().unwrap());
    assert!(
        many[0].instructions > 2 * few[0].instructions,
        "{few:?} {many:?}"
    );
}

#[test]
fn what_is_stopped_has_no_counts() {
    let scheme = Scheme::new(Partition::Drf, Issue::Free);
    let stopped = group(&["bp"]).together(scheme, Given::default(), WINDOW, &|_| false);
    assert_eq!(stopped.unwrap(), None);
}

/// An SM sleeps while nothing happens; what its unit would have seen must not be lost.
#[test]
fn sleeping_changes_nothing() {
    let pair = group(&["sv", "ks"]);
    let given = Given {
        curves: &[],
        alone: &[8.0, 2.0],
    };
    for issue in [
        Issue::Free,
        Issue::Rbmi,
        Issue::Qbmi,
        Issue::Dmil,
        Issue::DmilRelease(Release::PlusOne),
        Issue::QbmiDmil,
        Issue::Smil([3, 1, 0]),
        Issue::Quotas,
        Issue::Ucp,
        Issue::MissEntries,
    ] {
        let run = |machine: Machine| {
            let mut machine = machine;
            machine.run_unwatched(11_999);
            machine.check().unwrap();
            [0, 1].map(|kernel| machine.stats(kernel))
        };
        let machine = || {
            pair.under(Scheme::new(Partition::Drf, issue), given)
                .unwrap()
        };
        assert_eq!(run(machine()), run(machine().every_cycle()), "{issue:?}");
    }
}
