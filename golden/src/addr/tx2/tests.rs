//! Rationale: what watches must count as the golden cache does; blame must go to whoever is beside
//! the kernel, under its own KID; a whole cache that is copied must cost more than a line. How much
//! is shown, not asserted: the paper gives no sizes.

use super::watch::Watch;
use super::*;
use crate::gpu::Reached;
use crate::llc::cache::{Cache, Geometry, Reference};
use crate::workload::{Access, Op};

/// Few and short runs.
fn short(kernels: &[Kernel], interference: &[Interference]) -> Tx2Config {
    Tx2Config {
        kernels: kernels.to_vec(),
        interference: interference.to_vec(),
        cycles: 1,
        ..Tx2Config::figures().unwrap()
    }
}

fn run(config: &Tx2Config) -> Vec<Tx2Row> {
    interference(config, UNOBSERVED, &mut |_, _| true).unwrap()
}

#[test]
fn watch_counts_what_the_golden_cache_counts() {
    let geometry = Geometry {
        sets: 16,
        ways: 4,
        line: 32,
        kernels: 4,
        banks: 4,
    };
    let mut cache = Reference::new(geometry).unwrap();
    let mut watch = Watch::new(&geometry).unwrap();
    let mut middle = None;
    for number in 0..4000u64 {
        let drawn = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let kernel = (drawn % 3) as u8;
        let line = drawn / 3 % 60 + 64 * u64::from(kernel);
        let access = Access::at(kernel, Op::Read, line * 32, 32);
        let (before, outcome) = cache.observe(&access).unwrap();
        if number == 2000 {
            middle = Some(watch.totals());
        }
        watch.see(&Reached {
            cycle: number / 2,
            bank: geometry.bank_of(geometry.set_of(access.address)),
            access: &access,
            before: &before,
            outcome: &outcome,
        });
    }
    let end = watch.totals();
    let start = Watch::new(&geometry).unwrap().totals();
    let (all, counts) = (end.since(&start), cache.counts());
    assert_eq!((&all.gdc, &all.ike), (&counts.gdc, &counts.ike));
    let misses: Vec<u64> = counts.kernels.iter().map(|it| it.misses).collect();
    assert_eq!(all.misses, misses);
    // Two halves are the whole.
    let middle = middle.unwrap();
    let (first, second) = (middle.since(&start), end.since(&middle));
    assert_eq!(first.gdc[0][1] + second.gdc[0][1], all.gdc[0][1]);
    assert_eq!(first.hits[2] + second.hits[2], all.hits[2]);
    // Exact shares are shares of the misses.
    for (row, misses) in all.exact.iter().zip(misses) {
        assert!((row.iter().sum::<f64>() - misses as f64).abs() < 1e-6);
    }
}

#[test]
fn alone_nothing_is_missed_and_nobody_is_blamed() {
    let rows = run(&short(&[Kernel::Vadd], &[]));
    let [alone] = &rows[..] else { panic!() };
    assert_eq!((alone.slowdown, alone.matrices.misses[KERNEL]), (1.0, 0));
    assert!(alone.matrices.hits[KERNEL] > 15_000);
}

#[test]
fn copies_of_the_whole_cache_cost_more_than_of_a_line() {
    let copies = [1, 16384].map(|lines| Interference::Copy { lines });
    let rows = run(&short(&[Kernel::Vadd], &copies));
    let [_, one, all] = &rows[..] else { panic!() };
    assert!(one.slowdown < 1.05, "{}", one.slowdown);
    assert!(all.slowdown > 1.2, "{}", all.slowdown);
    let row = &all.matrices.exact[KERNEL];
    assert!(
        row[COPY_ENGINE] > 10_000.0 && row[INTERFERER] == 0.0,
        "{row:?}"
    );
    assert!(all.matrices.gdc[KERNEL][COPY_ENGINE] > 0);
}

