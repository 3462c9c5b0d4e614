//! Accesses and invalidations on their way, alone and close together.
use super::*;

#[test]
fn each_outcome_alone() {
    let mut bench = Bench::ready();
    assert_eq!(bench.alone(&access(0, 2, 5)), missed(1), "an invalid way");
    assert_eq!(bench.alone(&access(0, 2, 6)), missed(0));
    assert_eq!(bench.set(2), (&[0, 1][..], &[0, 0][..], 0b11, &[6, 5][..]));
    assert_eq!(bench.alone(&access(1, 2, 5)), hit(1, 0), "LRU hit");
    assert_eq!(bench.alone(&access(0, 2, 5)), hit(1, 1), "MRU hit");
    assert_eq!(bench.alone(&access(1, 2, 7)), evicted(0, 0));
    assert_eq!(bench.alone(&access(1, 2, 8)), evicted(1, 0));
    assert_eq!(bench.set(2), (&[1, 0][..], &[1, 1][..], 0b11, &[7, 8][..]));
    assert_eq!(bench.set(1), EMPTY, "another set");
    assert_eq!(bench.alone(&invalidate(2, 1)), Done::default());
    assert_eq!(bench.set(2), (&[0, 1][..], &[1, 1][..], 0b01, &[7, 8][..]));
    // The invalid way still has the tag, which is no hit; nobody owned the line.
    assert_eq!(bench.alone(&access(0, 2, 8)), missed(1));
}

#[test]
fn a_request_cycle_by_cycle() {
    let mut bench = Bench::ready();
    let request = Request {
        access: true,
        set: 2,
        tag: 5,
        kid: 1,
        ..Request::default()
    };
    bench.step(&access(1, 2, 5));
    for cycle in 1..=REQUEST_LATENCY {
        let mut on_their_way = [Request::default(); REQUEST_LATENCY];
        on_their_way[cycle - 1] = request;
        assert_eq!(bench.bank().in_flight[..], on_their_way, "t + {cycle}");
        if cycle < REQUEST_LATENCY {
            bench.idle(1);
        }
    }
    assert_eq!(bench.set(2), EMPTY);
    assert!(!bench.bank().accesses.in_flight[0].valid);
    bench.idle(1);
    assert_eq!(bench.bank().done, missed(1), "t + 4");
    assert_eq!(bench.set(2).2, 0b01);
    let counted = InFlight {
        valid: true,
        kid: 1,
        hit: false,
    };
    assert_eq!(bench.bank().accesses.in_flight[..], [counted]);
    assert_eq!(bench.bank().accesses.matrix.count[1], [0, 0]);
    bench.idle(1);
    assert_eq!(
        bench.bank().accesses.matrix.count[1],
        [0, 1],
        "t + 4 + stages"
    );
    assert_eq!(bench.bank().done, Done::default());
}

#[test]
fn a_bubble_keeps_what_the_ports_carry() {
    let mut bench = Bench::ready();
    bench.step(&In {
        access_valid: 0,
        invalidate_way: vec![1],
        ..access(1, 3, 0x77)
    });
    let bubble = Request {
        set: 3,
        tag: 0x77,
        kid: 1,
        way: 1,
        ..Request::default()
    };
    assert_eq!(bench.bank().in_flight[0], bubble);
    bench.idle(2);
    assert_eq!(bench.bank().in_flight.due(), Some(&bubble));
    bench.idle(1);
    let bank = bench.bank();
    assert_eq!(bank.accesses.in_flight[..], [InFlight::default()]);
    assert!(!bank.gdcu.in_flight[0].valid && !bank.plob.in_flight[0].valid);
    assert_eq!(bench.set(3), EMPTY);
}

/// Checks what becomes of requests that come in one after the other.
fn come_to(bench: &mut Bench, stream: impl IntoIterator<Item = (In, Done)>) {
    let (requests, expected): (Vec<_>, Vec<_>) = stream.into_iter().unzip();
    let cycles = requests.into_iter().chain(vec![idle(); REQUEST_LATENCY]);
    let done = cycles.map(|input| {
        bench.step(&input);
        bench.bank().done
    });
    // The first one is done so many cycles after it has come in.
    let done: Vec<Done> = done.skip(REQUEST_LATENCY).collect();
    assert_eq!(done, expected);
}

