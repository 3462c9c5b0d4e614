//! Rationale: the order of things in a cycle by hand, on two MSHRs and a queue of two: when a
//! request fails, when its MSHR is free again, when an instruction leaves the queue, when it
//! completes. Long random runs, with the unit that it closes the loop with, are in
//! `tests/sm_units`.
use super::*;

const PARAMS: Params = Params {
    kernels: 2,
    depth: 2,
    mshrs: 2,
    hit_latency: 2,
    miss_latency: Latency { min: 4, max: 6 },
};

const HIT: Draw = Draw {
    hit: true,
    latency: 0,
};

fn miss(latency: u32) -> Draw {
    Draw {
        hit: false,
        latency,
    }
}

fn accepted(kid: u8, first: bool) -> Offer {
    Offer {
        lsu_ready: true,
        request_valid: true,
        request_first: first,
        lsu_kid: kid,
        ..Offer::default()
    }
}

fn refused(kid: u8) -> Offer {
    Offer {
        lsu_ready: true,
        fail_valid: true,
        lsu_kid: kid,
        ..Offer::default()
    }
}

fn quiet(complete: u64) -> Offer {
    Offer {
        lsu_ready: true,
        complete,
        ..Offer::default()
    }
}

#[test]
fn an_instruction_of_hits() {
    let mut lsu = Lsu::new(PARAMS).unwrap();
    assert_eq!(lsu.offer(&HIT), quiet(0));
    lsu.issue(1, 2).unwrap();
    assert_eq!(lsu.offer(&HIT), accepted(1, true));
    assert_eq!(lsu.offer(&HIT), accepted(1, false));
    assert_eq!(lsu.offer(&HIT), quiet(0));
    assert!(!lsu.is_idle());
    assert_eq!(
        lsu.offer(&HIT),
        quiet(0b10),
        "2 cycles after its last request"
    );
    assert!(lsu.is_idle());
    assert_eq!(lsu.offer(&HIT), quiet(0));
}

#[test]
fn a_miss_without_an_mshr_fails_until_one_is_free() {
    let mut lsu = Lsu::new(PARAMS).unwrap();
    lsu.issue(0, 3).unwrap();
    assert_eq!(lsu.offer(&miss(6)), accepted(0, true)); // due in cycle 7
    assert_eq!(lsu.offer(&miss(4)), accepted(0, false)); // 2, due in 6
    assert_eq!(lsu.mshrs_in_use(), 2);
    for _ in 3..6 {
        assert_eq!(lsu.offer(&miss(4)), refused(0));
    }
    // 6: freed and taken again in one cycle.
    assert_eq!(lsu.offer(&miss(4)), accepted(0, false)); // due in 10
    assert_eq!((lsu.mshrs_in_use(), lsu.waiting()), (2, 0));
    for _ in 7..10 {
        assert_eq!(lsu.offer(&miss(4)), quiet(0));
    }
    assert_eq!((lsu.mshrs_in_use(), lsu.is_idle()), (1, false));
    assert_eq!(lsu.offer(&miss(4)), quiet(0b01));
    assert_eq!((lsu.mshrs_in_use(), lsu.is_idle()), (0, true));
}

#[test]
fn a_hit_needs_no_mshr_but_waits_its_turn() {
    let mut lsu = Lsu::new(PARAMS).unwrap();
    lsu.issue(0, 3).unwrap();
    lsu.offer(&miss(6));
    lsu.offer(&miss(6));
    lsu.issue(1, 1).unwrap();
    // In order: what kernel 1 would have hit is not tried while kernel 0 fails.
    let full = Offer {
        lsu_ready: false,
        ..refused(0)
    };
    assert_eq!(lsu.offer(&miss(6)), full);
    assert_eq!(lsu.offer(&HIT), accepted(0, false));
    assert_eq!(lsu.offer(&HIT), accepted(1, true));
    // Nor does it free one when its response comes, in cycle 6; the misses' come in 7 and 8.
    lsu.issue(0, 1).unwrap();
    assert_eq!(lsu.offer(&miss(6)), refused(0));
    assert_eq!(lsu.mshrs_in_use(), 2);
}

