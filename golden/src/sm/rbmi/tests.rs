//! Rationale: small enough for every kernel last granted and every set of ready ones; a number of
//! kernels that is no power of two, and the most.
use super::*;

fn ready(ready: u64) -> In {
    In {
        ready,
        accept: true,
        ..In::default()
    }
}

#[test]
fn the_first_ready_kernel_after_the_last_one() {
    // After reset kernel 0 goes first; then by hand over all of three kernels.
    let mut rbmi = Rbmi::new(Params { kernels: 3 }).unwrap();
    let grants = [
        (0b111, 0),
        (0b111, 1),
        (0b111, 2),
        (0b111, 0),
        (0b101, 2), // 1 is passed over
        (0b100, 2),
        (0b011, 0),
        (0b001, 0),
        (0b111, 1),
    ];
    for (mask, kernel) in grants {
        let out = rbmi.step(&ready(mask));
        assert_eq!(out, Out::to(Some(kernel)));
        assert_eq!(usize::from(rbmi.state.last), kernel);
    }
}

#[test]
fn every_state_and_every_set_of_ready_kernels() {
    for kernels in [1, 2, 3, 5, 8] {
        for last in 0..kernels as u8 {
            for mask in 0..1 << kernels {
                let mut rbmi = Rbmi::new(Params { kernels }).unwrap();
                rbmi.state.last = last;
                // Kernels that come sooner after the last have fewer steps to go.
                let steps = |k: &usize| (k + kernels - usize::from(last) - 1) % kernels;
                let ready_ones = (0..kernels).filter(|&k| mask >> k & 1 == 1);
                let expected = Out::to(ready_ones.min_by_key(steps));
                for accept in [false, true] {
                    let out = rbmi.step(&In {
                        accept,
                        ..ready(mask)
                    });
                    assert_eq!(out, if accept { expected } else { Out::default() });
                }
            }
        }
    }
}

#[test]
fn a_grant_in_a_reset_is_shown_but_forgotten() {
    let mut rbmi = Rbmi::new(Params { kernels: 16 }).unwrap();
    let out = rbmi.step(&In {
        reset: true,
        ..ready(2)
    });
    assert_eq!((out.grant_kid, rbmi.state.last), (1, 15));
}

#[test]
fn illegal_inputs_and_parameters_are_named() {
    let rbmi = Rbmi::new(Params { kernels: 3 }).unwrap();
    let error = rbmi.assume(&ready(8)).unwrap_err().to_string();
    assert_eq!(error, "ready is 0x8, expected no bit from 3 up");
    for kernels in [0, MAX_KERNELS + 1] {
        assert!(Rbmi::new(Params { kernels }).is_err());
    }
}