#[test]
fn back_to_back_to_one_set_as_if_one_after_the_other() {
    let mut bench = Bench::ready();
    come_to(
        &mut bench,
        [
            (access(0, 1, 5), missed(1)),
            (access(1, 1, 5), hit(1, 0)),
            (access(0, 1, 6), missed(0)),
            (access(1, 1, 7), evicted(1, 1)),
            (access(1, 1, 6), hit(0, 0)),
            (access(1, 1, 5), evicted(1, 1)),
            (invalidate(1, 0), Done::default()),
            (access(0, 1, 6), missed(0)),
            (invalidate(1, 1), Done::default()),
            (invalidate(1, 0), Done::default()),
            (access(0, 1, 6), missed(0)),
        ],
    );
    assert_eq!(bench.set(1), (&[0, 1][..], &[0, 1][..], 0b01, &[6, 5][..]));
}

/// Specification of the cache's side, GDC: "The state is the one before the access."
#[test]
fn a_line_is_hit_as_soon_as_it_has_come() {
    let mut bench = Bench::ready();
    let bubble = |request: In| In {
        access_valid: 0,
        ..request
    };
    // Both ways have tag 0, but no line is valid.
    come_to(
        &mut bench,
        [
            (access(0, 1, 0), missed(1)),
            (access(1, 1, 0), hit(1, 0)),
            (access(1, 1, 4), missed(0)),
            (access(0, 1, 0), hit(1, 1)),
            (bubble(access(0, 1, 4)), Done::default()),
            (access(1, 1, 4), hit(0, 1)),
            (access(0, 2, 3), missed(1)),
        ],
    );
    let set = (&[0, 1][..], &[1, 0][..], 0b11, &[4, 0][..]);
    assert_eq!(bench.set(1), set);
    // A cycle without a request changes nothing, whatever set it names.
    for _ in 0..2 * REQUEST_LATENCY {
        bench.step(&bubble(access(0, 1, 3)));
        assert_eq!(bench.set(1), set);
    }
    assert_eq!(bench.0.written().count(), 0);
}

#[test]
fn tags_that_come_and_go_right_before_they_are_looked_up() {
    let mut bench = Bench::ready();
    bench.alone(&access(0, 1, 1));
    // With the invalidation both misses fill way 0.
    come_to(
        &mut bench,
        [
            (access(0, 1, 2), missed(0)),
            (invalidate(1, 0), Done::default()),
            (access(0, 1, 3), missed(0)),
            (access(0, 1, 2), evicted(1, 0)),
        ],
    );
    // Tags 2 and 4 fill one way, and 3 the other in between.
    come_to(
        &mut bench,
        [
            (access(0, 2, 2), missed(1)),
            (access(0, 2, 3), missed(0)),
            (access(0, 2, 4), evicted(1, 0)),
            (access(0, 2, 2), evicted(0, 0)),
        ],
    );
    // A tag that has just come is hit, another one in its way is not.
    come_to(
        &mut bench,
        [
            (access(0, 3, 5), missed(1)),
            (access(0, 3, 6), missed(0)),
            (access(0, 3, 5), hit(1, 0)),
        ],
    );
}

/// A pipeline of another length does the same, so many cycles later.
#[test]
fn a_latency_is_the_number_of_cycles_until_a_request_is_done() {
    let mut random = 1u32;
    let mut draw = |below: u32| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 16) % below
    };
    let stream: Vec<In> = (0..500)
        .map(|_| match draw(8) {
            0 => idle(),
            1 => invalidate(draw(2), draw(2) as u8),
            _ => access(draw(2) as u16, draw(2), draw(4).into()),
        })
        .collect();
    let run = |latency: usize| {
        let mut bench = Bench(LlcMonitor::with_latency(PARAMS, latency).unwrap());
        bench.idle(PARAMS.sets + latency + 1);
        let told = stream.iter().cloned().chain(vec![idle(); latency + 2]);
        let told: Vec<Done> = told.map(|input| bench.told(&input)).collect();
        (
            told[latency + 1..].to_vec(),
            bench.bank().gdcu.count.clone(),
        )
    };
    let expected = run(REQUEST_LATENCY);
    assert!(expected.0.iter().filter(|done| done.hit).count() > 50);
    assert!(expected.0.iter().filter(|done| done.evict).count() > 50);
    for latency in 1..8 {
        assert!(run(latency) == expected, "latency {latency}");
    }
}

