//! The counters behind the pipeline, and the read port.
use super::*;

#[test]
fn a_stream_by_hand() {
    let mut bench = Bench::ready();
    // Set 0: kernel 0 fills both ways, kernel 1 evicts one line and hits the other.
    for (requester, tag) in [(0, 1), (0, 2), (1, 3), (1, 2), (1, 2)] {
        bench.step(&access(requester, 0, tag));
    }
    bench.idle(5);
    let bank = bench.bank();
    // The miss demotes two lines of kernel 0; the hit at LRU one of kernel 1; that at MRU none.
    assert_eq!(bank.gdcu.count, [[1, 2], [0, 1]]);
    assert_eq!(bank.plob.count, [[0, 1], [0, 0]]);
    assert_eq!(bank.accesses.matrix.count, [[0, 2], [2, 1]]);
}

#[test]
fn an_increment_in_the_cycle_of_a_snapshot_opens_the_new_period() {
    for stages in 0..=2 {
        let params = Params { stages, ..PARAMS };
        // The counters change at the edge of cycle 3 + stages after the request.
        for late in [false, true] {
            let mut monitor = LlcMonitor::new(params.clone()).unwrap();
            for _ in 0..PARAMS.sets {
                monitor.step(&idle());
            }
            // Warm up with a line, which the access in question evicts.
            monitor.step(&access(0, 0, 1));
            monitor.step(&access(0, 0, 2));
            for _ in 0..8 {
                monitor.step(&idle());
            }
            monitor.step(&snapshot());
            monitor.step(&access(1, 0, 3));
            for _ in 0..2 + stages + usize::from(late) {
                monitor.step(&idle());
            }
            monitor.step(&snapshot());
            let bank = &monitor.state().banks[0];
            let (old, new) = if late { (1, 0) } else { (0, 1) };
            let count = [
                bank.gdcu.count[0][1],
                bank.plob.count[0][1],
                bank.accesses.matrix.count[1][1],
            ];
            let shadow = [
                bank.gdcu.shadow[0][1],
                bank.plob.shadow[0][1],
                bank.accesses.matrix.shadow[1][1],
            ];
            assert_eq!(count, [2 * new, new, new], "stages {stages}");
            assert_eq!(shadow, [2 * old, old, old], "stages {stages}");
        }
    }
}

#[test]
fn saturation_of_each_matrix_is_sticky_and_or_ed_over_the_banks() {
    let params = Params { banks: 2, ..PARAMS };
    let mut monitor = LlcMonitor::new(params.clone()).unwrap();
    let idle = In::idle(&params);
    for _ in 0..params.sets {
        monitor.step(&idle);
    }
    // 4-bit counters; a bank each for what must be seen in the sum.
    monitor.preset(0, Matrix::Gdc, 0, 1, 14);
    monitor.preset(1, Matrix::Ike, 0, 1, 15);
    monitor.preset(0, Matrix::Accesses, 0, 1, 15);
    monitor.preset(1, Matrix::Accesses, 1, 1, 99);
    for (bank, matrix, row) in [
        (2, Matrix::Gdc, 0),
        (0, Matrix::Ike, 2),
        (1, Matrix::Accesses, 2),
    ] {
        monitor.preset(bank, matrix, row, 0, 1);
    }
    let mut go = |requester, tag| {
        monitor.step(&In {
            access_valid: 0b11,
            access_tag: vec![tag; 2],
            access_requester: vec![requester; 2],
            ..idle.clone()
        })
    };
    go(0, 1);
    go(0, 2);
    go(1, 3);
    go(1, 3);
    for _ in 0..5 {
        monitor.step(&idle);
    }
    let live = |monitor: &LlcMonitor| {
        [0, 1].map(|bank| {
            let bank = &monitor.state().banks[bank];
            let Accesses { matrix, .. } = &bank.accesses;
            [
                bank.gdcu.live_overflow(),
                bank.plob.live_overflow(),
                matrix.live_overflow(),
            ]
        })
    };
    assert_eq!(live(&monitor), [[0b01, 0, 0b01], [0, 0b01, 0b10]]);
    let snapshot = In {
        snapshot: true,
        ..idle.clone()
    };
    let out = monitor.step(&snapshot);
    assert_eq!(
        (out.overflow_gdc, out.overflow_ike, out.overflow_access),
        (0, 0, 0)
    );
    let out = monitor.step(&snapshot);
    assert_eq!(
        (out.overflow_gdc, out.overflow_ike, out.overflow_access),
        (0b01, 0b01, 0b11)
    );
    assert_eq!(out.sequence_number, 1);
    let out = monitor.step(&idle);
    assert_eq!(
        (out.overflow_gdc, out.overflow_ike, out.overflow_access),
        (0, 0, 0)
    );
    assert_eq!(out.sequence_number, 2);
}

