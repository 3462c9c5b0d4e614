//! Rationale: the paper's pairs and triple from their requests to their grants; each rule of the
//! grant and of the refill by hand on two kernels with intervals of four requests (ratios up to 4,
//! a quota unit of 9 cycles, 4-bit quotas), above all what falls into one cycle: a new set, a
//! quota that reaches zero, a launch. Long random runs are in `tests/sm_units`.
use super::*;

const SMALL: Params = Params {
    kernels: 2,
    interval_w: 2,
    cap: false,
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

    /// The same, until all quotas know: a cycle to take it off, one to add a set.
    fn turn(&mut self, mask: u64) -> Option<u8> {
        let granted = self.grant(mask);
        self.idle(2);
        granted
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

    /// What the quota unit shows; in force a cycle later.
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
        assert_eq!(bench.turn(mask), Some(winner));
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
/// computed in cycles 10 to 18, the unit shows it from 19 on, and it is in force from 20 on.
fn new_set_in_force_at_20(now: u64) -> Bench {
    let mut bench = Bench::launched(SMALL);
    for n in 0..4 {
        bench.step(request(1, n == 0));
    }
    bench.idle(now - 5);
    assert_eq!(bench.0.state.unit.left, 19 - now);
    assert_eq!((bench.current(), bench.set()), (&[1, 1][..], &[1, 1][..]));
    bench
}

#[test]
fn a_set_is_added_in_the_cycle_in_which_a_quota_is_zero() {
    // Granted in cycle 17, kernel 0 stands at zero in 19: the old set is added.
    let mut bench = new_set_in_force_at_20(17);
    assert_eq!(bench.grant(3), Some(0));
    assert_eq!(bench.current(), [1, 1]);
    bench.idle(1);
    assert_eq!((bench.current(), bench.set()), (&[0, 1][..], &[4, 1][..]));
    bench.idle(1);
    assert_eq!(bench.current(), [1, 2]);
    assert_eq!(bench.turn(3), Some(1));
    assert_eq!(bench.current(), [1, 1]);
    assert_eq!(bench.turn(3), Some(0));
    assert_eq!(bench.current(), [4, 2], "0 + 4 and 1 + 1");
    // In 20: the new one.
    let mut bench = new_set_in_force_at_20(18);
    assert_eq!(bench.turn(3), Some(0));
    assert_eq!(bench.current(), [4, 2]);
}

#[test]
fn each_grant_in_a_row_is_paid_for() {
    // Kernel 1 stands at 5 and issues twice before it is below kernel 0; nothing is added.
    let mut bench = Bench::launched(SMALL);
    bench.0.preset(0, 4);
    bench.0.preset(1, 5);
    let quotas = [[4, 5], [4, 4], [4, 3], [3, 3], [2, 3]];
    for (winner, current) in [1, 1, 0, 0, 1].into_iter().zip(quotas) {
        assert_eq!(bench.grant(3), Some(winner));
        assert_eq!(bench.current(), current);
    }
    // Alone, with a set that gives it 1: zero cycle after cycle, and never less.
    let mut bench = Bench::launched(SMALL);
    let quotas = [[1, 1], [0, 1], [0, 2], [0, 3]];
    for current in quotas {
        assert_eq!(bench.grant(1), Some(0));
        assert_eq!(bench.current(), current);
    }
    bench.idle(1);
    assert_eq!(bench.current(), [0, 4]);
    bench.idle(1);
    assert_eq!(bench.current(), [1, 5], "four grants, four sets");
}

#[test]
fn an_idle_kernel_piles_up_credit() {
    // Set (1, 1), quotas of 4 bits: kernel 1 gets one more each time kernel 0 is refilled, until it
    // is above 7, the largest that half the register holds.
    let mut bench = Bench::launched(SMALL);
    for grants in 1..=20 {
        assert_eq!(bench.turn(1), Some(0));
        assert_eq!(bench.current(), [1, (1 + grants).min(8)]);
    }
    // Awake, it issues alone until it is level.
    for _ in 0..7 {
        assert_eq!(bench.turn(3), Some(1));
    }
    assert_eq!(bench.current(), [1, 1]);
    assert_eq!(bench.turn(3), Some(0));
}

#[test]
fn the_cap_keeps_twice_the_newest_quota() {
    let mut bench = Bench::launched(Params { cap: true, ..SMALL });
    for current in [[1, 2], [1, 2], [1, 2]] {
        assert_eq!(bench.turn(1), Some(0));
        assert_eq!(bench.current(), current);
    }
    assert_eq!(bench.turn(3), Some(1));
    assert_eq!(bench.turn(3), Some(0));
    // bp and ks: 34 and 4 at most. Kernel 1 has 2 after odd and 1 after even numbers of grants.
    let params = Params {
        kernels: 2,
        interval_w: 10,
        cap: true,
    };
    let mut bench = Bench::measured(params.clone(), &[2, 17]);
    (0..100).for_each(|_| assert_eq!(bench.turn(2), Some(1)));
    assert_eq!(bench.current(), [34, 1]);
    (0..100).for_each(|_| assert_eq!(bench.turn(1), Some(0)));
    assert_eq!(bench.current()[1], 4);
    // Without: 7 bits, so that nothing is added from 64 on.
    let mut bench = Bench::measured(
        Params {
            cap: false,
            ..params
        },
        &[2, 17],
    );
    (0..100).for_each(|_| assert_eq!(bench.turn(2), Some(1)));
    assert_eq!(bench.current(), [69, 1]);
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
        };
        assert_eq!(Qbmi::new(params).unwrap_err().to_string(), message);
    }
}
