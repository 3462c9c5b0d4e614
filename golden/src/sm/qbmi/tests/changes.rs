//! What launches, exits and new ratios do.
use super::*;

#[test]
fn a_launch_starts_all_quotas_afresh() {
    let params = Params {
        kernels: 2,
        interval_w: 10,
        cap: false,
        lag: 0,
    };
    for (kernel, ratios) in [(0, [1, 17]), (1, [2, 1])] {
        let mut bench = Bench::measured(params.clone(), &[2, 17]);
        bench.shares(5);
        let last = bench.0.state.last;
        // The grant of that cycle happens and counts as the last one, but costs nothing.
        let out = bench.step(In {
            launch: 1 << kernel,
            ..ready(1 << (1 - last))
        });
        assert_eq!((out.grant_valid, out.grant_kid), (true, 1 - last));
        assert_eq!(bench.0.state.last, 1 - last);
        assert_eq!(bench.current(), [1, 1]);
        assert_eq!(bench.set(), [1, 1], "no set is in force");
        assert_eq!(
            bench.ratios(),
            ratios,
            "only the launched one is measured afresh"
        );
        // The set of the ratios that are known comes a cycle and the unit's latency later.
        bench.idle(82);
        assert_eq!(bench.set(), [1, 1]);
        bench.idle(1);
        assert_eq!(bench.set(), [[17, 1], [1, 2]][kernel]);
    }
}

#[test]
fn an_exit_starts_all_quotas_afresh() {
    let params = Params {
        kernels: 3,
        interval_w: 10,
        cap: false,
        lag: 0,
    };
    let mut bench = Bench::measured(params, &[3, 17, 11]);
    bench.shares(5);
    bench.step(In {
        exit: 2,
        ..In::default()
    });
    assert_eq!(bench.current(), [1, 0, 1]);
    assert_eq!(bench.ratios(), [3, 17, 11]);
    bench.idle(125);
    assert_eq!(bench.set(), [11, 1, 3]);
    // The one that is left is never blocked.
    bench.step(In {
        exit: 4,
        ..In::default()
    });
    (0..500).for_each(|_| assert_eq!(bench.grant(7), Some(0)));
}

#[test]
fn changes_break_the_quota_unit_off_and_start_it_again() {
    let mut bench = Bench::launched(SMALL);
    // Started in cycle 1, 8 cycles busy.
    for left in [0, 8, 7] {
        assert_eq!(bench.0.state.unit.left, left);
        bench.step(In::default());
    }
    let change = bench.step(launch(1));
    assert!(change.active == 3 && bench.0.state.dirty);
    assert_eq!(bench.0.state.unit.left, 0);
    // Not in a cycle with another change.
    bench.step(launch(1));
    assert!(bench.0.state.dirty && bench.0.state.unit.left == 0);
    bench.step(In::default());
    assert!(!bench.0.state.dirty && bench.0.state.unit.left == 8);
}

#[test]
fn a_ratio_that_comes_while_the_unit_is_busy_starts_it_again() {
    let mut bench = Bench::launched(SMALL);
    for n in 0..4 {
        bench.step(request(0, n == 0)); // cycles 1 to 4
    }
    bench.idle(3); // 5 to 7
    let state = &bench.0.state;
    assert_eq!(
        (state.meter[0].ratio, state.dirty, state.unit.left),
        (4, true, 2)
    );
    bench.idle(2); // 8 and 9: the first set, of (1, 1), is done
    let state = &bench.0.state;
    assert_eq!(
        (state.unit.done, state.dirty, state.unit.left),
        (true, true, 0)
    );
    bench.idle(1);
    let state = &bench.0.state;
    assert_eq!(
        (state.unit.done, state.dirty, state.unit.left),
        (false, false, 8)
    );
    bench.idle(8);
    assert_eq!(bench.set(), [1, 4]);
}

#[test]
fn a_ratio_that_comes_in_the_cycle_of_a_start_starts_the_unit_again() {
    let mut bench = Bench::launched(SMALL);
    bench.idle(20);
    // Kernel 0 ends its interval at cycle c, kernel 1 at c + 1.
    for (kid, first) in [
        (0, true),
        (0, false),
        (0, false),
        (1, true),
        (1, false),
        (1, true),
    ] {
        bench.step(request(kid, first));
    }
    bench.step(request(0, false));
    bench.step(request(1, false));
    bench.idle(3);
    // At c + 5: begun with the ratio of kernel 0, in whose cycle that of kernel 1 came.
    let state = &bench.0.state;
    assert_eq!((state.unit.left, state.dirty), (8, true));
    assert_eq!(bench.ratios(), [4, 2]);
    bench.idle(8);
    assert_eq!(bench.set(), [1, 4], "of 4 and 1");
    bench.idle(9);
    assert_eq!(bench.set(), [1, 2], "of 4 and 2");
}
