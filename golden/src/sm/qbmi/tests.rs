//! Rationale: the paper's pairs and triple from their requests to their grants; each rule of the
//! grant and of the refill by hand on two kernels with intervals of four requests (ratios up to 4,
//! a quota unit of 9 cycles, 4-bit quotas), above all what falls into one cycle: a new set, a
//! quota that reaches zero, a launch; and what a lag changes. Long random runs are in
//! `tests/sm_units`.
use super::*;

const SMALL: Params = Params {
    kernels: 2,
    interval_w: 2,
    cap: false,
    lag: 0,
};

fn launch(launch: u64) -> In {
    In {
        launch,
        ..In::default()
    }
}

/// The LSU takes an instruction of one of the `ready` kernels.
fn ready(ready: u64) -> In {
    In {
        ready,
        accept: true,
        ..In::default()
    }
}

fn request(request_kid: u8, request_first: bool) -> In {
    In {
        request_valid: true,
        request_first,
        request_kid,
        ..In::default()
    }
}

struct Bench(Qbmi);

impl Bench {
    fn new(params: Params) -> Self {
        Self(Qbmi::new(params).unwrap())
    }

    /// All kernels launched in cycle 0.
    fn launched(params: Params) -> Self {
        let mut bench = Self::new(params);
        bench.step(launch(limit(bench.0.params.kernels)));
        bench
    }

    /// All kernels measured, and the quotas of these ratios in force.
    fn measured(params: Params, ratios: &[u64]) -> Self {
        let mut bench = Self::launched(params);
        for (kernel, ratio) in ratios.iter().enumerate() {
            for n in 0..1 << bench.0.params.interval_w {
                bench.step(request(kernel as u8, n % ratio == 0));
            }
        }
        // A set under way, a new one, and the ratio before.
        bench.idle(2 * bench.0.params.latency() + 32);
        assert_eq!(bench.ratios(), ratios);
        bench
    }

    fn step(&mut self, input: In) -> Out {
        self.0.assume(&input).unwrap();
        self.0.step(&input)
    }

    fn idle(&mut self, cycles: u64) {
        for _ in 0..cycles {
            self.step(In::default());
        }
    }

    /// To whom the next grant goes.
    fn grant(&mut self, mask: u64) -> Option<u8> {
        let out = self.step(ready(mask));
        assert_eq!(out.grant, u64::from(out.grant_valid) << out.grant_kid);
        out.grant_valid.then_some(out.grant_kid)
    }

    /// How many of so many grants go to each kernel when all are ready.
    fn shares(&mut self, grants: u64) -> Vec<u64> {
        let all = limit(self.0.params.kernels);
        let mut shares = vec![0; self.0.params.kernels];
        for _ in 0..grants {
            let kid = self.grant(all).unwrap();
            shares[usize::from(kid)] += 1;
        }
        shares
    }

    fn current(&self) -> &[u64] {
        &self.0.state.current
    }

    /// The set in force.
    fn set(&self) -> &[u64] {
        &self.0.state.unit.quota
    }

    fn ratios(&self) -> Vec<u64> {
        self.0.state.meter.iter().map(|meter| meter.ratio).collect()
    }
}

mod changes;

#[test]
fn kernels_of_table_2() {
    // bp 2, sv 3, ks 17, ax 11 requests per instruction.
    let cases: [(&[u64], &[u64]); 4] = [
        (&[2, 3], &[3, 2]),
        (&[2, 17], &[17, 2]),
        (&[3, 17], &[17, 3]),
        (&[3, 17, 11], &[187, 33, 51]),
    ];
    for (ratios, quotas) in cases {
        for cap in [false, true] {
            let mut bench = Bench::measured(
                Params {
                    kernels: ratios.len(),
                    interval_w: 10,
                    cap,
                    lag: 0,
                },
                ratios,
            );
            assert_eq!(bench.set(), quotas);
            // From the first refill on a round of quotas is issued in every so many grants.
            bench.shares(quotas.iter().sum());
            for _ in 0..3 {
                assert_eq!(bench.shares(quotas.iter().sum()), quotas, "{ratios:?}");
            }
        }
    }
}

#[test]
fn inactive_kernels_are_passed_over() {
    let mut bench = Bench::new(SMALL);
    assert_eq!(bench.grant(3), None);
    // Launch at t, in `active` at t + 1.
    let out = bench.step(In {
        launch: 2,
        ..ready(3)
    });
    assert_eq!((out.grant_valid, out.active), (false, 0));
    assert_eq!(bench.current(), [0, 1]);
    for _ in 0..3 {
        assert_eq!(bench.grant(3), Some(1));
    }
    assert_eq!(bench.grant(1), None);
    // Exit likewise; launch and exit in one cycle is a launch.
    let out = bench.step(In {
        exit: 2,
        ..ready(3)
    });
    assert_eq!((out.grant, out.active), (2, 2));
    assert_eq!(bench.current(), [0, 0]);
    bench.step(In {
        launch: 3,
        exit: 1,
        ..In::default()
    });
    assert_eq!(bench.current(), [1, 1]);
    assert_eq!(bench.0.state.active, 3);
}