#[test]
fn the_queue_takes_as_many_as_it_is_deep() {
    let mut lsu = Lsu::new(PARAMS).unwrap();
    lsu.issue(0, 2).unwrap();
    lsu.issue(1, 32).unwrap();
    let error = lsu.issue(0, 1).unwrap_err().to_string();
    assert_eq!(
        error,
        "issue is high while the queue is full, expected it low then"
    );
    assert!(!lsu.offer(&HIT).lsu_ready);
    // The head leaves with its last request; its place is free in that cycle.
    assert!(lsu.offer(&HIT).lsu_ready);
    lsu.issue(0, 1).unwrap();
    assert_eq!(lsu.offer(&HIT).lsu_kid, 1);
}

#[test]
fn one_instruction_of_a_kernel_completes_in_a_cycle() {
    let mut lsu = Lsu::new(Params {
        miss_latency: Latency { min: 1, max: 9 },
        ..PARAMS
    })
    .unwrap();
    for (kid, draw) in [(0, miss(9)), (0, miss(8)), (1, HIT)] {
        lsu.issue(kid, 1).unwrap();
        assert!(lsu.offer(&draw).request_valid);
    }
    // 1 + 9, 2 + 8 and, of the other kernel, 3 + 2.
    let completes: Vec<_> = (4..=12).map(|_| lsu.offer(&HIT).complete).collect();
    assert_eq!(completes, [0, 2, 0, 0, 0, 0, 1, 1, 0]);
}

#[test]
fn latencies_are_brought_into_their_range() {
    for (drawn, latency) in [(0, 4), (4, 4), (5, 5), (6, 6), (u32::MAX, 6)] {
        let mut lsu = Lsu::new(PARAMS).unwrap();
        lsu.issue(0, 1).unwrap();
        lsu.offer(&miss(drawn));
        let cycles = (1..).find(|_| lsu.offer(&HIT).complete == 1);
        assert_eq!(cycles, Some(latency));
    }
}

#[test]
fn skipped_cycles_are_those_in_which_nothing_happens() {
    let mut lsu = Lsu::new(PARAMS).unwrap();
    assert_eq!((lsu.quiet(), lsu.head()), (u64::MAX, None));
    lsu.issue(1, 1).unwrap();
    assert_eq!((lsu.quiet(), lsu.head()), (0, Some(1)));
    lsu.skip(9);
    lsu.offer(&miss(6));
    assert_eq!((lsu.quiet(), lsu.head()), (5, None));
    let mut other = lsu.clone();
    lsu.skip(3);
    lsu.skip(100);
    (0..5).for_each(|_| assert_eq!(other.offer(&HIT), quiet(0)));
    assert_eq!((lsu.quiet(), other.quiet()), (0, 0));
    for lsu in [&mut lsu, &mut other] {
        assert_eq!(lsu.offer(&HIT), quiet(0b10));
    }
}

#[test]
fn reset_forgets_all() {
    let mut lsu = Lsu::new(PARAMS).unwrap();
    lsu.issue(0, 3).unwrap();
    lsu.offer(&miss(4));
    lsu.reset();
    assert!(lsu.is_idle());
    assert_eq!((lsu.waiting(), lsu.mshrs_in_use()), (0, 0));
    (0..20).for_each(|_| assert_eq!(lsu.offer(&HIT), quiet(0)));
}

#[test]
fn what_is_illegal_is_named_and_changes_nothing() {
    let mut lsu = Lsu::new(PARAMS).unwrap();
    for (kid, requests, message) in [
        (2, 1, "kid is 2, expected at most 1"),
        (0, 0, "requests is 0, expected at least 1"),
        (0, 33, "requests is 33, expected at most 32"),
    ] {
        assert_eq!(lsu.issue(kid, requests).unwrap_err().to_string(), message);
    }
    assert!(lsu.is_idle() && lsu.waiting() == 0);
    type Change = fn(&mut Params);
    let illegal: [(Change, &str); 8] = [
        (|p| p.kernels = 0, "kernels is 0"),
        (|p| p.kernels = 17, "kernels is 17"),
        (|p| p.depth = 0, "depth is 0"),
        (|p| p.depth = 1025, "depth is 1025"),
        (|p| p.mshrs = 0, "mshrs is 0"),
        (|p| p.hit_latency = 0, "hit_latency is 0"),
        (|p| p.miss_latency.min = 0, "miss_latency.min is 0"),
        (
            |p| p.miss_latency.max = 3,
            "miss_latency.max is 3, expected 4 to",
        ),
    ];
    for (change, message) in illegal {
        let mut params = PARAMS;
        change(&mut params);
        let error = Lsu::new(params).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}
