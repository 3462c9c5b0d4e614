//! A monitor that counts shares at eviction and attributes the misses of sampled sets, against the
//! exact pass of each bank: all accesses for the former, those to sampled sets for the latter.

use cotenant_golden::llc::attribution::Mode;
use cotenant_golden::llc::exact::{sampled_sets, Exact};
use cotenant_golden::llc::llc_monitor::{In, LlcMonitor, Matrix, Params, QUEUE};
use cotenant_golden::Model;
use proptest::prelude::*;

const SETS: usize = 16;

/// Cycles in which an access is looked up, and counted.
fn looked_up(params: &Params) -> usize {
    params.ways * params.kernels + 8
}

fn read(monitor: &mut LlcMonitor, matrix: Matrix, row: usize, column: usize) -> u64 {
    let idle = In::idle(monitor.params());
    monitor.step(&In {
        read_matrix: matrix.code(),
        read_victim: row as u8,
        read_aggressor: column as u8,
        read_live: true,
        ..idle.clone()
    });
    monitor.step(&idle);
    monitor.step(&idle).read_count
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn its_sums_are_those_of_the_exact_pass(
        (ways, kernels, banks) in (2usize..5, 2usize..5, prop::sample::select(vec![1usize, 2])),
        sampled in prop::sample::select(vec![2, 8, SETS]),
        stream in prop::collection::vec((0usize..4, 0usize..2, 0usize..SETS, 0u64..9), 1..250),
    ) {
        let params = Params {
            ways,
            kernels,
            sets: SETS,
            banks,
            tag_w: 20,
            cnt_w: 16,
            stages: 1,
            requesters: kernels,
            sce: 1,
            sampled,
            mode: Mode::Sixths,
            ram_stages: 0,
        };
        let mut monitor = LlcMonitor::new(params.clone()).unwrap();
        let idle = In::idle(&params);
        // The stacks are cleared word by word, as many as a power of two for each.
        for _ in 0..sampled * (ways * kernels).next_power_of_two() + SETS {
            monitor.step(&idle);
        }
        let sets = sampled_sets(SETS, sampled);
        prop_assert_eq!(monitor.sampled(), &sets[..]);
        let exact = Exact::new(kernels, SETS, ways).unwrap();
        let (mut all, mut some) = (vec![exact.clone(); banks], vec![exact; banks]);
        let mut taken = 0;
        for &(kernel, bank, set, tag) in &stream {
            let (kernel, bank) = (kernel % kernels, bank % banks);
            all[bank].access(kernel, set, tag);
            if sets.contains(&set) {
                taken += 1;
                some[bank].access(kernel, set, tag);
            }
            let mut input = idle.clone();
            input.access_valid = 1 << bank;
            input.request_set[bank] = set as u32;
            input.access_tag[bank] = tag;
            input.access_requester[bank] = kernel as u16;
            monitor.step(&input);
            for _ in 0..looked_up(&params) {
                monitor.step(&idle);
            }
        }
        for victim in 0..kernels {
            for aggressor in 0..kernels {
                let sce: u64 = all.iter().map(|all| all.attribution().sce[victim][aggressor]).sum();
                prop_assert_eq!(read(&mut monitor, Matrix::Sce, victim, aggressor), sce);
                let sixths = |some: &Exact| {
                    let shares = some.attribution();
                    (shares.exact[victim][aggressor] * 6 / u128::from(shares.unit)) as u64
                };
                let shares: u64 = some.iter().map(sixths).sum();
                prop_assert_eq!(read(&mut monitor, Matrix::Shares, victim, aggressor), shares);
            }
        }
        let shared: u64 = some.iter().map(|some| some.attribution().shared_lines).sum();
        prop_assert_eq!(read(&mut monitor, Matrix::Taken, 0, 0), taken);
        prop_assert_eq!(read(&mut monitor, Matrix::Dropped, 0, 0), 0);
        prop_assert_eq!(read(&mut monitor, Matrix::SharedLines, 0, 0), shared);
    }
}

