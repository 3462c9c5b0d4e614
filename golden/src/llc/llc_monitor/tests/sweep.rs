//! The sweep after a reset and a flush, and what meets it.
use super::*;

#[test]
fn clears_one_set_a_cycle_and_then_takes_requests() {
    let mut bench = Bench::power_up();
    for cycle in 0..PARAMS.sets + 3 {
        // Accesses are ignored meanwhile: their set and tag do not even come in.
        let out = bench.step(&In {
            invalidate_way: vec![1],
            ..access(1, 2, 0x55)
        });
        let ready = cycle >= PARAMS.sets;
        assert_eq!(out.ready, ready, "cycle {cycle}");
        let clearing = Request {
            clear: true,
            set: cycle as u32,
            kid: 1,
            way: 1,
            ..Request::default()
        };
        if ready {
            assert!(bench.bank().in_flight[0].access, "cycle {cycle}");
            assert_eq!(bench.bank().in_flight[0].tag, 0x55);
        } else {
            assert_eq!(bench.bank().in_flight[0], clearing, "cycle {cycle}");
        }
        // A set is cleared when its turn comes, at the end of three cycles later.
        for set in 0..PARAMS.sets {
            let expected = if set + 3 <= cycle { EMPTY } else { POWER_UP };
            assert_eq!(bench.set(set), expected, "set {set} after cycle {cycle}");
        }
        let written: Vec<_> = bench.0.written().collect();
        let expected = cycle.checked_sub(3).map(|set| (0, set));
        assert_eq!(written, Vec::from_iter(expected));
    }
    let State {
        sweeping,
        sweep_set,
        ..
    } = *bench.0.state();
    assert_eq!((sweeping, sweep_set), (false, 0));
    // The first accesses after it: one for each cycle from the first ready one on.
    assert_eq!(bench.bank().done, Done::default());
    assert_eq!(bench.done(), Done::default());
    assert_eq!(bench.done(), missed(1));
    assert_eq!(bench.done(), hit(1, 1));
}

#[test]
fn a_clear_forgets_the_lines_and_is_no_access() {
    let mut bench = Bench::ready();
    bench.alone(&access(1, 3, 9));
    assert_eq!(bench.set(3).0, [1, 0]);
    bench.step(&flush());
    for _ in 0..PARAMS.sets + REQUEST_LATENCY {
        bench.idle(1);
        assert_eq!(bench.bank().done, Done::default());
    }
    assert_eq!(bench.set(3), EMPTY);
}

#[test]
fn a_reset_in_the_middle_starts_over() {
    let mut bench = Bench::power_up();
    bench.idle(3);
    assert_eq!(bench.0.state().sweep_set, 3);
    bench.step(&reset());
    let State {
        sweeping,
        sweep_set,
        ..
    } = *bench.0.state();
    assert_eq!((sweeping, sweep_set), (true, 0));
    assert_eq!(bench.bank().in_flight[0], Request::default());
    // It was the turn of set 0 in the cycle of the reset: it is cleared. That of set 1 was next.
    assert_eq!((bench.set(0), bench.set(1)), (EMPTY, POWER_UP));
    for _ in 0..PARAMS.sets {
        assert!(!bench.step(&idle()).ready);
    }
    assert!(bench.step(&idle()).ready);
}

#[test]
fn a_reset_does_the_request_that_is_due_and_nothing_younger() {
    let mut bench = Bench::ready();
    let fresh = bench.0.state().clone();
    bench.step(&access(1, 0, 7));
    bench.step(&access(1, 1, 8));
    bench.idle(1);
    bench.step(&In {
        snapshot: true,
        map_valid: true,
        map_kid: 1,
        flush: true,
        ..In {
            reset: true,
            ..access(0, 2, 9)
        }
    });
    assert_eq!(bench.set(0), (&[1, 0][..], &[1, 0][..], 0b01, &[0, 7][..]));
    assert_eq!(bench.set(1), EMPTY);
    assert_eq!(bench.0.written().collect::<Vec<_>>(), [(0, 0)]);
    // The registers are those of a new monitor: nothing is counted, nothing is told.
    let mut registers = bench.0.state().clone();
    registers.banks[0].sets = fresh.banks[0].sets.clone();
    let mut new = LlcMonitor::new(PARAMS).unwrap().state().clone();
    new.banks[0].sets = fresh.banks[0].sets.clone();
    assert_eq!(registers, new);
    bench.idle(1);
    assert_eq!(bench.0.written().count(), 0);
}

#[test]
fn a_flush_drops_its_cycle_and_follows_what_came_before() {
    let mut bench = Bench::ready();
    bench.step(&access(0, 0, 1));
    let out = bench.step(&In {
        flush: true,
        ..access(1, 0, 2)
    });
    assert!(out.ready, "ready tells about the cycles before");
    let dropped = Request {
        set: 0,
        tag: 2,
        kid: 1,
        ..Request::default()
    };
    assert_eq!(bench.bank().in_flight[0], dropped);
    assert!(!bench.step(&access(1, 0, 3)).ready);
    bench.idle(1);
    assert_eq!(bench.set(0).2, 0b01, "the access before the flush");
    assert_eq!(bench.done(), missed(1));
    assert_eq!(bench.done(), Done::default());
    assert_eq!(bench.set(0), EMPTY);
    bench.idle(PARAMS.sets + 3);
    assert_eq!(bench.alone(&access(0, 0, 1)), missed(1), "gone");
    let hits_and_misses = &bench.bank().accesses.matrix.count;
    assert_eq!(hits_and_misses[..], [[0, 0], [2, 0]], "counters stay");
}

#[test]
fn a_flush_in_a_sweep_starts_it_over() {
    let mut bench = Bench::ready();
    bench.step(&flush());
    bench.idle(2);
    assert_eq!(bench.0.state().sweep_set, 2);
    bench.step(&In {
        flush: true,
        ..access(1, 3, 0x77)
    });
    let dropped = Request {
        set: 3,
        tag: 0x77,
        kid: 1,
        ..Request::default()
    };
    assert_eq!(
        bench.bank().in_flight[0],
        dropped,
        "as the ports carried it"
    );
    let State {
        sweeping,
        sweep_set,
        ..
    } = *bench.0.state();
    assert_eq!((sweeping, sweep_set), (true, 0));
    for _ in 0..PARAMS.sets {
        assert!(!bench.step(&idle()).ready);
    }
    assert!(bench.step(&idle()).ready);
}

#[test]
fn a_flush_in_the_last_cycle_of_a_sweep_starts_it_over() {
    let mut bench = Bench::power_up();
    bench.idle(PARAMS.sets - 1);
    bench.step(&flush());
    assert!(!bench.step(&idle()).ready);
    assert_eq!(bench.0.state().sweep_set, 1);
}