#[test]
fn a_read_is_answered_two_cycles_later() {
    let mut bench = Bench::ready();
    for (requester, tag) in [(0, 1), (0, 2), (1, 3), (1, 2), (1, 2)] {
        bench.step(&access(requester, 0, tag));
    }
    bench.idle(5);
    bench.step(&snapshot());
    // Another matrix, victim and aggressor every cycle: gdc, ike, misses, hits, none.
    let asked = [
        (0, 0, 1),
        (1, 0, 1),
        (2, 1, 0),
        (2, 0, 1),
        (3, 0, 1),
        (0, 1, 1),
    ];
    let answers = [2, 1, 2, 2, 0, 1];
    let mut seen = Vec::new();
    for (read_matrix, read_victim, read_aggressor) in asked {
        let out = bench.step(&In {
            read_matrix,
            read_victim,
            read_aggressor,
            ..idle()
        });
        seen.push(out.read_count);
    }
    seen.push(bench.step(&idle()).read_count);
    seen.push(bench.step(&idle()).read_count);
    assert_eq!(seen[2..], answers);
    assert_eq!(bench.read(0, 0, 0), 1);
}

#[test]
fn a_live_read_tells_the_running_period_from_the_last() {
    let mut bench = Bench::ready();
    let live = |input: In| In {
        read_matrix: Matrix::Accesses.code(),
        read_victim: 1,
        read_live: true,
        ..input
    };
    let seen = |out: Out| out.read_count;
    // A miss is counted at t + 4 + stages: read from then on, shown two cycles later.
    let counted = 4 + PARAMS.stages;
    bench.step(&live(access(0, 0, 1)));
    for _ in 1..counted + 2 {
        assert_eq!(seen(bench.step(&live(idle()))), 0);
    }
    assert_eq!(seen(bench.step(&live(snapshot()))), 1);
    assert_eq!(seen(bench.step(&live(idle()))), 1);
    assert_eq!(seen(bench.step(&live(idle()))), 1, "beside the snapshot");
    let last = In {
        read_live: false,
        ..live(idle())
    };
    assert_eq!(seen(bench.step(&last)), 0, "a new period");
    bench.step(&idle());
    assert_eq!(seen(bench.step(&idle())), 1, "the last one");
}

#[test]
fn reads_sum_the_banks_without_overflow_and_know_no_other_rows() {
    // Three kernels leave the row 3 without a victim, 2 without a kind of access.
    let params = Params {
        kernels: 3,
        banks: 4,
        cnt_w: 62,
        ..PARAMS
    };
    assert_eq!(params.total_w(), 64);
    let mut monitor = LlcMonitor::new(params.clone()).unwrap();
    let largest = (1 << 62) - 1;
    for bank in 0..4 {
        for matrix in Matrix::of(&params) {
            for row in 0..2 {
                monitor.preset(bank, matrix, row, 2, u64::MAX);
            }
        }
        monitor.preset(bank, Matrix::Ike, 2, 2, 10 + bank as u64);
    }
    let idle = In::idle(&params);
    monitor.step(&In {
        snapshot: true,
        ..idle.clone()
    });
    let mut read = |matrix: Matrix, read_victim, read_aggressor| {
        let asked = In {
            read_matrix: matrix.code(),
            read_victim,
            read_aggressor,
            ..idle.clone()
        };
        monitor.assume(&asked).unwrap();
        monitor.step(&asked);
        monitor.step(&idle);
        monitor.step(&idle).read_count
    };
    for matrix in Matrix::of(&params) {
        assert_eq!(read(matrix, 1, 2), 4 * largest);
        assert_eq!(read(matrix, 1, 1), 0);
        assert_eq!((read(matrix, 3, 2), read(matrix, 1, 3)), (0, 0));
    }
    assert_eq!(read(Matrix::Ike, 2, 2), 10 + 11 + 12 + 13);
    assert_eq!(read(Matrix::Accesses, 2, 2), 0);
}