#[test]
fn an_invalidation_goes_before_an_access() {
    let mut bench = Bench::ready();
    bench.alone(&access(1, 0, 5));
    bench.alone(&access(0, 0, 6));
    let both = In {
        invalidate_valid: 1,
        invalidate_way: vec![0],
        ..access(1, 0, 5)
    };
    bench.step(&both);
    let invalidation = Request {
        invalidate: true,
        tag: 5,
        kid: 1,
        ..Request::default()
    };
    assert_eq!(bench.bank().in_flight[0], invalidation);
    bench.idle(2);
    assert_eq!(bench.bank().in_flight.due(), Some(&invalidation));
    bench.idle(1);
    assert_eq!(bench.done(), Done::default());
    assert_eq!(bench.set(0), (&[1, 0][..], &[1, 0][..], 0b01, &[6, 5][..]));
    assert_eq!(
        bench.bank().accesses.matrix.count,
        [[0, 0], [1, 1]],
        "the access is dropped"
    );
}

#[test]
fn banks_take_their_own_requests() {
    let params = Params { banks: 2, ..PARAMS };
    let mut monitor = LlcMonitor::new(params.clone()).unwrap();
    let idle = In::idle(&params);
    for _ in 0..params.sets {
        monitor.step(&idle);
    }
    let both = In {
        access_valid: 0b11,
        invalidate_valid: 0b01,
        request_set: vec![1, 2],
        access_tag: vec![3, 4],
        access_requester: vec![0, 1],
        ..idle.clone()
    };
    monitor.step(&both);
    monitor.step(&In {
        invalidate_valid: 0,
        ..both
    });
    monitor.step(&idle);
    monitor.step(&idle);
    assert_eq!(monitor.written().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
    let out = monitor.step(&idle);
    assert_eq!((out.done_valid, out.done_hit, out.done_evict), (0b10, 0, 0));
    assert_eq!(
        (&out.done_way[..], &out.done_owner[..]),
        (&[0, 1][..], &[0, 0][..])
    );
    let out = monitor.step(&idle);
    assert_eq!(
        (out.done_valid, out.done_hit, out.done_evict),
        (0b11, 0b10, 0)
    );
    // Way 1 of bank 0's set was the LRU one, and moved there by the invalidation of way 0.
    assert_eq!(
        (&out.done_way[..], &out.done_owner[..]),
        (&[0, 1][..], &[0, 1][..])
    );
}

#[test]
fn the_requester_table_and_its_entry_for_the_others() {
    let mut bench = Bench::ready();
    let map = |map_requester, map_kid| In {
        map_valid: true,
        map_requester,
        map_kid,
        ..idle()
    };
    let kid_of = |bench: &mut Bench, requester| {
        // Looked up on the write port, too, in the same cycle.
        let told = bench.step(&In {
            map_requester: requester,
            ..access(requester, 0, 1)
        });
        let kid = bench.bank().in_flight[0].kid;
        assert_eq!(told.mapped_kid, kid);
        kid
    };
    assert_eq!([0, 1, 2, 3].map(|r| kid_of(&mut bench, r)), [0, 1, 1, 1]);
    // An access in the cycle of the write still runs under the old entry.
    bench.step(&In {
        map_valid: true,
        map_requester: 1,
        map_kid: 0,
        ..access(1, 0, 1)
    });
    assert_eq!(bench.bank().in_flight[0].kid, 1);
    assert_eq!([0, 1, 2, 3].map(|r| kid_of(&mut bench, r)), [0, 0, 1, 1]);
    // Every code without an entry of its own is the same one.
    bench.step(&map(3, 0));
    assert_eq!([0, 1, 2, 3].map(|r| kid_of(&mut bench, r)), [0, 0, 0, 0]);
    bench.step(&map(2, 1));
    bench.step(&In {
        map_valid: false,
        ..map(0, 1)
    });
    assert_eq!(bench.0.state().kid_of, [0, 0, 1]);
    // Also during a sweep.
    bench.step(&flush());
    bench.step(&map(0, 1));
    assert_eq!(bench.0.state().kid_of, [1, 0, 1]);
}
