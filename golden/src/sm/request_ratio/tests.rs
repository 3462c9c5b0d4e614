//! Rationale: every number of instructions that an interval can have, against the definition in
//! integers; the counter that wraps at one request per instruction; the cycle in which a ratio
//! shows, and what a clear breaks off. Intervals of fewer than 32 requests bound the ratio.
use super::*;

const PAPER: Params = Params { interval_w: 10 };

fn request(first: bool) -> In {
    In {
        request: true,
        first,
        ..In::default()
    }
}

fn repeat(model: &mut RequestRatio, input: In, cycles: u64) {
    for _ in 0..cycles {
        model.step(&input);
    }
}

/// An interval of requests from instructions of `size` requests each, the first one at its start.
fn interval_of(size: u64, model: &mut RequestRatio) {
    for n in 0..1 << model.params.interval_w {
        model.step(&request(n % size == 0));
    }
}

/// The ratio, once it shows.
fn settle(model: &mut RequestRatio) -> u64 {
    repeat(model, In::default(), model.params.ratio_max() - 1);
    model.state.ratio
}

#[test]
fn kernels_of_table_2() {
    // cp hs sv cd ks ax and a kernel without coalescing.
    for size in [1, 2, 3, 6, 11, 17, 32] {
        let mut meter = RequestRatio::new(PAPER).unwrap();
        interval_of(size, &mut meter);
        assert_eq!(settle(&mut meter), size);
    }
}

#[test]
fn one_request_an_instruction_wraps_the_counter() {
    let mut meter = RequestRatio::new(PAPER).unwrap();
    for n in 0..1023 {
        meter.step(&request(true));
        assert_eq!(meter.state.instructions, n + 1);
    }
    meter.step(&request(true));
    assert_eq!((meter.state.instructions, meter.state.requests), (0, 0));
    assert_eq!(settle(&mut meter), 1, "1024 instructions, not none");
}

#[test]
fn the_nearest_ratio_for_any_number_of_instructions() {
    for interval_w in [1, 2, 3, 5, 10] {
        let mut meter = RequestRatio::new(Params { interval_w }).unwrap();
        let (interval, max) = (1u64 << interval_w, 32.min(1 << interval_w));
        for instructions in 1..=interval {
            for n in 0..interval {
                meter.step(&request(n < instructions));
            }
            let ratio = settle(&mut meter);
            // 2 * |interval / instructions - ratio| < 1 unless it is clamped.
            let off = (2 * interval).abs_diff(2 * ratio * instructions);
            let clamped = ratio == max && ratio * instructions < interval;
            assert!(off < instructions || clamped, "{instructions}: {ratio}");
            assert!((1..=max).contains(&ratio));
        }
    }
}

/// A kernel of 32 requests per instruction is heavy, whatever the interval: one of fewer requests
/// may lie within an instruction.
#[test]
fn an_interval_without_a_first_request_has_the_largest_ratio() {
    for interval_w in [1, 2, 3, 4] {
        let mut meter = RequestRatio::new(Params { interval_w }).unwrap();
        let interval = 1u64 << interval_w;
        for start in (0..32).step_by(1 << interval_w) {
            (0..interval).for_each(|n| {
                meter.step(&request(start + n == 0));
            });
            assert_eq!(settle(&mut meter), interval, "requests from {start} on");
        }
    }
}

#[test]
fn the_ratio_shows_a_fixed_time_after_the_interval() {
    let mut meter = RequestRatio::new(PAPER).unwrap();
    interval_of(17, &mut meter); // its last request at cycle t
    for cycle in 1..=31 {
        let out = meter.step(&request(false));
        assert_eq!((out.ratio, out.updated), (1, cycle == 31), "t + {cycle}");
    }
    let out = meter.step(&In::default());
    assert_eq!((out.ratio, out.updated), (17, false), "t + 32");
    assert_eq!(meter.state.requests, 31, "counted meanwhile");
    // The shortest intervals follow each other without a gap.
    let mut meter = RequestRatio::new(Params { interval_w: 2 }).unwrap();
    let updates: Vec<_> = (0..16)
        .map(|n| meter.step(&request(n % 2 == 0)).updated)
        .collect();
    let cycles = |cycle: &usize| updates[*cycle];
    assert_eq!((0..16).filter(cycles).collect::<Vec<_>>(), [6, 10, 14]);
}

#[test]
fn a_clear_breaks_a_new_ratio_off() {
    for idle in 0..31 {
        let mut meter = RequestRatio::new(PAPER).unwrap();
        interval_of(17, &mut meter);
        repeat(&mut meter, In::default(), idle);
        let out = meter.step(&In {
            clear: true,
            ..request(true)
        });
        assert!(!out.updated);
        assert_eq!(meter.state, *RequestRatio::new(PAPER).unwrap().state());
        assert_eq!(settle(&mut meter), 1);
    }
    // A clear takes the ratio in force, too, and the request that would end the interval.
    let mut meter = RequestRatio::new(PAPER).unwrap();
    interval_of(17, &mut meter);
    settle(&mut meter);
    repeat(&mut meter, request(false), 992);
    meter.step(&In {
        clear: true,
        ..request(false)
    });
    assert_eq!(meter.state, *RequestRatio::new(PAPER).unwrap().state());
}

#[test]
fn widths_and_illegal_parameters() {
    let widths = [1, 2, 5, 10].map(|interval_w| Params { interval_w }.ratio_w());
    assert_eq!(widths, [2, 3, 6, 6]);
    for interval_w in [0, 33] {
        assert!(RequestRatio::new(Params { interval_w }).is_err());
    }
}
