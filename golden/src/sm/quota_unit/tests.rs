//! Rationale: the quotas that the paper's kernels get, worked out by hand, and all pairs and
//! triples of ratios against the property that defines them; the widths against a search over all
//! ratios; latency, and what a clear or another start breaks off in any cycle.
use super::*;

fn unit(kernels: usize, ratio_max: u64) -> QuotaUnit {
    QuotaUnit::new(Params { kernels, ratio_max }).unwrap()
}

fn start(active: u64, ratio: &[u64]) -> In {
    In {
        start: true,
        active,
        ratio: ByKernel::copied(ratio),
        ..In::default()
    }
}

fn step(unit: &mut QuotaUnit, input: In) -> Out {
    // Ports carry something for every kernel.
    let ratio = match input.ratio.len() {
        0 => ByKernel::from_fn(unit.params.kernels, |_| 0),
        _ => input.ratio,
    };
    let input = In { ratio, ..input };
    unit.assume(&input).unwrap();
    unit.step(&input)
}

fn idle(unit: &mut QuotaUnit, cycles: u64) {
    for _ in 0..cycles {
        step(unit, In::default());
    }
}

/// Starts and waits for the end; the quotas.
fn quotas(unit: &mut QuotaUnit, active: u64, ratio: &[u64]) -> Vec<u64> {
    step(unit, start(active, ratio));
    for _ in 1..unit.params.latency() {
        assert!(step(unit, In::default()).busy);
    }
    let out = step(unit, In::default());
    assert!(out.done && !out.busy);
    out.quota.to_vec()
}

#[test]
fn kernels_of_table_2() {
    // bp 2, sv 3, ks 17, ax 11 requests per instruction.
    let mut two = unit(2, 32);
    assert_eq!(quotas(&mut two, 3, &[2, 3]), [3, 2], "bp+sv: LCM 6");
    assert_eq!(quotas(&mut two, 3, &[2, 17]), [17, 2], "bp+ks: LCM 34");
    assert_eq!(quotas(&mut two, 3, &[3, 17]), [17, 3], "sv+ks: LCM 51");
    let mut three = unit(3, 32);
    let sv_ks_ax = quotas(&mut three, 7, &[3, 17, 11]);
    assert_eq!(sv_ks_ax, [187, 33, 51], "LCM 3 * 17 * 11 = 561");
    // 6 and 4 share a prime: LCM 12.
    assert_eq!(quotas(&mut two, 3, &[6, 4]), [2, 3]);
    assert_eq!(quotas(&mut two, 3, &[8, 8]), [1, 1]);
    assert_eq!(quotas(&mut two, 3, &[1, 32]), [32, 1]);
}

#[test]
fn inactive_kernels_take_no_part() {
    let mut three = unit(3, 32);
    assert_eq!(quotas(&mut three, 0b101, &[3, 17, 11]), [11, 1, 3]);
    assert_eq!(quotas(&mut three, 0b010, &[3, 17, 11]), [1, 1, 1]);
    assert_eq!(quotas(&mut three, 0, &[3, 17, 11]), [1, 1, 1]);
    // What an inactive kernel's port carries does not matter, 0 either.
    assert_eq!(quotas(&mut three, 0b011, &[2, 3, 0]), [3, 2, 1]);
}

#[test]
fn the_smallest_numbers_that_make_the_requests_equal() {
    let mut two = unit(2, 32);
    let mut three = unit(3, 8);
    let check = |ratio: &[u64], quota: &[u64]| {
        let requests: Vec<_> = ratio.iter().zip(quota).map(|(r, q)| r * q).collect();
        assert!(
            requests.iter().all(|r| *r == requests[0]),
            "{ratio:?} {quota:?}"
        );
        // With a common divisor smaller ones would do.
        let shared = (2..=992).any(|d| quota.iter().all(|q| q % d == 0));
        assert!(!shared, "{ratio:?} {quota:?}");
    };
    for a in 1..=32 {
        for b in 1..=32 {
            check(&[a, b], &quotas(&mut two, 3, &[a, b]));
            if a.max(b) <= 8 {
                for c in 1..=8 {
                    check(&[a, b, c], &quotas(&mut three, 7, &[a, b, c]));
                }
            }
        }
    }
}

