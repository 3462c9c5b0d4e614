//! Rationale: the SM is only a load for the units, but the numbers of a page rest on it: passing
//! quiet cycles at once must change nothing, under a limit, with quotas and with pauses; a refused
//! request must keep its draw, or the miss rate is not the table's; and with nothing to limit it
//! the loop must make the failures that its latencies are derived from.
use super::*;
use crate::experiments::kernel::{AX, BP, KS, SV, WARPS};
use cotenant_golden::sm::mem_issue::{Limiter, Params, Priority};

fn resident(kernel: Kernel, warps: u64, pause: u64) -> Resident {
    Resident {
        kernel,
        warps,
        pause,
    }
}

/// What was issued, accepted and refused, with its cycle.
fn events(sm: &mut SmallSm, cycles: u64) -> Vec<(u64, [Option<usize>; 3])> {
    let mut events = Vec::new();
    while sm.cycle() < cycles {
        let at = sm.cycle() + 1;
        let cycle = sm.step();
        let what = [cycle.granted, cycle.accepted, cycle.failed];
        if at <= cycles && what.iter().any(Option::is_some) {
            events.push((at, what));
        }
    }
    events
}

#[test]
fn jumps_change_nothing() {
    let quotas = Params {
        limiter: Limiter::Smil,
        ..Params::paper(1)
    };
    // Few warps, so that there is something to jump over; AX under its limit waits long.
    let cases: [(Params, &[Resident]); 4] = [
        (Params::paper(1), &[resident(KS, 1, 0)]),
        (Params::paper(1), &[resident(AX, 96, 0)]),
        (quotas.clone(), &[resident(BP, 2, 700), resident(SV, 1, 0)]),
        (quotas, &[resident(BP, 48, 5000), resident(SV, 1, 3000)]),
    ];
    for (params, residents) in cases {
        let sm = || SmallSm::new(params.clone(), residents, 7).unwrap();
        let jumping = events(&mut sm(), 400_000);
        assert!(jumping.len() > 100);
        assert!(
            jumping == events(&mut sm().without_jumps(), 400_000),
            "{residents:?}"
        );
    }
    let mut sm = SmallSm::new(Params::paper(1), &[resident(KS, 1, 0)], 7).unwrap();
    let steps = (0..).take_while(|_| {
        sm.step();
        sm.cycle() < 400_000
    });
    assert!(steps.count() < 100_000, "there was something to jump over");
}

#[test]
fn without_a_limiter_a_kernel_fails_as_in_table_2() {
    let params = Params {
        limiter: Limiter::Smil,
        priority: Priority::Rbmi,
        ..Params::paper(1)
    };
    for kernel in [SV, KS, AX] {
        let mut sm = SmallSm::new(params.clone(), &[resident(kernel, WARPS, 0)], 7).unwrap();
        let (mut accepted, mut failed) = (0u64, 0u64);
        while accepted < 20_000 {
            let cycle = sm.step();
            accepted += u64::from(cycle.accepted.is_some());
            failed += u64::from(cycle.failed.is_some());
        }
        // Drawn: the number of misses (0.4 % of it is a standard deviation for sv) and the
        // latencies; the MSHRs fill without failures at first (0.6 % of the requests).
        let percent = 100 * failed / accepted;
        let off = percent.abs_diff(kernel.failures);
        assert!(50 * off <= kernel.failures, "{}: {percent}", kernel.name);
    }
}

#[test]
fn pauses_are_the_second_halves() {
    let pausing = resident(BP, 1, 10);
    let pauses: Vec<_> = (0..20).filter(|&cycle| pausing.pauses(cycle)).collect();
    assert_eq!(pauses, [5, 6, 7, 8, 9, 15, 16, 17, 18, 19]);
    for cycle in 0..20 {
        let same = (cycle + 1..).take_while(|&next| pausing.pauses(next) == pausing.pauses(cycle));
        assert_eq!(pausing.pause_changes_after(cycle), same.count() as u64);
    }
    assert!(!resident(BP, 1, 0).pauses(5));
}