#[test]
fn the_interference_kernel_is_blamed_for_what_it_pushes_out() {
    let strides = [1, 32].map(|stride| Interference::Kernel {
        stride,
        bytes: 1,
        hop: Hop::Block,
    });
    let rows = run(&short(&[Kernel::Vadd], &strides));
    for row in &rows[1..] {
        assert!(row.slowdown > 1.05, "{}", row.slowdown);
        let exact = &row.matrices.exact[KERNEL];
        assert!(exact[INTERFERER] > 0.9 * row.matrices.misses[KERNEL] as f64);
        assert_eq!(exact[COPY_ENGINE], 0.0);
    }
    // A thread's accesses are to lines of their own from a stride of a line on.
    let accesses = |row: &Tx2Row| {
        let matrices = &row.matrices;
        (matrices.hits[INTERFERER] + matrices.misses[INTERFERER]) as f64 / row.cycles
    };
    assert!(accesses(&rows[2]) > 4.0 * accesses(&rows[1]));
}

/// With the hop of the text, strides up to a line bring more lines the longer they are; of longer
/// ones fewer lines are left, which stay in the LLC.
#[test]
fn the_hop_of_the_text_has_its_peak_at_the_line() {
    let strides = [1, 32, 256].map(|stride| Interference::Kernel {
        stride,
        bytes: 1,
        hop: Hop::BlockStride,
    });
    let rows = run(&short(&[Kernel::Vadd], &strides));
    let misses: Vec<f64> = rows[1..]
        .iter()
        .map(|row| row.matrices.misses[INTERFERER] as f64 / row.cycles)
        .collect();
    assert!(
        misses[1] > 3.0 * misses[0] && misses[1] > 3.0 * misses[2],
        "{misses:?}"
    );
    assert!(rows[2].slowdown > rows[1].slowdown && rows[2].slowdown > rows[3].slowdown);
}

#[test]
fn bytes_are_the_same_each_time() {
    let config = short(&[Kernel::Vadd], &[Interference::Copy { lines: 64 }]);
    let mut seen = vec![];
    let rows = interference(&config, UNOBSERVED, &mut |done, total| {
        seen.push((done, total));
        true
    })
    .unwrap();
    assert_eq!(seen, [(0, 2), (2, 2)]);
    let text = serde_json::to_string(&rows).unwrap();
    assert!(
        text.contains("\"interference\":{\"copy\":{\"lines\":64}}"),
        "{text}"
    );
    assert_eq!(text, serde_json::to_string(&run(&config)).unwrap());
    let stopped = interference(&config, UNOBSERVED, &mut |_, _| false).unwrap();
    assert_eq!(stopped, []);
}

#[test]
fn errors_say_what_is_expected() {
    let fails = |change: &dyn Fn(&mut Tx2Config)| {
        let mut config = short(&[Kernel::Vadd], &[]);
        change(&mut config);
        interference(&config, UNOBSERVED, &mut |_, _| true)
            .unwrap_err()
            .to_string()
    };
    let kernel = |stride, bytes| {
        vec![Interference::Kernel {
            stride,
            bytes,
            hop: Hop::Block,
        }]
    };
    assert_eq!(
        fails(&|it| it.interference = kernel(0, 1)),
        "stride is 0, expected 1 to 1048576"
    );
    assert!(fails(&|it| it.interference = kernel(1, 3))
        .starts_with("bytes is 3, expected a power of two"));
    assert!(fails(&|it| it.footprint = 1).starts_with("footprint is 1, expected 4096"));
    assert!(fails(&|it| it.preset.llc.kernels = 2).starts_with("llc.kernels is 2"));
    assert!(fails(&|it| it.preset.machine.l1d.ways = 0).contains("l1d.ways is 0"));
    let error = fails(&|it| it.limit = 1000);
    assert_eq!(
        error,
        "Vadd beside None: 0 runs in 1000 cycles, expected 1 or a higher limit"
    );
    let copy = vec![Interference::Copy { lines: 0 }];
    assert!(fails(&|it| it.interference = copy.clone()).starts_with("lines is 0"));
}

/// All figures, for a look at the shapes.
#[test]
#[ignore = "takes a minute: all runs of figures 3 to 6"]
fn figures() {
    for row in run(&Tx2Config::figures().unwrap()) {
        println!("{}", serde_json::to_string(&row).unwrap());
    }
}