#[test]
fn equal_quotas_go_in_turn() {
    let mut bench = Bench::launched(Params {
        kernels: 3,
        ..SMALL
    });
    // All stand at 1 and the set is of ones: the winner is refilled, the others have one more.
    let turns = [
        (7, 0, [1, 2, 2]),
        (7, 1, [1, 1, 2]),
        (7, 2, [1, 1, 1]),
        (7, 0, [1, 2, 2]),
        (4, 2, [1, 2, 1]),
        (5, 0, [1, 3, 2]), // 0 and 2 at 1: 0 is the first after 2
        (7, 1, [1, 2, 2]),
        (7, 2, [1, 2, 1]),
        (7, 1, [1, 1, 1]),
        (5, 2, [2, 2, 1]), // 0 and 2 at 1: 2 is the first after 1
    ];
    for (mask, winner, current) in turns {
        assert_eq!(bench.grant(mask), Some(winner));
        assert_eq!(bench.current(), current);
    }
    assert_eq!(
        bench
            .step(In {
                accept: false,
                ..ready(7)
            })
            .grant,
        0
    );
    assert_eq!(bench.grant(0), None);
}

/// Kernel 1 makes four requests with one instruction in cycles 1 to 4. The set that the launch
/// asked for, (1, 1), is computed in cycles 1 to 9; the ratio shows at 8; the set of it, (4, 1), is
/// computed in cycles 10 to 18 and in force from 19 on.
fn new_set_in_force_at_19(now: u64) -> Bench {
    let mut bench = Bench::launched(SMALL);
    for n in 0..4 {
        bench.step(request(1, n == 0));
    }
    bench.idle(now - 5);
    assert_eq!(bench.0.state.unit.left, 19 - now);
    assert_eq!(bench.current(), [1, 1]);
    bench
}

/// Section 3.2: "When the quota of any kernel reaches zero, a new set of quotas [...] will be added
/// to the current quota values"; the specification: "the newest completed set, in the very cycle of
/// reaching zero".
#[test]
fn a_set_is_added_in_the_very_cycle_of_reaching_zero() {
    // Granted in cycle 18, kernel 0 has the old set in 19.
    let mut bench = new_set_in_force_at_19(18);
    assert_eq!(bench.set(), [1, 1]);
    assert_eq!(bench.grant(3), Some(0));
    assert_eq!(bench.current(), [1, 2]);
    assert_eq!(bench.set(), [4, 1]);
    assert_eq!(bench.grant(3), Some(1));
    assert_eq!(bench.current(), [1, 1]);
    assert_eq!(bench.grant(3), Some(0));
    assert_eq!(bench.current(), [4, 2], "0 + 4 and 1 + 1");
    // In 19: the new one.
    let mut bench = new_set_in_force_at_19(19);
    assert_eq!(bench.grant(3), Some(0));
    assert_eq!(bench.current(), [4, 2]);
}

/// Section 3.2: "The priority of a kernel [...] is based on its current quota", and "each time a
/// memory instruction is issued from a kernel, its quota is decremented by 1".
#[test]
fn kernels_of_equal_ratios_alternate_back_to_back() {
    let mut bench = Bench::launched(SMALL);
    let winners: Vec<_> = (0..8).filter_map(|_| bench.grant(3)).collect();
    assert_eq!(winners, [0, 1, 0, 1, 0, 1, 0, 1]);
    // Kernel 1 stands at 5 and issues until kernel 0, at 4, is not below it.
    let mut bench = Bench::launched(SMALL);
    bench.0.preset(0, 4);
    bench.0.preset(1, 5);
    let quotas = [[4, 4], [3, 4], [3, 3], [2, 3]];
    for (winner, current) in [1, 0, 1, 0].into_iter().zip(quotas) {
        assert_eq!(bench.grant(3), Some(winner));
        assert_eq!(bench.current(), current);
    }
}

#[test]
fn a_lag_is_the_number_of_cycles_until_a_grant_is_deducted() {
    for lag in 0..=3 {
        let mut bench = Bench::launched(Params { lag, ..SMALL });
        bench.0.preset(0, 7);
        assert_eq!(bench.grant(3), Some(0));
        for _ in 0..lag {
            assert_eq!(bench.current(), [7, 1], "lag {lag}");
            bench.idle(1);
        }
        assert_eq!(bench.current(), [6, 1], "lag {lag}");
        // Of grants in a row each is deducted once, also with a set that gives 1 to each.
        let mut bench = Bench::launched(Params { lag, ..SMALL });
        (0..5).for_each(|_| assert_eq!(bench.grant(1), Some(0)));
        bench.idle(lag as u64);
        assert_eq!(bench.current(), [1, 6], "five grants, five sets");
        // A restart drops what is not deducted.
        bench.grant(1);
        bench.step(launch(1));
        bench.idle(4);
        assert_eq!(bench.current(), [1, 1]);
    }
    // Equal ratios: two grants in a row are decided by the same quotas.
    let mut bench = Bench::launched(Params { lag: 1, ..SMALL });
    let winners: Vec<_> = (0..8).filter_map(|_| bench.grant(3)).collect();
    assert_eq!(winners, [0, 1, 1, 0, 0, 1, 1, 0]);
}