/// One bank of two sampled sets of two ways.
fn small() -> Params {
    Params {
        ways: 2,
        kernels: 2,
        sets: 2,
        banks: 1,
        tag_w: 8,
        cnt_w: 8,
        stages: 0,
        requesters: 2,
        sce: 0,
        sampled: 2,
        mode: Mode::Sixths,
        ram_stages: 0,
    }
}

/// Passes cycles until all that wait are looked up.
fn rest(monitor: &mut LlcMonitor) {
    let idle = In::idle(monitor.params());
    for _ in 0..(QUEUE + 1) * looked_up(&small()) {
        monitor.step(&idle);
    }
}

fn access(tag: u64) -> In {
    In {
        access_valid: 1,
        access_tag: vec![tag],
        ..In::idle(&small())
    }
}

#[test]
fn what_comes_too_soon_is_dropped() {
    let mut monitor = LlcMonitor::new(small()).unwrap();
    rest(&mut monitor);
    // The first is looked up at once, for at least four cycles. It and perhaps two more are done
    // before all have come, and as many as the queue has places for wait.
    let accesses = QUEUE as u64 + 8;
    for tag in 1..=accesses {
        monitor.step(&access(tag));
    }
    rest(&mut monitor);
    let taken = read(&mut monitor, Matrix::Taken, 0, 0);
    let queue = QUEUE as u64;
    assert!((queue + 1..=queue + 4).contains(&taken), "{taken}");
    let dropped = read(&mut monitor, Matrix::Dropped, 0, 0);
    assert_eq!(dropped, accesses - taken);
    assert_eq!(read(&mut monitor, Matrix::Shares, 0, 0), 6 * taken);
    assert_eq!(read(&mut monitor, Matrix::Accesses, 1, 0), accesses);
}

#[test]
fn a_flush_leaves_the_stacks() {
    let mut monitor = LlcMonitor::new(small()).unwrap();
    rest(&mut monitor);
    monitor.step(&access(1));
    rest(&mut monitor);
    monitor.step(&In {
        flush: true,
        ..In::idle(&small())
    });
    rest(&mut monitor);
    // The line is gone, but would not have been missed without the flush.
    monitor.step(&access(1));
    rest(&mut monitor);
    assert_eq!(read(&mut monitor, Matrix::Accesses, 1, 0), 2);
    assert_eq!(read(&mut monitor, Matrix::Shares, 0, 0), 6);
}

#[test]
fn choices_that_do_not_go_together_are_refused() {
    let legal = Params {
        ways: 2,
        kernels: 4,
        sets: 4,
        banks: 1,
        tag_w: 8,
        cnt_w: 3,
        stages: 0,
        requesters: 2,
        sce: 1,
        sampled: 4,
        mode: Mode::Sixths,
        ram_stages: 0,
    };
    assert!(LlcMonitor::legal(&legal).is_ok());
    let illegal: [fn(&mut Params); 6] = [
        |params| params.sce = 2,
        |params| params.sampled = 1,
        |params| params.sampled = 5,
        |params| params.kernels = 5,
        |params| params.kernels = 1,
        |params| params.cnt_w = 2,
    ];
    for edit in illegal {
        let mut params = legal.clone();
        edit(&mut params);
        assert!(LlcMonitor::legal(&params).is_err(), "{params:?}");
    }
    let without = Params {
        kernels: 5,
        cnt_w: 2,
        sampled: 0,
        ..legal.clone()
    };
    assert!(LlcMonitor::legal(&without).is_ok());
    // Whole misses are for any number of kernels, and for sampled sets.
    let whole = Params {
        kernels: 16,
        mode: Mode::Pivot,
        ram_stages: 0,
        ..legal.clone()
    };
    assert!(LlcMonitor::legal(&whole).is_ok());
    let illegal: [fn(&mut Params); 2] = [|params| params.kernels = 17, |params| params.sampled = 0];
    for edit in illegal {
        let mut params = whole.clone();
        edit(&mut params);
        assert!(LlcMonitor::legal(&params).is_err(), "{params:?}");
    }
}