#[test]
fn the_latency_is_that_of_the_schedule() {
    // Prime powers up to 32: 5 of 2, 3 of 3 (1 cycle each); 2 of 5, 1 of 7 (2 cycles); 11, 13
    // (3 cycles); 17 19 23 29 31 (4 cycles): 40, and one to begin.
    for (kernels, ratio_max, latency) in [
        (2, 32, 83),
        (3, 32, 124),
        (4, 32, 165),
        (8, 32, 329),
        (2, 4, 9),
        (2, 8, 19),
        (3, 8, 28),
    ] {
        let params = Params { kernels, ratio_max };
        assert_eq!(params.latency(), latency, "{params:?}");
    }
}

#[test]
fn the_largest_quota() {
    for (kernels, ratio_max, largest, width) in [
        (1, 32, 1, 1),
        (2, 32, 32, 6),
        (3, 32, 992, 10),
        (4, 32, 28_768, 15),
        // 32 * 31 * 29 * 27 * 25 * 23 * 19
        (8, 32, 8_485_840_800, 33),
        // From here on all ratios have a part: the LCM of 1 to 32.
        (12, 32, 144_403_552_893_600, 48),
        (16, 32, 144_403_552_893_600, 48),
        (2, 4, 4, 3),
        (2, 8, 8, 4),
        (3, 8, 56, 6),
    ] {
        let params = Params { kernels, ratio_max };
        assert_eq!((params.quota_max(), params.set_w()), (largest, width));
    }
}

#[test]
fn the_largest_quota_is_that_of_all_ratios_tried() {
    fn largest(left: usize, ratio_max: u64, lcm: u64) -> u64 {
        let more = |ratio| lcm / gcd(lcm, ratio) * ratio;
        match left {
            0 => lcm,
            _ => (1..=ratio_max)
                .map(|ratio| largest(left - 1, ratio_max, more(ratio)))
                .max()
                .unwrap(),
        }
    }
    for ratio_max in 2..=32 {
        for kernels in 2..=4 {
            let params = Params { kernels, ratio_max };
            let tried = largest(kernels - 1, ratio_max, 1);
            assert_eq!(params.quota_max(), tried, "{params:?}");
        }
    }
    let params = Params {
        kernels: 6,
        ratio_max: 12,
    };
    assert_eq!(params.quota_max(), largest(5, 12, 1));
}

#[test]
fn a_clear_or_another_start_breaks_off_in_any_cycle() {
    for busy in 1..9 {
        for clear in [false, true] {
            let mut two = unit(2, 4);
            quotas(&mut two, 3, &[1, 4]);
            step(&mut two, start(3, &[2, 3]));
            idle(&mut two, busy - 1);
            step(
                &mut two,
                In {
                    clear,
                    ..start(3, &[1, 2])
                },
            );
            let out = step(&mut two, In::default());
            assert_eq!((out.busy, out.done), (!clear, false));
            assert_eq!(out.quota, if clear { [1, 1] } else { [4, 1] });
            idle(&mut two, 7);
            let out = step(&mut two, In::default());
            assert_eq!((out.busy, out.done), (false, !clear), "9 cycles after");
            assert_eq!(out.quota, if clear { [1, 1] } else { [2, 1] });
        }
    }
}

#[test]
fn reset_goes_before_all() {
    let mut two = unit(2, 32);
    quotas(&mut two, 3, &[2, 3]);
    step(
        &mut two,
        In {
            reset: true,
            ..start(3, &[2, 3])
        },
    );
    assert_eq!(two.state(), unit(2, 32).state());
}

#[test]
fn illegal_inputs_and_parameters_are_named() {
    let two = unit(2, 32);
    for (input, message) in [
        (start(3, &[0, 1]), "ratio[0] is 0, expected at least 1"),
        (start(3, &[1, 33]), "ratio[1] is 33, expected at most 32"),
        (start(0, &[1, 64]), "ratio[1] is 64, expected at most 63"),
        (start(1, &[1]), "ratio has 1 elements, expected 2"),
        (
            start(4, &[1, 1]),
            "active is 0x4, expected no bit from 2 up",
        ),
    ] {
        assert_eq!(two.assume(&input).unwrap_err().to_string(), message);
    }
    assert_eq!(two.assume(&start(1, &[1, 33])), Ok(()));
    for (kernels, ratio_max, message) in [
        (0, 32, "kernels is 0, expected 1 to 16"),
        (17, 32, "kernels is 17, expected 1 to 16"),
        (2, 1, "ratio_max is 1, expected 2 to 32"),
        (2, 33, "ratio_max is 33, expected 2 to 32"),
    ] {
        let error = QuotaUnit::new(Params { kernels, ratio_max }).unwrap_err();
        assert_eq!(error.to_string(), message);
    }
}