#[test]
fn an_idle_kernel_piles_up_credit() {
    // Set (1, 1), quotas of 4 bits: kernel 1 gets one more each time kernel 0 is refilled, until
    // its register is full.
    let mut bench = Bench::launched(SMALL);
    for grants in 1..=20 {
        assert_eq!(bench.grant(1), Some(0));
        assert_eq!(bench.current(), [1, (1 + grants).min(15)]);
    }
    // Awake, it issues alone until it is level.
    for _ in 0..14 {
        assert_eq!(bench.grant(3), Some(1));
    }
    assert_eq!(bench.current(), [1, 1]);
    assert_eq!(bench.grant(3), Some(0));
}

#[test]
fn the_cap_keeps_twice_the_newest_quota() {
    let mut bench = Bench::launched(Params { cap: true, ..SMALL });
    for current in [[1, 2], [1, 2], [1, 2]] {
        assert_eq!(bench.grant(1), Some(0));
        assert_eq!(bench.current(), current);
    }
    assert_eq!(bench.grant(3), Some(1));
    assert_eq!(bench.grant(3), Some(0));
    // bp and ks: 34 and 4 at most. Kernel 1 has 2 after odd and 1 after even numbers of grants.
    let params = Params {
        kernels: 2,
        interval_w: 10,
        cap: true,
        lag: 0,
    };
    let mut bench = Bench::measured(params.clone(), &[2, 17]);
    (0..100).for_each(|_| assert_eq!(bench.grant(2), Some(1)));
    assert_eq!(bench.current(), [34, 1]);
    (0..100).for_each(|_| assert_eq!(bench.grant(1), Some(0)));
    assert_eq!(bench.current()[1], 4);
    // Without: 7 bits.
    let mut bench = Bench::measured(
        Params {
            cap: false,
            ..params
        },
        &[2, 17],
    );
    (0..100).for_each(|_| assert_eq!(bench.grant(2), Some(1)));
    assert_eq!(bench.current(), [127, 1]);
}

#[test]
fn reset_goes_before_all() {
    let mut bench = Bench::measured(SMALL, &[2, 4]);
    bench.step(In {
        reset: true,
        launch: 3,
        ..ready(3)
    });
    assert_eq!(bench.0.state, Bench::new(SMALL).0.state);
}

#[test]
fn presets_stay_within_the_register() {
    let mut bench = Bench::launched(Params {
        kernels: 8,
        interval_w: 10,
        cap: false,
        lag: 0,
    });
    bench.step(In {
        exit: 2,
        ..In::default()
    });
    for (kernel, quota) in [(0, 0), (1, 5), (2, 1 << 40), (9, 1)] {
        bench.0.preset(kernel, quota);
    }
    assert_eq!(bench.current()[..3], [1, 0, (1 << 34) - 1]);
}

#[test]
fn widths() {
    for (kernels, interval_w, widths) in [
        (2, 10, (6, 6, 7)),
        (3, 10, (6, 10, 11)),
        (4, 10, (6, 15, 16)),
        (8, 10, (6, 33, 34)),
        (2, 2, (3, 3, 4)),
        (3, 3, (4, 6, 7)),
    ] {
        let params = Params {
            kernels,
            interval_w,
            cap: false,
            lag: 0,
        };
        assert_eq!((params.ratio_w(), params.set_w(), params.quota_w()), widths);
    }
}

#[test]
fn illegal_inputs_and_parameters_are_named() {
    let bench = Bench::new(Params {
        kernels: 3,
        ..SMALL
    });
    for (input, message) in [
        (launch(8), "launch is 0x8, expected no bit from 3 up"),
        (ready(8), "ready is 0x8, expected no bit from 3 up"),
        (request(3, true), "request_kid is 3, expected at most 2"),
        (
            In {
                request_kid: 4,
                ..In::default()
            },
            "request_kid is 4, expected at most 3",
        ),
        (
            In {
                exit: 8,
                ..In::default()
            },
            "exit is 0x8, expected no bit from 3 up",
        ),
    ] {
        assert_eq!(bench.0.assume(&input).unwrap_err().to_string(), message);
    }
    for (kernels, interval_w, message) in [
        (0, 10, "kernels is 0, expected 1 to 16"),
        (17, 10, "kernels is 17, expected 1 to 16"),
        (2, 0, "interval_w is 0, expected 1 to 32"),
        (2, 33, "interval_w is 33, expected 1 to 32"),
    ] {
        let params = Params {
            kernels,
            interval_w,
            cap: false,
            lag: 0,
        };
        assert_eq!(Qbmi::new(params).unwrap_err().to_string(), message);
    }
}
